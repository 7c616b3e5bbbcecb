#include "learn/recalibrate.h"

#include "base/math.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::learn {
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
                        .label = fails ? 1.0F : 0.0F});
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

TEST(Recalibrate, leaves_alone_what_few_failures_speak_against) {
    auto rows = off_by(2, 1, 200);
    int kept = 0;
    for (Resolved& row : rows)
        if (row.label > 0 && ++kept > 9) row.weight = 0;
    EXPECT_FALSE(recalibrate(rows, {}));
    EXPECT_FALSE(recalibrate({}, {}));
}

TEST(Recalibrate, does_not_take_over_what_the_newest_rows_speak_against) {
    // Four weeks of one kind, and then the opposite: the past must not be followed.
    auto rows = off_by(1.5, 1, 8'000);
    const auto turned = off_by(-1.5, 1, 2'000, 2);
    rows.insert(rows.end(), turned.begin(), turned.end());
    EXPECT_FALSE(recalibrate(rows, {}));
}

TEST(Recalibrate, takes_over_only_what_beats_the_correction_in_use) {
    const auto rows = off_by(0.6, 1, 20'000);
    const brain::Recalibration right{.a = 0.6, .b = 1};
    const auto again = recalibrate(rows, right);
    if (again) {
        EXPECT_NEAR(again->a, 0.6, 0.1);  // Never far from it.
    }
    const brain::Recalibration wrong{.a = -1, .b = 1};
    EXPECT_TRUE(recalibrate(rows, wrong));
}

}  // namespace
}  // namespace parley::learn
