#include "learn/rows/training_rows.h"

#include "base/math.h"
#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

#include <numeric>

namespace parley::learn {
namespace {

std::vector<std::uint32_t> all_of(const Rows& rows) {
    std::vector<std::uint32_t> numbers(rows.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

TEST(TrainingRows, takes_all_where_there_is_room) {
    const Rows rows = made_up_rows(1'000);
    const TrainingRows taken = training_rows(rows, all_of(rows), 1'000, 1);
    EXPECT_EQ(taken.numbers.size(), 1'000U);
    EXPECT_TRUE(taken.margin.empty());
    EXPECT_EQ(taken.kept, 1);
    const double failed = std::accumulate(rows.label.begin(), rows.label.end(), 0.0);
    EXPECT_NEAR(taken.base_score, failed / 1'000, 1e-9);
}

TEST(TrainingRows, leaves_out_negatives_and_begins_that_much_higher) {
    const Rows rows = made_up_rows(20'000, -4);
    const TrainingRows taken = training_rows(rows, all_of(rows), 5'000, 1);
    EXPECT_LT(taken.kept, 0.3);
    double failed = 0;
    for (const std::uint32_t i : taken.numbers) failed += rows.label[i];
    EXPECT_EQ(failed, std::accumulate(rows.label.begin(), rows.label.end(), 0.0));
    ASSERT_EQ(taken.margin.size(), taken.numbers.size());
    // Among the rows kept, the odds are those that boosting begins with.
    const double odds = failed / (static_cast<double>(taken.numbers.size()) - failed);
    EXPECT_NEAR(taken.margin.front(), math::log(odds), 0.05);
}

}  // namespace
}  // namespace parley::learn
