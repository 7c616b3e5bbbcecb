#include "layers/pipeline_stage_test.h"
#include "model/coded.h"

#include <algorithm>

namespace parley {
namespace {

/// Up to the round before one in which something would begin, in mode dry-run, with or without dry
/// runs; the third request will be refused, the second not needed.
void run_dry(Stage& stage, bool rehearses) {
    stage.mode = Mode::dry_run;
    stage.rehearses = rehearses;
    stage.rehearsal.script = {cluster::Rehearsed::accepted, cluster::Rehearsed::found_done,
                              fail(ErrorCode::denied, "403, the fence says no")};
    warm_up(stage);
}

TEST(Pipeline, dry_run_asks_what_each_request_would_be_answered_and_records_it) {
    Stage stage;
    run_dry(stage, true);
    stage.rounds(1);
    std::vector<std::string> asked;
    for (const Request& each : stage.rehearsal.asked) asked.push_back(text_of(each));
    EXPECT_EQ(asked, (std::vector<std::string>{"mark node-03", "quarantine node-03", "evict api-16",
                                               "evict web-13", "evict web-14", "evict web-15"}));
    EXPECT_EQ(stage.rehearsal.stamps[4].step, 4U);
    EXPECT_TRUE(stage.writer.asked.empty());
    EXPECT_TRUE(stage.ledger.history.empty());
    const auto& events = stage.recorder.events;
    ASSERT_EQ(events.size(), 6U);
    EXPECT_TRUE(std::get<Answered>(events[0].what).ok);
    EXPECT_TRUE(std::get<Seen>(events[1].what).live.applied);
    EXPECT_EQ(std::get<Answered>(events[2].what).message, "403, the fence says no");
    EXPECT_TRUE(std::get<Answered>(events[5].what).ok) << "a refusal does not end it";
    const auto published = std::ranges::find_if(
        stage.published, [](const auto& round) { return !round->events.empty(); });
    ASSERT_NE(published, stage.published.end());
    EXPECT_EQ((*published)->events, events);
}

TEST(Pipeline, dry_runs_change_no_decision) {
    Stage with;
    Stage without;
    run_dry(with, true);
    run_dry(without, false);
    with.rounds(10);
    without.rounds(10);
    ASSERT_EQ(with.recorder.rounds.size(), without.recorder.rounds.size());
    std::size_t folded = 0;
    for (std::size_t i = 0; i < with.recorder.rounds.size(); ++i) {
        const auto& kept = with.recorder.rounds[i];
        folded += kept.input.events.size();
        EXPECT_TRUE(same(kept.decision, without.recorder.rounds[i].decision)) << "round " << i;
        EXPECT_TRUE(same(kept.next, without.recorder.rounds[i].next)) << "round " << i;
    }
    EXPECT_EQ(folded, with.recorder.events.size()) << "the record of a round has them";
}

TEST(Pipeline, dry_runs_end_with_a_stop_and_with_a_record_that_fails) {
    Stage stopped;
    stopped.rehearsal.on_rehearse = [&] { stopped.stop = true; };
    run_dry(stopped, true);
    stopped.rounds(3);
    EXPECT_EQ(stopped.rehearsal.asked.size(), 1U);
    Stage broken;
    broken.rehearsal.on_rehearse = [&] { broken.recorder.fails_from = broken.recorder.calls + 1; };
    run_dry(broken, true);
    EXPECT_FALSE(broken.round());
    EXPECT_EQ(broken.rehearsal.asked.size(), 1U);
}

}  // namespace
}  // namespace parley
