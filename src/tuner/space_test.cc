#include "tuner/space.h"

#include "base/json_read.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace parley::tuner {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string read(const std::string& text) {
    const auto found = distribution_from_json(text);
    return found ? to_json(*found) : "!" + found.error().message;
}

struct Case {
    const char* name;
    std::string text;
    std::string expected;
};

TEST(Space, reads_what_optuna_and_rustuna_write) {
    const std::string plain =
        R"({"name": "FloatDistribution", "attributes": {"step": null, "low": -5.0, "high": 5.0, "log": false}})";
    const std::string log =
        R"({"name": "FloatDistribution", "attributes": {"step": null, "low": 0.001, "high": 1.0, "log": true}})";
    const std::string step =
        R"({"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.0, "high": 1.0, "log": false}})";
    const std::string whole =
        R"({"name": "IntDistribution", "attributes": {"log": false, "step": 3, "low": 1, "high": 10}})";
    const std::string choices =
        R"({"name": "CategoricalDistribution", "attributes": {"choices": ["a", null, true, 3, 2.5, NaN]}})";
    const Case cases[] = {
        {"float", plain, plain},
        {"log", log, log},
        {"step", step, step},
        {"int", whole, whole},
        {"choices", choices, choices},
        {"members_in_any_order",
         R"({"attributes":{"high":5.0,"log":false,"low":-5.0,"step":null},"name":"FloatDistribution"})",
         plain},
        {"high_is_moved_to_the_last_step",
         R"({"name":"IntDistribution","attributes":{"log":false,"step":3,"low":1,"high":12}})",
         whole},
        {"old_uniform", R"({"name":"UniformDistribution","attributes":{"low":-5,"high":5}})",
         plain},
        {"old_log", R"({"name":"LogUniformDistribution","attributes":{"low":0.001,"high":1}})",
         log},
        {"old_discrete",
         R"({"name":"DiscreteUniformDistribution","attributes":{"low":0,"high":1,"q":0.1}})", step},
        {"old_int",
         R"({"name":"IntUniformDistribution","attributes":{"low":1,"high":10,"step":3}})", whole},
        {"short_form", R"({"type":"float","low":-5,"high":5})", plain},
        {"no_object", "3", "!a distribution wants a name and attributes"},
        {"unknown", R"({"name":"Beta","attributes":{}})",
         "!a distribution of the unknown kind \"Beta\""},
        {"no_low", R"({"type":"float","high":5})", "!a distribution wants the number \"low\""},
        {"no_choice", R"({"type":"categorical","choices":[]})",
         "!there must be at least one choice"},
        {"low_is_text", R"({"type":"int","low":"1","high":5})",
         "!a distribution wants a whole number \"low\""},
        {"huge_int", R"({"type":"int","low":1,"high":1e300})",
         "!a distribution wants a whole number \"high\""},
        {"not_finite", R"({"type":"float","low":NaN,"high":5})",
         "!a range from NaN to 5.0 is none; low <= high must hold"},
        {"too_wide", R"({"type":"float","low":-1.7e308,"high":1.7e308})",
         "!a range from -1.7e+308 to 1.7e+308 is none; low <= high must hold"},
        {"log_from_zero", R"({"type":"float","low":0,"high":5,"log":true})",
         "!a range with log must begin above 0"},
        {"log_and_step", R"({"type":"float","low":1,"high":5,"log":true,"step":1})",
         "!a range has either log or a step"},
        {"step_of_zero", R"({"type":"float","low":1,"high":5,"step":0})",
         "!a step must be above 0, not 0.0"},
    };
    for (const Case& c : cases) EXPECT_EQ(read(c.text), c.expected) << c.name;
}

TEST(Space, knows_what_it_contains) {
    const Distribution plain = FloatRange{.low = -1, .high = 1};
    EXPECT_TRUE(contains(plain, -1) && contains(plain, 1));
    EXPECT_FALSE(contains(plain, 1.0000001) || contains(plain, kNan));
    const Distribution step = FloatRange{.low = 0, .high = 0.3, .step = 0.1};
    EXPECT_TRUE(contains(step, 0.1 * 2));
    EXPECT_FALSE(contains(step, 0.15));
    const Distribution whole = IntRange{.low = 1, .high = 9, .step = 2};
    EXPECT_TRUE(contains(whole, 9));
    EXPECT_FALSE(contains(whole, 2) || contains(whole, 3.5) || contains(whole, kInfinity));
    const Distribution choices = Choices{{"1", "2"}};
    EXPECT_TRUE(contains(choices, 1));
    EXPECT_FALSE(contains(choices, 2) || contains(choices, -1) || contains(choices, kNan));
}

TEST(Space, a_single_value_is_no_choice) {
    EXPECT_TRUE(single(FloatRange{.low = 1, .high = 1}));
    EXPECT_FALSE(single(FloatRange{.low = 1, .high = 1.5}));
    EXPECT_TRUE(single(FloatRange{.low = 1, .high = 1.5, .step = 1}));
    EXPECT_FALSE(single(FloatRange{.low = 0, .high = 0.1, .step = 0.1}));
    EXPECT_TRUE(single(IntRange{.low = 1, .high = 2, .step = 2}));
    EXPECT_FALSE(single(IntRange{.low = 1, .high = 3, .step = 2}));
    EXPECT_TRUE(single(Choices{{"1"}}));
}

TEST(Space, ranges_may_change_but_not_kind_log_or_choices) {
    const Distribution a = FloatRange{.low = 1, .high = 2};
    EXPECT_TRUE(compatible(a, FloatRange{.low = 0, .high = 9}));
    EXPECT_FALSE(compatible(a, FloatRange{.low = 1, .high = 2, .log = true}));
    EXPECT_FALSE(compatible(a, IntRange{.low = 1, .high = 2}));
    EXPECT_FALSE(compatible(Choices{{"1", "2"}}, Choices{{"2", "1"}}));
}

TEST(Space, values_go_out_and_come_back) {
    const Distribution choices = Choices{{"\"a\"", "null", "2.5"}};
    EXPECT_EQ(external_json(choices, 2), "2.5");
    EXPECT_EQ(external_json(choices, 9), "2.5");  // Whatever a file says, no other memory is read.
    EXPECT_EQ(external_json(choices, kNan), "\"a\"");
    EXPECT_EQ(internal_of(choices, *parse_python_json("null")), 1);
    EXPECT_EQ(internal_of(choices, *parse_python_json("\"b\"")), std::nullopt);
    const Distribution whole = IntRange{.low = 1, .high = 9};
    EXPECT_EQ(external_json(whole, 3), "3");
    EXPECT_EQ(external_json(whole, kInfinity), "9007199254740992");
    EXPECT_EQ(internal_of(whole, *parse_python_json("\"3\"")), std::nullopt);
    EXPECT_EQ(external_json(FloatRange{}, 3), "3.0");
}

}  // namespace
}  // namespace parley::tuner
