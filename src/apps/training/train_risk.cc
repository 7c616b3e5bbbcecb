#include "apps/training/train_risk.h"

#include "apps/training/run_rows.h"
#include "apps/training/trained_manifest.h"
#include "base/json.h"
#include "layers/prediction/node_features.h"
#include "learn/report/report_html.h"
#include "learn/report/report_text.h"
#include "learn/risk/families.h"

#include <utility>

namespace parley::app {
namespace {

/// Rows of a node a minute apart are nearly copies, some thirty per failure: a leaf must hold
/// several failures, not several rows of one.
constexpr double kMinChildWeight = 100;
constexpr double kLambda = 10;

/// Failures that are too few for trees may still be enough for calibration.
Error with_advice(Error error) {
    if (error.code == ErrorCode::denied) {
        error.message +=
            ", or fit the calibration of the model that ships: parley train risk --recalibrate";
    }
    return error;
}

Result<learn::ModelManifest> manifest_of(const NodeTraining& training, const learn::RiskData& data,
                                         const learn::RiskModel& model) {
    auto probes = probes_of(data.rows, model.test_rows, model.booster);
    if (!probes) return tl::unexpected(probes.error());
    learn::ModelManifest out =
        begun_manifest(training, brain::ModelKind::risk, model.report.parameters);
    out.data_fingerprint = model.report.data.fingerprint;
    out.inputs = prediction::wanted_features();
    out.gap_s = in_seconds(training.rules.gap);
    out.horizons_s = {in_seconds(training.rules.horizon)};
    out.calibration = model.calibration;
    set_quality(model.report.quality, out);
    out.probes = *std::move(probes);
    return out;
}

}  // namespace

Result<NodeBrain> train_node_risk(Disk& disk, const NodeTraining& training,
                                  const TrainWatch& watch) {
    const auto data = weighed_risk_rows(disk, training, shown_by(training, watch));
    if (!data) return tl::unexpected(data.error());
    return train_on_rows(disk, training, *data, watch);
}

Result<NodeBrain> train_on_rows(Disk& disk, const NodeTraining& training,
                                const learn::RiskData& data, const TrainWatch& watch) {
    const auto split = learn::split_rows(data.rows, training.rules.horizon);
    if (!split) return tl::unexpected(split.error());
    learn::RiskOptions risk = risk_options(training);
    risk.trees.threads = training.flags.threads;
    risk.trees.depth = training.flags.depth;
    risk.trees.rounds_max = training.flags.rounds;
    risk.trees.min_child_weight = kMinChildWeight;
    risk.trees.lambda = kLambda;
    const auto each = static_cast<std::uint64_t>(learn::rounds_told(risk.trees));
    const std::uint64_t total =
        each * (1 + (training.families ? learn::names_of(data.families).size() : 0));
    risk.watch = [&](int done) { return watch(static_cast<std::uint64_t>(done), total); };
    auto model = learn::train_risk(data.rows, *split, risk);
    if (!model) return tl::unexpected(with_advice(model.error()));
    if (training.families) {
        auto families = learn::leave_families_out(
            data.rows, *split, data.families, *model, risk, [&](std::size_t trained, int round) {
                return watch(each * (1 + trained) + static_cast<std::uint64_t>(round), total);
            });
        if (!families) return tl::unexpected(families.error());
        model->report.families = *std::move(families);
    }
    if (!data.deeds.empty()) model->report.above = learn::judge_deeds(data.deeds);
    auto dumped = write_rows(disk, training.flags, data.rows, *split);
    if (!dumped) return tl::unexpected(dumped.error());
    auto bytes = model->booster.save("ubj");
    if (!bytes) return tl::unexpected(bytes.error());
    auto manifest = manifest_of(training, data, *model);
    if (!manifest) return tl::unexpected(manifest.error());
    return NodeBrain{
        .said = {.text = learn::report_text(model->report), .json = to_json(model->report)},
        .html = learn::report_html(model->report),
        .manifest = *std::move(manifest),
        .model_bytes = *std::move(bytes)};
}

}  // namespace parley::app
