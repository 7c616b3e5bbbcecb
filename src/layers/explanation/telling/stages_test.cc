#include "layers/explanation/telling/stages.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using store::StageStatus;

store::RunHeader header_with(model::PredictorKind predictor) {
    store::RunHeader header;
    header.policy.predictor = predictor;
    return header;
}

TEST(Stages, are_what_the_process_said) {
    const std::vector<store::StageNote> said = {{kBrains, StageStatus::failed, "no such file"},
                                                {kRay, StageStatus::disabled, "by --no-policy"},
                                                {kOptuna, StageStatus::complete, "12 trials"}};
    EXPECT_EQ(stages_of(header_with(model::PredictorKind::xgboost), said), said);
    EXPECT_EQ(stages_line(said, false), "brains failed   ray off by choice   optuna done");
    EXPECT_EQ(stages_line(said, true),
              "brains failed (no such file)   ray off by choice (by --no-policy)   optuna done (12 "
              "trials)");
}

TEST(Stages, of_an_older_record_follow_from_its_header) {
    const auto without = stages_of(header_with(model::PredictorKind::evidence), {});
    EXPECT_EQ(stages_line(without, false), "brains idle   ray skipped   optuna idle");
    EXPECT_EQ(without[0].detail, "nobody asked for a trained model; evidence drives decisions");
    const auto served = stages_of(header_with(model::PredictorKind::xgboost), {});
    EXPECT_EQ(served[0].status, StageStatus::complete);
    EXPECT_EQ(served[0].detail, "the model that ships drives decisions");
    auto shadow = header_with(model::PredictorKind::evidence);
    shadow.policy.brains.shadow = {model::PredictorKind::xgboost};
    shadow.policy.brains.risk = "risk-1";
    EXPECT_EQ(stages_of(shadow, {})[0].detail, "risk-1 runs in shadow; evidence drives decisions");
}

TEST(Stages, say_why_no_trained_model_drives) {
    model::Policy policy;
    policy.brains.risk = "risk-1";
    const store::StageNote named = without_brains(policy, false);
    EXPECT_EQ(named.status, StageStatus::idle);
    EXPECT_EQ(named.detail,
              "policy.brains.risk names risk-1, which only policy.predictor xgboost serves; "
              "evidence drives decisions");
    policy.profile = model::Profile::prototype;
    policy.predictor = model::PredictorKind::formula;
    for (const bool chosen : {false, true}) {
        const store::StageNote note = without_brains(policy, chosen);
        EXPECT_EQ(note.status, StageStatus::disabled);
        EXPECT_EQ(note.detail, "by profile prototype, whose predictor formula drives decisions");
    }
}

TEST(Stages, tell_six_states_apart) {
    EXPECT_STREQ(word_of(StageStatus::disabled), "off by choice");
    EXPECT_STREQ(word_of(StageStatus::idle), "idle");
    EXPECT_STREQ(word_of(StageStatus::skipped), "skipped");
    EXPECT_STREQ(word_of(StageStatus::running), "running");
    EXPECT_STREQ(word_of(StageStatus::complete), "done");
    EXPECT_STREQ(word_of(StageStatus::failed), "failed");
    EXPECT_EQ(ray_stage(true).status, StageStatus::disabled);
    EXPECT_EQ(ray_stage(false).status, StageStatus::skipped);
    EXPECT_EQ(without_brains({}, true).status, StageStatus::disabled);
    EXPECT_EQ(without_brains({}, false).status, StageStatus::idle);
    EXPECT_EQ(stage_called({}, kOptuna).detail, "the record does not say");
}

}  // namespace
}  // namespace parley::explanation
