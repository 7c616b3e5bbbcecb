#include "apps/parley/brains.h"

#include "base/number.h"
#include "layers/prediction/node_features.h"
#include "learn/served_model.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

std::string quality_of(const learn::ModelManifest& manifest) {
    const auto auc = std::ranges::find(manifest.metrics, "auc", &learn::ModelMetric::name);
    return auc == manifest.metrics.end() ? "" : ", AUC " + fixed(auc->value, 2);
}

std::vector<std::string> by_commas(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        if (to > from) parts.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return parts;
}

/// The model on the shelf with that id, with its files as they are.
Result<learn::ModelFiles> files_on_shelf(Disk& disk, const ModelShelf& shelf,
                                         const std::string& id) {
    const std::string folder = join(shelf.folder, id);
    const auto stored = learn::open_model(disk, folder, shelf.trust);
    if (!stored) return tl::unexpected(stored.error());
    auto manifest = read_file(disk, join(folder, "manifest.json"), learn::kManifestBytesMax);
    if (!manifest) return tl::unexpected(manifest.error());
    return learn::ModelFiles{*std::move(manifest), stored->bytes};
}

Result<ServedBrains> served_by(learn::ModelFiles files) {
    const auto manifest = learn::parse_manifest(files.manifest);
    if (!manifest) return tl::unexpected(manifest.error());
    auto model = learn::model_of(files, prediction::wanted_features());
    if (!model) return tl::unexpected(model.error());
    if ((*model)->calibration.kind == brain::CalibrationKind::none) {
        return fail(ErrorCode::denied, "model " + manifest->id +
                                           " is not calibrated, so that it may not drive actions; "
                                           "train it on runs with more failures");
    }
    ServedBrains out{
        .risk_id = manifest->id,
        .said = manifest->id + " (" + manifest->provenance + quality_of(*manifest) + ")",
        .files = std::move(files)};
    out.brains.risk = *std::move(model);
    return out;
}

}  // namespace

bool wants_brains(const model::Policy& policy) {
    return policy.predictor == model::PredictorKind::xgboost ||
           std::ranges::count(policy.brains.shadow, model::PredictorKind::xgboost) > 0;
}

Result<ServedBrains> serve_brains(Disk& disk, const ModelShelf& shelf,
                                  const model::Policy& policy) {
    if (!wants_brains(policy)) return ServedBrains{};
    auto shipped = served_by(learn::shipped_risk());
    if (!shipped) return tl::unexpected(shipped.error());
    std::string wanted = policy.brains.risk;
    if (wanted.empty()) {
        const auto current = learn::current_models(disk, shelf.folder);
        if (!current) {
            shipped->refused = current.error().message;
            return shipped;
        }
        wanted = current->risk;
    }
    if (wanted.empty() || wanted == shipped->risk_id) return shipped;
    auto served = files_on_shelf(disk, shelf, wanted).and_then(served_by);
    if (served) return served;
    shipped->refused = served.error().message;
    return shipped;
}

Result<ServedBrains> serve_policy(Disk& disk, const std::string& models, const std::string& trust,
                                  model::Policy& policy) {
    if (!wants_brains(policy)) return ServedBrains{};
    const auto shelf = model_shelf(disk, models, by_commas(trust));
    if (!shelf) return tl::unexpected(shelf.error());
    auto served = serve_brains(disk, *shelf, policy);
    if (served) policy.brains.risk = served->risk_id;
    return served;
}

std::string refusal_text(const ServedBrains& served) {
    if (served.refused.empty()) return "";
    return "warning: " + served.refused + "; instead, " + served.said + " serves\n";
}

Result<prediction::Brains> recorded_brains(Disk& disk, const std::string& run,
                                           const model::Policy& policy) {
    prediction::Brains brains;
    if (!wants_brains(policy) || policy.brains.risk.empty()) return brains;
    auto model = learn::kept_model(disk, run, policy.brains.risk, prediction::wanted_features());
    if (!model) return tl::unexpected(model.error());
    brains.risk = *std::move(model);
    return brains;
}

}  // namespace parley::app
