#include "config/read.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace parley::config {
namespace {

enum class Colour : std::uint8_t { red, dark_green };
BOOST_DESCRIBE_ENUM(Colour, red, dark_green)

struct Square {
    double side = 1;
};
BOOST_DESCRIBE_STRUCT(Square, (), (side))
struct RoundShape {
    std::int32_t radius = 2;
};
BOOST_DESCRIBE_STRUCT(RoundShape, (), (radius))

struct Inner {
    std::int64_t cpu_m = 100;
    std::int64_t memory = 5;
    std::int64_t memory_mib = 7;
    double idle_mib = 1;
    friend bool operator==(const Inner&, const Inner&) = default;
};
BOOST_DESCRIBE_STRUCT(Inner, (), (cpu_m, memory, memory_mib, idle_mib))

struct All {
    bool on = false;
    std::int32_t small = 1;
    std::uint64_t seed = 2;
    double share = 0.5;
    Duration interval = seconds(3);
    TimePoint at;
    Colour colour = Colour::red;
    std::string text = "t";
    Name name;
    std::optional<double> maybe;
    std::vector<std::string> words = {"default"};
    std::vector<Inner> parts;
    Inner inner;
    std::variant<Square, RoundShape> shape;
};
BOOST_DESCRIBE_STRUCT(All, (),
                      (on, small, seed, share, interval, at, colour, text, name, maybe, words,
                       parts, inner, shape))

constexpr Bound kBounds[] = {
    {"share", 0, 1},  {"interval", 0.1, 3600},      {"small", -5, 10},
    {"seed", 0, 1e6}, {"parts[].cpu_m", 1, 64'000},
};

Result<All> read(const std::string& text, Origins* origins = nullptr) {
    const auto source = text_source("f.yaml", text);
    if (!source) return tl::unexpected(source.error());
    const auto root = parse_yaml(*source);
    if (!root) return tl::unexpected(root.error());
    All all;
    Origins mine;
    const auto done = Reader(*source, origins ? *origins : mine, kBounds).read(*root, all, "");
    if (!done) return tl::unexpected(done.error());
    return all;
}

TEST(Read, fills_every_kind_of_member) {
    const auto all = read(R"(
on: true
small: -5
seed: 1000000
share: 1
interval: 1m30s
at: 7m6s
colour: dark-green
text: 12
name: node-07
maybe: 2.5
words: [a, "b c"]
parts:
  - {cpu_m: 1500m, memory: 1Gi, memory_mib: 2Gi, idle_mib: 1.5Gi}
  - cpu_m: 250
inner: {memory: 1024, memory_mib: 3, idle_mib: 0.5}
shape: {kind: round_shape, radius: 9}
)");
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_TRUE(all->on);
    EXPECT_EQ(all->small, -5);
    EXPECT_EQ(all->seed, 1'000'000U);
    EXPECT_EQ(all->share, 1);
    EXPECT_EQ(all->interval, seconds(90));
    EXPECT_EQ(all->at.us, 426'000'000);
    EXPECT_EQ(all->colour, Colour::dark_green);
    EXPECT_EQ(all->text, "12");
    EXPECT_EQ(all->name.view(), "node-07");
    EXPECT_EQ(all->maybe, 2.5);
    EXPECT_EQ(all->words, (std::vector<std::string>{"a", "b c"}));
    ASSERT_EQ(all->parts.size(), 2U);
    EXPECT_EQ(all->parts[0], (Inner{1500, 1 << 30, 2048, 1536}));
    EXPECT_EQ(all->parts[1], (Inner{250, 5, 7, 1}));
    EXPECT_EQ(all->inner, (Inner{100, 1024, 3, 0.5}));
    EXPECT_EQ(std::get<RoundShape>(all->shape).radius, 9);
}

TEST(Read, leaves_what_is_not_named_and_replaces_lists) {
    const auto all = read("words: []\nmaybe: ~\n");
    ASSERT_TRUE(all);
    EXPECT_TRUE(all->words.empty());
    EXPECT_FALSE(all->maybe);
    EXPECT_EQ(all->interval, seconds(3));
}

TEST(Read, takes_times_in_seconds_as_our_json_has_them) {
    EXPECT_EQ(read("interval: 0.1\n")->interval, milliseconds(100));
    EXPECT_EQ(read("interval: 3600\n")->interval, hours(1));
}

TEST(Read, notes_where_each_value_came_from) {
    Origins origins;
    ASSERT_TRUE(read("share: 0.2\ninner:\n  memory: 1\nwords:\n - a\n", &origins));
    EXPECT_EQ(origins.at("share").text(), "f.yaml:1");
    EXPECT_EQ(origins.at("inner.memory").text(), "f.yaml:3");
    EXPECT_EQ(origins.at("words").text(), "f.yaml:5");
    EXPECT_FALSE(origins.contains("inner.cpu_m"));
}

struct Case {
    const char* name;
    std::string text;
    std::string error;
};

class ReadRefuses : public testing::TestWithParam<Case> {};

TEST_P(ReadRefuses, and_says_what_it_should_be) {
    const auto all = read(GetParam().text);
    EXPECT_EQ(all ? "" : all.error().message, GetParam().error);
}

const Case kCases[] = {
    {"unknown_key_near_one", "inner:\n  memry: 1Gi\n", R"(f.yaml:2:3: no setting is called "memry"
    2 |   memry: 1Gi
      |   ^^^^^ did you mean memory?)"},
    {"unknown_key_near_none", "inner:\n  colour: 1Gi\n",
     R"(f.yaml:2:3: no setting is called "colour"
    2 |   colour: 1Gi
      |   ^^^^^^ known here: cpu_m, memory, memory_mib and idle_mib)"},
    {"merge_key", "<<: {share: 1}\n", R"(f.yaml:1:1: no setting is called "<<"
    1 | <<: {share: 1}
      | ^^ known here: on, small, seed, share, interval, at, colour, text, ...)"},
    {"root_is_a_list", "- a\n", R"(f.yaml:1:1: it must be a group of settings
    1 | - a
      | ^ it takes on, small, seed, share, ...)"},
    {"group_is_a_number", "inner: 3\n", R"(f.yaml:1:8: inner must be a group of settings
    1 | inner: 3
      |        ^ it takes cpu_m, memory, memory_mib and idle_mib)"},
    {"yes_is_no_truth", "on: yes\n", R"(f.yaml:1:5: on must be true or false, not "yes"
    1 | on: yes
      |     ^^^)"},
    {"quoted_truth", "on: 'true'\n", R"(f.yaml:1:5: on must be true or false, not "true"
    1 | on: 'true'
      |     ^^^^^^)"},
    {"number_is_text", "share: half\n",
     R"(f.yaml:1:8: share must be a number from 0 to 1, not "half"
    1 | share: half
      |        ^^^^)"},
    {"number_is_quoted", "share: \"0.5\"\n",
     R"(f.yaml:1:8: share must be a number from 0 to 1, not "0.5"
    1 | share: "0.5"
      |        ^^^^^)"},
    {"number_beyond", "share: 1.0000001\n",
     R"(f.yaml:1:8: share must be a number from 0 to 1, not "1.0000001"
    1 | share: 1.0000001
      |        ^^^^^^^^^)"},
    {"nan", "share: .nan\n", R"(f.yaml:1:8: share must be a number from 0 to 1, not ".nan"
    1 | share: .nan
      |        ^^^^)"},
    {"whole_beyond", "small: 11\n",
     R"(f.yaml:1:8: small must be a whole number from -5 to 10, not "11"
    1 | small: 11
      |        ^^)"},
    {"whole_with_fraction", "small: 1.5\n",
     R"(f.yaml:1:8: small must be a whole number from -5 to 10, not "1.5"
    1 | small: 1.5
      |        ^^^)"},
    {"beyond_its_type", "shape: {kind: round_shape, radius: 2147483648}\n",
     R"(f.yaml:1:36: shape.radius must be a whole number from -2147483648 to 2147483647, not "2147483648"
    1 | shape: {kind: round_shape, radius: 2147483648}
      |                                    ^^^^^^^^^^)"},
    {"negative_seed", "seed: -1\n",
     R"(f.yaml:1:7: seed must be a whole number from 0 to 1,000,000, not "-1"
    1 | seed: -1
      |       ^^)"},
    {"time_without_unit", "interval: 3 sec\n",
     R"(f.yaml:1:11: interval must be a time from 100ms to 1h, not "3 sec"
    1 | interval: 3 sec
      |           ^^^^^ write 3s, 500ms or 1m30s)"},
    {"time_below", "interval: 99ms\n",
     R"(f.yaml:1:11: interval must be a time from 100ms to 1h, not "99ms"
    1 | interval: 99ms
      |           ^^^^ write 3s, 500ms or 1m30s)"},
    {"enum_near", "colour: rad\n", R"(f.yaml:1:9: colour cannot be "rad"
    1 | colour: rad
      |         ^^^ did you mean red?)"},
    {"enum_far", "colour: 7\n", R"(f.yaml:1:9: colour cannot be "7"
    1 | colour: 7
      |         ^ it is one of red or dark_green)"},
    {"enum_is_list", "colour: []\n", R"(f.yaml:1:9: colour cannot be a list
    1 | colour: []
      |         ^ it is one of red or dark_green)"},
    {"text_is_nothing", "text:\n", R"(f.yaml:1:1: text must be text, not nothing
    1 | text:
      | ^^^^ write "" for none)"},
    {"list_is_text", "words: a\n", R"(f.yaml:1:8: words must be a list
    1 | words: a
      |        ^ write [a, b] or - a, - b)"},
    {"cores_are_ambiguous", "inner: {cpu_m: 1.5}\n",
     R"(f.yaml:1:16: inner.cpu_m must be millicores, not "1.5"
    1 | inner: {cpu_m: 1.5}
      |                ^^^ write 1500m for one and a half cores)"},
    {"millicores_beyond", "parts: [{cpu_m: 65000m}]\n",
     R"(f.yaml:1:17: parts[0].cpu_m must be millicores from 1 to 64,000, not "65000m"
    1 | parts: [{cpu_m: 65000m}]
      |                 ^^^^^^ write 1500m for one and a half cores)"},
    {"memory", "inner: {memory: 1 GB}\n",
     R"(f.yaml:1:17: inner.memory must be an amount of memory, not "1 GB"
    1 | inner: {memory: 1 GB}
      |                 ^^^^ write 512Mi, 1.5Gi or a number of bytes)"},
    {"part_of_a_mebibyte", "inner: {memory_mib: 1k}\n",
     R"(f.yaml:1:21: inner.memory_mib must be MiB of memory, not "1k"
    1 | inner: {memory_mib: 1k}
      |                     ^^ write 512Mi, 1.5Gi or a number of MiB)"},
    {"variant_without_kind", "shape: {side: 1}\n",
     R"(f.yaml:1:8: shape must say of which kind it is
    1 | shape: {side: 1}
      |        ^ write kind: square)"},
    {"variant_of_unknown_kind", "shape: {kind: squar}\n",
     R"(f.yaml:1:15: shape.kind cannot be "squar"
    1 | shape: {kind: squar}
      |               ^^^^^ did you mean square?)"},
    {"variant_with_anothers_key", "shape: {kind: square, radius: 1}\n",
     R"(f.yaml:1:23: no setting is called "radius"
    1 | shape: {kind: square, radius: 1}
      |                       ^^^^^^ known here: side)"},
};
INSTANTIATE_TEST_SUITE_P(Table, ReadRefuses, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

TEST(Read, knows_units_by_name) {
    EXPECT_EQ(unit_of("cpu_request_m"), Unit::millicores);
    EXPECT_EQ(unit_of("memory_mib"), Unit::mebibytes);
    EXPECT_EQ(unit_of("memory_request"), Unit::bytes);
    EXPECT_EQ(unit_of("record_bytes"), Unit::bytes);
    EXPECT_EQ(unit_of("team"), Unit::none);
    EXPECT_EQ(unit_of("m"), Unit::none);
}

}  // namespace
}  // namespace parley::config
