#include "brain/json_reader.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::brain {
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
    const Numbers& numbers = *value->find("numbers")->numbers();
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
    {"deep_enough", nested(kDocumentDepthMax + 1), ""},
    {"too_deep", nested(kDocumentDepthMax + 2), "byte 33: it is nested more than 32 deep"},
    {"endless", std::string(1'000'000, '['), "byte 33: it is nested more than 32 deep"},
    {"empty", "", "byte 0: this is no JSON value"},
    {"behind", "{} x", "byte 3: something stands behind the end of the JSON"},
    {"cut", "{\"a\":", "byte 5: this is no JSON value"},
    {"cut_text", "\"abc", "byte 4: the file ends within a text"},
    {"cut_escape", "\"\\", "byte 2: there is no such escape"},
    {"cut_array", "[1,", "byte 3: this is no JSON value"},
    {"no_comma", "[1 2]", "byte 3: a comma or the end of the array must stand here"},
    {"last_comma", "{\"a\":1,}", "byte 7: a name in quotes must stand here"},
    {"no_colon", "{\"a\" 1}", "byte 5: a colon must stand here"},
    {"mixed", "[\"a\",1]", "byte 6: an array mixes numbers with others"},
    {"mixed_late", "[1,\"a\"]", "byte 3: this is no JSON value"},
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

TEST(JsonReader, values_are_bounded) {
    std::string many = "[\"\"";
    for (std::size_t i = 1; i < kDocumentValuesMax; ++i) many += ",{}";
    EXPECT_NE(error_of(many + "]").find("more than 2,000,000 values"), std::string::npos);
}

}  // namespace
}  // namespace parley::brain
