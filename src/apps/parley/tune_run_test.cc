#include "apps/parley/tune_run.h"

#include "apps/parley/settings.h"
#include "base/file.h"
#include "experiment/tune_objective.h"
#include "tuner/study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace parley::app {
namespace {

using tuner::TrialState;

class Tune : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(::testing::TempDir()) /
                  (std::string("parley_tune_run_") +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                   std::to_string(::getpid()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    TunePlan plan(const std::string& name = "db") const {
        TunePlan plan{.scenario = "failing-node", .trials = 4, .pairs = 2, .fresh = 3};
        plan.storage = "sqlite:" + (folder_ / name).string();
        plan.span = {.length = minutes(10), .interval = seconds(30)};
        return plan;
    }
    static tuner::Study study_of(const TunePlan& plan) { return (*join_study(plan))->study(); }

    std::filesystem::path folder_;
};

TEST_F(Tune, a_trial_is_the_mean_over_its_seeds_and_reports_after_each) {
    const auto report = tune(plan(), {});
    ASSERT_TRUE(report) << report.error().message;
    const tuner::Study study = study_of(plan());
    ASSERT_EQ(study.trials.size(), 4U);
    EXPECT_TRUE(is_default(study.trials[0]));
    for (const tuner::Trial& trial : study.trials) {
        ASSERT_EQ(trial.state, TrialState::complete);
        model::Policy policy = default_settings().policy;
        ASSERT_TRUE(experiment::set_values(*tuned_values(trial.params), policy));
        const double first =
            *experiment::cost_of(policy, "failing-node", experiment::kTuningSeeds, plan().span);
        const double second =
            *experiment::cost_of(policy, "failing-node", experiment::kTuningSeeds + 1, plan().span);
        EXPECT_EQ(trial.intermediate.at(1), first);
        EXPECT_EQ(trial.intermediate.at(2), (first + second) / 2);
        EXPECT_EQ(trial.values.front(), (first + second) / 2);
    }
    EXPECT_EQ(report->default_tuning, study.trials[0].values.front());
    EXPECT_EQ(report->complete, 4);
    EXPECT_EQ(report->parameters.size(), experiment::tunables().size());
}

TEST_F(Tune, fresh_seeds_name_the_winner_and_measure_the_default_beside_it) {
    const auto report = tune(plan(), {});
    ASSERT_TRUE(report);
    ASSERT_EQ(report->finalists.size(), 4U);
    EXPECT_TRUE(std::ranges::is_sorted(report->finalists, {}, &Finalist::fresh));
    double sum = 0;
    for (std::uint64_t i = 0; i < 3; ++i) {
        sum += *experiment::cost_of(default_settings().policy, "failing-node",
                                    experiment::kFreshSeeds + i, plan().span);
    }
    EXPECT_DOUBLE_EQ(report->default_fresh, sum / 3);
    EXPECT_NEAR(report->difference.mean, report->finalists[0].fresh - report->default_fresh, 1e-9);
    EXPECT_EQ(report->difference.pairs, 3);
}

TEST_F(Tune, the_same_seed_draws_the_same_trials_and_workers_run_as_many) {
    const auto one = tune(plan("a"), {});
    const auto two = tune(plan("b"), {});
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->settings, two->settings);
    TunePlan parallel = plan("c");
    parallel.workers = 3;
    parallel.trials = 7;
    ASSERT_TRUE(tune(parallel, {}));
    const tuner::Study study = study_of(parallel);
    EXPECT_EQ(study.trials.size(), 7U);
    EXPECT_EQ(std::ranges::count_if(study.trials, is_default), 1);
    for (const tuner::Trial& trial : study.trials) EXPECT_TRUE(tuner::is_finished(trial.state));
}

TEST_F(Tune, the_same_plan_goes_on_and_none_more_only_judges) {
    ASSERT_TRUE(tune(plan(), {}));
    ASSERT_TRUE(tune(plan(), {}));
    EXPECT_EQ(study_of(plan()).trials.size(), 8U);
    TunePlan none = plan();
    none.trials = 0;
    const auto judged = tune(none, {});
    ASSERT_TRUE(judged);
    EXPECT_EQ(judged->complete + judged->pruned, 8);
    EXPECT_EQ(judged->finalists.size(), kFinalists);
    none.study = "empty";
    EXPECT_FALSE(tune(none, {}));
}

TEST_F(Tune, stopped_it_leaves_the_study_whole_and_fails_what_was_under_way) {
    int runs = 0;
    const auto ended =
        tune(plan(), [&](const TuneProgress&) { return ++runs == 3 ? Go::stop : Go::on; });
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::gone);
    EXPECT_EQ(runs, 3);
    const tuner::Study study = study_of(plan());
    ASSERT_EQ(study.trials.size(), 2U);
    EXPECT_EQ(study.trials[0].state, TrialState::complete);
    EXPECT_EQ(study.trials[1].state, TrialState::fail);
    EXPECT_TRUE(tune(plan(), {}));
}

TEST_F(Tune, wound_up_it_ends_trials_under_way_and_judges_them) {
    const auto report = tune(plan(), [](const TuneProgress& at) {
        return std::string_view(at.what) == "trials" ? Go::wind_up : Go::on;
    });
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->complete, 1);
}

TEST_F(Tune, hopeless_trials_are_pruned_but_never_the_default) {
    for (const TunePruner pruner : {TunePruner::median, TunePruner::hyperband}) {
        SCOPED_TRACE(enum_name(pruner));
        TunePlan many = plan(std::string(enum_name(pruner)));
        many.pruner = pruner;
        many.trials = 30;
        many.pairs = 4;
        const auto report = tune(many, {});
        ASSERT_TRUE(report);
        EXPECT_GT(report->pruned, 0);
        EXPECT_GT(report->complete, 3);
        EXPECT_TRUE(report->default_tuning);
        for (const tuner::Trial& trial : study_of(many).trials) {
            if (trial.state != TrialState::pruned) continue;
            EXPECT_LT(trial.last_step(), 4);
            EXPECT_EQ(trial.values.front(), trial.intermediate.rbegin()->second);
        }
    }
}

TEST_F(Tune, a_dead_workers_trial_fails_and_one_out_of_range_says_why) {
    TunePlan mine = plan();
    auto storage = open_study(mine);
    ASSERT_TRUE(storage);
    // A worker that asks, gives a sign of life and dies.
    ASSERT_TRUE((*storage)->ask([](const auto&, const auto&) { return tuner::Draft{}; }));
    ASSERT_TRUE((*storage)->heartbeat(0));
    ASSERT_TRUE((*storage)->enqueue({{"stakes.margin", "99.0"}}));
    mine.grace = {};
    ASSERT_TRUE(tune(mine, {}));
    const tuner::Study study = study_of(mine);
    EXPECT_EQ(study.trials[0].state, TrialState::fail);
    EXPECT_EQ(study.trials[1].state, TrialState::fail);
    EXPECT_NE(study.trials[1].user_attributes.at("parley:error").find("stakes.margin is 99"),
              std::string::npos);
    EXPECT_TRUE(is_default(study.trials[2]));
}

TEST_F(Tune, the_settings_of_the_winner_are_what_a_file_gives_back) {
    const auto report = tune(plan(), {});
    ASSERT_TRUE(report);
    const std::string file = (folder_ / "tuned.yaml").string();
    ASSERT_TRUE(write_file_atomically(real_disk(), file, report->settings));
    const auto loaded = load_settings(real_disk(), file, {});
    ASSERT_TRUE(loaded) << loaded.error().message << "\n" << report->settings;
    std::vector<double> values;
    for (const TunedParameter& each : report->parameters) values.push_back(each.value);
    model::Policy policy = default_settings().policy;
    ASSERT_TRUE(experiment::set_values(values, policy));
    EXPECT_EQ(loaded->settings.policy, policy);
}

}  // namespace
}  // namespace parley::app
