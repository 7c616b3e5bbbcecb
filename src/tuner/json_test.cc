#include "tuner/json.h"

#include "base/json_read.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace parley::tuner {
namespace {

TEST(PythonJson, a_value_has_one_spelling) {
    struct Case {
        const char* name;
        std::string text;
        std::string expected;
    };
    const Case cases[] = {
        {"null", "null", "null"},
        {"flags", "[true,false]", "[true, false]"},
        {"a_float_keeps_its_point", "1.0", "1.0"},
        {"a_float_is_spelt_anew", "[1e0, 1.50]", "[1.0, 1.5]"},
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
        {"broken_utf8", "\"\xC3\xFF\xF4\x9F\"", R"("\ufffd\ufffd\ufffd\ufffd")"},
        {"empty", "[[], {}]", "[[], {}]"},
    };
    for (const Case& c : cases) {
        const auto value = parse_python_json(c.text);
        ASSERT_TRUE(value) << c.name << ": " << value.error().message;
        EXPECT_EQ(canonical(*value), c.expected) << c.name;
    }
}

TEST(PythonJson, floats_read_back_as_the_same_bits) {
    for (const double value : {0.1, -0.0, 5e-324, 1e16, 1.7976931348623157e308, 1.0 / 3}) {
        const std::string text = print_float(value);
        const auto back = parse_python_json(text);
        ASSERT_TRUE(back) << text;
        EXPECT_EQ(*back->number(), value) << text;
        EXPECT_EQ(std::signbit(*back->number()), std::signbit(value)) << text;
        EXPECT_EQ(canonical(*back), text);
    }
}

}  // namespace
}  // namespace parley::tuner
