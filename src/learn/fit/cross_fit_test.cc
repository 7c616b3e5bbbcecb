#include "learn/fit/cross_fit.h"

#include "learn/fit/metrics.h"
#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::learn {
namespace {

CrossFit quick() {
    return {.trees = {.base_score = 0.2, .depth = 4, .rounds_max = 30},
            .training_rows_max = 100'000};
}

TEST(CrossFit, judges_each_row_that_trains_once) {
    const Rows rows = made_up_rows(8'000);
    const auto split = split_by_time(rows, minutes(30));
    const auto held = cross_fit(rows, *split, quick());
    ASSERT_TRUE(held) << held.error().message;
    const std::set<std::uint32_t> distinct(held->numbers.begin(), held->numbers.end());
    EXPECT_EQ(distinct.size(), held->numbers.size());
    EXPECT_EQ(distinct.size(), rows_of(rows, *split, Part::train).size());
    std::vector<float> label;
    for (std::size_t i = 0; i < held->numbers.size(); ++i) {
        EXPECT_EQ(split->part[held->numbers[i]], Part::train);
        EXPECT_EQ(held->fold[i], split->fold[held->numbers[i]]);
        label.push_back(rows.label[held->numbers[i]]);
    }
    const std::vector<float> weight(label.size(), 1);
    EXPECT_GT(auc({held->margin, label, weight}), 0.85);
}

/// Rows that can only be memorised: each key has its own number and a random label.
Rows by_heart(std::vector<std::uint64_t>& keys) {
    Rows rows = made_up_rows(6'000);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t key = i / 20;
        keys.push_back(key);
        const bool fails = random::bernoulli(draw(9, Stream::fault, key, 0), 0.3);
        rows.values[3 * i] = static_cast<float>(key);
        rows.values[3 * i + 1] = 0;
        rows.label[i] = fails ? 1.0F : 0.0F;
    }
    return rows;
}

TEST(CrossFit, never_shows_a_tree_a_row_that_it_judges) {
    std::vector<std::uint64_t> keys;
    const Rows rows = by_heart(keys);
    const auto split = split_by_key(keys, "drive");
    CrossFit options = quick();
    options.trees.depth = 6;
    options.trees.min_child_weight = 1;
    const auto held = cross_fit(rows, *split, options);
    ASSERT_TRUE(held) << held.error().message;
    std::vector<float> label;
    for (const std::uint32_t i : held->numbers) label.push_back(rows.label[i]);
    const std::vector<float> weight(label.size(), 1);
    EXPECT_NEAR(auc({held->margin, label, weight}), 0.5, 0.12);
}

TEST(CrossFit, keeps_an_embargo_around_what_is_held_out) {
    const Rows rows = made_up_rows(6'000);
    Split split = *split_by_time(rows, minutes(30));
    // With an embargo over everything, no rows are left to train on, and folds are skipped.
    split.embargo = minutes(6'000);
    const auto held = cross_fit(rows, split, quick());
    ASSERT_TRUE(held) << held.error().message;
    EXPECT_TRUE(held->numbers.empty());
}

TEST(CrossFit, skips_a_fold_whose_others_have_one_label) {
    Rows rows = made_up_rows(6'000);
    const auto split = split_by_time(rows, minutes(30));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (split->part[i] == Part::train && split->fold[i] != 2) rows.label[i] = 0;
    }
    const auto held = cross_fit(rows, *split, quick());
    ASSERT_TRUE(held) << held.error().message;
    EXPECT_FALSE(held->numbers.empty());
    for (const std::uint8_t fold : held->fold) EXPECT_NE(fold, 2);
}

TEST(CrossFit, has_nothing_to_say_without_folds) {
    const Rows rows = made_up_rows(1'000);
    Split split = *split_by_time(rows, {});
    split.fold.clear();
    EXPECT_TRUE(cross_fit(rows, split, quick())->numbers.empty());
}

TEST(CrossFit, can_be_stopped) {
    const Rows rows = made_up_rows(2'000);
    CrossFit options = quick();
    options.watch = [told = 0](int) mutable { return ++told < 40; };
    const auto held = cross_fit(rows, *split_by_time(rows, {}), options);
    ASSERT_FALSE(held);
    EXPECT_EQ(held.error().message, "training was interrupted");
}

}  // namespace
}  // namespace parley::learn
