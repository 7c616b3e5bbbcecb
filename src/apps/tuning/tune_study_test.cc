#include "apps/tuning/tune_study.h"

#include "experiment/tune_objective.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

class TuneStudy : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(::testing::TempDir()) /
                  (std::string("parley_tune_study_") +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                   std::to_string(::getpid()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    TunePlan plan(const std::string& kind = "sqlite") const {
        TunePlan plan{.scenario = "failing-node", .trials = 3, .pairs = 2};
        plan.storage = kind + ":" + (folder_ / kind).string();
        plan.program = "parley test";
        return plan;
    }

    std::filesystem::path folder_;
};

TEST_F(TuneStudy, a_new_one_says_what_it_rests_on_and_begins_with_the_default_policy) {
    for (const std::string kind : {"sqlite", "journal"}) {
        SCOPED_TRACE(kind);
        auto storage = open_study(plan(kind));
        ASSERT_TRUE(storage) << storage.error().message;
        const tuner::Study& study = (*storage)->study();
        EXPECT_EQ(study.name, "parley-failing-node");
        EXPECT_EQ(study.user_attributes.at("parley:prices"),
                  "\"" + experiment::prices_hash() + "\"");
        EXPECT_EQ(study.user_attributes.at("parley:scenario"), "\"failing-node\"");
        EXPECT_EQ(study.user_attributes.at("parley:seeds"), "\"100000-100001\"");
        EXPECT_EQ(study.user_attributes.at("parley:runs"), "\"2h, a round every 15s\"");
        EXPECT_EQ(study.user_attributes.at("parley:program"), "\"parley test\"");
        ASSERT_EQ(study.trials.size(), 1U);
        EXPECT_EQ(study.trials[0].state, tuner::TrialState::waiting);
        EXPECT_TRUE(is_default(study.trials[0], model::Profile::parley));

        std::vector<tuner::Param> params;
        tuner::Sampler sampler({});
        ASSERT_TRUE((*storage)->ask([&](const tuner::Study& now, const tuner::Trial& trial) {
            params = sampler.suggest(now, trial, tuning_space(model::Profile::parley));
            return tuner::Draft{.params = params};
        }));
        EXPECT_EQ(tuned_values(params, model::Profile::parley), experiment::values_of({}));
    }
}

TEST_F(TuneStudy, opened_again_it_has_one_default_and_a_failed_one_is_run_again) {
    auto storage = open_study(plan());
    ASSERT_TRUE(storage);
    ASSERT_TRUE(open_study(plan()));
    ASSERT_TRUE((*storage)->refresh());
    EXPECT_EQ((*storage)->study().trials.size(), 1U);
    ASSERT_TRUE((*storage)->tell(0, tuner::TrialState::fail, std::nullopt));
    ASSERT_TRUE(open_study(plan()));
    ASSERT_TRUE((*storage)->refresh());
    EXPECT_EQ((*storage)->study().trials.size(), 2U);

    // The default of an earlier version is not that of this one.
    auto earlier = tuner::open_storage(plan().storage, {.study = "earlier"});
    ASSERT_TRUE(earlier);
    ASSERT_TRUE((*earlier)->enqueue({{"stakes.margin", "2.0"}}));
    ASSERT_TRUE((*earlier)->set_attribute(0, tuner::Owner::user, kPolicyAttribute, "\"default\""));
    TunePlan later = plan();
    later.study = "earlier";
    const auto both = open_study(later);
    ASSERT_TRUE(both);
    ASSERT_EQ((*both)->study().trials.size(), 2U);
    EXPECT_FALSE(is_default((*both)->study().trials[0], model::Profile::parley));
    EXPECT_TRUE(is_default((*both)->study().trials[1], model::Profile::parley));

    TunePlan none = plan();
    none.trials = 0;
    none.study = "other";
    EXPECT_FALSE(open_study(none)) << "whoever wants no trials makes no study";
}

TEST_F(TuneStudy, one_whose_costs_cannot_be_compared_is_refused) {
    struct Case {
        const char* name;
        std::function<void(TunePlan&)> change;
        const char* says;
    };
    const Case cases[] = {
        {"scenario", [](TunePlan& p) { p.scenario = "calm"; }, "the scenario \"failing-node\""},
        {"seeds", [](TunePlan& p) { p.pairs = 3; }, "the seeds \"100000-100001\""},
        {"length", [](TunePlan& p) { p.span.length = hours(1); }, "runs of \"2h"},
        {"interval", [](TunePlan& p) { p.span.interval = seconds(5); }, "runs of \"2h"},
    };
    TunePlan first = plan();
    first.study = "s";
    ASSERT_TRUE(open_study(first));
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        TunePlan other = first;
        c.change(other);
        const auto opened = open_study(other);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ErrorCode::denied);
        EXPECT_NE(opened.error().message.find(c.says), std::string::npos) << opened.error().message;
        EXPECT_NE(opened.error().message.find("--study"), std::string::npos);
    }
    auto storage = join_study(first);
    ASSERT_TRUE(storage);
    const std::pair<const char*, const char*> changed[] = {
        {"parley:rules", "rules \"feed\""}, {"parley:prices", "prices with the hash \"feed\""}};
    for (const auto& [key, says] : changed) {
        ASSERT_TRUE((*storage)->set_study_attribute(tuner::Owner::user, key, "\"feed\""));
        const auto opened = open_study(first);
        ASSERT_FALSE(opened);
        EXPECT_NE(opened.error().message.find(says), std::string::npos) << opened.error().message;
    }
}

TEST_F(TuneStudy, one_that_others_began_goes_on_if_it_says_what_its_trials_cost) {
    TunePlan mine = plan();
    auto theirs = tuner::open_storage(mine.storage, {.study = study_name(mine)});
    ASSERT_TRUE(theirs);
    ASSERT_TRUE((*theirs)->enqueue({{"stakes.margin", "2.0"}}));
    ASSERT_TRUE(open_study(mine)) << "trials that wait cost nothing yet";

    mine.study = "second";
    theirs = tuner::open_storage(mine.storage, {.study = "second"});
    ASSERT_TRUE(theirs);
    ASSERT_TRUE((*theirs)->ask([](const auto&, const auto&) { return tuner::Draft{}; }));
    const auto refused = open_study(mine);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("no attribute parley:prices"), std::string::npos);

    mine.study = "third";
    theirs = tuner::open_storage(mine.storage,
                                 {.study = "third", .direction = tuner::Direction::maximize});
    ASSERT_TRUE(theirs);
    EXPECT_FALSE(open_study(mine));
}

TEST_F(TuneStudy, wrong_use_makes_no_file) {
    TunePlan wrong = plan();
    wrong.scenario = "nowhere";
    EXPECT_FALSE(open_study(wrong));
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    wrong = plan();
    wrong.storage = "redis:x";
    EXPECT_FALSE(open_study(wrong));
}

TEST(TunedValues, a_missing_parameter_is_no_value) {
    std::vector<tuner::Param> params;
    for (const auto& [name, distribution] : tuning_space(model::Profile::parley))
        params.push_back({name, distribution, 1});
    EXPECT_TRUE(tuned_values(params, model::Profile::parley));
    params.pop_back();
    EXPECT_FALSE(tuned_values(params, model::Profile::parley));
}

}  // namespace
}  // namespace parley::app
