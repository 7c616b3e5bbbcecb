#include "tuner/pruner.h"

#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace parley::tuner {
namespace {

const double kNan = std::nan("");

/// Five complete trials that reported 1 to 5 at steps 0 and 1.
Study reported() {
    Study study = empty_study();
    for (int i = 1; i <= 5; ++i) {
        add(study, i).intermediate = {{0, static_cast<double>(i)}, {1, static_cast<double>(i)}};
    }
    return study;
}

bool median(const Study& study, std::map<std::int64_t, double> values, MedianConfig config = {}) {
    Trial trial;
    trial.number = static_cast<std::int64_t>(study.trials.size());
    trial.intermediate = std::move(values);
    return judge_by_median(study, trial, config).prune;
}

TEST(MedianPruner, prunes_what_is_worse_than_the_median) {
    Study study = reported();
    EXPECT_FALSE(median(study, {{0, 3.0}}));
    EXPECT_TRUE(median(study, {{0, 3.1}}));
    EXPECT_FALSE(median(study, {{0, 1.0}, {1, 9.0}}));  // Its best counts.
    EXPECT_FALSE(median(study, {{7, 99.0}}));           // Nobody was there.
    EXPECT_FALSE(median(study, {}));
    EXPECT_TRUE(median(study, {{0, kNan}}));
    study.directions = {Direction::maximize};
    EXPECT_TRUE(median(study, {{0, 2.9}}));
    EXPECT_FALSE(median(study, {{0, 3.0}}));
}

TEST(MedianPruner, waits_as_it_is_told) {
    Study study = reported();
    EXPECT_FALSE(median(study, {{0, 9.0}}, {.startup_trials = 6}));
    EXPECT_FALSE(median(study, {{0, 9.0}}, {.warmup_steps = 1}));
    EXPECT_TRUE(median(study, {{0, 9.0}, {1, 9.0}}, {.warmup_steps = 1}));
    EXPECT_FALSE(median(study, {{0, 9.0}, {1, 9.0}}, {.interval_steps = 2}));
    EXPECT_FALSE(median(study, {{0, 9.0}}, {.trials_min = 6}));
    study.trials.clear();
    EXPECT_FALSE(median(study, {{0, 9.0}}, {.startup_trials = 0}));
}

TEST(MedianPruner, an_even_number_has_its_median_between_and_nan_counts_nothing) {
    Study study = reported();
    study.trials[4].intermediate[0] = kNan;
    EXPECT_FALSE(median(study, {{0, 2.5}}));
    EXPECT_TRUE(median(study, {{0, 2.6}}));
}

Judgement hyperband(const Study& study, double value, std::int64_t step, std::int64_t number,
                    HyperbandConfig config = {.resource_max = 9}) {
    Trial trial;
    trial.number = number;
    trial.intermediate = {{step, value}};
    return judge_by_hyperband(study, trial, config);
}

TEST(HyperbandPruner, promotes_the_best_third_of_a_bracket) {
    Study study = empty_study();
    int pruned = 0;
    int kept = 0;
    for (std::int64_t number = 0; number < 60; ++number) {
        const Judgement judgement = hyperband(study, static_cast<double>(number), 8, number);
        (judgement.prune ? pruned : kept) += 1;
        Trial& trial = add(study, 1);
        trial.system_attributes = judgement.reached;
    }
    EXPECT_GT(pruned, 30);  // They get worse and worse, so nearly all after the first are pruned.
    EXPECT_GT(kept, 0);     // A bracket whose first rung is at step 9 prunes nothing at 8.
}

TEST(HyperbandPruner, judges_nothing_before_it_knows_how_long_trials_are) {
    Study study = empty_study();
    EXPECT_FALSE(hyperband(study, 9, 100, 0, {}).prune);
    EXPECT_TRUE(hyperband(study, 9, 100, 0, {}).reached.empty());
    add(study, 1).intermediate = {{8, 1.0}};
    EXPECT_FALSE(hyperband(study, 9, 100, 1, {}).reached.empty());
    EXPECT_TRUE(hyperband(study, kNan, 100, 1, {}).prune);
}

TEST(HyperbandPruner, huge_steps_and_strange_rungs_end) {
    Study study = empty_study();
    add(study, 1).system_attributes = {{"completed_rung_0", "\"x\""}, {"completed_rung_1", "NaN"}};
    EXPECT_FALSE(hyperband(study, 1, std::int64_t{1} << 62, 1).prune);
    EXPECT_FALSE(hyperband(study, 1, 5, 1, {.resource_min = 0, .resource_max = 9}).prune);
    EXPECT_FALSE(hyperband(study, 1, 5, 1, {.resource_max = 9, .reduction = 1}).prune);
}

}  // namespace
}  // namespace parley::tuner
