#include "traces/backblaze_daily.h"

#include "traces/backblaze.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

namespace parley::traces {
namespace {

const std::string kHeading =
    "date,serial_number,model,capacity_bytes,failure,smart_1_normalized,smart_1_raw,"
    "smart_5_raw,smart_9_raw,smart_10_raw,smart_12_raw,smart_187_raw,smart_188_raw,smart_189_raw,"
    "smart_196_raw,smart_197_raw,smart_198_raw\n";

std::string day_of(int day) {
    return "2024-01-" + std::string(day < 10 ? "0" : "") + std::to_string(day);
}

/// A drive's line: bad sectors and hours are what changes.
std::string line(int day, const std::string& serial, int sectors, bool failed = false,
                 const std::string& hours = "") {
    return day_of(day) + "," + serial + ",ST4000DM000,4000787030016," + (failed ? "1" : "0") +
           ",117,9," + std::to_string(sectors) + "," +
           (hours.empty() ? std::to_string(1'000 + 24 * (day - 1)) : hours) + ",0,3,,,,,7,0\n";
}

constexpr int kDrives = 80;

/// Over ten days: bad sectors grow on day 4 in each; every fifth fails on day 8.
std::vector<std::string> ten_days() {
    std::vector<std::string> files;
    for (int day = 1; day <= 10; ++day) {
        std::string text = kHeading;
        for (int drive = 0; drive < kDrives; ++drive) {
            const bool fails = drive % 5 == 0;
            if (fails && day > 8) continue;
            // What is read on the day of the failure may come from it.
            const int sectors = fails && day == 8 ? 900 : day < 4 ? 0 : 2;
            text += line(day, "S" + std::to_string(drive), sectors, fails && day == 8);
        }
        files.push_back(text);
    }
    return files;
}

Result<RiskTrace> read(const std::vector<std::string>& files) {
    BackblazeDays days;
    int number = 0;
    for (const std::string& text : files) {
        auto done = days.take("day" + std::to_string(++number), text);
        if (!done) return tl::unexpected(done.error());
    }
    return days.finish();
}

float value(const RiskTrace& trace, std::size_t row, const char* name) {
    const auto at = std::ranges::find(trace.rows.columns, name, &learn::Column::name);
    EXPECT_NE(at, trace.rows.columns.end()) << name;
    return trace.rows.row(row)[static_cast<std::size_t>(at - trace.rows.columns.begin())];
}

/// The rows of one drive, in order.
std::vector<std::size_t> rows_of(const RiskTrace& trace, std::int32_t drive) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < trace.rows.size(); ++i) {
        if (trace.rows.entity[i] == drive) rows.push_back(i);
    }
    return rows;
}

TEST(BackblazeDaily, days_in_which_nothing_changes_are_one_row) {
    const auto trace = read(ten_days());
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->rows.size(), 2U * kDrives);
    EXPECT_EQ(std::ranges::count(trace->rows.label, 1.0F), kDrives / 5);
    const auto rows = rows_of(*trace, 0);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(trace->rows.label[rows[0]], 0);
    EXPECT_EQ(trace->rows.label[rows[1]], 1);
    EXPECT_EQ(value(*trace, rows[1], "smart_5"), 2) << "not that of the day on which it failed";
    EXPECT_EQ(value(*trace, rows[1], "rise_of_smart_5"), 2);
    EXPECT_TRUE(std::isnan(value(*trace, rows[0], "rise_of_smart_5")));
    EXPECT_TRUE(std::isnan(value(*trace, rows[1], "smart_187")));
    EXPECT_EQ(value(*trace, rows[1], "smart_197"), 7);
    EXPECT_EQ(value(*trace, rows[1], "age"), 1'072);
    EXPECT_EQ(value(*trace, rows[1], "watched_for"), 72);
    EXPECT_EQ(value(*trace, rows[1], "since_last_change"), 72);
    EXPECT_NEAR(value(*trace, rows[1], "size"), 4.0, 0.01);
    EXPECT_EQ(value(*trace, rows[1], "made_by_ST"), 1);
    EXPECT_EQ(trace->rows.time[rows[1]].us - trace->rows.time[rows[0]].us, hours(72).us);
}

// The same drives in the form of intervals give the same rows.
TEST(BackblazeDaily, says_of_a_drive_what_its_intervals_say) {
    std::string text =
        "drive_id,manufacturer,size_tb,min_date,min_hours,tstart,tstop,fails,smart_5,smart_10,"
        "smart_12,"
        "smart_187,smart_188,smart_189,smart_196,smart_197,smart_198\n";
    for (int drive = 0; drive < kDrives; ++drive) {
        const std::string head = std::to_string(drive) + ",ST,4.000787030016,2024-01-01,1000,";
        text += head + "1000,1072,0,0,0,3,,,,,7,0\n";
        text += head + "1072," + (drive % 5 == 0 ? "1168,1" : "1216,0") + ",2,0,3,,,,,7,0\n";
    }
    const auto intervals = import_backblaze("intervals", text);
    const auto days = read(ten_days());
    ASSERT_TRUE(intervals && days);
    ASSERT_EQ(days->rows.size(), intervals->rows.size());
    EXPECT_EQ(days->rows.columns, intervals->rows.columns);
    for (std::int32_t drive = 0; drive < kDrives; ++drive) {
        const auto theirs = rows_of(*intervals, drive);
        const auto ours = rows_of(*days, drive);
        ASSERT_EQ(ours.size(), theirs.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const auto a = days->rows.row(ours[i]);
            const auto b = intervals->rows.row(theirs[i]);
            EXPECT_TRUE(std::ranges::equal(a, b, [](float x, float y) {
                return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
            })) << drive;
            EXPECT_EQ(days->rows.label[ours[i]], intervals->rows.label[theirs[i]]);
            EXPECT_EQ(days->rows.time[ours[i]], intervals->rows.time[theirs[i]]);
            EXPECT_EQ(days->rows.weight[ours[i]], intervals->rows.weight[theirs[i]]);
        }
    }
}

// As many fail as change each day, of a thousand drives: half fail, however short the record is.
TEST(BackblazeDaily, days_that_nobody_saw_the_end_of_are_censored) {
    std::vector<std::string> files;
    for (int day = 1; day <= 4; ++day) {
        std::string text = kHeading;
        for (int drive = 0; drive < 1'000; ++drive) {
            const int ends = 2 + drive / 2 % 20;  // On the second day or one of the 19 after it.
            const bool fails = drive % 2 == 0;
            if (fails && day > ends) continue;
            text += line(day, "S" + std::to_string(drive), !fails && day >= ends ? 2 : 0,
                         fails && day == ends);
        }
        files.push_back(text);
    }
    const auto trace = read(files);
    ASSERT_TRUE(trace) << trace.error().message;
    double failed = 0;
    double all = 0;
    for (std::size_t i = 0; i < trace->rows.size(); ++i) {
        const double weight = trace->rows.weight[i];
        all += weight;
        failed += weight * trace->rows.label[i];
    }
    EXPECT_NEAR(failed / all, 0.5, 1e-6);
    EXPECT_GT(std::ranges::count(trace->rows.weight, 0.0F), 800);
}

TEST(BackblazeDaily, the_order_of_lines_moves_no_drive_to_another_slice) {
    auto turned = ten_days();
    for (std::string& text : turned) {
        std::vector<std::string> lines;
        for (std::size_t at = kHeading.size(); at < text.size();) {
            const std::size_t end = text.find('\n', at) + 1;
            lines.push_back(text.substr(at, end - at));
            at = end;
        }
        std::ranges::reverse(lines);
        text = kHeading;
        for (const std::string& each : lines) text += each;
    }
    const auto a = read(ten_days());
    const auto b = read(turned);
    ASSERT_TRUE(a && b);
    // Drive S0 is the first here and the last there.
    for (std::int32_t drive = 0; drive < kDrives; ++drive) {
        EXPECT_EQ(a->split.part[rows_of(*a, drive).front()],
                  b->split.part[rows_of(*b, kDrives - 1 - drive).front()])
            << drive;
    }
}

TEST(BackblazeDaily, what_cannot_be_an_age_or_a_size_is_missing) {
    auto files = ten_days();
    files[0] += line(1, "odd", 0, false, "9223372036854775807");
    files[0] += "2024-01-01,less,WUH721414ALE6L4,-1,0,1,1,,,,,,,,,,\n";
    const auto trace = read(files);
    ASSERT_TRUE(trace) << trace.error().message;
    const auto odd = rows_of(*trace, kDrives).front();
    EXPECT_TRUE(std::isnan(value(*trace, odd, "age")));
    const auto less = rows_of(*trace, kDrives + 1).front();
    EXPECT_TRUE(std::isnan(value(*trace, less, "size")));
    EXPECT_TRUE(std::isnan(value(*trace, less, "age")));
    EXPECT_EQ(value(*trace, less, "made_by_WDC"), 1);
}

TEST(BackblazeDaily, a_drive_that_comes_back_begins_anew_and_one_seen_only_failing_has_no_row) {
    auto files = ten_days();
    files[8] += line(9, "S0", 5);
    files[9] += line(10, "S0", 6);
    files[9] += line(10, "late", 0, true);
    const auto trace = read(files);
    ASSERT_TRUE(trace) << trace.error().message;
    const auto rows = rows_of(*trace, 0);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_TRUE(std::isnan(value(*trace, rows[2], "rise_of_smart_5")));
    EXPECT_EQ(value(*trace, rows[2], "watched_for"), 0);
    EXPECT_EQ(value(*trace, rows[3], "rise_of_smart_5"), 1);
    EXPECT_EQ(trace->rows.label[rows[3]], 0);
    EXPECT_TRUE(rows_of(*trace, kDrives).empty());
}

TEST(BackblazeDaily, refuses_with_the_line) {
    struct Case {
        const char* name;
        std::string line;
        const char* says;
    };
    const Case cases[] = {
        {"date", "01.02.2024,a,ST1,1,0,1,1,1,1,1,1,1,1,1,1,1,1\n", "date must be such as"},
        {"serial", "2024-01-01,,ST1,1,0,1,1,1,1,1,1,1,1,1,1,1,1\n", "serial_number is missing"},
        {"failure", "2024-01-01,a,ST1,1,2,1,1,1,1,1,1,1,1,1,1,1,1\n", "failure"},
        {"reading", "2024-01-01,a,ST1,1,0,1,1,-4,1,1,1,1,1,1,1,1,1\n", "smart_5_raw"},
        {"huge", "2024-01-01,a,ST1,1,0,1,1,1e300,1,1,1,1,1,1,1,1,1\n", "a reading is too large"},
        {"twice", line(1, "a", 0) + line(1, "a", 0), "it was seen on 2024-01-01 already"},
        {"short", "2024-01-01,a\n", "fields"},
    };
    for (const Case& each : cases) {
        const auto trace = read({kHeading + each.line});
        ASSERT_FALSE(trace) << each.name;
        EXPECT_NE(trace.error().message.find(each.says), std::string::npos)
            << each.name << ": " << trace.error().message;
        EXPECT_TRUE(trace.error().message.starts_with("day1:")) << trace.error().message;
    }
    auto files = ten_days();
    std::swap(files[2], files[3]);
    EXPECT_NE(read(files).error().message.find("day4:2: the days of a drive must follow"),
              std::string::npos)
        << read(files).error().message;
    EXPECT_FALSE(read({kHeading}));
    EXPECT_FALSE(read({kHeading + line(1, "a", 0, true)}));
}

}  // namespace
}  // namespace parley::traces
