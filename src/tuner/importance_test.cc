#include "tuner/importance.h"

#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace parley::tuner {
namespace {

TEST(Importance, what_decides_the_value_comes_first) {
    Study study = empty_study();
    for (int i = 0; i < 100; ++i) {
        const double x = i * 0.01;
        const double y = (i * 37 % 100) * 0.01;
        add(study, x + 0.001 * y, {{"y", shared(FloatRange{}), y}, {"x", shared(FloatRange{}), x}});
    }
    const auto found = importances(study);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].name, "x");
    EXPECT_GT(found[0].share, 0.9);
    EXPECT_NEAR(found[0].share + found[1].share, 1, 1e-12);
}

TEST(Importance, too_little_to_tell_is_equal_shares) {
    Study study = empty_study();
    EXPECT_TRUE(importances(study).empty());
    add(study, 1, {{"x", shared(FloatRange{}), 0.5}, {"y", shared(FloatRange{}), 0.5}});
    add(study, std::numeric_limits<double>::infinity(), {{"z", shared(IntRange{}), 1}});
    const auto found = importances(study);
    ASSERT_EQ(found.size(), 3u);
    for (const Importance& importance : found) EXPECT_NEAR(importance.share, 1.0 / 3, 1e-12);
}

TEST(Importance, few_trials_or_equal_ones_give_nothing_to_rank_by) {
    Study study = empty_study();
    const auto add_one = [&](double value) {
        add(study, value,
            {{"x", shared(FloatRange{}), 0.1 * static_cast<double>(study.trials.size())}});
    };
    add_one(1);
    EXPECT_EQ(nothing_to_rank_by(study), "1 complete trial is too few, 5 are needed");
    add_one(2);
    EXPECT_EQ(nothing_to_rank_by(study), "2 complete trials are too few, 5 are needed");
    add_one(std::numeric_limits<double>::infinity());  // Does not count.
    for (int i = 0; i < 2; ++i) add_one(2);
    EXPECT_EQ(nothing_to_rank_by(study), "4 complete trials are too few, 5 are needed");
    add_one(2);
    EXPECT_EQ(nothing_to_rank_by(study), "");
    study = empty_study();
    for (int i = 0; i < 5; ++i) add_one(52.04);
    EXPECT_EQ(nothing_to_rank_by(study), "all complete trials have the same value");
}

TEST(Importance, strange_values_are_survived) {
    Study study = empty_study();
    for (int i = 0; i < 30; ++i) {
        const double value = i % 3 == 0 ? std::nan("") : i % 3 == 1 ? 1e300 : -1;
        add(study, i,
            {{"x", shared(FloatRange{.low = 1, .high = 2, .log = true}), value},
             {"c", shared(Choices{{"0", "1"}}), value}});
    }
    double sum = 0;
    for (const Importance& importance : importances(study)) sum += importance.share;
    EXPECT_NEAR(sum, 1, 1e-9);
}

}  // namespace
}  // namespace parley::tuner
