#include "learn/risk/risk_trainer.h"

#include "learn/fit/calibrate.h"
#include "learn/fit/cross_fit.h"
#include "learn/report/data_facts.h"
#include "learn/risk/perfect_model.h"
#include "learn/risk/risk_quality.h"
#include "learn/risk/served_quality.h"
#include "learn/risk/warnings.h"
#include "learn/rows/rows_check.h"
#include "learn/rows/training_rows.h"

#include <algorithm>

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
                                           " are needed; give more data");
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
    const TrainingRows training =
        training_rows(rows, slices.train, options.training_rows_max, options.seed);
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

/// Rows with margins of trees that never saw them.
struct Unseen {
    std::vector<double> margin;
    std::vector<float> label;
    std::vector<float> weight;
    std::vector<std::int32_t> event;
    std::vector<std::uint8_t> era;

    void add(const Rows& rows, std::uint32_t number, double of, std::uint8_t in) {
        margin.push_back(of);
        label.push_back(rows.label[number]);
        weight.push_back(rows.weight[number]);
        event.push_back(rows.event[number]);
        era.push_back(in);
    }
};

/// Counts the second half for the watch: folds are as long as the forest that serves.
Watch folds_told(const RiskOptions& options, int trees) {
    if (!options.watch) return {};
    const int half = options.trees.rounds_max;
    return [&options, half, trees, grown = 0](int) mutable {
        ++grown;
        const double share = grown / (static_cast<double>(kFolds) * trees);
        return options.watch(half + static_cast<int>(share * half));
    };
}

/// All rows before the test: training rows by folds, those for stopping and calibrating by the
/// forest itself. That a few hundred of them stopped it has no visible effect.
Result<Unseen> unseen(const Booster& booster, const Rows& rows, const Split& split,
                      const Slices& slices, const RiskOptions& options,
                      const BoosterParameters& trees) {
    CrossFit folds{.trees = trees,
                   .training_rows_max = options.training_rows_max,
                   .seed = options.seed,
                   .watch = folds_told(options, booster.trees())};
    folds.trees.rounds_max = booster.trees();
    const auto held = cross_fit(rows, split, folds);
    if (!held) return tl::unexpected(held.error());
    Unseen all;
    for (std::size_t i = 0; i < held->numbers.size(); ++i)
        all.add(rows, held->numbers[i], held->margin[i], held->fold[i]);
    std::uint8_t era = kFolds;
    for (const auto* part : {&slices.stop, &slices.calibrate}) {
        const auto margins = margins_of(booster, rows, *part, options.trees.threads);
        if (!margins) return tl::unexpected(margins.error());
        for (std::size_t i = 0; i < part->size(); ++i)
            all.add(rows, (*part)[i], (*margins)[i], era);
        ++era;
    }
    return all;
}

Result<Calibrated> fit_calibration(const Booster& booster, const Rows& rows, const Split& split,
                                   const Slices& slices, const RiskOptions& options,
                                   RiskReport& report) {
    const auto all = unseen(booster, rows, split, slices, options, report.parameters);
    if (!all) return tl::unexpected(all.error());
    CalibrationRows from{.margin = all->margin,
                         .label = all->label,
                         .weight = all->weight,
                         .events = independent_events(all->event, all->label, all->weight)};
    if (split.by_time) from.era = all->era;
    from.event = all->event;
    auto found = calibrate(from);
    report.calibration_events = static_cast<std::uint64_t>(found.events);
    report.calibrated_by_newest = found.newest;
    return found;
}

void judge(RiskModel& model, const Rows& rows, const Split& split, const RiskOptions& options) {
    RiskReport& report = model.report;
    const RiskTest test{.rows = rows,
                        .numbers = model.test_rows,
                        .probability = model.test_probability,
                        .step = options.step,
                        .horizon = options.horizon,
                        .seed = options.seed,
                        .resamples = options.resamples};
    report.quality = judge_risk(test);
    report.bars = risk_bars(report.quality);
    note_perfect(test, report.bars);
    if (options.resolved_after.us > 0) report.served = judge_served(test, options.resolved_after);
    report.baselines = feature_baselines(test, kBaselines);
    report.slices = risk_slices(test, report.importance);
    report.worst = worst_risks(test, report.importance, kWorstEach);
    report.warnings = risk_warnings(test, split, report);
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
    auto calibration = fit_calibration(*booster, rows, split, slices, options, report);
    if (!calibration) return tl::unexpected(calibration.error());
    report.calibration = std::string(enum_name(calibration->curve.kind));
    report.may_act = may_act(calibration->curve);
    const auto margins = margins_of(*booster, rows, slices.test, options.trees.threads);
    if (!margins) return tl::unexpected(margins.error());
    RiskModel model{.booster = std::move(*booster),
                    .calibration = std::move(calibration->curve),
                    .report = std::move(report),
                    .test_rows = slices.test};
    for (const double margin : *margins)
        model.test_probability.push_back(brain::apply(model.calibration, margin));
    judge(model, rows, split, options);
    return model;
}

}  // namespace parley::learn
