#include "learn/demand/demand_trainer.h"

#include "base/check.h"
#include "base/number.h"
#include "learn/demand/demand_cover.h"
#include "learn/report/data_facts.h"
#include "learn/rows/baselines.h"
#include "learn/rows/rows_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace parley::learn {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kWorst = 5;

struct Slices {
    std::vector<std::uint32_t> train;
    std::vector<std::uint32_t> stop;
    std::vector<std::uint32_t> calibrate;
    std::vector<std::uint32_t> test;
};

using Forecast = std::vector<double>;  // One per number of a slice.

struct Method {
    std::string name;
    Forecast calibrate;
    Forecast test;
};

Forecast taken(const std::vector<double>& all, const DemandRows& demand,
               std::span<const std::uint32_t> numbers) {
    Forecast values;
    // Where a method has no forecast, persistence is used, so that all methods are judged on the
    // same rows.
    for (const std::uint32_t i : numbers)
        values.push_back(std::isfinite(all[i]) ? all[i] : demand.now[i]);
    return values;
}

Result<Forecast> by_trees(const Booster& booster, const DemandRows& demand,
                          std::span<const std::uint32_t> numbers, int threads) {
    const auto matrix = Matrix::of(demand.rows, numbers, threads);
    if (!matrix) return tl::unexpected(matrix.error());
    const auto margins = booster.margins(*matrix);
    if (!margins) return tl::unexpected(margins.error());
    Forecast values;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const std::uint32_t i = numbers[k];
        values.push_back(demand.now[i] + demand.scale[i] * static_cast<double>((*margins)[k]));
    }
    return values;
}

Forecast by_ridge(const Ridge& ridge, const DemandRows& demand,
                  std::span<const std::uint32_t> numbers) {
    Forecast values;
    for (const std::uint32_t i : numbers)
        values.push_back(demand.now[i] + demand.scale[i] * ridge.predict(demand.rows.row(i)));
    return values;
}

/// Mean |error| of each series, in its own unit.
std::map<std::int32_t, double> errors_by_series(const DemandRows& demand,
                                                std::span<const std::uint32_t> numbers,
                                                std::span<const double> forecast) {
    std::map<std::int32_t, std::pair<double, double>> sums;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        auto& [sum, count] = sums[demand.rows.entity[numbers[k]]];
        sum += std::fabs(forecast[k] - demand.truth[numbers[k]]);
        count += 1;
    }
    std::map<std::int32_t, double> means;
    for (const auto& [series, each] : sums) means[series] = each.first / each.second;
    return means;
}

/// The mean over series of error / error of persistence, so that units do not matter. A series that
/// never moves is left out.
double over_persistence(const std::map<std::int32_t, double>& errors,
                        const std::map<std::int32_t, double>& persistence) {
    double sum = 0;
    double count = 0;
    for (const auto& [series, error] : errors) {
        const double beside = persistence.at(series);
        if (!(beside > 0)) continue;
        sum += error / beside;
        count += 1;
    }
    return count > 0 ? sum / count : kNothing;
}

Ridge choose_ridge(const DemandRows& demand, const Slices& slices) {
    const std::size_t width = demand.rows.columns.size();
    std::vector<float> features;
    std::vector<float> label;
    std::vector<float> weight;
    for (const std::uint32_t i : slices.train) {
        const auto row = demand.rows.row(i);
        features.insert(features.end(), row.begin(), row.end());
        label.push_back(demand.rows.label[i]);
        weight.push_back(demand.rows.weight[i]);
    }
    const auto persistence =
        errors_by_series(demand, slices.stop, taken(demand.now, demand, slices.stop));
    Ridge best;
    double least = std::numeric_limits<double>::infinity();
    for (const double penalty : {1.0, 10.0, 100.0, 1'000.0, 10'000.0}) {
        Ridge ridge = Ridge::fit(features, width, label, weight, penalty);
        const double error = over_persistence(
            errors_by_series(demand, slices.stop, by_ridge(ridge, demand, slices.stop)),
            persistence);
        if (!(error < least)) continue;
        least = error;
        best = std::move(ridge);
    }
    return best;
}

std::vector<WorstError> worst_of(const DemandRows& demand, std::span<const std::uint32_t> numbers,
                                 std::span<const double> forecast) {
    std::vector<double> miss = scaled_errors(demand, {numbers, forecast});
    std::vector<WorstError> worst;
    for (const std::uint32_t k : ranked(miss)) {
        if (worst.size() == kWorst) break;
        const std::uint32_t i = numbers[k];
        worst.push_back({.entity = demand.rows.entity[i],
                         .at_s = static_cast<double>(demand.rows.time[i].us) / 1e6,
                         .forecast = forecast[k],
                         .truth = demand.truth[i],
                         .beside = "now " + fixed(demand.now[i], 3) + ", off by " +
                                   fixed(miss[k], 1) + " scales"});
    }
    return worst;
}

Result<std::vector<Method>> all_methods(const DemandRows& demand, const Slices& slices,
                                        const Booster& booster, int threads) {
    std::vector<Method> methods(1);
    for (Method* method = methods.data(); const auto* numbers : {&slices.calibrate, &slices.test}) {
        auto forecast = by_trees(booster, demand, *numbers, threads);
        if (!forecast) return tl::unexpected(forecast.error());
        (numbers == &slices.test ? method->test : method->calibrate) = std::move(*forecast);
    }
    methods.front().name = "model";
    const std::pair<const char*, const std::vector<double>*> simple[] = {
        {"persistence", &demand.now},
        {"daily", &demand.daily},
        {"weekly", &demand.weekly},
        {"holt", &demand.holt}};
    for (const auto& [name, values] : simple) {
        methods.push_back(
            {name, taken(*values, demand, slices.calibrate), taken(*values, demand, slices.test)});
    }
    const Ridge ridge = choose_ridge(demand, slices);
    methods.push_back(
        {"ridge", by_ridge(ridge, demand, slices.calibrate), by_ridge(ridge, demand, slices.test)});
    return methods;
}

void judge(DemandModel& model, const DemandRows& demand, const Slices& slices,
           const std::vector<Method>& methods) {
    const auto persistence = errors_by_series(demand, slices.test, methods[1].test);
    const auto before = errors_by_series(demand, slices.calibrate, methods[1].calibrate);
    double least = std::numeric_limits<double>::infinity();
    // If nothing moved recently, no method can be shown to beat "stays as it is now".
    const Method* serving = &methods[1];
    double persistence_mae = 0;
    for (const Method& method : methods) {
        std::vector<double> truth;
        for (const std::uint32_t i : slices.test) truth.push_back(demand.truth[i]);
        const double mae = mean_absolute_error(method.test, truth);
        if (method.name == "persistence") persistence_mae = mae;
        const double ratio =
            over_persistence(errors_by_series(demand, slices.test, method.test), persistence);
        model.report.errors.push_back({method.name, mae, ratio});
        const double lately =
            over_persistence(errors_by_series(demand, slices.calibrate, method.calibrate), before);
        if (!(lately < least)) continue;
        least = lately;
        serving = &method;
    }
    model.report.serves = serving->name;
    const ForecastSlice calibrate{slices.calibrate, methods.front().calibrate};
    model.report.coverage =
        cover(demand, calibrate, {slices.test, methods.front().test}, persistence_mae);
    model.errors = scaled_errors(demand, calibrate);
    model.report.worst = worst_of(demand, slices.test, methods.front().test);
    model.test_rows = slices.test;
    model.test_forecast = methods.front().test;
}

double ratio_of(const DemandHorizon& horizon, const std::string& method) {
    const auto at = std::ranges::find(horizon.errors, method, &DemandError::method);
    return at == horizon.errors.end() ? kNothing : at->over_persistence;
}

void add_bars(DemandReport& report) {
    const auto add = [&](const std::string& what, const std::string& asked, double value,
                         bool met) { report.bars.push_back({what, asked, fixed(value, 3), met}); };
    for (const DemandHorizon& horizon : report.horizons) {
        const bool span = horizon.steps == 0;
        const std::string at = span ? " at " + fixed(horizon.minutes, 0) + " min"
                                    : " at " + std::to_string(horizon.steps) +
                                          (horizon.steps == 1 ? " step" : " steps");
        const double model = ratio_of(horizon, "model");
        const double most = (span ? horizon.minutes >= 60 : horizon.steps >= 12) ? 0.90 : 1.00;
        add("error over persistence" + at, "at most " + fixed(most, 2), model, model <= most);
        const double ridge = ratio_of(horizon, "ridge");
        add("error over ridge" + at, "at most 1.02", model / ridge, model <= 1.02 * ridge);
        const Coverage& coverage = horizon.coverage;
        add("coverage" + at, "0.88 to 0.92", coverage.overall,
            coverage.overall >= 0.88 && coverage.overall <= 0.92);
        add("coverage on the worst day" + at, "at least 0.80", coverage.worst_day,
            coverage.worst_day >= 0.80);
    }
}

}  // namespace

BoosterParameters demand_parameters() {
    return {.objective = "reg:squarederror",
            .metric = "mae",
            .base_score = 0,
            .depth = 5,
            .eta = 0.06,
            .min_child_weight = 20,
            .max_delta_step = 0,
            .subsample = 0.7,
            .column_share = 0.7};
}

Result<DemandModel> train_demand(const DemandRows& demand, const Split& split,
                                 const DemandOptions& options) {
    if (auto good = check_rows(demand.rows); !good) return tl::unexpected(good.error());
    const Slices slices{.train = rows_of(demand.rows, split, Part::train),
                        .stop = rows_of(demand.rows, split, Part::stop),
                        .calibrate = rows_of(demand.rows, split, Part::calibrate),
                        .test = rows_of(demand.rows, split, Part::test)};
    if (slices.train.size() < kDemandRowsMin) {
        return fail(ErrorCode::denied,
                    "training: there are " + std::to_string(slices.train.size()) +
                        " rows to train on, and " + std::to_string(kDemandRowsMin) +
                        " are needed; record longer");
    }
    BoosterParameters parameters = options.trees;
    parameters.seed = static_cast<std::uint32_t>(options.seed);
    const auto train = Matrix::of(demand.rows, slices.train, parameters.threads);
    if (!train) return tl::unexpected(train.error());
    const auto stop = Matrix::of(demand.rows, slices.stop, parameters.threads);
    if (!stop) return tl::unexpected(stop.error());
    auto booster = Booster::train(*train, *stop, parameters, options.watch);
    if (!booster) return tl::unexpected(booster.error());
    const auto gains = booster->gains(demand.rows.columns);
    if (!gains) return tl::unexpected(gains.error());
    const auto methods = all_methods(demand, slices, *booster, parameters.threads);
    if (!methods) return tl::unexpected(methods.error());
    DemandModel model{.booster = std::move(*booster), .data = facts_of(demand.rows, split)};
    model.report.steps = demand.horizon.us > 0 ? 0 : demand.steps;
    model.report.minutes = demand.horizon.us > 0
                               ? in_minutes(demand.horizon)
                               : in_minutes(demand.step) * static_cast<double>(demand.steps);
    model.report.trees = static_cast<std::uint64_t>(model.booster.trees());
    model.report.test_rows = slices.test.size();
    for (const Gain& gain : *gains) model.report.importance.push_back({gain.feature, gain.share});
    judge(model, demand, slices, *methods);
    return model;
}

DemandReport demand_report(std::span<const DemandModel> models, const DemandOptions& options) {
    PARLEY_CHECK(!models.empty());
    DemandReport report{
        .data = models.back().data, .parameters = options.trees, .xgboost = xgboost_version()};
    report.data.name = options.name;
    report.data.what = options.what;
    report.data.entity = "series";
    report.parameters.seed = static_cast<std::uint32_t>(options.seed);
    for (const DemandModel& model : models) report.horizons.push_back(model.report);
    add_bars(report);
    return report;
}

}  // namespace parley::learn
