#include "tuner/study.h"

#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace parley::tuner {
namespace {

TEST(Study, constraints_are_read_in_every_spelling) {
    Trial trial;
    trial.system_attributes = {{"constraints", "[1.5, -1]"},
                               {"constraints:a", "0.25"},
                               {"constraints:b", "\"2.0\""},  // Rustuna.
                               {"constraints:c", "\"x\""},
                               {"constraintsz", "9"}};
    EXPECT_EQ(constraints_of(trial),
              (std::map<std::string, double>{{"0", 1.5}, {"1", -1}, {"a", 0.25}, {"b", 2}}));
    EXPECT_EQ(infeasibility(trial), 3.75);
    trial.system_attributes = {{"constraints", "{{{"}};
    EXPECT_EQ(infeasibility(trial), 0);
}

TEST(Study, the_best_is_complete_feasible_and_the_earliest) {
    Study study = empty_study();
    EXPECT_EQ(best_trial(study), nullptr);
    add(study, 1).state = TrialState::pruned;
    add(study, 2).system_attributes["constraints:k"] = "1";
    add(study, std::nan(""));
    EXPECT_EQ(best_trial(study), nullptr);
    for (const double value : {5.0, 3.0, 3.0, 7.0}) add(study, value);
    EXPECT_EQ(best_trial(study)->number, 4);
    study.directions = {Direction::maximize};
    EXPECT_EQ(best_trial(study)->number, 6);
    study.directions = {Direction::minimize, Direction::maximize};
    EXPECT_EQ(best_trial(study), nullptr);  // Optuna has none either, but a front.
}

TEST(Study, workers_tell_each_other_their_parameters_in_pieces) {
    std::vector<Param> params;
    for (int i = 0; i < 100; ++i) {
        std::string name = "parameter number " + std::to_string(i);
        params.push_back({std::move(name), shared(FloatRange{}), 1.0 / (i + 3)});
    }
    params.push_back({"choice", shared(Choices{{"\"\\u00e9\"", "null"}}), 0});
    Trial trial;
    trial.system_attributes = relative_attributes(params);
    EXPECT_EQ(trial.system_attributes.size(), 3u);
    const KnownParams known(trial);
    for (const Param& param : params) {
        EXPECT_EQ(known.find(param.name, *param.distribution), param.value) << param.name;
    }
    EXPECT_EQ(known.find("other", FloatRange{}), std::nullopt);
    trial.system_attributes.erase("tpe:relative_params:1");  // Not all is written yet.
    EXPECT_EQ(KnownParams(trial).find("parameter number 0", FloatRange{}), std::nullopt);
    trial.state = TrialState::complete;
    EXPECT_EQ(KnownParams(trial).find("choice", *params.back().distribution), std::nullopt);
    EXPECT_TRUE(relative_attributes({}).empty());
}

TEST(Study, a_value_of_its_own_comes_before_a_relative_one) {
    Trial trial;
    trial.params = {{"x", shared(FloatRange{}), 0.5}};
    trial.system_attributes = {{"tpe:relative_params:0", R"("{\"x\": 0.25, \"y\": 3}")"}};
    const KnownParams known(trial);
    EXPECT_EQ(known.find("x", FloatRange{}), 0.5);
    EXPECT_EQ(known.find("y", IntRange{}), 3);
    EXPECT_EQ(known.find("x", IntRange{}), std::nullopt);
}

TEST(Study, what_is_fixed_is_found) {
    Trial trial;
    EXPECT_EQ(fixed_param(trial, "x", FloatRange{}), std::nullopt);
    trial.system_attributes = {{"fixed_params", R"({"x": 0.5, "c": "b"})"}};
    EXPECT_EQ(fixed_param(trial, "x", FloatRange{}), 0.5);
    EXPECT_EQ(fixed_param(trial, "c", Choices{{"\"a\"", "\"b\""}}), 1);
    EXPECT_EQ(fixed_param(trial, "y", FloatRange{}), std::nullopt);
}

TEST(Study, a_name_keeps_its_kind) {
    Study study = empty_study();
    add(study, 1, {{"x", shared(FloatRange{}), 0}});
    EXPECT_TRUE(fits(study, {{"x", shared(FloatRange{.low = -1, .high = 3}), 0}}));
    EXPECT_TRUE(fits(study, {{"y", shared(IntRange{}), 0}}));
    const auto bad = fits(study, {{"x", shared(IntRange{}), 0}});
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::conflict);
}

}  // namespace
}  // namespace parley::tuner
