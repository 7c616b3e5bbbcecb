#include "apps/training/train_demand.h"

#include "apps/training/run_rows.h"
#include "apps/training/trained_manifest.h"
#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "layers/prediction/demand_features.h"
#include "learn/demand/demand_trainer.h"
#include "learn/folder/model_bytes.h"
#include "learn/report/report_html.h"
#include "learn/report/report_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace parley::app {
namespace {

/// Number of quantiles of errors that a manifest keeps: enough for any level of an interval.
constexpr std::size_t kErrorsKept = 201;
/// Rows of a series five minutes apart are very similar.
constexpr double kMinChildWeight = 100;
constexpr double kLambda = 10;

/// Evenly spaced quantiles, smallest first.
std::vector<double> spaced(std::vector<double> errors) {
    std::erase_if(errors, [](double error) { return !std::isfinite(error); });
    if (errors.empty()) errors = {0};
    std::ranges::sort(errors);
    std::vector<double> out;
    for (std::size_t i = 0; i < kErrorsKept; ++i) {
        out.push_back(errors[i * (errors.size() - 1) / (kErrorsKept - 1)]);
    }
    return out;
}

double error_of(const learn::DemandHorizon& horizon, const std::string& method) {
    const auto found = std::ranges::find(horizon.errors, method, &learn::DemandError::method);
    return found == horizon.errors.end() ? std::numeric_limits<double>::quiet_NaN()
                                         : found->over_persistence;
}

void add_metrics(const learn::DemandHorizon& horizon, std::vector<learn::ModelMetric>& metrics) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const std::string at = "_" + print_double(horizon.minutes) + "m";
    const auto add = [&](const char* name, double value) {
        metrics.push_back({name + at, value, kNone, kNone});
    };
    add("over_persistence", error_of(horizon, "model"));
    add("ridge_over_persistence", error_of(horizon, "ridge"));
    add("coverage", horizon.coverage.overall);
    add("coverage_worst_day", horizon.coverage.worst_day);
}

struct Horizons {
    std::vector<learn::DemandModel> models;
    std::vector<learn::HorizonForest> forests;
    std::vector<std::string> files;
    std::string fingerprints;  ///< Of the rows of each.
};

Result<void> train_horizon(const learn::DemandData& data, std::size_t h,
                           const learn::DemandOptions& options, Horizons& out) {
    const auto split = learn::split_demand(data, h);
    if (!split) return tl::unexpected(split.error());
    const learn::DemandRows& rows = data.horizons[h];
    auto model = learn::train_demand(rows, *split, options);
    if (!model) return tl::unexpected(model.error());
    auto bytes = model->booster.save("ubj");
    if (!bytes) return tl::unexpected(bytes.error());
    auto probes = probes_of(rows.rows, model->test_rows, model->booster);
    if (!probes) return tl::unexpected(probes.error());
    out.forests.push_back({.horizon_s = static_cast<double>(model::kDemandHorizonsMin[h]) * 60.0,
                           .serves = model->report.serves,
                           .errors = spaced(model->errors),
                           .probes = *std::move(probes)});
    out.files.push_back(*std::move(bytes));
    out.fingerprints += (out.fingerprints.empty() ? "" : " ") + model->data.fingerprint;
    out.models.push_back(std::move(*model));
    return {};
}

learn::ModelManifest manifest_of(const NodeTraining& training, const Horizons& trained,
                                 const learn::DemandReport& report) {
    learn::ModelManifest out =
        begun_manifest(training, brain::ModelKind::demand, report.parameters);
    out.data_fingerprint = trained.fingerprints;
    out.inputs = prediction::wanted_demand_features();
    out.gap_s = static_cast<double>(prediction::kDemandLeadMin) * 60.0;
    for (const learn::HorizonForest& forest : trained.forests) {
        out.horizons_s.push_back(forest.horizon_s);
    }
    for (const learn::DemandHorizon& horizon : report.horizons) add_metrics(horizon, out.metrics);
    out.forests = trained.forests;
    return out;
}

learn::DemandOptions options_of(const NodeTraining& training) {
    learn::DemandOptions options{
        .name = provenance_of(training),
        .what = "the greatest minute of what nodes and workloads use, from one minute on",
        .seed = training.flags.seed};
    // Judged by absolute errors; since peaks are rare and high, the median is not the mean.
    options.trees.objective = "reg:absoluteerror";
    options.trees.threads = training.flags.threads;
    options.trees.depth = training.flags.depth;
    options.trees.rounds_max = training.flags.rounds;
    options.trees.min_child_weight = kMinChildWeight;
    options.trees.lambda = kLambda;
    return options;
}

}  // namespace

Result<NodeBrain> train_node_demand(Disk& disk, const NodeTraining& training,
                                    const TrainWatch& watch) {
    const auto data = demand_rows(disk, training, shown_by(training, watch));
    if (!data) return tl::unexpected(data.error());
    learn::DemandOptions options = options_of(training);
    const auto each = static_cast<std::uint64_t>(training.flags.rounds);
    Horizons trained;
    for (std::size_t h = 0; h < model::kDemandHorizons; ++h) {
        options.watch = [&, before = each * h](int done) {
            return watch(before + static_cast<std::uint64_t>(done), each * model::kDemandHorizons);
        };
        if (auto done = train_horizon(*data, h, options, trained); !done) {
            return within(std::to_string(model::kDemandHorizonsMin[h]) + " minutes ahead",
                          done.error());
        }
    }
    if (!training.flags.rows.empty()) {  // Of the longest horizon, which agents use.
        const auto split = learn::split_demand(*data, model::kDemandHorizons - 1);
        if (!split) return tl::unexpected(split.error());
        auto dumped = write_rows(disk, training.flags, data->horizons.back().rows, *split);
        if (!dumped) return tl::unexpected(dumped.error());
    }
    const learn::DemandReport report = learn::demand_report(trained.models, options);
    return NodeBrain{.said = {.text = learn::report_text(report), .json = to_json(report)},
                     .html = learn::report_html(report),
                     .manifest = manifest_of(training, trained, report),
                     .model_bytes = learn::join_files(trained.files)};
}

}  // namespace parley::app
