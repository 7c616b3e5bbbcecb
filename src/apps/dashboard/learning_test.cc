#include "apps/dashboard/learning.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace parley::app {
namespace {

tuner::Study study() {
    tuner::Study out;
    out.name = "parley-tour";
    out.directions = {tuner::Direction::minimize};
    const auto range = std::make_shared<const tuner::Distribution>(tuner::FloatRange{0, 4});
    for (int i = 0; i < 3; ++i) {
        tuner::Trial trial;
        trial.number = i;
        trial.state = tuner::TrialState::complete;
        trial.values = {3.0 - i};
        trial.params = {{"stakes.margin", range, 1.0 + i}};
        out.trials.push_back(trial);
    }
    return out;
}

TEST(Learning, a_study_shows_its_trials_and_its_best) {
    tuner::Study some = study();
    web::OptunaView view = study_view(some);
    EXPECT_EQ(view.state, web::StageState::done);
    ASSERT_TRUE(view.best.has_value());
    EXPECT_EQ(view.best->number, 2);
    EXPECT_EQ(view.best->params.at("stakes.margin"), "3.0");
    EXPECT_EQ(view.detail, "3 of 3 trials finished, best 1.000");
    EXPECT_FALSE(view.maximizes) << "a cost is tuned";
    some.trials[1].state = tuner::TrialState::running;
    some.trials[1].values.clear();
    view = study_view(some);
    EXPECT_EQ(view.state, web::StageState::running);
    EXPECT_FALSE(view.trials[1].value.has_value()) << "not yet told, and so not zero";
    EXPECT_EQ(study_view({}).state, web::StageState::idle);
    some.directions = {tuner::Direction::maximize};
    EXPECT_TRUE(study_view(some).maximizes);
}

TEST(Learning, importance_waits_for_trials_to_rank_by) {
    tuner::Study some = study();
    EXPECT_TRUE(study_view(some).importance.empty()) << "three trials are too few";
    while (some.trials.size() < 5) {
        tuner::Trial next = some.trials.back();
        ++next.number;
        next.values = {next.values.front() + 1};
        some.trials.push_back(next);
    }
    ASSERT_EQ(study_view(some).importance.size(), 1U);
    for (tuner::Trial& trial : some.trials) trial.values = {52.0};
    EXPECT_TRUE(study_view(some).importance.empty()) << "all did alike";
}

TEST(Learning, what_is_off_skipped_and_failed_is_told_apart) {
    fake::Disk disk;
    store::RunHeader header;
    header.scenario = "tour";
    const std::vector<web::StageView> stages = {
        {"brains", web::StageState::idle, "nobody asked", ""},
        {"ray", web::StageState::skipped, "not in this build", ""},
        {"optuna", web::StageState::done, "12 trials, best 41.2", ""}};
    web::LearningView view = learning_of(disk, {"run", "shelf"}, header, stages);
    EXPECT_EQ(view.stages.size(), 3U) << "the run's own, and no others";
    EXPECT_EQ(view.stages[0].detail, "nobody asked");
    EXPECT_EQ(view.ray.state, web::StageState::skipped);
    EXPECT_EQ(view.ray.detail, "not in this build");
    EXPECT_EQ(view.optuna.state, web::StageState::done) << "as its stage, whatever file there is";
    EXPECT_EQ(view.optuna.detail, "12 trials, best 41.2");
    ASSERT_FALSE(view.brains.empty()) << "the one that ships";
    EXPECT_TRUE(view.brains[0].auc.has_value());
    header.policy.predictor = model::PredictorKind::xgboost;
    header.policy.brains.risk = view.brains[0].id;
    view = learning_of(disk, {"run", "shelf"}, header, stages);
    EXPECT_TRUE(view.brains[0].served);
}

TEST(Learning, a_model_is_used_where_the_policy_uses_it_and_not_where_it_only_names_it) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, "run/models/d-1").has_value());
    ASSERT_TRUE(write_file_atomically(disk, "run/models/d-1/manifest.json", "{").has_value());
    store::RunHeader header;
    const auto brain = [&](const std::string& id) {
        const web::LearningView view = learning_of(disk, {"run", "shelf"}, header, {});
        const auto found = std::ranges::find(view.brains, id, &web::BrainView::id);
        EXPECT_NE(found, view.brains.end());
        return std::tuple(found->served, found->shadow, view.artifacts.size());
    };
    const std::string shipped = learning_of(disk, {"", "shelf"}, {}, {}).brains.front().id;
    header.policy.brains = {.risk = shipped, .demand = "d-1"};
    EXPECT_EQ(brain(shipped), std::tuple(false, false, 0U)) << "evidence drives";
    EXPECT_EQ(brain("d-1"), std::tuple(false, false, 0U));
    header.policy.brains.shadow = {model::PredictorKind::xgboost};
    EXPECT_EQ(brain(shipped), std::tuple(false, true, 0U)) << "and no file of it is in the run";
    header.policy.predictor = model::PredictorKind::xgboost;
    EXPECT_EQ(brain(shipped), std::tuple(true, false, 1U));
    EXPECT_EQ(brain("d-1"), std::tuple(true, false, 1U)) << "it forecasts demand";
}

TEST(Learning, a_run_shows_the_study_that_tuned_it_before_any_other) {
    fake::Disk disk;
    store::RunHeader header;
    header.scenario = "tour";
    EXPECT_EQ(find_study(disk, "runs/a", header).file, "");
    ASSERT_TRUE(make_directories(disk, "runs/a/tuning").has_value());
    ASSERT_TRUE(write_file_atomically(disk, "runs/parley-tune.db", "").has_value());
    StudyPlace found = find_study(disk, "runs/a", header);
    EXPECT_EQ(found.file, "runs/parley-tune.db");
    EXPECT_EQ(found.name, "parley-tour");
    EXPECT_FALSE(found.own);
    ASSERT_TRUE(write_file_atomically(disk, "runs/a/tuning/study.db", "").has_value());
    header.policy.profile = model::Profile::prototype;
    found = find_study(disk, "runs/a", header);
    EXPECT_EQ(found.file, "runs/a/tuning/study.db");
    EXPECT_EQ(found.name, "prototype-mixed");
    EXPECT_TRUE(found.own);
}

TEST(Learning, a_brain_that_cannot_be_read_is_refused_by_name) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, "run/models/broken").has_value());
    ASSERT_TRUE(write_file_atomically(disk, "run/models/broken/manifest.json", "{").has_value());
    const web::LearningView view = learning_of(disk, {"run", "shelf"}, {}, {});
    const auto broken = std::ranges::find(view.brains, "broken", &web::BrainView::id);
    ASSERT_NE(broken, view.brains.end());
    EXPECT_FALSE(broken->refused.empty());
}

}  // namespace
}  // namespace parley::app
