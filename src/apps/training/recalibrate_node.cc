#include "apps/training/recalibrate_node.h"

#include "apps/training/run_rows.h"
#include "apps/training/trained_manifest.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/time_text.h"
#include "layers/prediction/node_features.h"
#include "learn/folder/served_model.h"
#include "learn/risk/recalibration_text.h"

#include <utility>

namespace parley::app {
namespace {

/// Refuses runs that the trees were grown on: their outcomes say nothing about others.
Result<void> check_unseen(const NodeTraining& training, const learn::ModelManifest& manifest) {
    if (!training.simulated) return {};
    for (const learn::SeedRange& seen : manifest.seeds) {
        if (training.simulated->last_seed < seen.from || training.simulated->first_seed > seen.to) {
            continue;
        }
        return fail(ErrorCode::denied, "--simulate: the model that ships was trained on seeds " +
                                           std::to_string(seen.from) + " to " +
                                           std::to_string(seen.to) + "; take others");
    }
    return {};
}

}  // namespace

Result<NodeBrain> recalibrate_node_risk(Disk& disk, const NodeTraining& training,
                                        const TrainWatch& watch) {
    const learn::ModelFiles shipped = learn::shipped_risk();
    const auto model = learn::model_of(shipped, prediction::wanted_features());
    if (!model) return tl::unexpected(model.error());
    auto manifest = learn::parse_manifest(shipped.manifest);
    if (!manifest) return tl::unexpected(manifest.error());
    if (auto fine = check_unseen(training, *manifest); !fine) return tl::unexpected(fine.error());
    const auto data = weighed_risk_rows(disk, training, shown_by(training, watch));
    if (!data) return tl::unexpected(data.error());
    const learn::Split none{
        .part = std::vector<learn::Part>(data->rows.size(), learn::Part::calibrate)};
    auto dumped = write_rows(disk, training.flags, data->rows, none);
    if (!dumped) return tl::unexpected(dumped.error());
    const learn::RiskRules& rules = training.rules;
    const double per_failure =
        static_cast<double>((rules.horizon - rules.gap).us) / static_cast<double>(rules.every.us);
    const auto found =
        learn::recalibrate_risk(**model, data->rows, per_failure, risk_options(training));
    if (!found) return tl::unexpected(found.error());
    const learn::RecalibrationReport& report = found->report;
    manifest->trained = print_time(wall_now());
    manifest->provenance += "; recalibrated: " + provenance_of(training);
    manifest->data_fingerprint = report.data.fingerprint;
    manifest->calibration = found->calibration;
    set_quality(report.after, *manifest);
    return NodeBrain{.said = {.text = learn::recalibration_text(report), .json = to_json(report)},
                     .manifest = *std::move(manifest),
                     .model_bytes = shipped.trees,
                     .unchanged = !report.changed};
}

}  // namespace parley::app
