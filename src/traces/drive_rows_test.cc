#include "traces/drive_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace parley::traces {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

float value(const RiskTrace& trace, std::size_t row, const char* name) {
    const auto at = std::ranges::find(trace.rows.columns, name, &learn::Column::name);
    EXPECT_NE(at, trace.rows.columns.end()) << name;
    return trace.rows.row(row)[static_cast<std::size_t>(at - trace.rows.columns.begin())];
}

/// Of drive 0; enough others that a split has rows in every part.
RiskTrace made_of(const std::vector<DriveInterval>& intervals, bool forget = false) {
    DriveRows rows;
    for (const DriveInterval& each : intervals) {
        rows.add(each);
        if (forget) rows.forget(each.drive);
    }
    for (std::int32_t drive = 1; drive <= 200; ++drive) {
        rows.add({.drive = drive, .key = static_cast<std::uint64_t>(drive), .maker = "HGST"});
    }
    auto trace = rows.finish();
    EXPECT_TRUE(trace);
    return *std::move(trace);
}

TEST(DriveRows, a_rise_is_counted_from_the_interval_before_of_the_same_drive) {
    DriveInterval first{.maker = "WDC", .size_tb = 4, .age_h = 10};
    DriveInterval second = first;
    second.watched_h = 48;
    second.age_h = 58;
    second.readings[0] = 5;      // smart_5
    second.readings[3] = kNone;  // smart_187
    second.failed = true;
    const RiskTrace trace = made_of({first, second});
    EXPECT_TRUE(std::isnan(value(trace, 0, "rise_of_smart_5")));
    EXPECT_TRUE(std::isnan(value(trace, 0, "since_last_change")));
    EXPECT_EQ(value(trace, 1, "rise_of_smart_5"), 5);
    EXPECT_TRUE(std::isnan(value(trace, 1, "rise_of_smart_187"))) << "missing is not zero";
    EXPECT_EQ(value(trace, 1, "since_last_change"), 48);
    EXPECT_EQ(value(trace, 1, "age"), 58);
    EXPECT_EQ(value(trace, 1, "made_by_WDC"), 1);
    EXPECT_EQ(value(trace, 1, "made_by_HGST"), 0);
    EXPECT_EQ(trace.rows.label[1], 1);
    EXPECT_EQ(trace.rows.event[1], 0);
    EXPECT_EQ(trace.rows.event[0], learn::kNoEvent);
    EXPECT_TRUE(std::isnan(value(trace, 2, "rise_of_smart_5"))) << "another drive";
    EXPECT_TRUE(std::isnan(value(trace, 2, "age")));
}

TEST(DriveRows, what_is_forgotten_has_no_before) {
    DriveInterval later{.watched_h = 24};
    const RiskTrace trace = made_of({{}, later}, true);
    EXPECT_TRUE(std::isnan(value(trace, 1, "rise_of_smart_5")));
    EXPECT_TRUE(std::isnan(value(trace, 1, "since_last_change")));
}

}  // namespace
}  // namespace parley::traces
