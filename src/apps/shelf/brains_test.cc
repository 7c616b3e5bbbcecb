#include "apps/shelf/brains.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

model::Policy trained() {
    model::Policy policy;
    policy.predictor = model::PredictorKind::xgboost;
    return policy;
}

TEST(Brains, without_being_asked_for_there_are_none) {
    fake::Disk disk;
    model::Policy policy;
    const auto served = serve_brains(disk, {.folder = "models"}, policy);
    ASSERT_TRUE(served);
    EXPECT_EQ(served->brains.risk, nullptr);
    EXPECT_TRUE(served->risk_id.empty());
    policy.brains.shadow = {model::PredictorKind::xgboost};
    EXPECT_NE(serve_brains(disk, {.folder = "models"}, policy)->brains.risk, nullptr);
}

TEST(Brains, an_empty_shelf_serves_what_ships) {
    fake::Disk disk;
    const auto served = serve_brains(disk, {.folder = "models"}, trained());
    ASSERT_TRUE(served) << served.error().message;
    ASSERT_NE(served->brains.risk, nullptr);
    EXPECT_TRUE(served->refused.empty());
    EXPECT_NE(served->said.find("simulated"), std::string::npos);
    EXPECT_NE(served->said.find("AUC"), std::string::npos);
}

TEST(Brains, one_that_is_not_there_is_refused_and_what_ships_goes_on) {
    fake::Disk disk;
    model::Policy policy = trained();
    policy.brains.risk = "risk-nowhere";
    const auto served = serve_brains(disk, {.folder = "models"}, policy);
    ASSERT_TRUE(served);
    EXPECT_NE(served->brains.risk, nullptr);
    EXPECT_NE(served->refused.find("risk-nowhere"), std::string::npos);
    EXPECT_TRUE(refusal_text(*served).starts_with("warning: "));
    EXPECT_NE(refusal_text(*served).find(served->risk_id), std::string::npos);
    EXPECT_EQ(refusal_text({}), "");
}

TEST(Brains, a_run_is_derived_again_by_what_it_was_served_by) {
    fake::Disk disk;
    const auto served = serve_brains(disk, {.folder = "models"}, trained());
    model::Policy policy = trained();
    policy.brains.risk = served->risk_id;
    EXPECT_FALSE(recorded_brains(disk, "run", policy));
    ASSERT_TRUE(learn::keep_model(disk, "run", served->risk_id, served->files));
    const auto recorded = recorded_brains(disk, "run", policy);
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(recorded->risk->facts.id, served->risk_id);
    EXPECT_EQ(recorded_brains(disk, "nowhere", {})->risk, nullptr);
}

TEST(Brains, demand_is_served_with_trained_risk_and_derived_again) {
    fake::Disk disk;
    const auto served = serve_brains(disk, {.folder = "models"}, trained());
    ASSERT_TRUE(served) << served.error().message;
    ASSERT_NE(served->brains.demand, nullptr);
    EXPECT_NE(served->demand.said.find("simulated"), std::string::npos);
    EXPECT_NE(served->demand.said.find("over persistence"), std::string::npos);
    model::Policy policy = trained();
    policy.brains.risk = served->risk_id;
    policy.brains.demand = served->demand.id;
    EXPECT_FALSE(recorded_brains(disk, "run", policy));
    ASSERT_TRUE(keep_brains(disk, "run", *served));
    const auto recorded = recorded_brains(disk, "run", policy);
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(recorded->demand->facts.id, served->demand.id);
    policy.brains.demand.clear();  // A run from before there were such models.
    EXPECT_EQ(recorded_brains(disk, "run", policy)->demand, nullptr);
}

TEST(Brains, a_shadow_and_the_prototype_have_no_demand) {
    fake::Disk disk;
    model::Policy policy = trained();
    policy.profile = model::Profile::prototype;
    EXPECT_EQ(serve_brains(disk, {.folder = "models"}, policy)->brains.demand, nullptr);
    policy = {};
    policy.brains.shadow = {model::PredictorKind::xgboost};
    EXPECT_EQ(serve_brains(disk, {.folder = "models"}, policy)->brains.demand, nullptr);
}

TEST(Brains, a_model_of_demand_that_is_refused_leaves_what_ships) {
    fake::Disk disk;
    model::Policy policy = trained();
    policy.brains.demand = "demand-nowhere";
    const auto served = serve_brains(disk, {.folder = "models"}, policy);
    ASSERT_TRUE(served);
    EXPECT_NE(served->brains.demand, nullptr);
    EXPECT_NE(served->demand.refused.find("demand-nowhere"), std::string::npos);
    EXPECT_NE(refusal_text(*served).find(served->demand.id), std::string::npos);
}

}  // namespace
}  // namespace parley::app
