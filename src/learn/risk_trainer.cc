#include "learn/risk_trainer.h"

#include "base/math.h"
#include "base/number.h"
#include "base/random.h"
#include "learn/calibrate.h"
#include "learn/data_facts.h"
#include "learn/risk_quality.h"
#include "learn/rows_check.h"
#include "learn/served_quality.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace parley::learn {
namespace {

constexpr std::size_t kWorstEach = 5;
constexpr std::size_t kBaselines = 3;

struct Slices {
    std::vector<std::uint32_t> train;
    std::vector<std::uint32_t> stop;
    std::vector<std::uint32_t> calibrate;
    std::vector<std::uint32_t> test;
};

Result<void> enough(const DataFacts& data) {
    std::uint64_t events = 0;
    std::uint64_t entities = 0;
    for (const SliceFacts& slice : data.slices) {
        events += slice.events;
        entities = std::max(entities, slice.entities);
    }
    const auto too_few = [](std::uint64_t found, const std::string& what, std::uint64_t needed) {
        return fail(ErrorCode::denied, "training: there are " + std::to_string(found) + what +
                                           ", and " + std::to_string(needed) +
                                           " are needed; recalibrate the model that ships instead");
    };
    if (events < kEventsMin) return too_few(events, " failures", kEventsMin);
    if (entities < kEntitiesMin) return too_few(entities, " of kind " + data.entity, kEntitiesMin);
    for (const SliceFacts& slice : data.slices) {
        if (slice.positives != 0 && slice.positives != slice.rows) continue;
        return fail(ErrorCode::denied,
                    "training: the " + std::string(enum_name(slice.part)) +
                        " slice has rows of one label only; more data is needed");
    }
    return {};
}

struct TrainingRows {
    std::vector<std::uint32_t> numbers;
    std::vector<float> margin;  ///< Empty where all rows are used.
    double base_score = 0.5;
    double kept = 1;  ///< Share of the negatives.
};

double prevalence(const Rows& rows, std::span<const std::uint32_t> numbers) {
    double positive = 0;
    double all = 0;
    for (const std::uint32_t i : numbers) {
        positive += static_cast<double>(rows.weight[i]) * rows.label[i];
        all += rows.weight[i];
    }
    return positive / all;
}

/// All positives and, where rows are too many, a share q of the negatives. Odds among the rows kept
/// are 1/q times too high: boosting begins that much higher, and what it adds holds for all rows.
TrainingRows training_rows(const Rows& rows, std::vector<std::uint32_t> numbers,
                           const RiskOptions& options) {
    TrainingRows result{.base_score = std::clamp(prevalence(rows, numbers), 1e-6, 1 - 1e-6)};
    if (numbers.size() <= options.training_rows_max) {
        result.numbers = std::move(numbers);
        return result;
    }
    const auto positives = static_cast<std::size_t>(
        std::ranges::count_if(numbers, [&](std::uint32_t i) { return rows.label[i] == 1; }));
    const std::size_t room = std::max(options.training_rows_max, 2 * positives) - positives;
    result.kept =
        std::min(1.0, static_cast<double>(room) / static_cast<double>(numbers.size() - positives));
    for (const std::uint32_t i : numbers) {
        const auto bits = draw(options.seed, Stream::policy, i, 1);
        if (rows.label[i] == 1 || random::bernoulli(bits, result.kept)) result.numbers.push_back(i);
    }
    const double natural = math::log(result.base_score) - math::log1p(-result.base_score);
    result.margin.assign(result.numbers.size(),
                         static_cast<float>(natural - math::log(result.kept)));
    return result;
}

Result<std::vector<double>> margins_of(const Booster& booster, const Rows& rows,
                                       std::span<const std::uint32_t> numbers, int threads) {
    const auto matrix = Matrix::of(rows, numbers, threads);
    if (!matrix) return tl::unexpected(matrix.error());
    const auto margins = booster.margins(*matrix);
    if (!margins) return tl::unexpected(margins.error());
    return std::vector<double>(margins->begin(), margins->end());
}

Result<Booster> boost(const Rows& rows, const Slices& slices, const RiskOptions& options,
                      RiskReport& report) {
    TrainingRows training = training_rows(rows, slices.train, options);
    report.parameters = options.trees;
    report.parameters.base_score = training.base_score;
    report.parameters.seed = static_cast<std::uint32_t>(options.seed);
    report.negatives_kept = training.kept;
    const int threads = options.trees.threads;
    const auto train = Matrix::of(rows, training.numbers, threads, training.margin);
    if (!train) return tl::unexpected(train.error());
    const auto stop = Matrix::of(rows, slices.stop, threads);
    if (!stop) return tl::unexpected(stop.error());
    return Booster::train(*train, *stop, report.parameters, options.watch);
}

Result<brain::Calibration> fit_calibration(const Booster& booster, const Rows& rows,
                                           const Slices& slices, const RiskOptions& options,
                                           std::uint64_t events) {
    const auto margins = margins_of(booster, rows, slices.calibrate, options.trees.threads);
    if (!margins) return tl::unexpected(margins.error());
    std::vector<float> label;
    std::vector<float> weight;
    for (const std::uint32_t i : slices.calibrate) {
        label.push_back(rows.label[i]);
        weight.push_back(rows.weight[i]);
    }
    return calibrate({*margins, label, weight, events});
}

void judge(RiskModel& model, const Rows& rows, const RiskOptions& options) {
    RiskReport& report = model.report;
    const RiskTest test{.rows = rows,
                        .numbers = model.test_rows,
                        .probability = model.test_probability,
                        .step = options.step,
                        .seed = options.seed,
                        .resamples = options.resamples};
    report.quality = judge_risk(test);
    report.bars = risk_bars(report.quality);
    if (options.resolved_after.us > 0) report.served = judge_served(test, options.resolved_after);
    report.baselines = feature_baselines(test, kBaselines);
    report.slices = risk_slices(test, report.importance);
    report.worst = worst_risks(test, report.importance, kWorstEach);
}

}  // namespace

Result<RiskModel> train_risk(const Rows& rows, const Split& split, const RiskOptions& options) {
    if (auto good = check_risk_rows(rows); !good) return tl::unexpected(good.error());
    RiskReport report;
    report.data = facts_of(rows, split);
    report.data.name = options.name;
    report.data.what = options.what;
    report.data.entity = options.entity;
    report.xgboost = xgboost_version();
    if (auto can = enough(report.data); !can) return tl::unexpected(can.error());
    const Slices slices{.train = rows_of(rows, split, Part::train),
                        .stop = rows_of(rows, split, Part::stop),
                        .calibrate = rows_of(rows, split, Part::calibrate),
                        .test = rows_of(rows, split, Part::test)};
    auto booster = boost(rows, slices, options, report);
    if (!booster) return tl::unexpected(booster.error());
    report.trees = static_cast<std::uint64_t>(booster->trees());
    const auto gains = booster->gains(rows.columns);
    if (!gains) return tl::unexpected(gains.error());
    for (const Gain& gain : *gains) report.importance.push_back({gain.feature, gain.share});
    report.calibration_events =
        report.data.slices[static_cast<std::size_t>(Part::calibrate)].events;
    auto calibration = fit_calibration(*booster, rows, slices, options, report.calibration_events);
    if (!calibration) return tl::unexpected(calibration.error());
    report.calibration = std::string(enum_name(calibration->kind));
    report.may_act = may_act(*calibration);
    const auto margins = margins_of(*booster, rows, slices.test, options.trees.threads);
    if (!margins) return tl::unexpected(margins.error());
    RiskModel model{.booster = std::move(*booster),
                    .calibration = std::move(*calibration),
                    .report = std::move(report),
                    .test_rows = slices.test};
    for (const double margin : *margins)
        model.test_probability.push_back(brain::apply(model.calibration, margin));
    judge(model, rows, options);
    return model;
}

}  // namespace parley::learn
