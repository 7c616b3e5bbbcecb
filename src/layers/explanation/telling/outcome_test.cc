#include "layers/explanation/telling/outcome.h"

#include "fake/small_round.h"
#include "layers/explanation/telling/narrator.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using fake::node_id;

model::OpenScore migrating() {
    model::OpenScore open;
    open.id = {7, 16};
    open.round = 16;
    open.action = model::Migrate{};
    open.target = node_id(7);
    open.opened = {seconds(48).us};
    open.due = {minutes(32).us};
    open.observed[model::Role::safety] = 1'200'000;
    open.samples = 40;
    open.notes = {{16, node_id(7), "emptied"},
                  {30, fake::workload_id("shop", "web"), "scaled from 4 to 2 by others"},
                  {71, node_id(7), "failed"}};
    return open;
}

TEST(Outcome, notes_are_told_by_leaf_in_order) {
    EXPECT_EQ(notes_text(migrating().notes, node_id(7)),
              "node-07 emptied in round 16, failed in round 71; shop/web scaled from 4 to 2 by "
              "others in round 30");
    EXPECT_EQ(notes_text(migrating().notes, fake::workload_id("shop", "web")),
              "shop/web scaled from 4 to 2 by others in round 30; node-07 emptied in round 16, "
              "failed in round 71");
    EXPECT_EQ(notes_text({}, node_id(7)), "");
}

TEST(Outcome, before_it_is_due_it_says_when_and_what_is_known) {
    model::OpenScore open = migrating();
    EXPECT_EQ(open_line(open, true),
              "due at T+32:00; so far it cost 1.2 pod-minutes over 40 readings");
    open.due = {};
    open.samples = 0;
    EXPECT_EQ(open_line(open, true), "its effect is not confirmed yet; nothing of it was read yet");
}

TEST(Outcome, a_cost_of_which_too_little_was_read_is_not_known) {
    struct Row {
        std::int64_t samples;
        std::int64_t gaps;
        std::string known;
    };
    const Row rows[] = {
        {40, 10, "so far it cost 1.2 pod-minutes over 40 readings"},
        {40, 11,
         "what it cost so far is not known: only 78% of its readings were there, 80% are needed"},
        {15, 407,
         "what it cost so far is not known: only 3% of its readings were there, 80% are needed"},
        {0, 407, "nothing of it was read yet"},
    };
    for (const Row& row : rows) {
        model::OpenScore open = migrating();
        open.samples = row.samples;
        open.gaps = row.gaps;
        EXPECT_EQ(open_line(open, true), "due at T+32:00; " + row.known);
        EXPECT_TRUE(censored(open, 300, {minutes(20).us}, store::RunStatus::complete)
                        .because.ends_with("; " + row.known));
    }
}

TEST(Outcome, the_end_of_a_record_closes_it_with_what_was_seen) {
    struct Row {
        TimePoint due;
        TimePoint now;
        store::RunStatus status;
        std::string because;
    };
    const std::string seen = "; so far it cost 1.2 pod-minutes over 40 readings";
    const Row rows[] = {
        {{minutes(32).us},
         {minutes(20).us},
         store::RunStatus::complete,
         "the run ended in round 300, 12 min before its score was due"},
        {{minutes(32).us},
         {minutes(20).us},
         store::RunStatus::running,
         "the record ends in round 300, 12 min before its score was due"},
        {{},
         {minutes(20).us},
         store::RunStatus::stopped,
         "the run ended in round 300, before its effect was confirmed"},
        {{minutes(32).us},
         {},
         store::RunStatus::failed,
         "the run ended in round 300, before its score was due"},
    };
    for (const Row& row : rows) {
        model::OpenScore open = migrating();
        open.due = row.due;
        const model::ClosedScore score = censored(open, 300, row.now, row.status);
        EXPECT_EQ(score.state, model::ScoreState::censored);
        EXPECT_EQ(score.because, row.because + seen);
        EXPECT_EQ(score.observed, open.observed);
        EXPECT_EQ(score.notes, open.notes);
        EXPECT_EQ(score.closed, 300U);
        EXPECT_FALSE(score.twin_error);
        EXPECT_EQ(score_line(score), "censored in round 16: " + row.because + seen);
    }
}

}  // namespace
}  // namespace parley::explanation
