#include "base/table.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <thread>
#include <utility>
#include <vector>

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

struct Wide {
    int key = 0;
    std::array<int, 30> rest{};

    struct Glance {
        int key = 0;
        Glance() = default;
        explicit Glance(const Wide& row) : key(row.key) {}
    };
};

std::vector<std::pair<Slot, int>> glances(const Table<Wide>& table) {
    std::vector<std::pair<Slot, int>> out;
    table.for_each_glance(
        [&](Slot slot, const Wide::Glance& seen) { out.emplace_back(slot, seen.key); });
    return out;
}

TEST(Table, glances_are_those_of_the_rows_after_every_kind_of_write) {
    using Seen = std::vector<std::pair<Slot, int>>;
    Table<Wide> table;
    for (int i = 0; i < 3; ++i) table.insert({.key = i});
    EXPECT_EQ(glances(table), (Seen{{0, 0}, {1, 1}, {2, 2}}));
    table.edit(1).key = 7;
    EXPECT_EQ(glances(table), (Seen{{0, 0}, {1, 7}, {2, 2}}));
    table.erase(0);
    EXPECT_EQ(glances(table), (Seen{{1, 7}, {2, 2}}));
    table.put(300, {.key = 9});
    EXPECT_EQ(glances(table), (Seen{{1, 7}, {2, 2}, {300, 9}}));
    Table<Wide> copy = table;
    copy.edit(2).key = 5;
    EXPECT_EQ(glances(table), (Seen{{1, 7}, {2, 2}, {300, 9}}));
    EXPECT_EQ(glances(copy), (Seen{{1, 7}, {2, 5}, {300, 9}}));
}

TEST(Table, glances_may_be_asked_for_by_several_threads_at_once) {
    Table<Wide> table;
    for (int i = 0; i < 10'000; ++i) table.insert({.key = i});
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&right, copy = table] {
            const auto seen = glances(copy);
            if (seen.size() == 10'000 && seen.back().second == 9'999) ++right;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 4);
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
