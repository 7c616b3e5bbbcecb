#include "tuner/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace parley::tuner {
namespace {

struct Case {
    const char* name;
    std::string text;
    std::string expected;  ///< Canonical, or "!" and the reason.
};

std::string read(const std::string& text) {
    const Result<Json> value = parse_json(text);
    return value ? canonical(*value) : "!" + value.error().message;
}

TEST(Json, reads_what_python_writes_and_nothing_else) {
    const Case cases[] = {
        {"null", "null", "null"},
        {"flags", "[true,false]", "[true, false]"},
        {"a_float_keeps_its_point", "1.0", "1.0"},
        {"an_int_stays_one", "-12", "-12"},
        {"a_long_int_too", "123456789012345678901234567890", "123456789012345678901234567890"},
        {"not_a_number", "[NaN, Infinity, -Infinity]", "[NaN, Infinity, -Infinity]"},
        {"too_large", "[1e999, -1e999]", "[Infinity, -Infinity]"},
        {"too_small", "[1e-999, -1e-999]", "[0.0, -0.0]"},
        {"nested", R"( {"a" : [ 1.5 , {} ] , "b":"x"} )", R"({"a": [1.5, {}], "b": "x"})"},
        {"escapes", R"("\"\\\/\b\f\n\r\tA")", R"("\"\\/\u0008\u000c\u000a\u000d\u0009A")"},
        {"letters_beyond_ascii", "\"\xC3\xA9\\u00e9\"", R"("\u00e9\u00e9")"},
        {"a_pair_of_surrogates", R"("\ud83d\ude00")", R"("\ud83d\ude00")"},
        {"half_a_pair", R"("\ud83dx\ude00")", R"("\ufffdx\ufffd")"},
        {"two_halves", R"("\ud83d\ud83d")", R"("\ufffd\ufffd")"},
        {"broken_utf8", "\"\xC3\xFF\xF4\x9F\"", R"("\ufffd\ufffd\ufffd\ufffd")"},
        {"empty", "", "!byte 0 of JSON: it ends early"},
        {"two_values", "1 2", "!byte 2 of JSON: something follows the value"},
        {"open_list", "[1", "!byte 2 of JSON: a list wants , or ]"},
        {"open_object", "{\"a\":1", "!byte 6 of JSON: an object wants , or }"},
        {"no_name", "{1:2}", "!byte 1 of JSON: a name is missing"},
        {"open_text", "\"abc", "!byte 4 of JSON: a text does not end"},
        {"open_escape", "\"\\", "!byte 2 of JSON: a text does not end"},
        {"short_escape", "\"\\u12", "!byte 3 of JSON: an escape ends early"},
        {"wrong_escape", "\"\\x\"", "!byte 3 of JSON: an unknown escape"},
        {"control", "\"\n\"", "!byte 2 of JSON: a bare control character"},
        {"plus", "+1", "!byte 0 of JSON: no value begins like this"},
        {"leading_zero", "01", "!byte 2 of JSON: a number begins with 0"},
        {"bare_point", "1.", "!byte 2 of JSON: a point without digits"},
        {"bare_exponent", "1e", "!byte 2 of JSON: an exponent without digits"},
        {"hexadecimal", "0x1", "!byte 1 of JSON: something follows the value"},
        {"too_deep", std::string(66, '['), "!byte 65 of JSON: it is nested too deeply"},
    };
    for (const Case& c : cases) EXPECT_EQ(read(c.text), c.expected) << c.name;
}

TEST(Json, depth_of_64_is_fine) {
    EXPECT_TRUE(parse_json(std::string(64, '[') + std::string(64, ']')));
}

TEST(Json, the_last_of_equal_names_counts_and_raw_is_as_written) {
    const std::string text = R"({"a":1,"a":{"b": 1e0}})";
    const auto value = parse_json(text);
    ASSERT_TRUE(value);
    EXPECT_EQ(value->find("a")->raw, R"({"b": 1e0})");
    EXPECT_EQ(value->find("c"), nullptr);
}

TEST(Json, floats_read_back_as_the_same_bits) {
    for (const double value : {0.1, -0.0, 5e-324, 1e16, 1.7976931348623157e308, 1.0 / 3}) {
        const std::string text = print_float(value);
        const auto back = parse_json(text);
        ASSERT_TRUE(back) << text;
        EXPECT_EQ(back->number, value) << text;
        EXPECT_EQ(std::signbit(back->number), std::signbit(value)) << text;
        EXPECT_FALSE(back->whole) << text;
    }
}

}  // namespace
}  // namespace parley::tuner
