#include "learn/report/data_facts.h"

#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

TEST(DataFacts, counts_each_slice) {
    Rows rows = made_up_rows(1'000);
    rows.event[10] = rows.event[11] = 5'000;  // Two rows of one failure.
    rows.label[10] = rows.label[11] = 1;
    rows.weight[0] = 0;
    const auto split = split_by_time(rows, {});
    ASSERT_TRUE(split);
    const DataFacts facts = facts_of(rows, *split);
    ASSERT_EQ(facts.slices.size(), kParts);
    EXPECT_EQ(facts.rows, 1'000U);
    EXPECT_EQ(facts.features, 3U);
    EXPECT_EQ(facts.slices[0].rows, 599U);
    EXPECT_EQ(facts.slices[0].events + 1, facts.slices[0].positives);
    EXPECT_EQ(facts.slices[3].rows, 200U);
    EXPECT_EQ(facts.slices[3].entities, 50U);
    EXPECT_EQ(facts.fingerprint.size(), 64U);
    EXPECT_EQ(facts.split, split->rule);
}

TEST(DataFacts, takes_rows_for_events_where_those_are_not_told_apart) {
    Rows rows = made_up_rows(1'000);
    rows.event.assign(rows.size(), kNoEvent);
    const DataFacts facts = facts_of(rows, *split_by_time(rows, {}));
    EXPECT_GT(facts.slices[0].positives, 0U);
    EXPECT_EQ(facts.slices[0].events, facts.slices[0].positives);
}

}  // namespace
}  // namespace parley::learn
