#include "learn/risk/served_quality.h"

#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace parley::learn {
namespace {

/// Rows a minute apart over weeks; from the middle on failures are rarer than was said.
struct Drifting {
    Rows rows = made_up_rows(30'000);
    std::vector<std::uint32_t> numbers = std::vector<std::uint32_t>(30'000);
    std::vector<double> probability;

    Drifting() {
        std::iota(numbers.begin(), numbers.end(), 0U);
        for (const std::uint32_t i : numbers) {
            probability.push_back(math::logistic(-2 + 2 * rows.row(i)[0]));
            if (i < 10'000 || rows.label[i] == 0 || i % 2 == 0) continue;
            rows.label[i] = 0;
            rows.event[i] = kNoEvent;
        }
    }
    RiskTest test() const {
        return {.rows = rows,
                .numbers = numbers,
                .probability = probability,
                .step = minutes(50),
                .resamples = 20};
    }
};

TEST(ServedQuality, follows_a_drift) {
    const Drifting drifting;
    const double before = judge_risk(drifting.test()).observed_over_expected.value;
    const ServedQuality served = judge_served(drifting.test(), minutes(30));
    EXPECT_LT(before, 0.75);
    EXPECT_GT(served.adopted, 0U);
    EXPECT_GT(served.observed_over_expected.value, before + 0.05);
    EXPECT_LT(served.observed_over_expected.value, 1.1);
    EXPECT_EQ(served.bars.size(), 5U);
}

TEST(ServedQuality, knows_no_outcome_before_its_time) {
    // The same test with other labels from some row on: forecasts made before those outcomes could
    // be known are the same.
    const Drifting original;
    const Served a = serve(original.test(), hours(24));
    constexpr std::size_t kPerDay = 24 * 60;
    for (const std::size_t from : {8'800UL, 10'200UL, 13'000UL, 15'900UL}) {
        Drifting changed;
        for (std::size_t i = from; i < changed.rows.size(); ++i)
            changed.rows.label[i] = i % 2 == 0 ? 1.0F : 0.0F;
        const Served b = serve(changed.test(), hours(24));
        for (std::size_t i = 0; i < from + kPerDay; ++i)
            ASSERT_EQ(a.probability[i], b.probability[i]) << from << " " << i;
        EXPECT_NE(a.probability.back(), b.probability.back());
    }
}

TEST(ServedQuality, says_the_same_whatever_the_order_of_rows) {
    Drifting drifting;
    const Served forwards = serve(drifting.test(), minutes(30));
    std::ranges::reverse(drifting.numbers);
    std::ranges::reverse(drifting.probability);
    const Served backwards = serve(drifting.test(), minutes(30));
    EXPECT_EQ(forwards.adopted, backwards.adopted);
    EXPECT_EQ(forwards.probability.back(), backwards.probability.front());
}

}  // namespace
}  // namespace parley::learn
