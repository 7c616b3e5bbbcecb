#include "base/json_read.h"

#include "base/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace parley {
namespace {

std::string error_of(std::string_view text) {
    const auto value = parse_json(text);
    return value ? "" : value.error().message;
}

TEST(JsonReader, reads_all_kinds_of_values) {
    const auto value = parse_json(
        " {\"n\": -1.5e-3, \"t\":\"a\\n\\u00e9\\ud83d\\ude00\", \"yes\":true,\"no\":false, "
        "\"z\":null,\"list\":[\"x\",{},[]],\"numbers\":[1,null,NaN,-Infinity, 2E2]}\n");
    ASSERT_TRUE(value) << value.error().message;
    EXPECT_EQ(*value->find("n")->number(), -1.5e-3);
    EXPECT_EQ(*value->find("t")->text(), "a\n\xc3\xa9\xf0\x9f\x98\x80");
    EXPECT_TRUE(*value->find("yes")->boolean());
    EXPECT_FALSE(*value->find("no")->boolean());
    EXPECT_TRUE(value->find("z")->is_null());
    EXPECT_EQ(value->find("list")->items()->size(), 3U);
    const JsonNumbers& numbers = *value->find("numbers")->numbers();
    ASSERT_EQ(numbers.size(), 5U);
    EXPECT_TRUE(std::isnan(numbers[1]) && std::isnan(numbers[2]) && std::isinf(numbers[3]));
    EXPECT_EQ(numbers[4], 200);
}

struct Case {
    const char* name;
    std::string text;
    std::string error;
};

class JsonRefused : public testing::TestWithParam<Case> {};

TEST_P(JsonRefused, with_its_place) { EXPECT_EQ(error_of(GetParam().text), GetParam().error); }

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

const Case kCases[] = {
    {"deep_enough", nested(kJsonDepthMax + 1), ""},
    {"too_deep", nested(kJsonDepthMax + 2), "byte 65: it is nested more than 64 deep"},
    {"endless", std::string(1'000'000, '['), "byte 65: it is nested more than 64 deep"},
    {"empty", "", "byte 0: this is no JSON value"},
    {"behind", "{} x", "byte 3: something stands behind the end of the JSON"},
    {"cut", "{\"a\":", "byte 5: this is no JSON value"},
    {"cut_text", "\"abc", "byte 4: the file ends within a text"},
    {"cut_escape", "\"\\", "byte 2: there is no such escape"},
    {"cut_array", "[1,", "byte 3: this is no JSON value"},
    {"no_comma", "[1 2]", "byte 3: a comma or the end of the array must stand here"},
    {"last_comma", "{\"a\":1,}", "byte 7: a name in quotes must stand here"},
    {"no_colon", "{\"a\" 1}", "byte 5: a colon must stand here"},
    {"not_utf8", "\"a\xff\"", "byte 2: a text holds what is no UTF-8"},
    {"twice", "{\"a\":1,\"b\":2,\"a\":3}", "byte 19: an object before it has a name twice"},
    {"leading_zero", "[01]", "byte 2: a comma or the end of the array must stand here"},
    {"plus", "+1", "byte 0: this is no JSON value"},
    {"no_fraction", "1.", "byte 0: this is no JSON value"},
    {"no_exponent", "1e", "byte 0: this is no JSON value"},
    {"huge", "1e999", "byte 0: this number does not fit into a double"},
    {"word", "nul", "byte 0: this is no JSON value"},
    {"control", "\"a\nb\"", "byte 2: a text holds a control character"},
    {"escape", "\"\\x\"", "byte 2: there is no such escape"},
    {"hex", "\"\\u12g4\"", "byte 3: four hexadecimal digits must stand here"},
    {"lone_high", "\"\\ud83d\"", "byte 7: half of a surrogate pair stands alone"},
    {"lone_low", "\"\\ude00\"", "byte 7: half of a surrogate pair stands alone"},
};
INSTANTIATE_TEST_SUITE_P(Table, JsonRefused, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(JsonReader, an_array_of_more_than_numbers_is_not_packed) {
    for (const char* text : {"[1,null,\"a\"]", "[null,1,{}]", "[true,1,2]"}) {
        const auto value = parse_json(text);
        ASSERT_TRUE(value) << text;
        EXPECT_EQ(value->numbers(), nullptr) << text;
        ASSERT_NE(value->items(), nullptr) << text;
        EXPECT_EQ(value->items()->size(), 3U) << text;
    }
    const auto mixed = parse_json("[1,null,\"a\"]");
    EXPECT_EQ(*(*mixed->items())[0].number(), 1);
    EXPECT_TRUE((*mixed->items())[1].is_null());
}

TEST(JsonReader, raw_is_as_written) {
    const std::string text = R"({"a": {"b": 1e0} , "c":[ 1 ]})";
    const auto value = parse_json(text);
    ASSERT_TRUE(value);
    EXPECT_EQ(value->raw, text);
    EXPECT_EQ(value->find("a")->raw, R"({"b": 1e0})");
    EXPECT_EQ(value->find("c")->raw, "[ 1 ]");
}

TEST(JsonReader, doubles_are_exact) {
    for (const double expected : {0.1, -0.0, 5e-324, 1e16, 1.7976931348623157e308, 1.0 / 3}) {
        const std::string text = print_double(expected);
        const auto value = parse_json(text);
        ASSERT_TRUE(value) << text;
        EXPECT_EQ(*value->number(), expected) << text;
        EXPECT_EQ(std::signbit(*value->number()), std::signbit(expected)) << text;
    }
}

TEST(JsonReader, as_python_reads_what_strictly_is_refused) {
    const auto value = parse_python_json(
        R"({"a":1,"a":{"b":2},"large":[1e999,-1e999],"small":[1e-999,-1e-999,-0.0],)"
        R"("half":"\ud83dx\ude00","halves":"\ud83d\ud83d"})");
    ASSERT_TRUE(value) << value.error().message;
    EXPECT_EQ(value->find("a")->raw, R"({"b":2})");
    const JsonItems& large = *value->find("large")->items();
    EXPECT_EQ(*large[0].number(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(*large[1].number(), -std::numeric_limits<double>::infinity());
    const JsonItems& small = *value->find("small")->items();
    EXPECT_EQ(*small[0].number(), 0);
    EXPECT_TRUE(*small[1].number() == 0 && std::signbit(*small[1].number()));
    EXPECT_EQ(*value->find("half")->text(), "\xef\xbf\xbdx\xef\xbf\xbd");
    EXPECT_EQ(*value->find("halves")->text(), "\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(*parse_python_json("\"\xff\"")->text(), "\xff");
}

TEST(JsonReader, as_python_no_array_is_packed) {
    const auto value = parse_python_json("[1, 1.0, null]");
    ASSERT_TRUE(value && value->items() != nullptr);
    EXPECT_EQ((*value->items())[0].raw, "1");
    EXPECT_EQ((*value->items())[1].raw, "1.0");
    EXPECT_TRUE((*value->items())[2].is_null());
}

TEST(JsonReader, numbers_of_json_have_a_grammar) {
    for (const char* yes :
         {"0", "-0", "12", "1.50", "1e9", "1E+9", "0.1e-2", "123456789012345678901"})
        EXPECT_TRUE(is_json_number(yes)) << yes;
    for (const char* no : {"", "-", "+1", "01", "1.", ".5", "1e", "0x1", "1 ", "NaN", "Infinity"})
        EXPECT_FALSE(is_json_number(no)) << no;
}

TEST(JsonReader, values_are_bounded) {
    std::string many = "[\"\"";
    for (std::size_t i = 1; i < kJsonValuesMax; ++i) many += ",{}";
    EXPECT_NE(error_of(many + "]").find("more than 2,000,000 values"), std::string::npos);
}

}  // namespace
}  // namespace parley
