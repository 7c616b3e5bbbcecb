#include "traces/grid5000.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace parley::traces {
namespace {

constexpr int kDay = 86'400;
constexpr int kStart = 10 * kDay;

struct Down {
    int from;  ///< Seconds after kStart.
    int to;
};

/// One node that is up but for these, and enough quiet ones that a split is possible.
std::string trace_of(const std::vector<Down>& downs, int days = 60) {
    std::string text = "node_id,event_type,event_start_time,event_stop_time\n";
    const auto line = [&](int node, int type, int from, int to) {
        text += std::to_string(node) + "," + std::to_string(type) + "," + std::to_string(from) +
                "," + std::to_string(to) + "\n";
    };
    int at = kStart;
    for (const Down& down : downs) {
        if (kStart + down.from > at) line(5, 1, at, kStart + down.from);
        line(5, 0, kStart + down.from, kStart + down.to);
        at = kStart + down.to;
    }
    line(5, 1, at, kStart + days * kDay);
    line(6, 1, kStart, kStart + days * kDay);
    return text;
}

struct Seen {
    int day;
    float label;
    std::vector<float> values;
};

std::vector<Seen> rows_of_node(const RiskTrace& trace, std::int32_t node) {
    std::vector<Seen> seen;
    for (std::size_t i = 0; i < trace.rows.size(); ++i) {
        if (trace.rows.entity[i] != node) continue;
        const auto row = trace.rows.row(i);
        const auto day = static_cast<int>(trace.rows.time[i].us / 1'000'000 - kStart) / kDay;
        seen.push_back({day, trace.rows.label[i], {row.begin(), row.end()}});
    }
    return seen;
}

std::vector<int> days_with(const std::vector<Seen>& seen, float label) {
    std::vector<int> days;
    for (const Seen& each : seen)
        if (each.label == label) days.push_back(each.day);
    return days;
}

TEST(Grid5000, labels_the_day_before_a_long_down) {
    const auto trace =
        import_grid5000("events", trace_of({{20 * kDay + 3'600, 20 * kDay + 4'200}}));
    ASSERT_TRUE(trace) << trace.error().message;
    const auto seen = rows_of_node(*trace, 5);
    EXPECT_EQ(days_with(seen, 1), (std::vector<int>{20}));
    EXPECT_EQ(seen.size(), 60U);
    EXPECT_TRUE(trace->split.rule.starts_with("time slices"));
    EXPECT_TRUE(trace->split.rule.ends_with("embargo 1d"));
}

TEST(Grid5000, takes_no_short_down_for_a_failure) {
    // One second less than ten minutes.
    const auto trace =
        import_grid5000("events", trace_of({{20 * kDay + 3'600, 20 * kDay + 4'199}}));
    ASSERT_TRUE(trace);
    EXPECT_TRUE(days_with(rows_of_node(*trace, 5), 1).empty());
}

TEST(Grid5000, has_no_row_while_down_and_none_whose_day_is_not_over) {
    const auto trace =
        import_grid5000("events", trace_of({{20 * kDay + 100, 23 * kDay + 100}}, 60));
    ASSERT_TRUE(trace);
    std::vector<int> days;
    for (const Seen& each : rows_of_node(*trace, 5)) days.push_back(each.day);
    for (const int day : {21, 22, 23}) EXPECT_EQ(std::ranges::count(days, day), 0) << day;
    EXPECT_EQ(std::ranges::count(days, 24), 1);
    EXPECT_EQ(days.back(), 59);  // Its day ends with the record.
}

TEST(Grid5000, knows_only_the_past) {
    const std::vector<Down> common = {{5 * kDay + 100, 5 * kDay + 4'000}};
    std::vector<Down> more = common;
    more.push_back({30 * kDay + 100, 30 * kDay + 9'000});
    const auto a = import_grid5000("events", trace_of(common));
    const auto b = import_grid5000("events", trace_of(more));
    ASSERT_TRUE(a && b);
    const auto before = rows_of_node(*a, 5);
    const auto after = rows_of_node(*b, 5);
    for (std::size_t i = 0; i <= 30; ++i) {
        ASSERT_EQ(before[i].day, after[i].day);
        for (std::size_t k = 0; k < before[i].values.size(); ++k) {
            const float x = before[i].values[k];
            const float y = after[i].values[k];
            EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << i << " " << k;
        }
    }
    EXPECT_NE(before[31].values, after[31].values);
}

TEST(Grid5000, counts_a_down_once_it_has_lasted_ten_minutes) {
    // It is long enough once it is over; while it lasts that is not known, and there is no row.
    const auto column = [](const RiskTrace& trace, const char* name) {
        return static_cast<std::size_t>(
            std::ranges::find(trace.rows.columns, name, &learn::Column::name) -
            trace.rows.columns.begin());
    };
    const std::pair<int, float> lasted[] = {{599, 0}, {600, 1}};
    for (const auto& [seconds, counted] : lasted) {
        const auto trace =
            import_grid5000("events", trace_of({{20 * kDay + 300, 20 * kDay + 300 + seconds}}));
        ASSERT_TRUE(trace);
        const auto seen = rows_of_node(*trace, 5);
        const std::size_t at = column(*trace, "long_downs_1d");
        EXPECT_EQ(seen[20].values[at], 0);
        EXPECT_EQ(seen[21].values[at], counted) << seconds;
    }
}

TEST(Grid5000, says_nothing_of_other_nodes) {
    // A value common to all nodes of a day would tell a forest which day it is, and there are few
    // days.
    const auto quiet = import_grid5000("events", trace_of({}));
    const auto busy = import_grid5000("events", trace_of({{20 * kDay, 20 * kDay + 4'000}}));
    ASSERT_TRUE(quiet && busy);
    const auto before = rows_of_node(*quiet, 6);
    const auto after = rows_of_node(*busy, 6);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        for (std::size_t k = 0; k < before[i].values.size(); ++k) {
            const float x = before[i].values[k];
            const float y = after[i].values[k];
            EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << i << " " << k;
        }
    }
}

struct Case {
    const char* name;
    std::string lines;
    std::string error;
};

class Grid5000Refuses : public testing::TestWithParam<Case> {};

TEST_P(Grid5000Refuses, with_its_line) {
    const auto trace = import_grid5000(
        "events", "node_id,event_type,event_start_time,event_stop_time\n" + GetParam().lines);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().message, GetParam().error);
}

const Case kCases[] = {
    {"nothing", "", "events:1: it has no interval"},
    {"backwards", "0,1,100,50\n", "events:2: an interval ends before it begins"},
    {"overlap", "0,1,100,200\n0,0,150,300\n",
     "events:3: intervals of a node must follow each other in time and not overlap; sort its lines "
     "and drop what stands twice"},
    {"type", "0,2,100,200\n", "events:2: event_type must be a whole number from 0 to 1, not \"2\""},
    {"negative", "-1,1,100,200\n",
     "events:2: node_id must be a whole number from 0 to 2147483647, not \"-1\""},
    {"far", "0,1,0,9999999999999\n",
     "events:2: event_stop_time must be a whole number from 0 to 4102444800, not "
     "\"9999999999999\""},
};
INSTANTIATE_TEST_SUITE_P(Table, Grid5000Refuses, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace parley::traces
