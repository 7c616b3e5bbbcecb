#include "base/time_text.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace parley {
namespace {

constexpr TimePoint kStart = {1'740'830'400'000'000};  // 2025-03-01T12:00:00Z
constexpr auto kForever = std::numeric_limits<std::int64_t>::max();

struct TimeCase {
    const char* text;
    std::int64_t us;
};

TEST(ParseTime, reads_rfc_3339) {
    const TimeCase cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2025-03-01T12:00:00Z", kStart.us},
        {"2025-03-01T12:00:00.5Z", kStart.us + 500'000},
        {"2025-03-01T12:00:00.000001Z", kStart.us + 1},
        {"2025-03-01T12:00:00.123456789Z", kStart.us + 123'456},
        {"2025-03-01T12:00:00.999999999Z", kStart.us + 999'999},
        {"2025-03-01T14:00:00+02:00", kStart.us},
        {"2025-03-01T06:30:00-05:30", kStart.us},
        {"2025-03-01T12:00:00+00:00", kStart.us},
        {"2025-03-01T12:00:00-00:00", kStart.us},
        {"2024-02-29T00:00:00Z", 1'709'164'800'000'000},
        {"2000-02-29T00:00:00Z", 951'782'400'000'000},
        {"1969-12-31T23:59:59.999999Z", -1},
        {"0001-01-01T00:00:00Z", -62'135'596'800'000'000},  // What Go calls the zero time.
        {"9999-12-31T23:59:59.999999Z", 253'402'300'799'999'999},
        {"2016-12-31T23:59:60Z", 1'483'228'799'999'999},  // A leap second.
        {"2016-12-31T23:59:60.5Z", 1'483'228'799'999'999},
        {"2017-01-01T00:59:60+01:00", 1'483'228'799'999'999},
    };
    for (const auto& [text, us] : cases) {
        const auto parsed = parse_time(text);
        ASSERT_TRUE(parsed) << text;
        EXPECT_EQ(parsed->us, us) << text;
    }
}

TEST(ParseTime, refuses_everything_else) {
    for (const char* text : {"",
                             "2025",
                             "2025-03-01",
                             "2025-03-01T12:00:00",
                             "2025-03-01T12:00Z",
                             "2025-03-01t12:00:00Z",
                             "2025-03-01T12:00:00z",
                             "2025-03-01 12:00:00Z",
                             "2025-03-01T12:00:00Z ",
                             " 2025-03-01T12:00:00Z",
                             "2025-3-01T12:00:00Z",
                             "2025-00-01T12:00:00Z",
                             "2025-13-01T12:00:00Z",
                             "2025-03-00T12:00:00Z",
                             "2025-03-32T12:00:00Z",
                             "2025-04-31T12:00:00Z",
                             "2025-02-29T12:00:00Z",
                             "1900-02-29T12:00:00Z",
                             "2025-03-01T24:00:00Z",
                             "2025-03-01T12:60:00Z",
                             "2025-03-01T12:00:61Z",
                             "2025-03-01T12:00:60Z",
                             "2025-03-01T23:58:60Z",
                             "2016-12-31T23:59:60+01:00",
                             "2025-03-01T12:00:00.Z",
                             "2025-03-01T12:00:00,5Z",
                             "2025-03-01T12:00:00.1234567890Z",
                             "2025-03-01T12:00:00+0200",
                             "2025-03-01T12:00:00+2:00",
                             "2025-03-01T12:00:00+24:00",
                             "2025-03-01T12:00:00+02:60",
                             "2025-03-01T12:00:00+02",
                             "2025-03-01T12:00:00ZZ",
                             "0000-01-01T00:00:00Z",
                             "10000-01-01T00:00:00Z",
                             "-001-01-01T00:00:00Z",
                             "+025-03-01T12:00:00Z",
                             "2025-03-01T1a:00:00Z",
                             "0001-01-01T00:00:00+00:01",
                             "9999-12-31T23:59:59-00:01"}) {
        const auto parsed = parse_time(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().code, ErrorCode::malformed);
    }
    EXPECT_EQ(parse_time("now").error().message,
              "\"now\" is not a time such as 2025-03-01T12:00:00Z");
}

TEST(PrintTime, writes_a_fraction_only_where_there_is_one) {
    EXPECT_EQ(print_time(kStart), "2025-03-01T12:00:00Z");
    EXPECT_EQ(print_time(kStart + microseconds(1)), "2025-03-01T12:00:00.000001Z");
    EXPECT_EQ(print_time({-1}), "1969-12-31T23:59:59.999999Z");
    EXPECT_EQ(print_micro_time(kStart), "2025-03-01T12:00:00.000000Z");
    EXPECT_EQ(print_micro_time(kStart + milliseconds(250)), "2025-03-01T12:00:00.250000Z");
}

TEST(PrintTime, stays_within_four_digits_of_a_year) {
    EXPECT_EQ(print_time({kForever}), "9999-12-31T23:59:59.999999Z");
    EXPECT_EQ(print_micro_time({std::numeric_limits<std::int64_t>::min()}),
              "0001-01-01T00:00:00.000000Z");
}

TEST(PrintTime, a_time_beyond_the_calendar_reads_the_same_in_both_forms) {
    for (const std::int64_t us :
         {3'626'587'368'128'000'000, 253'402'300'800'000'000, -3'626'587'368'128'000'000}) {
        EXPECT_EQ(parse_time(print_time({us})), parse_time(print_micro_time({us}))) << us;
    }
}

TEST(PrintTime, parses_back_on_every_day_of_the_calendar) {
    // Every 97th day and some microseconds, over all years.
    constexpr std::int64_t kDay = 86'400'000'000;
    for (std::int64_t us = -62'135'596'800'000'000; us <= 253'402'300'799'999'999;
         us += 97 * kDay + 12'345'678'901) {
        const auto back = parse_time(print_time({us}));
        ASSERT_TRUE(back) << print_time({us});
        EXPECT_EQ(back->us, us);
    }
    // And every day around a year that is a leap year, and one that is not.
    for (std::int64_t day = 18'000; day < 20'000; ++day) {
        EXPECT_EQ(parse_time(print_time({day * kDay}))->us, day * kDay);
    }
}

TEST(ParseDuration, reads_the_units_of_the_configuration) {
    const TimeCase cases[] = {
        {"0", 0},
        {"0s", 0},
        {"3s", 3'000'000},
        {"1m30s", 90'000'000},
        {"500ms", 500'000},
        {"250us", 250},
        {"2h", 7'200'000'000},
        {"1d", 86'400'000'000},
        {"1d2h3m4s5ms6us", 93'784'005'006},
        {"90m", 5'400'000'000},
        {"0.4s", 400'000},
        {"1.5h", 5'400'000'000},
        {"0.000001s", 1},
        {"0.0000010s", 1},
        {"0.001ms", 1},
        {"0.00000625h", 22'500},
        {"9223372036854775807us", kForever},
        {"106751991d4h54s775ms807us", kForever},
    };
    for (const auto& [text, us] : cases) {
        const auto parsed = parse_duration(text);
        ASSERT_TRUE(parsed) << text << ": " << parsed.error().message;
        EXPECT_EQ(parsed->us, us) << text;
    }
}

TEST(ParseDuration, refuses_everything_else) {
    for (const char* text : {"",
                             " ",
                             "3",
                             "00",
                             "1m30",
                             "s",
                             "3 s",
                             "3s ",
                             " 3s",
                             "-3s",
                             "+3s",
                             "3S",
                             "3sec",
                             "3min",
                             "1w",
                             "1ns",
                             "1.s",
                             ".5s",
                             "1..5s",
                             "1.5.5s",
                             "30s1m",
                             "1s1s",
                             "1ms1s",
                             "0x3s",
                             "1e3s",
                             "0.0000001s",
                             "0.5us",
                             "0.000625ms",
                             "1,5s",
                             "9223372036854775808us",
                             "106751991d4h54s775ms808us",
                             "106751992d",
                             "99999999999999999999s",
                             "0.1234567890123456s",
                             "infs",
                             "nan"}) {
        const auto parsed = parse_duration(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().code, ErrorCode::malformed);
    }
    EXPECT_FALSE(parse_duration(std::string(70, '0') + "s"));
    EXPECT_EQ(parse_duration("3").error().message,
              "\"3\" is not a duration such as 500ms, 3s, 1m30s or 2h");
    EXPECT_EQ(parse_duration("0.5us").error().message,
              "\"0.5us\" is too long, or finer than a microsecond");
}

TEST(PrintDuration, parses_back_to_the_same_duration) {
    EXPECT_EQ(print_duration({0}), "0s");
    EXPECT_EQ(print_duration(seconds(90)), "1m30s");
    EXPECT_EQ(print_duration(milliseconds(500)), "500ms");
    EXPECT_EQ(print_duration(hours(48)), "2d");
    EXPECT_EQ(print_duration(seconds(-90)), "-1m30s");
    EXPECT_EQ(print_duration({std::numeric_limits<std::int64_t>::min()}),
              "-106751991d4h54s775ms808us");
    for (std::uint64_t i = 0; i < 5'000; ++i) {
        const random::Bits128 bits = draw128(8, Stream::noise, 0, i);
        const Duration d{static_cast<std::int64_t>(bits.first >> (1 + bits.second % 63))};
        const auto back = parse_duration(print_duration(d));
        ASSERT_TRUE(back) << print_duration(d);
        EXPECT_EQ(*back, d);
    }
}

TEST(PrintAge, reads_at_a_glance) {
    struct Case {
        Duration age;
        const char* want;
    };
    const Case cases[] = {
        {{0}, "0.0s"},
        {milliseconds(-5), "0.0s"},
        {milliseconds(99), "0.0s"},
        {milliseconds(100), "0.1s"},
        {milliseconds(400), "0.4s"},
        {microseconds(999'999), "0.9s"},
        {seconds(1), "1s"},
        {milliseconds(1999), "1s"},
        {seconds(47), "47s"},
        {microseconds(59'999'999), "59s"},
        {seconds(60), "1m00s"},
        {seconds(252), "4m12s"},
        {seconds(3599), "59m59s"},
        {seconds(3600), "1h00m"},
        {minutes(185), "3h05m"},
        {seconds(86'399), "23h59m"},
        {hours(24), "1d"},
        {hours(5 * 24 + 23), "5d"},
        {hours(9'600), "400d"},
    };
    for (const auto& [age, want] : cases) EXPECT_EQ(print_age(age), want) << age.us;
}

TEST(PrintSimulated, counts_from_the_start_of_the_run) {
    EXPECT_EQ(print_simulated({0}), "T+00:00");
    EXPECT_EQ(print_simulated({999'999}), "T+00:00");
    EXPECT_EQ(print_simulated({426'000'000}), "T+07:06");
    EXPECT_EQ(print_simulated({3'599'999'999}), "T+59:59");
    EXPECT_EQ(print_simulated({3'600'000'000}), "T+1:00:00");
    EXPECT_EQ(print_simulated({3'723'000'000}), "T+1:02:03");
    EXPECT_EQ(print_simulated({360'000'000'000}), "T+100:00:00");
    EXPECT_EQ(print_simulated({-5'000'000}), "T-00:05");
}

}  // namespace
}  // namespace parley
