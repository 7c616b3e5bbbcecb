#include "layers/decide.h"

#include "guard/guard.h"
#include "layers/arbitration/referee.h"
#include "layers/execution/action_machine.h"
#include "layers/execution/round_kit_test.h"
#include "model/coded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace parley {
namespace {

using namespace model;
using execution::Cluster12;
using execution::kNow;

std::string fate_text(const Judged& judged) {
    const std::string who(enum_name(judged.proposal.role));
    const std::string what = " " + text_of(judged.proposal.action) + ": ";
    if (std::holds_alternative<Accepted>(judged.fate)) return who + what + "accepted";
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) return who + what + lost->rule;
    if (const auto* no = std::get_if<Refused>(&judged.fate)) return who + what + "no, " + no->rule;
    return who + what + "idle";
}

std::string fates(const Decision& decision) {
    std::string out;
    for (const Judged& judged : decision.verdict.judged) out += fate_text(judged) + "; ";
    return out;
}

/// The answers of a cluster that accepts every step of a round.
std::vector<ActionEvent> answers_to(const Decision& decision, TimePoint now) {
    std::vector<ActionEvent> events;
    for (Step step : decision.first_steps) {
        for (;;) {
            const DecisionId id = step.action.id;
            Live live{.exists = true, .uid = step.action.uid, .version = 1, .ready = 1000};
            if (step.action.at > 0) live.mark = id;
            const bool over = step.action.at >= step.action.plan.size();
            const auto* evict =
                over ? nullptr : std::get_if<EvictPod>(&step.action.plan[step.action.at].request);
            if (evict != nullptr) live.uid = evict->pod;
            if (std::holds_alternative<Read>(step.next)) {
                events.push_back({id, now, Seen{live, ""}});
            } else if (std::holds_alternative<Send>(step.next)) {
                events.push_back({id, now, Answered{}});
            } else {
                break;
            }
            step = execution::advance(std::move(step.action), events.back());
        }
    }
    return events;
}

/// Runs rounds by `decide` alone.
struct Story {
    Cluster12 cluster;
    Memory memory;
    Decision last;
    RoundInput input;

    Story() { memory.derived.rounds = 0; }

    const Decision& round() {
        input = cluster.next();
        Outcome outcome = decide(input, memory, cluster.kit.policy);
        last = std::move(outcome.decision);
        memory = std::move(outcome.next);
        cluster.kit.input.events = answers_to(last, input.now);
        return last;
    }
    void rounds(int n) {
        for (int i = 0; i < n; ++i) round();
    }
};

/// A node shows signs of failing, and Jobs find no room.
Story troubled() {
    Story run;
    run.rounds(6);
    run.cluster.add_queue(20);
    run.cluster.change = [](execution::Kit& kit, TimePoint now) {
        execution::ails(kit, Cluster12::node(3), now);
    };
    return run;
}

TEST(Decide, gives_the_same_bits_from_the_same_arguments) {
    Story run = troubled();
    for (int i = 0; i < 20; ++i) {
        const Memory before = run.memory;
        run.round();
        // Through the codec, so that it shares nothing with the first time.
        const auto input = decode<RoundInput>(encode(run.input));
        const auto memory = decode<Memory>(encode(before));
        ASSERT_TRUE(input && memory);
        const Outcome again = decide(*input, *memory, run.cluster.kit.policy);
        EXPECT_TRUE(same(again.decision, run.last)) << "round " << i;
        EXPECT_TRUE(same(again.next, run.memory)) << "round " << i;
    }
}

TEST(Decide, numbers_its_decision_and_hands_on_its_memory) {
    Story run;
    run.round();
    EXPECT_EQ(run.last.round, run.input.round);
    EXPECT_FALSE(run.last.id.none());
    const DecisionId first = run.last.id;
    EXPECT_EQ(run.memory.derived.rounds, 1U);
    EXPECT_EQ(run.memory.derived.nodes_counted, 12);
    run.round();
    EXPECT_NE(run.last.id, first);
    EXPECT_EQ(run.memory.derived.rounds, 2U);
}

TEST(Decide, gives_every_proposal_exactly_one_fate) {
    Story run = troubled();
    for (int i = 0; i < 10; ++i) {
        run.round();
        ASSERT_EQ(run.last.verdict.judged.size(), run.last.proposals.size());
        for (const Proposal& proposal : run.last.proposals) {
            EXPECT_EQ(std::ranges::count(run.last.verdict.judged, proposal, &Judged::proposal), 1);
        }
    }
}

TEST(Decide, does_not_depend_on_who_answered_first) {
    Story run = troubled();
    run.rounds(4);
    const guard::Facts facts(run.input, run.last.forecast, run.memory, run.cluster.kit.policy);
    const arbitration::Referee referee(run.cluster.kit.policy);
    std::vector<Proposal> proposals = run.last.proposals;
    std::ranges::sort(proposals, {}, &Proposal::role);
    const Verdict before = referee.judge(facts, run.last.forecast, proposals);
    while (std::ranges::next_permutation(proposals, {}, &Proposal::role).found) {
        EXPECT_TRUE(same(referee.judge(facts, run.last.forecast, proposals), before));
    }
}

TEST(Decide, safety_goes_first_and_admission_in_the_next_round) {
    Story run;
    run.rounds(6);
    run.cluster.change = [](execution::Kit& kit, TimePoint now) {
        execution::ails(kit, Cluster12::node(3), now);
    };
    run.round();  // Once over its limit is not enough.
    EXPECT_TRUE(run.last.verdict.accepted.empty()) << fates(run.last);
    run.cluster.add_queue(20);
    run.round();
    EXPECT_EQ(fates(run.last),
              "efficiency noop: idle; scaling noop: idle; safety migrate: accepted; "
              "admission admission:queue: action-limit; ");
    EXPECT_EQ(run.memory.ledger.open[0].target, Target(execution::node_id("node-03")));
    EXPECT_EQ(run.memory.derived.windows[0].loser, "AgentC:admission:queue");
    run.round();
    ASSERT_EQ(run.last.verdict.accepted.size(), 1U) << fates(run.last);
    EXPECT_EQ(run.last.verdict.accepted[0].role, Role::admission);
    EXPECT_EQ(run.memory.ledger.orders.size(), 1U);
}

/// The node is on cool-down all the time, so its safety action is refused in every round. The
/// prototype's referee would have let it silence everyone else for ever.
TEST(Decide, safety_on_cool_down_for_100_rounds_and_admission_still_acts) {
    Story run = troubled();
    run.cluster.kit.policy.guard.cool_down_gentle = seconds(30);
    run.cluster.kit.policy.admission.order_lasts = seconds(30);
    const Target node = execution::node_id("node-03");
    for (const ActionKind kind :
         {ActionKind::replicate, ActionKind::migrate, ActionKind::throttle}) {
        run.memory.ledger.cool_downs.push_back({node, kind, kNow + hours(2)});
    }
    int refused = 0;
    int admissions = 0;
    for (int i = 0; i < 100; ++i) {
        run.round();
        for (const Judged& judged : run.last.verdict.judged) {
            const auto* no = std::get_if<Refused>(&judged.fate);
            if (judged.proposal.role == Role::safety) {
                EXPECT_FALSE(std::holds_alternative<Accepted>(judged.fate)) << fates(run.last);
                if (no != nullptr && no->rule == "cool-down") ++refused;
            }
        }
        for (const Proposal& accepted : run.last.verdict.accepted) {
            EXPECT_EQ(accepted.role, Role::admission);
            ++admissions;
        }
    }
    EXPECT_GE(refused, 98) << fates(run.last);  // From the second round over the limit.
    EXPECT_GE(admissions, 5) << fates(run.last);
}

TEST(Decide, observe_ends_as_would_send) {
    Story run = troubled();
    run.cluster.kit.input.controls.mode = Mode::observe;
    std::size_t would = 0;
    for (int i = 0; i < 6; ++i) {
        run.round();
        for (const Step& step : run.last.first_steps) {
            EXPECT_EQ(step.action.state, ActionState::would_send);
            ++would;
        }
    }
    EXPECT_GT(would, 0U);
    EXPECT_TRUE(run.memory.ledger.open.empty());
    EXPECT_FALSE(run.last.score.ours);
}

TEST(Decide, the_prototype_earns_by_its_own_reckoning_and_only_it) {
    Story run = troubled();
    run.round();
    EXPECT_FALSE(run.last.score.prototype);
    run.cluster.kit.policy.profile = Profile::prototype;
    run.cluster.kit.policy.predictor = PredictorKind::formula;
    run.round();
    EXPECT_TRUE(run.last.score.prototype);
}

}  // namespace
}  // namespace parley
