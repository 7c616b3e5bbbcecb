#include "model/differences.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

constexpr TimePoint kNow{hours(1).us};
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

Reading<std::int64_t> said(Source source, std::int64_t value, Duration age = seconds(5)) {
    return {value, {.received = kNow - age, .measured = kNow - age, .source = source}};
}

NodeRow node(std::int64_t metrics, std::int64_t prometheus, Duration apart = {}) {
    NodeRow row;
    row.cpu_used_m = said(Source::metrics, metrics);
    row.cpu_second_m = said(Source::prometheus, prometheus, seconds(5) + apart);
    row.memory_used = said(Source::metrics, 4 * kGiB);
    row.memory_second = said(Source::prometheus, 4 * kGiB, seconds(5) + apart);
    return row;
}

TEST(Differences, of_one_node_both_sides_of_the_bound) {
    const struct {
        const char* name;
        NodeRow row;
        bool differs;
    } cases[] = {
        {"equal", node(1000, 1000), false},
        {"twice and what a pod may start with", node(1000, 2100), false},
        {"a millicore more", node(1000, 2101), true},
        {"the other way", node(2101, 1000), true},
        {"idle", node(5, 100), false},
        {"one says nothing runs", node(0, 101), true},
        {"measured a minute apart", node(100, 3000, seconds(60)), true},
        {"measured longer apart", node(100, 3000, seconds(60) + microseconds(1)), false},
    };
    for (const auto& c : cases) EXPECT_EQ(compare(c.row).differs, c.differs) << c.name;
    NodeRow memory = node(1000, 1000);
    memory.memory_second = said(Source::prometheus, 8 * kGiB + kDifferMemory);
    EXPECT_FALSE(compare(memory).differs);
    memory.memory_second = said(Source::prometheus, 8 * kGiB + kDifferMemory + 1);
    EXPECT_TRUE(compare(memory).differs);
}

TEST(Differences, only_two_values_of_two_sources_are_compared) {
    NodeRow row = node(100, 3000);
    row.cpu_second_m = said(Source::metrics, 3000);
    EXPECT_FALSE(compare(row).cpu) << "one source";
    row.cpu_second_m = Reading<std::int64_t>(Gap::too_old, {});
    EXPECT_FALSE(compare(row).cpu);
    row.cpu_second_m = said(Source::prometheus, 50);
    row.cpu_used_m = said(Source::metrics, 100);
    EXPECT_EQ(compare(row).cpu, 0.5);
    std::swap(row.cpu_used_m, row.cpu_second_m);
    EXPECT_EQ(compare(row).cpu, 0.5) << "whichever came last";
    row.cpu_used_m = said(Source::prometheus, 0);
    row.cpu_second_m = said(Source::metrics, 9);
    EXPECT_FALSE(compare(row).cpu) << "next to nothing says nothing";
}

Differences over(const std::vector<NodeRow>& rows) {
    Snapshot snapshot;
    for (const NodeRow& row : rows) snapshot.nodes.insert(row);
    return compare_all(snapshot);
}

TEST(Differences, over_all_nodes_the_median_counts) {
    const NodeRow off = node(100, 272);  // A factor of e, too little for a single node ...
    const NodeRow fine = node(100, 110);
    EXPECT_FALSE(compare(off).differs);
    EXPECT_TRUE(over({off, off, off}).contradict()) << "... but not for all of them";
    EXPECT_FALSE(over({off, off}).contradict()) << "two are no median";
    EXPECT_TRUE(over({off, off, fine}).contradict());
    EXPECT_FALSE(over({off, fine, fine}).contradict());
    EXPECT_FALSE(over({node(100, 200), node(100, 200), node(100, 200)}).contradict());
    EXPECT_TRUE(over({node(100, 201), node(100, 201), node(100, 201)}).contradict());
    EXPECT_FALSE(over({node(200, 100), node(200, 100), node(200, 100)}).contradict());
    EXPECT_TRUE(over({node(201, 100), node(201, 100), node(201, 100)}).contradict());
    EXPECT_FALSE(over({}).contradict());
    const Differences all = over({node(100, 900), node(100, 900), fine, fine, fine});
    EXPECT_EQ(all.of, 5);
    EXPECT_EQ(all.nodes, 2);
    EXPECT_FALSE(all.contradict());
}

TEST(Differences, one_node_in_four_is_enough_from_three_on) {
    const NodeRow off = node(100, 900);
    const NodeRow fine = node(100, 110);
    std::vector<NodeRow> rows(3, off);
    rows.resize(12, fine);
    EXPECT_TRUE(over(rows).contradict());
    EXPECT_FALSE(over(rows).by_median());
    rows.push_back(fine);
    EXPECT_FALSE(over(rows).contradict()) << "3 of 13";
    EXPECT_FALSE(over({off, off, fine, fine, fine}).contradict()) << "two may be two nodes' own";
}

TEST(Differences, measured_at_other_times_are_compared_loosely_and_count_once_they_last) {
    const NodeRow apart = node(100, 272, seconds(45));
    const Differences found = over({apart, apart, apart});
    EXPECT_TRUE(found.contradict());
    EXPECT_TRUE(found.loose);
    const NodeRow close = node(100, 110, seconds(25));
    EXPECT_FALSE(over({apart, apart, apart, apart, close, close, close}).contradict())
        << "where there are close ones, those count";
    Derived derived;
    EXPECT_EQ(standing_contradiction(derived, kNow), nullptr);
    derived.contradictions = {{.since = kNow, .loose = true}};
    EXPECT_EQ(standing_contradiction(derived, kNow + kLooseLasts - microseconds(1)), nullptr);
    EXPECT_NE(standing_contradiction(derived, kNow + kLooseLasts), nullptr);
    derived.contradictions[0].loose = false;
    EXPECT_NE(standing_contradiction(derived, kNow), nullptr);
}

}  // namespace
}  // namespace parley::model
