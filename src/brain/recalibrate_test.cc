#include "brain/recalibrate.h"

#include "base/math.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::brain {
namespace {

/// Forecasts whose true logit is a + b times what was said.
std::vector<Resolved> off_by(double a, double b, std::size_t n, std::uint64_t seed = 1) {
    std::vector<Resolved> rows;
    for (std::size_t i = 0; i < n; ++i) {
        const double said = -2 + random::normal(draw(seed, Stream::noise, i, 0));
        const bool fails =
            random::bernoulli(draw(seed, Stream::fault, i, 0), math::logistic(a + b * said));
        rows.push_back({.at = {static_cast<std::int64_t>(i)},
                        .probability = math::logistic(said),
                        .failed = fails ? 1.0 : 0.0,
                        .survived = fails ? 0.0 : 1.0});
    }
    return rows;
}

TEST(Recalibrate, finds_what_is_off) {
    const auto found = recalibrate(off_by(0.6, 0.9, 20'000), {});
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->a, 0.6, 0.15);
    EXPECT_NEAR(found->b, 0.9, 0.1);
    EXPECT_EQ(found->id.size(), 16U);
}

/// As many rows of one probability as fail and survive, in ten pieces.
std::vector<Resolved> all_of(double probability, double failed, double survived) {
    std::vector<Resolved> rows;
    for (int i = 0; i < 10; ++i) {
        rows.push_back({{i}, probability, failed / 10, survived / 10});
    }
    return rows;
}

TEST(Recalibrate, leaves_alone_what_few_failures_speak_against) {
    EXPECT_FALSE(recalibrate(all_of(0.01, 9.9, 90), {}));
    EXPECT_TRUE(recalibrate(all_of(0.01, 10.1, 90), {}));
    EXPECT_FALSE(recalibrate({}, {}));
}

TEST(Recalibrate, failures_that_were_expected_and_did_not_come_speak_too) {
    EXPECT_FALSE(recalibrate(all_of(0.1, 0, 99), {}));
    const auto found = recalibrate(all_of(0.1, 0, 200), {});
    ASSERT_TRUE(found);
    EXPECT_LT(apply(*found, 0.1), 0.08);
}

TEST(Recalibrate, a_row_of_many_counts_as_many_rows) {
    const auto many = off_by(0.6, 0.9, 5'000);
    auto two_of_each = many;
    for (Resolved& row : two_of_each) row.failed /= 2, row.survived /= 2;
    std::vector<Resolved> rows;
    for (const Resolved& row : two_of_each) rows.push_back(row), rows.push_back(row);
    const auto one = recalibrate(many, {});
    const auto other = recalibrate(rows, {});
    ASSERT_TRUE(one && other);
    EXPECT_NEAR(one->a, other->a, 1e-6);
    EXPECT_NEAR(one->b, other->b, 1e-6);
}

TEST(Recalibrate, does_not_take_over_what_the_newest_rows_speak_against) {
    // Four weeks of one kind, then the opposite: the past must not be followed.
    auto rows = off_by(1.5, 1, 8'000);
    const auto turned = off_by(-1.5, 1, 2'000, 2);
    rows.insert(rows.end(), turned.begin(), turned.end());
    EXPECT_FALSE(recalibrate(rows, {}));
}

TEST(Recalibrate, takes_over_only_what_beats_the_correction_in_use) {
    const auto rows = off_by(0.6, 1, 20'000);
    const Recalibration right{.a = 0.6, .b = 1};
    const auto again = recalibrate(rows, right);
    if (again) {
        EXPECT_NEAR(again->a, 0.6, 0.1);  // Never far from the first.
    }
    const Recalibration wrong{.a = -1, .b = 1};
    EXPECT_TRUE(recalibrate(rows, wrong));
}

/// Four weeks of risks of 0.1; of each day's hundred `failed(day)` come true.
template <class Failed>
std::vector<Resolved> weeks(Failed&& failed) {
    std::vector<Resolved> rows;
    for (std::int64_t day = 0; day < 28; ++day) {
        const double came = failed(day);
        rows.push_back({{hours(24 * day).us}, 0.1, came, 100 - came});
    }
    return rows;
}

TEST(Recalibrate, a_rehearsal_tells_what_the_newest_rows_say) {
    const auto rows = off_by(0.6, 1, 20'000);
    const auto tried = rehearse(rows, {});
    ASSERT_TRUE(tried);
    EXPECT_EQ(tried->older, 16'000U);
    EXPECT_NEAR(tried->correction.a, 0.6, 0.15);
    EXPECT_LT(tried->loss_after, tried->loss_before);
    EXPECT_FALSE(rehearse(all_of(0.01, 9.9, 90), {}));
}

TEST(Recalibrate, failures_that_came_together_count_less_than_as_many_alone) {
    // Twice as many as expected: every day, or all of them in four days of 28.
    const auto steady = recalibrate(weeks([](std::int64_t) { return 20.0; }), {});
    const auto bursts =
        recalibrate(weeks([](std::int64_t day) { return day % 7 == 6 ? 92.0 : 8.0; }), {});
    ASSERT_TRUE(steady && bursts);
    EXPECT_NEAR(apply(*steady, 0.1), 0.2, 0.01);
    EXPECT_GT(apply(*bursts, 0.1), 0.11);
    EXPECT_LT(apply(*bursts, 0.1), 0.18);
}

TEST(Recalibrate, days_that_scatter_less_than_chance_count_no_more_than_they_are) {
    const auto even = weeks([](std::int64_t) { return 20.0; });
    std::vector<Resolved> one_day = even;
    for (Resolved& row : one_day) row.at = {};
    const auto spread = recalibrate(even, {});
    const auto together = recalibrate(one_day, {});
    ASSERT_TRUE(spread && together);
    EXPECT_EQ(spread->a, together->a);
}

}  // namespace
}  // namespace parley::brain
