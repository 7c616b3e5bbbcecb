#include "apps/training/train_node.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "layers/prediction/node_features.h"
#include "learn/report/report_html.h"
#include "learn/report/report_text.h"
#include "learn/risk/families.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace parley::app {
namespace {

/// Rows of a node a minute apart are nearly copies, some thirty of them to a failure: a leaf must
/// hold several failures, not several rows of one.
constexpr double kMinChildWeight = 100;
constexpr double kLambda = 10;
/// A node must be Ready for ten minutes and then be watched for half an hour.
constexpr Duration kRunLeast = hours(1);
constexpr Duration kRunMost = hours(672);  // Four weeks.

std::vector<learn::ModelMetric> metrics_of(const learn::RiskQuality& quality) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {{"base_rate", quality.base_rate, kNone, kNone},
            {"auc", quality.auc.value, quality.auc.low, quality.auc.high},
            {"average_precision", quality.average_precision, kNone, kNone},
            {"log_loss_skill", quality.skill.value, quality.skill.low, quality.skill.high},
            {"brier", quality.brier, kNone, kNone},
            {"calibration_error", quality.calibration_error, kNone, kNone},
            {"calibration_slope", quality.calibration_slope, kNone, kNone},
            {"observed_over_expected", quality.observed_over_expected.value,
             quality.observed_over_expected.low, quality.observed_over_expected.high}};
}

/// Failures too few for trees may still say how often they come.
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

Result<learn::RiskData> node_data(Disk& disk, const NodeTraining& training,
                                  const learn::Done& done) {
    auto data = training.simulated
                    ? learn::rows_of_simulation(*training.simulated, training.rules, done)
                    : learn::rows_of_runs(disk, training.runs, training.rules, done);
    if (!data) return data;
    auto weights = learn::censoring_weights(data->watched);
    if (!weights) return tl::unexpected(weights.error());
    data->rows.weight = *std::move(weights);
    return data;
}

learn::RiskOptions risk_options(const NodeTraining& training) {
    const learn::RiskRules& rules = training.rules;
    return {.name = provenance_of(training),
            .what = "a node is lost within " + print_age(rules.horizon) + " and not within " +
                    print_age(rules.gap),
            .entity = "node",
            .step = rules.every,
            .horizon = rules.horizon,
            .seed = training.flags.seed};
}

void set_quality(const learn::RiskQuality& quality, learn::ModelManifest& manifest) {
    manifest.metrics = metrics_of(quality);
    manifest.reliability.clear();
    for (const learn::Bin& bin : quality.bins) {
        manifest.reliability.push_back({bin.forecast, bin.observed, bin.share * quality.weight});
    }
}

std::string provenance_of(const NodeTraining& training) {
    if (!training.simulated) {
        return "recorded: " + std::to_string(training.runs.size()) +
               (training.runs.size() == 1 ? " run" : " runs");
    }
    const learn::SimulatedRuns& runs = *training.simulated;
    return "simulated: scenario " + runs.scenario + ", seeds " + std::to_string(runs.first_seed) +
           " to " + std::to_string(runs.last_seed) + ", " + print_age(runs.length) +
           " each, nobody acting";
}

Result<learn::SimulatedRuns> simulated_runs(const std::string& seeds,
                                            const std::string& length_text) {
    learn::SimulatedRuns runs;
    const std::size_t dash = seeds.find('-');
    const auto first = parse_uint64(seeds.substr(0, dash));
    const auto last = parse_uint64(dash == std::string::npos ? "" : seeds.substr(dash + 1));
    if (!first || !last) {
        return fail(ErrorCode::denied, "--simulate is a range of seeds such as 1-100, and " +
                                           in_quotes(seeds) + " was given");
    }
    runs.first_seed = *first;
    runs.last_seed = *last;
    if (auto fine = learn::check_seeds(runs); !fine) return within("--simulate", fine.error());
    const auto length = parse_duration(length_text);
    if (!length || *length < kRunLeast || *length > kRunMost) {
        return fail(ErrorCode::denied, "--length is a time from 1h to 672h such as 24h, and " +
                                           in_quotes(length_text) + " was given");
    }
    runs.length = *length;
    return runs;
}

std::uint64_t steps_of(const NodeTraining& training) {
    if (!training.simulated) return training.runs.size();
    const learn::SimulatedRuns& runs = *training.simulated;
    return (runs.last_seed - runs.first_seed + 1) *
           static_cast<std::uint64_t>(in_minutes(runs.length) / 60.0);
}

learn::Done shown_by(const NodeTraining& training, const TrainWatch& watch) {
    const double each =  // Simulated runs are counted in hours, as each takes a while.
        training.simulated ? in_minutes(training.simulated->length) / 60.0 : 1.0;
    return [each, total = steps_of(training), &watch](double done) {
        return watch(static_cast<std::uint64_t>(done * each), total);
    };
}

Result<std::vector<learn::Probe>> probes_of(const learn::Rows& rows,
                                            const std::vector<std::uint32_t>& test_rows,
                                            const learn::Booster& booster) {
    std::vector<std::uint32_t> chosen;
    const std::size_t step = std::max<std::size_t>(1, test_rows.size() / learn::kProbeRows);
    for (std::size_t i = 0; i < test_rows.size() && chosen.size() < learn::kProbeRows; i += step) {
        chosen.push_back(test_rows[i]);
    }
    const auto matrix = learn::Matrix::of(rows, chosen, 1);
    if (!matrix) return tl::unexpected(matrix.error());
    const auto margins = booster.margins(*matrix);
    if (!margins) return tl::unexpected(margins.error());
    std::vector<learn::Probe> probes;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto row = rows.row(chosen[i]);
        probes.push_back({.row = {row.begin(), row.end()}, .margin = (*margins)[i]});
    }
    return probes;
}

learn::ModelManifest begun_manifest(const NodeTraining& training, brain::ModelKind kind,
                                    const learn::BoosterParameters& parameters) {
    learn::ModelManifest out{
        .kind = kind, .trained = print_time(wall_now()), .provenance = provenance_of(training)};
    if (training.simulated) {
        out.seeds = {{training.simulated->first_seed, training.simulated->last_seed}};
    }
    out.xgboost = learn::xgboost_version();
    for_each_member(parameters, [&](auto name, const auto& value) {
        out.parameters.push_back({std::string(name), to_json(value)});
    });
    out.threads = static_cast<std::uint32_t>(parameters.threads);
    out.seed = training.flags.seed;
    return out;
}

Result<NodeBrain> train_node_risk(Disk& disk, const NodeTraining& training,
                                  const TrainWatch& watch) {
    const auto data = node_data(disk, training, shown_by(training, watch));
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
