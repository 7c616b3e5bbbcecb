#include "base/table.h"

#include <gtest/gtest.h>

#include <map>

namespace parley {
namespace {

TEST(Table, gives_the_lowest_free_slot_and_keeps_slots_stable) {
    Table<int> table;
    EXPECT_EQ(table.insert(10), 0U);
    EXPECT_EQ(table.insert(11), 1U);
    EXPECT_EQ(table.insert(12), 2U);
    table.erase(1);
    table.erase(0);
    EXPECT_EQ(table.at(2), 12);
    EXPECT_EQ(table.insert(13), 0U);
    EXPECT_EQ(table.insert(14), 1U);
    EXPECT_EQ(table.insert(15), 3U);
    EXPECT_EQ(table.size(), 4U);
}

TEST(Table, a_copy_shares_chunks_until_one_of_them_writes) {
    Table<int> table;
    for (int i = 0; i < 600; ++i) table.insert(i);
    Table<int> copy = table;
    for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(table.shares_chunk(copy, c));
    copy.edit(300) = -1;
    EXPECT_TRUE(table.shares_chunk(copy, 0));
    EXPECT_FALSE(table.shares_chunk(copy, 1));
    EXPECT_TRUE(table.shares_chunk(copy, 2));
    EXPECT_EQ(table.at(300), 300);
    EXPECT_EQ(copy.at(300), -1);
}

TEST(Table, a_chunk_that_nobody_shares_is_written_in_place) {
    Table<int> table;
    table.insert(1);
    const int* row = &table.at(0);
    table.edit(0) = 2;
    EXPECT_EQ(row, &table.at(0));
}

TEST(Table, equality_looks_at_rows_and_slots) {
    Table<int> a;
    Table<int> b;
    a.insert(1);
    b.insert(1);
    EXPECT_EQ(a, b);
    b.insert(2);
    EXPECT_NE(a, b);
    b.erase(1);
    EXPECT_EQ(a, b) << "a slot that was given once is no part of the value";
    b.erase(0);
    EXPECT_NE(a, b);
    b.put(1, 1);
    EXPECT_NE(a, b) << "the same row at another slot";
}

TEST(Table, equality_ignores_chunks_that_were_emptied) {
    Table<int> a;
    Table<int> b;
    a.insert(1);
    b.insert(1);
    b.put(1'000, 2);
    EXPECT_NE(a, b);
    EXPECT_NE(b, a);
    b.erase(1'000);
    EXPECT_EQ(a, b);
    EXPECT_EQ(b, a);
    EXPECT_EQ(a.insert(3), b.insert(3)) << "and they go on in the same way";
}

TEST(Table, agrees_with_a_map_over_a_long_history) {
    Table<int> table;
    std::map<Slot, int> model;
    std::uint64_t state = 1;
    const auto next = [&](std::uint64_t n) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return (state >> 33) % n;
    };
    for (int step = 0; step < 20'000; ++step) {
        if (model.empty() || next(3) > 0) {
            const Slot slot = table.insert(step);
            EXPECT_FALSE(model.contains(slot));
            model[slot] = step;
        } else {
            const auto victim = std::next(model.begin(), static_cast<long>(next(model.size())));
            table.erase(victim->first);
            model.erase(victim);
        }
    }
    std::map<Slot, int> seen;
    table.for_each([&](Slot slot, int row) { seen[slot] = row; });
    EXPECT_EQ(seen, model);
    EXPECT_EQ(table.size(), model.size());
    EXPECT_EQ(table.find(table.end_slot()), nullptr);
    EXPECT_DEATH((void)table.at(table.end_slot()), "broken invariant");
}

}  // namespace
}  // namespace parley
