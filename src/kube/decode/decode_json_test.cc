#include "kube/decode/decode_json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::kube {
namespace {

constexpr std::size_t kMost = 1 << 20;

/// Walks along the fields a (text), b (whole), c (truth) and prints what it finds.
std::string walked(const std::string& text) {
    const auto marks = mark_json(text, kMost);
    if (!marks) return "malformed";
    JsonWalk walk(*marks);
    std::string out;
    walk.fields([&](std::string_view key) {
        if (key == "a") out += "a=" + std::string(walk.text().value_or("?")) + ";";
        if (key == "b") {
            const auto value = walk.whole();
            out += "b=" + (value ? std::to_string(*value) : "?") + ";";
        }
        if (key == "c") {
            const auto value = walk.truth();
            out += std::string("c=") + (value ? *value ? "true" : "false" : "?") + ";";
        }
        if (key == "list") {
            walk.items([&] { out += "[" + std::string(walk.text().value_or("?")) + "]"; });
        }
    });
    if (walk.broken() || !walk.at_end()) return "broken";
    return out + (walk.at_fault() ? " fault: " + walk.fault() : "");
}

struct Case {
    const char* name;
    std::string text;
    std::string expected;
};

std::string nested(int depth) {
    return R"({"x":)" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
}

const Case kCases[] = {
    {"plain", R"({"a":"one","b":2,"c":true})", "a=one;b=2;c=true;"},
    {"blanks", " {\n\t\"a\" : \"one\" ,\r\n \"b\" : -2 , \"c\" : false } \n",
     "a=one;b=-2;c=false;"},
    {"empty", "{}", ""},
    {"unknown_fields", R"({"x":{"a":"no","y":[1,{"b":3}]},"a":"yes","z":null})", "a=yes;"},
    {"null_is_absent", R"({"a":null,"b":null,"c":null,"list":null})", "a=?;b=?;c=?;"},
    {"text_of_another_type", R"({"a":7})", "a=?; fault: \"a\" is not a text"},
    {"number_of_another_type", R"({"b":"7"})", "b=?; fault: \"b\" is not a whole number"},
    {"fraction", R"({"b":7.5})", "b=?; fault: \"b\" is not a whole number"},
    {"exponent", R"({"b":7e2})", "b=?; fault: \"b\" is not a whole number"},
    {"largest", R"({"b":9223372036854775807})", "b=9223372036854775807;"},
    {"too_large", R"({"b":9223372036854775808})", "b=?; fault: \"b\" is not a whole number"},
    {"truth_of_another_type", R"({"c":1})", "c=?; fault: \"c\" is not true or false"},
    {"object_for_text", R"({"a":{"a":"b"},"b":1})", "a=?;b=1; fault: \"a\" is not a text"},
    {"list", R"({"list":["p","q"]})", "[p][q]"},
    {"empty_list", R"({"list":[]})", ""},
    {"no_list", R"({"list":"p"})", " fault: \"list\" is not a list"},
    {"wrong_in_list", R"({"list":["p",1]})", "[p][?] fault: \"list\" is not a text"},
    {"escapes", R"({"a":"\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00"})",
     "a=\"\\/\b\f\n\r\t\xc3\xa4\xf0\x9f\x98\x80;"},
    {"lone_surrogate", R"({"a":"\ud83d"})",
     "a=?; fault: \"a\" is not a text without unknown escapes"},
    {"second_surrogate_first", R"({"a":"\ude00"})",
     "a=?; fault: \"a\" is not a text without unknown escapes"},
    {"unknown_escape", R"({"a":"\x"})", "a=?; fault: \"a\" is not a text without unknown escapes"},
    {"cut_escape", R"({"a":"\u12"})", "a=?; fault: \"a\" is not a text without unknown escapes"},
    {"brackets_in_text", R"({"x":"}]{[","a":"]"})", "a=];"},
    {"quote_in_skipped_text", R"({"x":{"y":"\"}"},"a":"b"})", "a=b;"},
    {"twice", R"({"a":"1","a":"2"})", "a=1;a=2;"},
    {"not_an_object", "[]", " fault: \"\" is not an object"},
    {"nothing", "", "malformed"},
    {"blanks_only", "  ", "malformed"},
    {"open_text", R"({"a":"b)", "malformed"},
    {"no_utf8", "{\"a\":\"\xff\"}", "malformed"},
    {"cut_utf8", "{\"a\":\"\xc3\"}", "malformed"},
    {"control_character", "{\"a\":\"\x01\"}", "malformed"},
    {"open", R"({"a":"b")", "broken"},
    {"open_inside", R"({"x":{"y":[1})", "broken"},
    {"no_colon", R"({"a" "b"})", "broken"},
    {"no_comma", R"({"a":"b" "c":true})", "broken"},
    {"comma_at_end", R"({"a":"b",})", "broken"},
    {"comma_only", R"({,})", "broken"},
    {"no_value", R"({"x":})", "broken"},
    {"wrong_bracket", R"({"list":["p"})", "broken"},
    {"more_behind", R"({"a":"b"}{})", "broken"},
    {"a_key_that_is_none", R"({7:"b"})", "broken"},
    {"text_runs_on", R"({"a":"b"c})", "broken"},
    {"deepest", nested(63), ""},
    {"too_deep", nested(64), "broken"},
    {"word_for_null", R"({"a":nul})", "a=?; fault: \"a\" is not a text"},
    {"word_for_truth", R"({"c":truer})", "c=?; fault: \"c\" is not true or false"},
};

class Walk : public testing::TestWithParam<Case> {};

TEST_P(Walk, finds_fields_and_says_what_is_wrong) {
    EXPECT_EQ(walked(GetParam().text), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(, Walk, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

/// Where brackets, commas, colons, texts and plain values begin, found character by character.
std::vector<std::uint32_t> marks_one_by_one(const std::string& text) {
    std::vector<std::uint32_t> marks;
    bool plain = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool sign = std::string_view("{}[]:,").find(c) != std::string_view::npos;
        const bool blank = c == ' ' || c == '\n';
        if (sign || c == '"' || (!blank && !plain)) marks.push_back(static_cast<std::uint32_t>(i));
        plain = !sign && !blank && c != '"';
        if (c != '"') continue;
        for (++i; text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
    }
    return marks;
}

// What simdjson's first stage leaves behind is not a stable interface: this fails if another
// version, or the instructions of another machine, give something else.
TEST(JsonMarks, are_where_values_begin_in_texts_of_every_length) {
    const std::string parts[] = {R"("a")",      "12", " ",      "true",
                                 R"("\\\"{,")", "\n", "-0.5e3", R"("")"};
    std::string list = "[";
    for (std::size_t i = 0; list.size() < 400; ++i) {
        list += parts[i % 8] + (i % 3 == 0 ? " :{" : ",") + parts[(i * 5 + i / 8) % 8] + "]";
        const auto marks = mark_json(list, kMost);
        ASSERT_TRUE(marks) << list;
        const std::vector<std::uint32_t> found(marks->first, marks->end);
        ASSERT_EQ(found, marks_one_by_one(list)) << list;
    }
}

TEST(JsonWalk, finds_an_escape_wherever_it_stands) {
    for (std::size_t size = 0; size <= 40; ++size) {
        const std::string plain(size, 'x');
        ASSERT_EQ(walked(R"({"a":")" + plain + "\"}"), "a=" + plain + ";");
        for (std::size_t at = 0; at <= size; ++at) {
            std::string written = plain;
            std::string meant = plain;
            written.insert(at, "\\t");
            meant.insert(at, "\t");
            ASSERT_EQ(walked(R"({"a":")" + written + "\"}"), "a=" + meant + ";") << at;
        }
    }
}

TEST(JsonWalk, passes_over_values_of_every_depth_and_length) {
    const auto times = [](std::size_t n, const char* text) {
        std::string out;
        for (std::size_t i = 0; i < n; ++i) out += text;
        return out;
    };
    for (std::size_t depth = 1; depth <= 12; ++depth) {
        for (std::size_t length = 0; length <= 12; ++length) {
            const std::string value =
                times(depth, "{\"k\":[") + times(length, "{},") + "1" + times(depth, "]}");
            ASSERT_EQ(walked("{\"x\":" + value + ",\"a\":\"b\"}"), "a=b;") << value;
            ASSERT_EQ(walked("{\"x\":" + value.substr(0, value.size() - 1)), "broken") << value;
        }
    }
}

TEST(JsonWalk, goes_back_to_a_place_it_remembers) {
    const std::string text = R"({"later":{"k":"v"},"a":"b"})";
    const auto marks = mark_json(text, kMost);
    ASSERT_TRUE(marks);
    JsonWalk walk(*marks);
    JsonWalk::Place later = nullptr;
    walk.fields([&](std::string_view key) {
        if (key == "later") later = walk.place();
    });
    ASSERT_TRUE(walk.at_end());
    walk.go_to(later);
    std::string value;
    walk.fields([&](std::string_view) { value = walk.text().value_or(""); });
    EXPECT_EQ(value, "v");
}

TEST(JsonWalk, forgets_faults_before_the_next_object) {
    const std::string text = R"({"a":1})";
    JsonWalk walk(*mark_json(text, kMost));
    walk.fields([&](std::string_view) { walk.text(); });
    EXPECT_TRUE(walk.at_fault());
    walk.blame("a second reason");
    EXPECT_EQ(walk.fault(), "\"a\" is not a text");
    walk.forget();
    EXPECT_FALSE(walk.at_fault());
}

TEST(MarkJson, refuses_what_is_too_long) {
    const std::string text = R"({"a":"b"})";
    EXPECT_TRUE(mark_json(text, text.size()));
    const auto marks = mark_json(text, text.size() - 1);
    ASSERT_FALSE(marks);
    EXPECT_EQ(marks.error().code, ErrorCode::malformed);
}

TEST(MarkJson, keeps_working_after_a_large_text) {
    const std::string large = R"({"a":")" + std::string(20U << 20, 'x') + R"("})";
    EXPECT_TRUE(mark_json(large, std::size_t{64} << 20));
    EXPECT_EQ(walked(R"({"a":"b"})"), "a=b;");
}

}  // namespace
}  // namespace parley::kube
