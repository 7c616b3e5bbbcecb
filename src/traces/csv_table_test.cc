#include "traces/csv_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace parley::traces {
namespace {

CsvOptions options_of(const char* value) {
    return {.columns = {.time = "when", .entity = "host", .value = value}};
}

TEST(CsvTime, takes_what_people_write) {
    constexpr std::int64_t kThen = 1'767'254'400'000'000;  // 2026-01-01T08:00:00Z
    for (const char* text :
         {"2026-01-01T08:00:00Z", "2026-01-01 08:00:00", "2026-01-01T09:00:00+01:00",
          "2026-01-01 08:00", "1767254400", "1767254400.0", "1767254400000", "1767254400000000",
          "1767254400000000000"}) {
        ASSERT_TRUE(csv_time(text)) << text;
        EXPECT_EQ(csv_time(text)->us, kThen) << text;
    }
    EXPECT_EQ(csv_time("0")->us, 0);
    EXPECT_EQ(csv_time("1.5")->us, 1'500'000);
    for (const char* text : {"", "yesterday", "2026-13-01", "1e400", "NaN"})
        EXPECT_FALSE(csv_time(text)) << text;
}

TEST(CsvDemand, entities_are_series_and_the_step_is_found) {
    const auto trace = import_csv_demand("mine.csv",
                                         "host,when,load\na,0,1\nb,0,5\na,900,2\nb,900,\na,2700,4\n"
                                         "b,1800,7\na,3600,5\n",
                                         options_of("load"));
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_EQ(trace->series.size(), 2U);
    const learn::Series& a = trace->series[0];
    EXPECT_EQ(a.name, "a");
    EXPECT_EQ(a.step, minutes(15));
    ASSERT_EQ(a.values.size(), 5U);
    EXPECT_TRUE(std::isnan(a.values[2])) << "a gap is a gap";
    EXPECT_EQ(a.values[3], 4);
    EXPECT_TRUE(std::isnan(trace->series[1].values[1])) << "missing is not zero";
    EXPECT_EQ(trace->ahead, (std::vector<std::size_t>{1, 3, 12}));
}

TEST(CsvDemand, one_series_needs_no_entity_and_times_may_be_a_little_off) {
    CsvOptions options{.columns = {.time = "t", .value = "v"}};
    std::string text = "t,v\n";
    for (int i = 0; i < 40; ++i) {
        text += std::to_string(1'700'000'000'000 + i * 10'000 + i * 37 % 101) + "," +
                std::to_string(i) + "\n";
    }
    const auto trace = import_csv_demand("x", text, options);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->series[0].step, seconds(10));
    EXPECT_EQ(trace->series[0].values.size(), 40U);
    options.step = seconds(60);
    EXPECT_FALSE(import_csv_demand("x", text, options)) << "another rhythm";
}

TEST(CsvDemand, refuses_with_file_and_line) {
    const auto error = [](const char* lines, const char* value = "load") {
        const auto trace =
            import_csv_demand("x.csv", std::string("host,when,load\n") + lines, options_of(value));
        return trace ? "" : trace.error().message;
    };
    EXPECT_EQ(
        error("a,soon,1\n"),
        "x.csv:2: when must be a time such as 2026-01-31T08:00:00Z or seconds or milliseconds "
        "since 1970, not \"soon\"");
    EXPECT_EQ(error("a,0,1\na,60,much\n"), "x.csv:3: load must be a number, not \"much\"");
    EXPECT_EQ(error("a,0,1\n,60,1\n"), "x.csv:3: host is missing");
    EXPECT_EQ(error("a,0,1\na,60,1\nb,0,1\na,0,2\n"),
              "x.csv:5: the time 1970-01-01T00:00:00Z of \"a\" stands in line 2 already; give each "
              "time once, with a zone where an hour comes twice");
    EXPECT_EQ(error("a,0,1\n", "lod"), "x.csv:1: no column is called \"lod\"; did you mean load?");
    EXPECT_NE(error("a,0,1\n").find("no entity has two lines"), std::string::npos);
    EXPECT_NE(error("a,0,1\n", "when").find("is named for two things"), std::string::npos);
}

/// Forty hosts, hour by hour; each fifth fails at hour 60 for three hours.
std::string hosts(const std::string& gap_of = "") {
    std::string text = "host,when,failed,heat,rack\n";
    for (int host = 0; host < 40; ++host) {
        for (int hour = 0; hour < 100; ++hour) {
            const bool down = host % 5 == 0 && hour >= 60 && hour < 63;
            const std::string name = "h" + std::to_string(host);
            if (name == gap_of && hour == 80) continue;
            text += name + "," + std::to_string(hour * 3600) + "," + (down ? "1" : "0") + "," +
                    std::to_string(host % 5 == 0 ? hour : 20) + ",r1\n";
        }
    }
    return text;
}

TEST(CsvRisk, a_row_looks_ahead_and_what_nobody_saw_is_censored) {
    const auto trace = import_csv_risk("hosts.csv", hosts("h1"), options_of("failed"));
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->step, hours(1));
    EXPECT_EQ(trace->horizon, hours(24));
    EXPECT_EQ(trace->left_out, std::vector<std::string>{"rack"});
    const learn::Rows& rows = trace->rows;
    EXPECT_EQ(rows.columns[0].name, "heat");
    EXPECT_EQ(rows.columns[1].name, "change_of_heat");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int64_t hour = rows.time[i].us / hours(1).us;
        const bool frail = rows.entity[i] % 5 == 0;
        EXPECT_FALSE(frail && hour >= 60 && hour < 63) << "it is down";
        EXPECT_EQ(rows.label[i] == 1, frail && hour >= 36 && hour < 60) << hour;
        EXPECT_EQ(rows.event[i] != learn::kNoEvent, rows.label[i] == 1);
        // 24 hours on must have been seen; h1 was not seen at hour 80.
        const bool seen = hour <= 75 && !(rows.entity[i] == 1 && hour > 55 && hour < 80);
        if (rows.label[i] == 0)
            EXPECT_EQ(rows.weight[i] > 0, seen) << rows.entity[i] << " " << hour;
    }
    EXPECT_EQ(std::ranges::max(rows.event), 35 * 100 - 1 + 60) << "one event per host";
}

TEST(CsvRisk, features_use_nothing_that_comes_later) {
    const auto whole = import_csv_risk("x", hosts(), options_of("failed"));
    std::string changed = hosts();
    const std::size_t tail = changed.find("h0,324000");  // Hour 90.
    changed.replace(changed.find(",90,r1", tail), 6, ",7,r1");
    const auto other = import_csv_risk("x", changed, options_of("failed"));
    ASSERT_TRUE(whole && other);
    for (std::size_t i = 0; i < 87; ++i) {  // Rows of the first host before hour 90.
        const auto a = whole->rows.row(i);
        const auto b = other->rows.row(i);
        for (std::size_t k = 0; k < a.size(); ++k)
            EXPECT_TRUE(a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k]))) << i;
    }
}

TEST(CsvRisk, a_list_says_which_features_there_are) {
    CsvOptions options = options_of("failed");
    options.features = {{.column = "heat", .place = 1, .times = 0.01}};
    options.list = {{"cpu_share", "share"}, {"memory_share", "share"}};
    const auto trace = import_csv_risk("x", hosts(), options);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->rows.columns, options.list);
    EXPECT_TRUE(std::isnan(trace->rows.row(5)[0]));
    EXPECT_FLOAT_EQ(trace->rows.row(5)[1], 0.05F);
}

TEST(CsvRisk, refuses_what_is_no_event_or_horizon) {
    std::string text = hosts();
    text.replace(text.find(",0,0,r1"), 7, ",2,0,r1");
    const auto read = import_csv_risk("x", text, options_of("failed"));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "x:2: an event is 0 or 1, and \"2\" was given");
    CsvOptions options = options_of("failed");
    options.horizon = minutes(30);
    EXPECT_NE(import_csv_risk("x", hosts(), options).error().message.find("less than a step"),
              std::string::npos);
}

}  // namespace
}  // namespace parley::traces
