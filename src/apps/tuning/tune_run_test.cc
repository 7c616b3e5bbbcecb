#include "apps/tuning/tune_run.h"

#include "apps/terminal/settings.h"
#include "base/file.h"
#include "experiment/tune_objective.h"
#include "guard/hard_limits.h"
#include "tuner/study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
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

TEST_F(Tune, no_trial_is_beyond_the_guard_s_hard_limits) {
    for (const bool high : {false, true}) {
        std::vector<double> values;
        for (const auto& each : experiment::tunables()) {
            values.push_back(high ? each.high : each.low);
        }
        model::Policy policy;
        ASSERT_TRUE(experiment::set_values(values, policy));
        EXPECT_EQ(guard::bounded(policy), policy);
        EXPECT_EQ(guard::beyond_together(policy), "");
    }
}

TEST_F(Tune, a_trial_is_the_mean_over_its_seeds_and_reports_after_each) {
    const auto report = tune(plan(), {});
    ASSERT_TRUE(report) << report.error().message;
    const tuner::Study study = study_of(plan());
    ASSERT_EQ(study.trials.size(), 4U);
    EXPECT_TRUE(is_default(study.trials[0], model::Profile::parley));
    for (const tuner::Trial& trial : study.trials) {
        ASSERT_EQ(trial.state, TrialState::complete);
        model::Policy policy = default_settings().policy;
        ASSERT_TRUE(
            experiment::set_values(*tuned_values(trial.params, model::Profile::parley), policy));
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
    EXPECT_EQ(std::ranges::count_if(study.trials,
                                    [](const tuner::Trial& trial) {
                                        return is_default(trial, model::Profile::parley);
                                    }),
              1);
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

TEST_F(Tune, the_prototypes_weights_are_found_at_a_bound_and_decide_nothing) {
    TunePlan weights = plan();
    weights.profile = model::Profile::prototype;
    weights.trials = 12;
    weights.fresh = 8;  // Fewer could not tell anything from chance.
    weights.pruner = TunePruner::none;
    const auto report = tune(weights, {});
    ASSERT_TRUE(report) << report.error().message;
    const tuner::Study study = study_of(weights);
    EXPECT_EQ(study.name, "prototype-failing-node");
    EXPECT_EQ(study.directions, std::vector{tuner::Direction::maximize});
    EXPECT_NE(study.user_attributes.at("parley:objective").find("contains its own weights"),
              std::string::npos);
    EXPECT_FALSE(study.user_attributes.contains("parley:prices"));
    EXPECT_TRUE(is_default(study.trials[0], model::Profile::prototype));
    for (const tuner::Trial& trial : study.trials) {
        model::Policy policy = experiment::untuned(model::Profile::prototype);
        ASSERT_TRUE(
            experiment::set_values(*tuned_values(trial.params, model::Profile::prototype), policy));
        const auto reward =
            experiment::reward_of(policy, "failing-node", experiment::kTuningSeeds, weights.span);
        EXPECT_NEAR(trial.intermediate.at(1), reward->total, 1e-9) << "weighed as it was run";
    }
    // More is better: the greatest first, and better than the default.
    EXPECT_TRUE(std::ranges::is_sorted(report->finalists, std::greater{}, &Finalist::fresh));
    EXPECT_GT(report->difference.mean, 0);
    EXPECT_EQ(report->answer, experiment::Answer::better);
    EXPECT_TRUE(report->prices.empty());
    EXPECT_NE(report->settings.find("profile: prototype\n  weights:\n    alpha: "),
              std::string::npos)
        << report->settings;
}

TEST_F(Tune, a_study_of_costs_is_not_one_of_rewards) {
    TunePlan costs = plan();
    costs.study = "s";
    ASSERT_TRUE(tune(costs, {}));
    costs.profile = model::Profile::prototype;
    const auto refused = tune(costs, {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("does not maximize one value, as rewards want it"),
              std::string::npos)
        << refused.error().message;
}

TEST_F(Tune, without_trials_nothing_is_made_and_nothing_written) {
    TunePlan none = plan();
    none.trials = 0;
    EXPECT_FALSE(tune(none, {}));
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    ASSERT_TRUE(tune(plan(), {}));
    const std::size_t attributes = study_of(plan()).user_attributes.size();
    none.study = "empty";
    EXPECT_FALSE(tune(none, {}));
    EXPECT_FALSE(join_study(none)) << "nobody made it";
    none.study.clear();
    ASSERT_TRUE(tune(none, {}));
    EXPECT_EQ(study_of(plan()).user_attributes.size(), attributes);
    EXPECT_EQ(study_of(plan()).trials.size(), 4U);
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
    EXPECT_TRUE(is_default(study.trials[2], model::Profile::parley));
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
    const TunePlan made = plan();
    const auto until = [](std::uint64_t first, std::int64_t count) {
        return first + static_cast<std::uint64_t>(count) - 1;
    };
    const std::vector<SeedSpan> known = {{tuning_seed(made), until(tuning_seed(made), made.pairs)},
                                         {fresh_seed(made), until(fresh_seed(made), made.fresh)}};
    EXPECT_EQ(loaded->settings.tuned_on, known);
}

}  // namespace
}  // namespace parley::app
