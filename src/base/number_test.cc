#include "base/number.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace parley {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ParseDouble, reads_finite_decimal_numbers) {
    EXPECT_EQ(parse_double("0"), 0.0);
    EXPECT_EQ(parse_double("-0.5"), -0.5);
    EXPECT_EQ(parse_double("12"), 12.0);
    EXPECT_EQ(parse_double("1e-3"), 1e-3);
    EXPECT_EQ(parse_double("1E+3"), 1000.0);
    EXPECT_EQ(parse_double(".5"), 0.5);
    EXPECT_EQ(parse_double("5."), 5.0);
    EXPECT_EQ(parse_double("1e308"), 1e308);
    EXPECT_EQ(parse_double("1.7976931348623157e308"), std::numeric_limits<double>::max());
    EXPECT_EQ(parse_double("5e-324"), std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(parse_double("0.1"), 0.1);
    EXPECT_TRUE(std::signbit(*parse_double("-0")));
}

TEST(ParseDouble, refuses_everything_else) {
    for (const char* text :
         {"",      " ",      "nan",    "NaN", "-nan", "inf",   "Inf", "+Inf", "-inf",  "infinity",
          "0x10",  "0x1p3",  "1 ",     " 1",  "1,5",  "1.5.2", "--1", "+1",   "1e",    "e5",
          "1e999", "-1e999", "1e-999", "abc", "1f",   "1_000", ".",   "-",    "nan(1)"}) {
        const auto parsed = parse_double(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().code, ErrorCode::malformed);
    }
    EXPECT_FALSE(parse_double(std::string_view("1\0", 2)));
}

TEST(ParseDouble, refuses_text_longer_than_64_characters) {
    EXPECT_EQ(parse_double(std::string(63, '0') + "1"), 1.0);
    EXPECT_FALSE(parse_double(std::string(64, '0') + "1"));
}

TEST(ParseDouble, holds_its_range_at_both_bounds) {
    EXPECT_EQ(parse_double("0.25", 0.25, 0.75), 0.25);
    EXPECT_EQ(parse_double("0.75", 0.25, 0.75), 0.75);
    EXPECT_FALSE(parse_double("0.2499999999999999", 0.25, 0.75));
    EXPECT_FALSE(parse_double("0.7500000000000002", 0.25, 0.75));
}

TEST(ParseNumber, says_what_is_wrong) {
    EXPECT_EQ(parse_double("").error().message, "empty text is not a number");
    EXPECT_EQ(parse_double("1x").error().message, "\"1x\" is not a number");
    EXPECT_EQ(parse_double("NaN").error().message, "\"NaN\" is not a finite number");
    EXPECT_EQ(parse_double("1e999").error().message, "\"1e999\" is out of range");
    EXPECT_EQ(parse_double("2", 0, 1.5).error().message, "\"2\" must be from 0 to 1.5");
    EXPECT_EQ(parse_int64("1.5").error().message, "\"1.5\" is not a whole number");
    EXPECT_EQ(parse_int64("0", 1, 65535).error().message, "\"0\" must be from 1 to 65535");
    EXPECT_EQ(parse_uint64("-1").error().message, "\"-1\" is not a whole number from zero up");
    EXPECT_EQ(parse_double(std::string(70, '1')).error().message,
              "\"" + std::string(40, '1') + "...\" is too long for a number");
}

TEST(ParseInteger, reads_up_to_its_limits) {
    EXPECT_EQ(parse_int64("0"), 0);
    EXPECT_EQ(parse_int64("-17"), -17);
    EXPECT_EQ(parse_int64("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(parse_int64("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(parse_uint64("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(parse_int64("7", 7, 9), 7);
    EXPECT_EQ(parse_int64("9", 7, 9), 9);
    EXPECT_EQ(parse_uint64("9", 7, 9), 9U);
}

TEST(ParseInteger, refuses_everything_else) {
    for (const char* text : {"", " 1", "1 ", "+1", "--1", "1.0", "1e3", "0x10", "abc", "-",
                             "9223372036854775808", "-9223372036854775809"}) {
        EXPECT_FALSE(parse_int64(text)) << text;
    }
    for (const char* text : {"", "-1", "-0", "+1", "18446744073709551616", "1.0"}) {
        EXPECT_FALSE(parse_uint64(text)) << text;
    }
    EXPECT_FALSE(parse_int64("6", 7, 9));
    EXPECT_FALSE(parse_int64("10", 7, 9));
    EXPECT_FALSE(parse_uint64("6", 7, 9));
    EXPECT_FALSE(parse_uint64("10", 7, 9));
}

TEST(InQuotes, keeps_messages_short_and_printable) {
    EXPECT_EQ(in_quotes("node-07"), "\"node-07\"");
    EXPECT_EQ(in_quotes("a\nb\x1b[31m\"\xc3"), "\"a?b?[31m??\"");
    EXPECT_EQ(in_quotes(std::string(40, 'x')), "\"" + std::string(40, 'x') + "\"");
    EXPECT_EQ(in_quotes(std::string(41, 'x')), "\"" + std::string(40, 'x') + "...\"");
}

TEST(PrintDouble, reads_back_as_the_same_bits) {
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const double value = std::bit_cast<double>(draw(3, Stream::noise, 0, i));
        if (!std::isfinite(value)) continue;
        const auto back = parse_double(print_double(value));
        ASSERT_TRUE(back) << print_double(value);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value));
    }
    EXPECT_EQ(print_double(0.1), "0.1");
    EXPECT_EQ(print_double(-2.2250738585072014e-308), "-2.2250738585072014e-308");
    EXPECT_EQ(print_double(kNaN), "nan");
    EXPECT_EQ(print_double(-kInf), "-inf");
}

TEST(Fixed, rounds_what_the_double_really_is) {
    EXPECT_EQ(fixed(0.829, 2), "0.83");
    EXPECT_EQ(fixed(1.005, 2), "1.00");  // The double lies below 1.005.
    EXPECT_EQ(fixed(0.125, 2), "0.12");  // A tie goes to the even digit.
    EXPECT_EQ(fixed(0.375, 2), "0.38");
    EXPECT_EQ(fixed(7.0, 0), "7");
    EXPECT_EQ(fixed(-1.25, 1), "-1.2");
    EXPECT_EQ(fixed(0.0, 2), "0.00");
    EXPECT_EQ(fixed(-0.0, 2), "0.00");
    EXPECT_EQ(fixed(-0.004, 2), "0.00");
    EXPECT_EQ(fixed(-0.006, 2), "-0.01");
    EXPECT_EQ(fixed(1e308, 17).size(), 309U + 18);
    EXPECT_EQ(fixed(kNaN, 2), "?");
    EXPECT_EQ(fixed(-kInf, 2), "?");
}

TEST(Fixed, shows_signs_on_request) {
    EXPECT_EQ(signed_fixed(7.8, 1), "+7.8");
    EXPECT_EQ(signed_fixed(-7.8, 1), "-7.8");
    EXPECT_EQ(signed_fixed(0.0, 1), "0.0");
    EXPECT_EQ(signed_fixed(0.04, 1), "0.0");
    EXPECT_EQ(signed_fixed(0.06, 1), "+0.1");
    EXPECT_EQ(signed_fixed(-0.04, 1), "0.0");
    EXPECT_EQ(signed_fixed(kInf, 1), "?");
}

TEST(Thousands, separates_groups_of_three) {
    EXPECT_EQ(thousands(0), "0");
    EXPECT_EQ(thousands(999), "999");
    EXPECT_EQ(thousands(1000), "1,000");
    EXPECT_EQ(thousands(5000), "5,000");
    EXPECT_EQ(thousands(-999), "-999");
    EXPECT_EQ(thousands(-1000), "-1,000");
    EXPECT_EQ(thousands(150000), "150,000");
    EXPECT_EQ(thousands(1234567), "1,234,567");
    EXPECT_EQ(thousands(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

}  // namespace
}  // namespace parley
