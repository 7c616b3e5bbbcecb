#include "apps/tuning/boot_tuning.h"

#include "experiment/tune_objective.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace parley::app {
namespace {

struct BootTuningTest : testing::Test {
    BootTuningTest() {
        std::string pattern = testing::TempDir() + "boot_tuning_XXXXXX";
        folder = ::mkdtemp(pattern.data());
    }
    ~BootTuningTest() override { std::filesystem::remove_all(folder); }

    /// Small enough for a test: three minutes of cluster, two seeds.
    TuningStart start(std::int64_t trials) const {
        TuningStart out{.folder = folder, .program = "test"};
        out.flags.trials = trials;
        out.plan.pairs = 2;
        out.plan.fresh = 2;
        out.plan.span = {.length = minutes(3), .interval = seconds(15)};
        return out;
    }
    BootStage run(const TuningStart& with) {
        return tune_at_start(real_disk(), with, policy,
                             [&](const BootStage& stage, const TuneProgress&) {
                                 said.push_back(stage.detail);
                                 return answer;
                             });
    }
    std::string read(const std::string& name) const {
        std::ostringstream out;
        out << std::ifstream(folder + "/tuning/" + name).rdbuf();
        return out.str();
    }

    std::string folder;
    model::Policy policy;
    std::vector<std::string> said;
    Go answer = Go::on;
};

TEST_F(BootTuningTest, off_idle_and_impossible_are_told_apart) {
    struct Case {
        const char* name;
        std::optional<std::int64_t> trials;
        bool no_tune;
        bool recorded;
        StageStatus status;
        const char* part;
    };
    const Case cases[] = {
        {"not_asked", {}, false, true, StageStatus::idle, "nobody asked"},
        {"none", 0, false, true, StageStatus::idle, "--trials 0"},
        {"off", {}, true, true, StageStatus::disabled, "by --no-tune"},
        {"void", 3, true, true, StageStatus::disabled, "by --no-tune; --trials 3 is void"},
        {"no_folder", 3, false, false, StageStatus::skipped, "--trials 3 is void"},
    };
    for (const Case& c : cases) {
        TuningStart with = start(1);
        with.flags = {.no_tune = c.no_tune, .trials = c.trials};
        if (!c.recorded) with.folder.clear();
        policy = {};
        const model::Policy before = policy;
        const BootStage stage = run(with);
        EXPECT_EQ(stage.status, c.status) << c.name;
        EXPECT_NE(stage.detail.find(c.part), std::string::npos) << c.name << ": " << stage.detail;
        EXPECT_EQ(policy, before);
        EXPECT_TRUE(said.empty());
        EXPECT_FALSE(std::filesystem::exists(folder + "/tuning"));
    }
}

TEST_F(BootTuningTest, runs_trials_into_a_study_in_the_run_folder_and_says_how_far_it_is) {
    const BootStage stage = run(start(3));
    EXPECT_EQ(stage.status, StageStatus::complete) << stage.detail;
    EXPECT_TRUE(stage.detail.starts_with("3 trials, best ")) << stage.detail;
    EXPECT_TRUE(std::filesystem::exists(folder + "/tuning/study.db"));
    const auto last_trial = std::ranges::find_if(
        said, [](const std::string& text) { return text.starts_with("3 of 3 trials, best "); });
    EXPECT_NE(last_trial, said.end());
    EXPECT_NE(read("result.json").find("\"used\":"), std::string::npos);
    EXPECT_TRUE(read("tuned.yaml").starts_with("# parley tune"));
}

TEST_F(BootTuningTest, a_study_goes_on_when_the_same_run_is_begun_again) {
    run(start(2));
    const BootStage stage = run(start(2));
    EXPECT_TRUE(stage.detail.starts_with("4 trials")) << stage.detail;
}

TEST_F(BootTuningTest, the_policy_changes_only_where_the_winner_is_better) {
    const model::Policy before = policy;
    const BootStage stage = run(start(3));
    const bool used = read("result.json").find("\"used\":true") != std::string::npos;
    EXPECT_EQ(policy != before, used) << stage.detail;
    EXPECT_EQ(stage.detail.find("the winner is used") != std::string::npos, used) << stage.detail;
}

TEST_F(BootTuningTest, of_the_prototype_its_weights_are_tuned_and_that_says_what_it_is_worth) {
    policy = experiment::untuned(model::Profile::prototype);
    const model::Policy before = policy;
    TuningStart with = start(6);
    with.plan.fresh = 8;
    const BootStage stage = run(with);
    EXPECT_EQ(stage.status, StageStatus::complete) << stage.detail;
    EXPECT_NE(stage.detail.find("the objective contains its own weights"), std::string::npos)
        << stage.detail;
    EXPECT_NE(policy.weights, before.weights);
    policy.weights = before.weights;
    EXPECT_EQ(policy, before) << "and nothing else";
}

TEST_F(BootTuningTest, one_that_is_ended_fails_and_leaves_the_policy) {
    answer = Go::stop;
    const BootStage stage = run(start(3));
    EXPECT_EQ(stage.status, StageStatus::failed);
    EXPECT_NE(stage.detail.find("it was ended"), std::string::npos) << stage.detail;
    EXPECT_EQ(policy, model::Policy{});
}

TEST_F(BootTuningTest, a_run_that_goes_on_is_not_tuned_again) {
    TuningStart with = start(3);
    with.resume = true;
    const BootStage stage = run(with);
    EXPECT_EQ(stage.status, StageStatus::idle);
    EXPECT_NE(stage.detail.find("as it began"), std::string::npos) << stage.detail;
    EXPECT_TRUE(said.empty());
}

}  // namespace
}  // namespace parley::app
