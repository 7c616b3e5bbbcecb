#include "traces/backblaze.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace parley::traces {
namespace {

const std::string kFile = "drives";
constexpr const char* kHeading =
    "drive_id,model,manufacturer,size_tb,min_date,max_date,min_hours,tstart,tstop,fails,smart_5,"
    "smart_10,smart_12,smart_187,smart_188,smart_189,smart_196,smart_197,smart_198\n";

/// Forty drives of two intervals each; every fifth fails. `tstop` and `max_date` as given.
std::string trace(const std::string& tstop, const std::string& max_date) {
    std::string text = kHeading;
    for (int drive = 1; drive <= 40; ++drive) {
        const std::string head =
            std::to_string(drive) + ",M 1,HGST,8,2015-02-05," + max_date + ",9,";
        text += head + "9," + tstop + ",0,0,0,3,,,,0,0,0\n";
        text += head + "345," + tstop + "," + (drive % 5 == 0 ? "1" : "0") + ",2,0,4,,,,0,5,0\n";
    }
    return text;
}

float value(const RiskTrace& trace, std::size_t row, const char* name) {
    const auto at = std::ranges::find(trace.rows.columns, name, &learn::Column::name);
    EXPECT_NE(at, trace.rows.columns.end()) << name;
    return trace.rows.row(row)[static_cast<std::size_t>(at - trace.rows.columns.begin())];
}

TEST(Backblaze, reads_what_was_known_at_the_beginning) {
    const auto read = import_backblaze(kFile, trace("991", "2016-09-30"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->rows.size(), 80U);
    EXPECT_EQ(read->split.rule, "hash of the drive, 60/10/10/20 (train, stop, calibrate, test)");
    EXPECT_EQ(value(*read, 1, "smart_5"), 2);
    EXPECT_EQ(value(*read, 1, "rise_of_smart_5"), 2);
    EXPECT_TRUE(std::isnan(value(*read, 0, "rise_of_smart_5")));
    EXPECT_TRUE(std::isnan(value(*read, 2, "rise_of_smart_5")));  // Another drive.
    EXPECT_TRUE(std::isnan(value(*read, 1, "smart_187")));
    EXPECT_EQ(value(*read, 1, "since_last_change"), 336);
    EXPECT_EQ(value(*read, 0, "made_by_HGST"), 1);
    EXPECT_EQ(read->rows.label[9], 1);
    EXPECT_EQ(read->rows.event[9], 0);
    EXPECT_EQ(read->rows.entity[9], 5);
    // 336 hours after the fifth of February.
    EXPECT_EQ(read->rows.time[1].us - read->rows.time[0].us, hours(336).us);
}

// Of forty drives eight failed; what ended the last interval of the others nobody saw.
TEST(Backblaze, an_interval_without_an_end_is_censored) {
    const auto read = import_backblaze(kFile, trace("991", "2016-09-30"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(std::ranges::count(read->rows.weight, 0.0F), 32);
    for (std::size_t i = 0; i < read->rows.size(); ++i) {
        EXPECT_EQ(read->rows.weight[i] > 0, i % 2 == 0 || read->rows.label[i] == 1) << i;
    }
}

TEST(Backblaze, drives_may_take_turns) {
    std::string text = kHeading;
    for (const int hour : {9, 345}) {
        for (int drive = 1; drive <= 40; ++drive) {
            text += std::to_string(drive) + ",M 1,HGST,8,2015-02-05,x,9," + std::to_string(hour) +
                    ",991,0," + (hour == 9 ? "0" : "2") + ",0,3,NA,,,0,0,0\n";
        }
    }
    const auto read = import_backblaze(kFile, text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(std::isnan(value(*read, 39, "rise_of_smart_5")));
    EXPECT_EQ(value(*read, 40, "rise_of_smart_5"), 2);
    EXPECT_EQ(value(*read, 79, "since_last_change"), 336);
}

TEST(Backblaze, does_not_look_at_outcomes) {
    const auto a = import_backblaze(kFile, trace("991", "2016-09-30"));
    const auto b = import_backblaze(kFile, trace("1500", "nonsense"));
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->rows.label, b->rows.label);
    for (std::size_t i = 0; i < a->rows.values.size(); ++i) {
        const float x = a->rows.values[i];
        EXPECT_TRUE(x == b->rows.values[i] || std::isnan(x));
    }
}

TEST(Backblaze, refuses_with_the_line) {
    const struct {
        const char* line;
        const char* error;
    } cases[] = {
        {"1,M,HGST,8,2015-02-05,x,9,9,1,2,0,0,3,,,,0,0,0\n",
         "drives:2: fails must be a whole number from 0 to 1, not \"2\""},
        {"1,M,HGST,8,last year,x,9,9,1,0,0,0,3,,,,0,0,0\n",
         "drives:2: min_date must be such as 2015-02-05"},
        {"1,M,HGST,8,2015-02-05,x,9,-1,1,0,0,0,3,,,,0,0,0\n", "drives:2: hours are out of range"},
        {",M,HGST,8,2015-02-05,x,9,9,1,0,0,0,3,,,,0,0,0\n",
         "drives:2: drive_id must be a whole number from 0 to 2147483647, not \"\""},
        {"1,M,HGST,8,2015-02-05,x,9,8,1,0,0,0,3,,,,0,0,0\n",
         "drives:2: tstart lies before min_hours"},
        {"1,M,HGST,8,2015-02-05,x,9,9,1,0,-1,0,3,,,,0,0,0\n",
         "drives:2: smart_5 must not be below 0, and is \"-1\""},
        {"1,M,HGST,8,2015-02-05,x,9,9,8,0,0,0,3,,,,0,0,0\n", "drives:2: tstop lies before tstart"},
        {"1,M,HGST,8,2015-02-05,x,9,9,90,0,0,0,3,,,,0,0,0\n"
         "2,M,HGST,8,2015-02-05,x,9,9,90,0,0,0,3,,,,0,0,0\n"
         "1,M,HGST,8,2015-02-05,x,9,9,90,0,0,0,3,,,,0,0,0\n",
         "drives:4: intervals of a drive must follow each other in time; sort its lines by tstart "
         "and drop what stands twice"},
        {"1,M,HGST,8,2015-02-05,x,9,9,1,0,zero,0,3,,,,0,0,0\n",
         "drives:2: smart_5 must be a number, not \"zero\""},
    };
    for (const auto& each : cases) {
        const auto read = import_backblaze(kFile, std::string(kHeading) + each.line);
        ASSERT_FALSE(read) << each.line;
        EXPECT_EQ(read.error().message, each.error);
    }
    EXPECT_FALSE(import_backblaze(kFile, kHeading));
    EXPECT_FALSE(import_backblaze(kFile, ""));
}

}  // namespace
}  // namespace parley::traces
