#include "layers/explanation/answers/why_text.h"

#include "fake/disk.h"
#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;

std::string asked(fake::Disk& disk, WhyQuery query = {}) {
    query.run = "runs/x";
    auto reader = store::RunReader::open(disk, "run");
    EXPECT_TRUE(reader);
    const auto answer = why(*reader, query);
    return answer ? text_of(*answer) : "error: " + answer.error().message;
}

TEST(WhyText, a_contested_round) {
    fake::Disk disk;
    Round round(142, {seconds(426).us});
    kit::Recording recording(disk, "run", round.policy);
    round.risk(7).spoke.add(model::Signal::lease_slow);
    round.risk(7).missing.add(model::Signal::flaps);
    round.node(7).lease = round.lease(seconds(23));
    round.forecast.danger_because = "node-07 is over its own limit";
    recording.keep(round, round.all_sent());
    EXPECT_EQ(asked(disk), R"(Round 142, T+07:06, profile parley, mode act (simulated)

Agent A safety won: replicate node-07.
  Risk that it fails within 10 min: 0.86, by evidence.
  Waiting would cost 41.3 pod-minutes (0.86 x 48.0), acting 12.0.
  Acting averts 23.1 of it (x 0.70 effect x 0.80 in time) and pays from 1.1 x its cost: above risk
    0.25.
  What spoke for it
    lease 23s old (alone 0.10)
  Not seen: Ready flaps.

Who lost, and to which rule
  C admission   queue new batch pods    0.90  action-limit: 1 a round, and A safety came first:
                                              replicate node-07
  B efficiency  memory_balloon node-05  0.62  danger-blocks-efficiency: node-07 is over its own
                                              limit

Who wanted nothing
  D scaling     skipped: not in this build

What it knew: api 3s; assumed: start-up =30s of 1 workload (stakes.startup_assumed).
Missing: Ready flaps of node-07.
Danger: node-07 is over its own limit.
Guard: 12 of 12 passed; closest: nodes disrupted: 1 of 1 allowed.
Sent: mark node-07, quarantine node-07 and shop/web to 7; all answered ok.
What came of it: Censored: the record ends in round 142, before its score was due.

Closer: parley why runs/x --node node-07     Against: parley why-not runs/x queue --round 142
)");
}

TEST(WhyText, a_blind_round_says_what_was_missing_and_whom_that_kept_still) {
    fake::Disk disk;
    Round round(3, {seconds(9).us});
    kit::Recording recording(disk, "run", round.policy);
    round.decide_nothing("Nearest node-07: risk 0.86.",
                         "Missing: fresh CPU and memory use of all 12 workers; metrics failed.");
    round.decision.verdict.judged[0].proposal.evidence = {"risk", 0.86, "above", 0.9};
    round.decision.proposals[0] = round.decision.verdict.judged[0].proposal;
    round.judge(kit::replicate(), model::Refused{"coverage", "only 0 of 12 nodes have samples"});
    round.input.snapshot.sources.push_back({.source = model::Source::metrics,
                                            .condition = model::SourceCondition::failed,
                                            .reason = "no route to host"});
    for (int n = 1; n <= 12; ++n) {
        round.node(n).cpu_used_m = round.gap<std::int64_t>(model::Gap::source_failed);
    }
    recording.keep(round);
    const std::string text = asked(disk);
    EXPECT_NE(text.find("Nothing is done: A safety is refused, coverage.\n"), text.npos) << text;
    EXPECT_NE(text.find("Who was refused, and by which rule\n  A safety      replicate node-07  "
                        "0.86  coverage: only 0 of 12 nodes have samples\n"),
              text.npos)
        << text;
    EXPECT_NE(text.find("Missing: metrics failed: no route to host; CPU and memory use of all 12 "
                        "nodes (its source failed).\n"
                        "  That is why B efficiency was idle: what cannot be seen is not acted "
                        "on.\n"
                        "  That is why A safety was refused: the guard lets nothing rest on it.\n"),
              text.npos)
        << text;
}

TEST(WhyText, from_where_an_agent_acts_is_said_once_whatever_names_are_in_its_sentence) {
    const auto told = [](model::Proposal wish) {
        fake::Disk disk;
        Round round(3, {seconds(9).us});
        kit::Recording recording(disk, "run", round.policy);
        round.forget();
        round.judge(std::move(wish), model::Accepted{});
        recording.keep(round);
        return asked(disk);
    };
    const auto says = [](const std::string& text, const char* what) {
        return text.find(what) != std::string::npos;
    };
    model::Proposal wake = kit::balloon();
    wake.evidence = {"pods short of CPU", 9, "from", 1};
    wake.because = "9 pods wait for CPU while node from 12 sleeps.";
    EXPECT_TRUE(says(told(wake), "It acts from 1: 9 pods short of CPU.")) << told(wake);
    EXPECT_FALSE(says(told(kit::queue_pods()), "It acts")) << told(kit::queue_pods());
    EXPECT_FALSE(says(told(kit::balloon()), "It acts")) << told(kit::balloon());
    model::Proposal lift = kit::queue_pods();
    lift.evidence = {"pods short of CPU", 3, "below", 4};
    EXPECT_TRUE(says(told(lift), "It acts below 4: 3 pods short of CPU.")) << told(lift);
}

TEST(WhyText, what_would_be_sent_and_what_was_held) {
    for (const auto& [state, expected] :
         {std::pair(model::ActionState::would_send, "Agent A safety would: replicate node-07.\n"),
          std::pair(model::ActionState::held,
                    "Agent A safety won, but is held: replicate node-07.\n")}) {
        fake::Disk disk;
        Round round(3, {seconds(9).us});
        kit::Recording recording(disk, "run", round.policy);
        round.decision.first_steps[0].action.state = state;
        round.decision.first_steps[0].action.note = "the breaker is tripped";
        recording.keep(round);
        const std::string text = asked(disk);
        EXPECT_NE(text.find(expected), text.npos) << text;
        const bool would = state == model::ActionState::would_send;
        EXPECT_NE(text.find(would ? "Would have sent: mark node-07"
                                  : "Sent: nothing, it was held: the breaker is tripped."),
                  text.npos)
            << text;
    }
}

TEST(WhyText, what_dry_runs_were_answered) {
    const auto told = [](bool refused) {
        fake::Disk disk;
        Round round(3, {seconds(9).us});
        kit::Recording recording(disk, "run", round.policy);
        round.decision.first_steps[0].action.state = model::ActionState::would_send;
        std::vector events{round.answered(), round.seen(true), round.answered()};
        if (refused) events[1] = round.failed(ErrorCode::denied, "403, the fence says no");
        recording.keep(round, events);
        std::string line;  // However it is wrapped.
        for (const char c : asked(disk)) {
            const bool blank = c == ' ' || c == '\n';
            if (!blank || !line.ends_with(' ')) line += blank ? ' ' : c;
        }
        return line;
    };
    EXPECT_NE(told(false).find("Dry run: 3 of 3 would be accepted."), std::string::npos)
        << told(false);
    EXPECT_NE(told(true).find("Dry run: 2 of 3 would be accepted; quarantine node-07: dry run: "
                              "denied: 403, the fence says no."),
              std::string::npos)
        << told(true);
}

TEST(WhyText, another_predictor_than_was_asked_for_is_said) {
    fake::Disk disk;
    Round round(3, {seconds(9).us});
    kit::Recording recording(disk, "run", round.policy);
    round.forecast.instead = "xgboost was asked for and no model is loaded";
    recording.keep(round);
    const std::string said =
        "Predictor: xgboost was asked for and no model is loaded; evidence judged in its place.\n";
    EXPECT_NE(asked(disk).find(said), std::string::npos) << asked(disk);
    EXPECT_NE(asked(disk, {.node = "node-07"}).find(said), std::string::npos);
}

TEST(WhyText, a_node_is_told_moment_by_moment) {
    fake::Disk disk;
    Round round(1, {seconds(3).us});
    kit::Recording recording(disk, "run", round.policy);
    round.risk(7).risk = 0.01;
    round.decide_nothing("calm", "calm");
    recording.keep(round);
    Round next(2, {seconds(6).us});
    recording.keep(next, next.all_sent());
    EXPECT_EQ(
        asked(disk, {.node = "node-07"}),
        R"(node-07: highest risk 0.86 in round 2, over its own limit in 1 of 2 rounds; 1 action; in round 2
  Ready, risk 0.86 (acts above 0.25).

  round 1      T+00:03  Ready, risk 0.01 (acts above 0.25)
  round 2      T+00:06  Ready, risk 0.86 (acts above 0.25)
  round 2      T+00:06  A safety wanted replicate: accepted, 3 of 3 sent

Closer: parley why runs/x --round 2
)");
}

TEST(WhyText, lines_break_between_words) {
    EXPECT_EQ(wrapped("short", 2), "short");
    EXPECT_EQ(wrapped("  indented", 4), "  indented");
    const std::string word(60, 'x');
    EXPECT_EQ(wrapped(word + " " + word + " y", 2), word + "\n  " + word + " y");
    EXPECT_EQ(wrapped(std::string(150, 'x'), 2), std::string(150, 'x'));
    EXPECT_EQ(wrapped("", 2), "");
}

}  // namespace
}  // namespace parley::explanation
