// How old what a request rests on may be.

#include "layers/pipeline_stage_test.h"

namespace parley {
namespace {

TEST(PipelineAge, what_was_decided_over_ten_seconds_ago_is_asked_again_in_the_next_round) {
    Stage stage;
    stage.boot = hours(1);
    warm_up(stage);
    stage.writer.on_apply = [&](const Request&) -> Result<void> {
        *stage.boot = *stage.boot + seconds(5);
        return {};
    };
    stage.rounds(1);  // The third request may just be sent, and the fourth not.
    EXPECT_EQ(stage.writer.asked.size(), 3U);
    EXPECT_EQ(stage.writer.stamps[0].fresh, seconds(10));
    EXPECT_EQ(stage.writer.stamps[2].fresh, Duration{});
    EXPECT_EQ(stage.ledger.stored.open.at(0).state, ActionState::marked) << "nothing is unknown";
    const std::size_t reads = stage.reader.asked.size();
    stage.rounds(1);
    EXPECT_EQ(stage.writer.asked.size(), 4U) << "a new round is young";
    EXPECT_GE(stage.reader.asked.size(), reads + 1) << "its target is read anew";
    stage.rounds(kRoundsOfPlan - 1);
    EXPECT_EQ(stage.writer.asked.size(), 6U);
    expect_no_doubles(stage.writer.applied);
}

TEST(PipelineAge, a_read_that_took_too_long_is_not_acted_on) {
    Stage stage;
    stage.boot = hours(1);
    warm_up(stage);
    stage.reader.change = [&](const Request&, Live&) {
        *stage.boot = *stage.boot + seconds(10) + microseconds(1);
    };
    stage.rounds(3);
    EXPECT_TRUE(stage.writer.asked.empty());
    EXPECT_EQ(stage.reader.asked.size(), 3U) << "once a round";
    const OpenAction& action = stage.pipeline->memory().ledger.open.at(0);
    EXPECT_EQ(action.state, ActionState::planned);
    const auto& answer = std::get<Answered>(stage.recorder.events.back().what);
    EXPECT_EQ(answer.code, ErrorCode::unavailable) << "and nobody else is to blame";
    EXPECT_EQ(action.note,
              "what it was decided on was 10s old before it could be sent, and may be 10s; it is "
              "asked again in the next round");
    stage.reader.change = nullptr;
    stage.rounds(1);
    EXPECT_EQ(stage.writer.asked.size(), 4U);
}

TEST(PipelineAge, what_gives_back_is_never_too_old) {
    Stage stage;
    stage.boot = hours(1);
    warm_up(stage);
    stage.rounds(kRoundsOfPlan + 1);
    ASSERT_EQ(stage.writer.applied.size(), 6U);
    stage.seen.change = [](execution::Kit& kit, TimePoint) {
        kit.node(Cluster12::node(3)).memory_pressure = false;
    };
    stage.reader.change = [&](const Request&, Live&) { *stage.boot = *stage.boot + minutes(1); };
    stage.now = stage.now + minutes(31);
    stage.rounds(2);
    ASSERT_GE(stage.writer.applied.size(), 8U);
    EXPECT_EQ(text_of(stage.writer.applied[6]), "lift quarantine of node-03");
    EXPECT_EQ(stage.writer.stamps[6].fresh, hours(24));
}

}  // namespace
}  // namespace parley
