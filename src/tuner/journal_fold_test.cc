#include "tuner/journal_fold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>

namespace parley::tuner {
namespace {

constexpr const char* kStudy = R"({"op_code":0,"worker_id":"w","study_name":"a","directions":[1]})";
constexpr const char* kTrial =
    R"({"op_code":4,"worker_id":"w","study_id":0,"datetime_start":"2025-01-02T03:04:05.000006+00:00"})";
constexpr const char* kX =
    R"({"op_code":5,"worker_id":"w","trial_id":0,"param_name":"x","param_value_internal":0.5,"distribution":"{\"name\": \"FloatDistribution\", \"attributes\": {\"step\": null, \"low\": 0.0, \"high\": 1.0, \"log\": false}}"})";
constexpr const char* kDone =
    R"({"op_code":6,"worker_id":"w","trial_id":0,"state":1,"values":[2.0],"datetime_complete":"2025-01-02T03:04:06+00:00"})";

JournalFold folded(std::initializer_list<const char*> lines) {
    JournalFold fold;
    for (const char* line : lines) {
        const auto done = fold.apply(line);
        EXPECT_TRUE(done) << line << ": " << done.error().message;
    }
    return fold;
}

TEST(JournalFold, a_trial_line_by_line) {
    const JournalFold fold = folded({kStudy, kTrial, kX, kDone});
    const Study* study = fold.find("a");
    ASSERT_NE(study, nullptr);
    ASSERT_EQ(study->trials.size(), 1u);
    const Trial& trial = study->trials[0];
    EXPECT_EQ(trial.state, TrialState::complete);
    EXPECT_EQ(trial.params[0].value, 0.5);
    EXPECT_EQ(trial.start->us, 1735787045000006);
}

TEST(JournalFold, times_of_optuna_before_5_are_those_of_the_machine) {
    const char* before = std::getenv("TZ");
    const std::string zone = before == nullptr ? "" : before;
    ::setenv("TZ", "XYZ-02:00", 1);  // Two hours ahead of UTC.
    ::tzset();
    const JournalFold fold = folded(
        {kStudy,
         R"({"op_code":4,"worker_id":"w","study_id":0,"datetime_start":"2025-01-02T05:04:05.000006"})",
         R"({"op_code":6,"worker_id":"w","trial_id":0,"state":1,"values":[2.0],"datetime_complete":"2025-01-02T05:04:06"})"});
    zone.empty() ? ::unsetenv("TZ") : ::setenv("TZ", zone.c_str(), 1);
    ::tzset();
    const Trial& trial = fold.find("a")->trials.at(0);
    ASSERT_TRUE(trial.start && trial.complete);
    EXPECT_EQ(trial.start->us, 1735787045000006);
    EXPECT_EQ(trial.complete->us, 1735787046000000);
}

TEST(JournalFold, what_comes_too_late_or_for_nobody_changes_nothing) {
    const JournalFold fold =
        folded({kStudy, kStudy, kTrial, kDone, kX, kDone,
                R"({"op_code":6,"worker_id":"w","trial_id":0,"state":3,"values":null})",
                R"({"op_code":8,"worker_id":"w","trial_id":0,"user_attr":{"a":1}})",
                R"({"op_code":7,"worker_id":"w","trial_id":99,"step":0,"intermediate_value":1})",
                R"({"op_code":4,"worker_id":"w","study_id":5,"datetime_start":null})",
                R"({"op_code":2,"worker_id":"w","study_id":5,"user_attr":{"a":1}})",
                R"({"op_code":10,"worker_id":"w","whatever":[]})"});
    const Trial& trial = fold.find("a")->trials.at(0);
    EXPECT_EQ(trial.state, TrialState::complete);
    EXPECT_TRUE(trial.params.empty() && trial.user_attributes.empty());
    EXPECT_EQ(fold.find("a")->trials.size(), 1u);
    EXPECT_EQ(fold.find(1), nullptr);
}

TEST(JournalFold, the_first_claim_wins_and_a_kind_stays) {
    const JournalFold fold = folded(
        {kStudy, R"({"op_code":4,"worker_id":"w","study_id":0,"datetime_start":null,"state":4})",
         R"({"op_code":6,"worker_id":"a","trial_id":0,"state":0,"values":null,"datetime_start":"2025-01-02T03:04:05+00:00"})",
         R"({"op_code":6,"worker_id":"b","trial_id":0,"state":0,"values":null,"datetime_start":"2026-01-02T03:04:05+00:00"})",
         kX,
         R"({"op_code":5,"worker_id":"w","trial_id":0,"param_name":"x","param_value_internal":1,"distribution":"{\"name\":\"CategoricalDistribution\",\"attributes\":{\"choices\":[1,2]}}"})"});
    const Trial& trial = fold.find("a")->trials.at(0);
    EXPECT_EQ(trial.start->us, 1735787045000000);
    ASSERT_EQ(trial.params.size(), 1u);
    EXPECT_EQ(trial.params[0].value, 0.5);
}

TEST(JournalFold, ids_count_over_the_file_and_numbers_within_a_study) {
    const JournalFold fold =
        folded({kStudy, R"({"op_code":0,"worker_id":"w","study_name":"b","directions":[2]})",
                kTrial, R"({"op_code":4,"worker_id":"w","study_id":1,"datetime_start":null})",
                R"({"op_code":1,"worker_id":"w","study_id":0})",
                R"({"op_code":4,"worker_id":"w","study_id":0,"datetime_start":null})",
                R"({"op_code":4,"worker_id":"w","study_id":1,"datetime_start":null})",
                R"({"op_code":0,"worker_id":"w","study_name":"a","directions":[1]})"});
    EXPECT_EQ(fold.find("b")->trials.at(1).id, 2);
    EXPECT_EQ(fold.find("b")->trials.at(1).number, 1);
    EXPECT_EQ(fold.find("a")->id, 2);  // A new one under the old name.
    EXPECT_TRUE(fold.find("a")->trials.empty());
}

TEST(JournalFold, a_finished_trial_may_be_one_line) {
    const JournalFold fold = folded(
        {kStudy,
         R"({"op_code":4,"worker_id":"w","study_id":0,"datetime_start":null,"state":2,"value":3.5,"values":null,"datetime_complete":null,"distributions":{"n":"{\"name\":\"IntDistribution\",\"attributes\":{\"log\":false,\"step\":1,\"low\":1,\"high\":9}}"},"params":{"n":4.0},"user_attrs":{"u":[1, 2]},"system_attrs":{"s":{"k":NaN}},"intermediate_values":{"0":NaN,"7":1}})"});
    const Trial& trial = fold.find("a")->trials.at(0);
    EXPECT_EQ(trial.state, TrialState::pruned);
    EXPECT_EQ(trial.values, std::vector<double>{3.5});
    EXPECT_EQ(trial.params.at(0).value, 4);
    EXPECT_EQ(trial.user_attributes.at("u"), "[1, 2]");
    EXPECT_EQ(trial.system_attributes.at("s"), R"({"k":NaN})");
    EXPECT_TRUE(std::isnan(trial.intermediate.at(0)));
}

TEST(JournalFold, what_nobody_writes_is_refused) {
    const struct {
        const char* name;
        const char* line;
    } cases[] = {
        {"no_json", "{"},
        {"no_object", "[]"},
        {"no_operation", "{}"},
        {"an_operation_of_tomorrow", R"({"op_code":11})"},
        {"half_an_operation", R"({"op_code":-1})"},
        {"a_study_without_a_name", R"({"op_code":0,"directions":[1]})"},
        {"no_direction", R"({"op_code":0,"study_name":"z","directions":[]})"},
        {"a_wrong_direction", R"({"op_code":0,"study_name":"z","directions":[3]})"},
        {"a_wrong_state", R"({"op_code":6,"trial_id":0,"state":5,"values":null})"},
        {"no_trial", R"({"op_code":6,"state":1,"values":null})"},
        {"a_value_of_text", R"({"op_code":6,"trial_id":0,"state":1,"values":["x"]})"},
        {"a_step_of_text", R"({"op_code":7,"trial_id":0,"step":"x","intermediate_value":1})"},
        {"a_parameter_without_range",
         R"({"op_code":5,"trial_id":0,"param_name":"x","param_value_internal":1})"},
        {"a_range_of_nothing",
         R"({"op_code":5,"trial_id":0,"param_name":"x","param_value_internal":1,"distribution":"{}"})"},
        {"params_without_ranges", R"({"op_code":4,"study_id":0,"params":{"x":1}})"},
    };
    for (const auto& c : cases) {
        JournalFold fold = folded({kStudy, kTrial});
        const auto done = fold.apply(c.line);
        ASSERT_FALSE(done) << c.name;
        EXPECT_EQ(done.error().code, ErrorCode::malformed) << c.name;
        EXPECT_EQ(fold.find("a")->trials.size(), 1u) << c.name;
    }
}

}  // namespace
}  // namespace parley::tuner
