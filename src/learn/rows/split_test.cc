#include "learn/rows/split.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace parley::learn {
namespace {

/// `entities` rows at each of `times` minutes.
Rows made(int times, int entities, int groups = 1) {
    Rows rows{.columns = {{"x", "count"}}};
    for (int t = 0; t < times; ++t) {
        for (int e = 0; e < entities; ++e) {
            rows.values.push_back(0);
            rows.label.push_back(0);
            rows.weight.push_back(1);
            rows.time.push_back({minutes(t).us});
            rows.entity.push_back(e);
            rows.group.push_back(e % groups);
            rows.event.push_back(kNoEvent);
        }
    }
    return rows;
}

std::map<Part, int> count(const Split& split) {
    std::map<Part, int> found;
    for (const Part part : split.part) ++found[part];
    return found;
}

TEST(Split, by_time_keeps_order_and_embargo) {
    const Rows rows = made(1'000, 3);
    const auto split = split_by_time(rows, minutes(30));
    ASSERT_TRUE(split) << split.error().message;
    std::map<Part, std::pair<std::int64_t, std::int64_t>> span;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto& [first, last] =
            span.try_emplace(split->part[i], rows.time[i].us, rows.time[i].us).first->second;
        first = std::min(first, rows.time[i].us);
        last = std::max(last, rows.time[i].us);
    }
    for (const auto& [before, after] : {std::pair{Part::train, Part::stop},
                                        {Part::stop, Part::calibrate},
                                        {Part::calibrate, Part::test}}) {
        // A label looks 30 minutes ahead, and must not look into the next slice.
        EXPECT_GE(span[after].first - span[before].second, minutes(30).us);
    }
    EXPECT_EQ(count(*split)[Part::left_out], 3 * 3 * 29);
    EXPECT_EQ(count(*split)[Part::test], 600);
    EXPECT_EQ(split->rule, "time slices 60/10/10/20 (train, stop, calibrate, test), embargo 30m");
}

TEST(Split, by_key_keeps_a_key_together_and_near_its_shares) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 20'000; ++i) keys.push_back(i / 2);
    const auto split = split_by_key(keys, "drive");
    ASSERT_TRUE(split);
    for (std::size_t i = 0; i < keys.size(); i += 2) EXPECT_EQ(split->part[i], split->part[i + 1]);
    const auto found = count(*split);
    EXPECT_NEAR(found.at(Part::train), 12'000, 300);
    EXPECT_NEAR(found.at(Part::stop), 2'000, 200);
    EXPECT_NEAR(found.at(Part::calibrate), 2'000, 200);
    EXPECT_NEAR(found.at(Part::test), 4'000, 250);
    // More keys move none of those that were there.
    keys.push_back(99'999);
    const auto more = split_by_key(keys, "drive");
    EXPECT_TRUE(std::equal(split->part.begin(), split->part.end(), more->part.begin()));
}

TEST(Split, takes_runs_before_time_and_time_before_entities) {
    EXPECT_TRUE(split_rows(made(10, 200, 200), minutes(1))->rule.starts_with("hash of the run"));
    EXPECT_TRUE(split_rows(made(1'000, 2), minutes(30))->rule.starts_with("time slices"));
    EXPECT_TRUE(split_rows(made(40, 200), minutes(30))->rule.starts_with("hash of the entity"));
}

TEST(Split, forty_runs_meet_their_shares) {
    for (const int runs : {20, 40, 99}) {
        const auto split = split_rows(made(10, runs, runs), minutes(1));
        ASSERT_TRUE(split) << split.error().message;
        const auto found = count(*split);
        EXPECT_NEAR(found.at(Part::train), 6 * runs, 10) << runs;
        EXPECT_NEAR(found.at(Part::stop), runs, 10) << runs;
        EXPECT_NEAR(found.at(Part::calibrate), runs, 10) << runs;
        EXPECT_NEAR(found.at(Part::test), 2 * runs, 10) << runs;
        for (int run = 0; run < runs; ++run) {  // A run is in one part.
            for (std::size_t t = 1; t < 10; ++t) {
                const auto at = static_cast<std::size_t>(run);
                EXPECT_EQ(split->part[at], split->part[at + t * static_cast<std::size_t>(runs)]);
            }
        }
        EXPECT_EQ(split->rule,
                  "order of the hash of the run, 60/10/10/20 (train, stop, calibrate, test)");
    }
}

TEST(Split, folds_of_time_follow_each_other_and_are_as_large) {
    const Rows rows = made(1'000, 3);
    const auto split = split_by_time(rows, minutes(30));
    EXPECT_TRUE(split->by_time);
    EXPECT_EQ(split->embargo, minutes(30));
    std::map<int, int> size;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.time[i].us >= minutes(600).us) continue;
        EXPECT_EQ(split->fold[i], rows.time[i].us / minutes(120).us) << i;
        ++size[split->fold[i]];
    }
    EXPECT_EQ(size.size(), kFolds);
    for (const auto& [fold, rows_in] : size) EXPECT_EQ(rows_in, 360) << fold;
}

TEST(Split, a_key_is_in_one_fold_and_parts_have_all_of_them) {
    std::vector<std::uint64_t> many;
    for (std::uint64_t i = 0; i < 10'000; ++i) many.push_back(i / 2);
    const auto by_hash = split_by_key(many, "drive");
    for (std::size_t i = 0; i < many.size(); i += 2)
        EXPECT_EQ(by_hash->fold[i], by_hash->fold[i + 1]);
    EXPECT_FALSE(by_hash->by_time);
    std::map<int, int> size;
    for (std::size_t i = 0; i < many.size(); ++i)
        if (by_hash->part[i] == Part::train) ++size[by_hash->fold[i]];
    EXPECT_EQ(size.size(), kFolds);
    for (const auto& [fold, rows_in] : size) EXPECT_NEAR(rows_in, 1'200, 150) << fold;
    const auto few = split_rows(made(10, 40, 40), minutes(1));
    size.clear();
    for (std::size_t i = 0; i < few->part.size(); ++i)
        if (few->part[i] == Part::train) ++size[few->fold[i]];
    EXPECT_EQ(size.size(), kFolds);
    for (const auto& [fold, rows_in] : size) EXPECT_NEAR(rows_in, 48, 10) << fold;
}

TEST(Split, refuses_what_leaves_a_part_empty) {
    const auto few = split_by_time(made(5, 1), minutes(30));
    ASSERT_FALSE(few);
    EXPECT_NE(few.error().message.find("no row is left to"), std::string::npos);
    EXPECT_FALSE(split_by_key({}, "drive"));
    EXPECT_FALSE(split_by_time({}, minutes(1)));
    EXPECT_FALSE(split_rows({}, minutes(1)));
}

TEST(Split, leaves_out_rows_that_weigh_nothing) {
    Rows rows = made(1'000, 1);
    rows.weight[0] = 0;
    const auto split = split_by_time(rows, {});
    const auto train = rows_of(rows, *split, Part::train);
    EXPECT_EQ(train.size(), 599U);
    EXPECT_EQ(train.front(), 1U);
}

}  // namespace
}  // namespace parley::learn
