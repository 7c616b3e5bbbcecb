#include "apps/shelf/brains.h"

#include "base/number.h"
#include "base/words.h"
#include "layers/prediction/demand_features.h"
#include "layers/prediction/node_features.h"
#include "learn/folder/served_model.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

/// Its main figure of quality; empty if the manifest has none.
std::string quality_of(const learn::ModelManifest& manifest, const std::string& metric,
                       const std::string& words) {
    const auto found = std::ranges::find(manifest.metrics, metric, &learn::ModelMetric::name);
    return found == manifest.metrics.end() ? "" : ", " + words + " " + fixed(found->value, 2);
}

std::string said_of(const learn::ModelManifest& manifest) {
    const std::string quality =
        manifest.kind == brain::ModelKind::risk
            ? quality_of(manifest, "auc", "AUC")
            : quality_of(manifest, "over_persistence_60m", "error at 60 min over persistence");
    return manifest.id + " (" + manifest.provenance + quality + ")";
}

Result<ServedBrains> served_by(learn::ModelFiles files) {
    const auto manifest = learn::parse_manifest(files.manifest);
    if (!manifest) return tl::unexpected(manifest.error());
    auto model = learn::model_of(files, prediction::wanted_features());
    if (!model) return tl::unexpected(model.error());
    if (auto fine = check_servable(*manifest); !fine) return tl::unexpected(fine.error());
    ServedBrains out{
        .risk_id = manifest->id, .said = said_of(*manifest), .files = std::move(files)};
    out.brains.risk = *std::move(model);
    return out;
}

/// Reads the model of demand in these files into `out`.
Result<void> serve_demand(learn::ModelFiles files, ServedBrains& out) {
    const auto manifest = learn::parse_manifest(files.manifest);
    if (!manifest) return tl::unexpected(manifest.error());
    auto model = learn::demand_model_of(files, prediction::wanted_demand_features());
    if (!model) return tl::unexpected(model.error());
    out.demand = {.id = manifest->id, .said = said_of(*manifest), .files = std::move(files)};
    out.brains.demand = *std::move(model);
    return {};
}

/// Adds the model of demand: the named one, or else the program's own.
Result<void> add_demand(Disk& disk, const ModelShelf& shelf, const model::Policy& policy,
                        ServedBrains& out) {
    std::string wanted = policy.brains.demand;
    std::string refused;
    if (wanted.empty()) {
        const auto current = learn::current_models(disk, shelf.folder);
        if (current) {
            wanted = current->demand;
        } else {
            refused = current.error().message;
        }
    }
    learn::ModelFiles shipped = learn::shipped_demand();
    const auto own = learn::parse_manifest(shipped.manifest);
    if (!wanted.empty() && !(own && own->id == wanted)) {
        auto served = learn::stored_files(disk, join(shelf.folder, wanted), shelf.trust)
                          .and_then([&](learn::ModelFiles files) {
                              return serve_demand(std::move(files), out);
                          });
        if (served) return {};
        refused = served.error().message;
    }
    auto served = serve_demand(std::move(shipped), out);
    out.demand.refused = std::move(refused);
    return served;
}

/// The model of risk.
Result<ServedBrains> serve_risk(Disk& disk, const ModelShelf& shelf, const model::Policy& policy) {
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
    auto served =
        learn::stored_files(disk, join(shelf.folder, wanted), shelf.trust).and_then(served_by);
    if (served) return served;
    shipped->refused = served.error().message;
    return shipped;
}

}  // namespace

bool wants_brains(const model::Policy& policy) {
    return policy.predictor == model::PredictorKind::xgboost ||
           std::ranges::count(policy.brains.shadow, model::PredictorKind::xgboost) > 0;
}

bool wants_demand(const model::Policy& policy) {
    return policy.predictor == model::PredictorKind::xgboost &&
           policy.profile == model::Profile::parley;
}

Result<ServedBrains> serve_brains(Disk& disk, const ModelShelf& shelf,
                                  const model::Policy& policy) {
    if (!wants_brains(policy)) return ServedBrains{};
    auto served = serve_risk(disk, shelf, policy);
    if (!served || !wants_demand(policy)) return served;
    if (auto added = add_demand(disk, shelf, policy, *served); !added) {
        return tl::unexpected(added.error());
    }
    return served;
}

Result<ServedBrains> serve_policy(Disk& disk, const std::string& models, const std::string& trust,
                                  model::Policy& policy) {
    if (!wants_brains(policy)) return ServedBrains{};
    std::vector<std::string> keys = parts_between(trust, ',');
    std::erase(keys, "");
    const auto shelf = model_shelf(disk, models, std::move(keys));
    if (!shelf) return tl::unexpected(shelf.error());
    auto served = serve_brains(disk, *shelf, policy);
    if (served) {
        policy.brains.risk = served->risk_id;
        policy.brains.demand = served->demand.id;
    }
    return served;
}

std::string refusal_text(const ServedBrains& served) {
    const auto line = [](const std::string& refused, const std::string& said) {
        return refused.empty() ? "" : "warning: " + refused + "; instead, " + said + " serves\n";
    };
    return line(served.refused, served.said) + line(served.demand.refused, served.demand.said);
}

Result<void> keep_brains(Disk& disk, const std::string& run, const ServedBrains& served) {
    Result<void> kept;
    if (!served.risk_id.empty()) kept = learn::keep_model(disk, run, served.risk_id, served.files);
    if (kept && !served.demand.id.empty()) {
        kept = learn::keep_model(disk, run, served.demand.id, served.demand.files);
    }
    return kept;
}

Result<prediction::Brains> recorded_brains(Disk& disk, const std::string& run,
                                           const model::Policy& policy) {
    prediction::Brains brains;
    if (!wants_brains(policy) || policy.brains.risk.empty()) return brains;
    auto model = learn::kept_model(disk, run, policy.brains.risk, prediction::wanted_features());
    if (!model) return tl::unexpected(model.error());
    brains.risk = *std::move(model);
    if (policy.brains.demand.empty()) return brains;  // As before there were models of demand.
    auto demand =
        learn::kept_demand(disk, run, policy.brains.demand, prediction::wanted_demand_features());
    if (!demand) return tl::unexpected(demand.error());
    brains.demand = *std::move(demand);
    return brains;
}

}  // namespace parley::app
