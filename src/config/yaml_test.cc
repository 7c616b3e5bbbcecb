#include "config/yaml.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::config {
namespace {

std::string repeat(const std::string& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
}

/// The whole error text, or "" if it was read.
std::string error_of(const std::string& text) {
    const auto source = text_source("f.yaml", text);
    if (!source) return source.error().message;
    const auto node = parse_yaml(*source);
    return node ? "" : node.error().message;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

struct Case {
    const char* name;
    std::string text;
    std::string error;  // All of it, as a person sees it.
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class YamlRefuses : public testing::TestWithParam<Case> {};

TEST_P(YamlRefuses, with_one_sentence_a_place_and_a_remedy) {
    EXPECT_EQ(error_of(GetParam().text), GetParam().error);
}

const Case kCases[] = {
    {"empty", "", "f.yaml: it is empty; write something into it"},
    {"blank", " \n\t\r\n", "f.yaml: it is empty; write something into it"},
    {"only_comments", "# nothing\n", "f.yaml: it holds only comments; write something into it"},
    {"nul", std::string("a: 1\nb\0: 2\n", 12),
     "f.yaml:2:2: this is not UTF-8 text; is it the right file?"},
    {"binary", "\x7f\x45LF\x02\x01", "f.yaml:1:1: this is not UTF-8 text; is it the right file?"},
    {"escape", "a: \x1b[31m\n", "f.yaml:1:4: this is not UTF-8 text; is it the right file?"},
    {"latin1", "a: caf\xe9\n", "f.yaml:1:7: this is not UTF-8 text; is it the right file?"},
    {"overlong", "a: \xc0\xaf\n", "f.yaml:1:4: this is not UTF-8 text; is it the right file?"},
    {"surrogate", "a: \xed\xa0\x80\n", "f.yaml:1:4: this is not UTF-8 text; is it the right file?"},
    {"duplicate", "run:\n  seed: 1\n  seed: 2\n", R"(f.yaml:3:3: "seed" is set twice
    3 |   seed: 2
      |   ^^^^ it is also in line 2; remove one)"},
    {"duplicate_in_json", R"({"a": 1, "a": 2})", R"(f.yaml:1:10: "a" is set twice
    1 | {"a": 1, "a": 2}
      |          ^^^ it is also in line 1; remove one)"},
    {"two_documents", "a: 1\n---\nb: 2\n", R"(f.yaml:3:1: a second document begins
    3 | b: 2
      | ^ write one document, without --- in the middle)"},
    {"tab", "run:\n\tseed: 1\n", R"(f.yaml:2:6: this is no YAML: a tab indents a line
    2 |  seed: 1
      |      ^ use spaces)"},
    {"bracket", "a: [1, 2\nb: 3\n", R"(f.yaml:2:2: this is no YAML: end of sequence flow not found
    2 | b: 3
      |  ^ check indentation, quotes and brackets up to here)"},
    {"list_as_key", "[a]: 1\n", R"(f.yaml:1:1: a key must be plain text
    1 | [a]: 1
      | ^ quote it, or indent what follows)"},
    {"null_as_key", "~: 1\n", R"(f.yaml:1:1: a key must be plain text
    1 | ~: 1
      | ^ quote it)"},
    {"tag", "a: !!python/object:os.system x\n",
     R"(f.yaml:1:4: tags such as "tag:yaml.org,2002:python/object:os.syste..." have no meaning here
    1 | a: !!python/object:os.system x
      |    ^ remove it)"},
    {"unknown_alias", "a: *b\n",
     R"(f.yaml:1:4: this is no YAML: the referenced anchor is not defined
    1 | a: *b
      |    ^ check indentation, quotes and brackets up to here)"},
    {"alias_inside_itself", "a: &a [*a]\n", R"(f.yaml:1:8: an alias stands inside what it repeats
    1 | a: &a [*a]
      |        ^ write it out)"},
};
INSTANTIATE_TEST_SUITE_P(Table, YamlRefuses, testing::ValuesIn(kCases), name_of);

TEST(Yaml, refuses_aliases_that_explode) {
    std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 30; ++i) {
        const std::string alias = "*a" + std::to_string(i - 1) + ",";
        bomb +=
            "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeat(alias, 10) + "]\n";
    }
    EXPECT_EQ(first_line(error_of(bomb)),
              "f.yaml:5:34: it has more than 100,000 values with aliases written out");
}

TEST(Yaml, refuses_aliases_that_repeat_much_text) {
    const std::string text = "a: &a " + repeat("x", 500'000) + "\nb: [" + repeat("*a,", 20) + "]\n";
    EXPECT_EQ(first_line(error_of(text)),
              "f.yaml:2:47: it has more than 8 MiB of text with aliases written out");
}

TEST(Yaml, refuses_nested_anchors_that_copy_much) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "&a" + std::to_string(i) + " [";
    text += repeat("x,", 20'000) + repeat("]", 60);
    EXPECT_EQ(first_line(error_of("k: " + text + "\n")).substr(0, 40),
              "f.yaml:1:330: it has more than 100,000 v");
}

TEST(Yaml, refuses_depth_beyond_its_limit_in_any_form) {
    EXPECT_EQ(error_of(repeat("[", 64) + repeat("]", 64)), "");
    EXPECT_EQ(first_line(error_of(repeat("[", 65) + repeat("]", 65))),
              "f.yaml:1:65: it is nested more than 64 deep");
    EXPECT_NE(error_of(repeat("[", 1'000'000)), "");
    EXPECT_EQ(first_line(error_of(repeat("- ", 500'000))),
              "f.yaml:1:129: it is nested more than 64 deep");
    EXPECT_NE(error_of(repeat("{a: ", 250'000)), "");
    EXPECT_NE(error_of(repeat("? ", 500'000)), "");
    // Nesting by aliases: 40 levels, repeated at a depth of 40.
    const std::string deep = "a: &a " + repeat("[", 40) + repeat("]", 40);
    EXPECT_EQ(first_line(error_of(deep + "\nb: " + repeat("[", 40) + "*a" + repeat("]", 40))),
              "f.yaml:2:44: it is nested more than 64 deep");
}

TEST(Yaml, refuses_what_is_too_large) {
    EXPECT_EQ(error_of("a: " + repeat("x", 1 << 20)),
              "f.yaml: it has 1048579 bytes, and 1048576 are allowed; is it the right file?");
    EXPECT_EQ(error_of("a: " + repeat("x", (1 << 20) - 3)), "");
    EXPECT_EQ(first_line(error_of("[" + repeat("1,", 100'000) + "]")).substr(0, 51),
              "f.yaml:1:200000: it has more than 100,000 values wi");
}

TEST(Yaml, survives_text_cut_off_anywhere) {
    const std::string whole =
        "a: &x {k: [1, 'two', \"th\\u0072ee\"]}\nb:\n  - *x\n  - |\n    text\nc: !<tag> ? d\n";
    for (std::size_t i = 0; i <= whole.size(); ++i) {
        const std::string error = error_of(whole.substr(0, i));
        EXPECT_TRUE(error.empty() || error.starts_with("f.yaml")) << error;
    }
}

TEST(Yaml, survives_text_with_any_byte_replaced) {
    const std::string whole = "%YAML 1.2\n---\na: &x {k: [1, 'two']}\nb: *x\n? c\n: >-\n  d\n...\n";
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const char c : std::string("&*![]{}:?-|>%@`\"'#,\n\t \\~<=")) {
            std::string text = whole;
            text[i] = c;
            const std::string error = error_of(text);
            EXPECT_TRUE(error.empty() || error.starts_with("f.yaml")) << error;
        }
    }
}

TEST(Yaml, keeps_order_places_and_quotes) {
    const auto source = text_source("f.yaml",
                                    "\xef\xbb\xbf"
                                    "b: x\r\na: ['1', 2]\r\n\"\u00fc\": {c: }\r\n");
    const auto root = parse_yaml(*source);
    ASSERT_TRUE(root) << root.error().message;
    ASSERT_EQ(root->entries.size(), 3U);
    EXPECT_EQ(root->entries[0].key, "b");
    EXPECT_EQ(root->entries[0].value.text, "x");
    EXPECT_EQ(root->entries[0].value.place, (Place{1, 4, 1}));
    const Node& list = root->entries[1].value;
    EXPECT_EQ(list.shape, Shape::list);
    EXPECT_TRUE(list.items[0].quoted);
    EXPECT_FALSE(list.items[1].quoted);
    EXPECT_EQ(list.items[1].place, (Place{2, 10, 1}));
    EXPECT_EQ(root->entries[2].key, "\u00fc");
    EXPECT_EQ(root->entries[2].value.entries[0].value.shape, Shape::nothing);
    EXPECT_EQ(root->entries[2].value.entries[0].place, (Place{3, 7, 1}));  // In characters.
}

TEST(Yaml, writes_aliases_out) {
    const auto root = parse_yaml(*text_source("f", "a: &a {k: 1}\nb: [*a, *a]\n"));
    ASSERT_TRUE(root);
    EXPECT_EQ(root->entries[1].value.items[1].entries[0].value.text, "1");
    EXPECT_EQ(root->entries[1].value.items[1].place.line, 2);
}

TEST(Yaml, reads_json_indented_with_tabs) {
    EXPECT_EQ(error_of("{\n\t\"a\": [\n\t\t1,\n\t\t2\n\t]\n}\n"), "");
}

}  // namespace
}  // namespace parley::config
