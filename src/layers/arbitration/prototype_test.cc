#include "layers/arbitration/prototype.h"

#include "fake/small_round.h"
#include "layers/arbitration/referee.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace parley::arbitration {
namespace {

using namespace model;
using fake::node_id;
using fake::SmallRound;

Proposal a(Action action, double score) { return {Role::safety, action, node_id(1), score}; }
Proposal b(Action action, double score) { return {Role::efficiency, action, node_id(2), score}; }
Proposal c(AdmissionWish wish, double score) {
    return {Role::admission, Admission{wish}, WholeCluster{}, score};
}
Proposal cap(double score) { return {Role::admission, ResourceCap{}, node_id(3), score}; }
Proposal d(double score) {
    return {Role::scaling, Scale{{4, 6}}, fake::workload_id("shop", "web"), score};
}

struct Case {
    const char* name;
    std::vector<Proposal> proposals;
    std::string chosen;  ///< Its label; empty: nothing was chosen.
    std::string rule;
    std::string rationale;
    std::string losers;  ///< What each loser is told.
    int rivals = 0;
    bool carried_out = true;
};

using enum AdmissionWish;
const Action kSleep = PowerState{PowerWish::sleep};
const Action kOff = PowerState{PowerWish::off};
const Action kOn = PowerState{PowerWish::on};

const Case kCases[] = {
    {"step_0_nobody", {}, "", "nothing-proposed", "Nothing was proposed.", "", 0, false},
    {"step_1_all_idle",
     {b(Noop{}, 0.9), a(Noop{}, 0.1)},
     "AgentA:noop",
     "all-idle",
     "All agents are idle.",
     "",
     0,
     false},
    {"step_1_score_within_precedence",
     {{Role::safety, Noop{}, node_id(4), 0.2}, {Role::safety, Noop{}, node_id(5), 0.3}},
     "AgentA:noop",
     "all-idle",
     "All agents are idle.",
     "",
     0,
     false},
    {"step_2_replicate",
     {a(Replicate{}, 0.1), b(kSleep, 0.9), c(queue, 0.9)},
     "AgentA:replicate",
     "safety-first",
     "replicate node-01 of A safety preempts lower priorities.",
     "AgentB:power_state:sleep: the safety action replicate node-01 comes first; "
     "AgentC:admission:queue: the safety action replicate node-01 comes first; ",
     2},
    {"step_2_migrate",
     {a(Migrate{}, 0.1), c(admit, 1)},
     "AgentA:migrate",
     "safety-first",
     "migrate node-01 of A safety preempts lower priorities.",
     "AgentC:admission:admit: the safety action migrate node-01 comes first; ",
     0},
    {"step_2_throttle",
     {a(Throttle{}, 0.5), c(reject, 0.85), b(Noop{}, 0.2)},
     "AgentA:throttle",
     "safety-first",
     "throttle node-01 of A safety preempts lower priorities.",
     "AgentC:admission:reject: the safety action throttle node-01 comes first; ",
     1},
    {"step_2_needs_a",
     {{Role::efficiency, Migrate{}, node_id(2), 0.9}, c(queue, 0.1)},
     "AgentC:admission:queue",
     "protection-first",
     "admission:queue of C admission preempts efficiency.",
     "AgentB:migrate: protection beats non-safety; ",
     1},
    {"step_3_queue",
     {a(Noop{}, 0.4), b(kSleep, 0.99), c(queue, 0.9)},
     "AgentC:admission:queue",
     "protection-first",
     "admission:queue of C admission preempts efficiency.",
     "AgentB:power_state:sleep: protection beats non-safety; ",
     1},
    {"step_3_reject",
     {c(reject, 0.85), b(Dvfs{}, 0.9)},
     "AgentC:admission:reject",
     "protection-first",
     "admission:reject of C admission preempts efficiency.",
     "AgentB:dvfs: protection beats non-safety; ",
     1},
    {"step_3_deprioritize",
     {c(deprioritize, 0.95), a(Noop{}, 0)},
     "AgentC:admission:deprioritize",
     "protection-first",
     "admission:deprioritize of C admission preempts efficiency.",
     "",
     0},
    {"step_3_cap",
     {cap(1), b(MemoryBalloon{}, 0.6)},
     "AgentC:resource_cap",
     "protection-first",
     "resource_cap node-03 of C admission preempts efficiency.",
     "AgentB:memory_balloon: protection beats non-safety; ",
     1},
    {"step_3_needs_c",
     {{Role::efficiency, ResourceCap{}, node_id(2), 0.9}, b(Dvfs{}, 0.1)},
     "AgentB:dvfs",
     "efficiency-by-score",
     "dvfs node-02 has the highest score of efficiency actions.",
     "AgentB:resource_cap: a higher-scored power action won; ",
     1},
    {"step_4_admit_never_blocks",
     {a(Noop{}, 0.4), b(kSleep, 0.1), c(admit, 1)},
     "AgentB:power_state:sleep",
     "efficiency-by-score",
     "power_state:sleep node-02 has the highest score of efficiency actions.",
     "AgentC:admission:admit: a higher-scored power action won; ",
     0},
    {"step_4_highest_score",
     {b(kOff, 0.3), b(Dvfs{}, 0.5), b(MemoryBalloon{}, 0.4), b(kOn, 0.2)},
     "AgentB:dvfs",
     "efficiency-by-score",
     "dvfs node-02 has the highest score of efficiency actions.",
     "AgentB:power_state:off: a higher-scored power action won; AgentB:power_state:on: a "
     "higher-scored power action won; AgentB:memory_balloon: a higher-scored power action won; ",
     3},
    {"step_4_wake",
     {b(kOn, 0.2), c(admit, 1)},
     "AgentB:power_state:on",
     "efficiency-by-score",
     "power_state:on node-02 has the highest score of efficiency actions.",
     "AgentC:admission:admit: a higher-scored power action won; ",
     0},
    {"step_4_balloon",
     {b(MemoryBalloon{}, 0.57), a(Noop{}, 0.43), c(admit, 0.5)},
     "AgentB:memory_balloon",
     "efficiency-by-score",
     "memory_balloon node-02 has the highest score of efficiency actions.",
     "AgentC:admission:admit: a higher-scored power action won; ",
     0},
    {"step_5_admit",
     {a(Noop{}, 0.4), b(Noop{}, 0.3), c(admit, 1)},
     "AgentC:admission:admit",
     "fixed-priority",
     "admission:admit wins by fixed priority.",
     "",
     0,
     false},
    {"step_5_precedence_then_score",
     {d(0.9), c(admit, 0.5), {Role::admission, Admission{}, node_id(4), 0.6}},
     "AgentC:admission:admit",
     "fixed-priority",
     "admission:admit node-04 wins by fixed priority.",
     "AgentC:admission:admit: lower precedence; AgentD:scale: lower precedence; ",
     1,
     false},
    {"step_5_b_before_d",
     {d(0.9), {Role::efficiency, Throttle{}, node_id(2), 0.1}},
     "AgentB:throttle",
     "fixed-priority",
     "throttle node-02 wins by fixed priority.",
     "AgentD:scale: lower precedence; ",
     1},
    {"step_5_c_before_b",
     {c(admit, 0.1), {Role::efficiency, Throttle{}, node_id(2), 0.9}},
     "AgentC:admission:admit",
     "fixed-priority",
     "admission:admit wins by fixed priority.",
     "AgentB:throttle: lower precedence; ",
     1,
     false},
    {"step_5_a_before_c",
     {c(admit, 0.9), {Role::safety, Scale{{4, 5}}, node_id(2), 0.1}},
     "AgentA:scale",
     "fixed-priority",
     "scale node-02 wins by fixed priority.",
     "AgentC:admission:admit: lower precedence; ",
     0},
    {"step_5_scaling_alone",
     {d(0.9), a(Noop{}, 0)},
     "AgentD:scale",
     "fixed-priority",
     "scale shop/web wins by fixed priority.",
     "",
     0},
};

Verdict judge(SmallRound& round, std::vector<Proposal> proposals) {
    round.policy.profile = Profile::prototype;
    const guard::Facts facts(round.input, round.forecast, round.memory, round.policy);
    return Referee(round.policy).judge(facts, round.forecast, std::move(proposals));
}

std::string told(const Verdict& verdict) {
    std::string out;
    for (const Judged& judged : verdict.judged) {
        const auto* lost = std::get_if<Overridden>(&judged.fate);
        if (lost == nullptr) continue;
        EXPECT_EQ(lost->rule, verdict.rule);
        EXPECT_EQ(lost->by, chosen(verdict)->role);
        out += label_of(judged.proposal.role, judged.proposal.action) + ": " + lost->because + "; ";
    }
    return out;
}

TEST(Prototype, judges_step_by_step_whoever_answers_first) {
    for (const Case& tested : kCases) {
        SCOPED_TRACE(tested.name);
        std::vector<std::size_t> order(tested.proposals.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        do {
            std::vector<Proposal> proposals;
            for (const std::size_t i : order) proposals.push_back(tested.proposals[i]);
            SmallRound round;
            const Verdict verdict = judge(round, proposals);
            const Proposal* winner = chosen(verdict);
            EXPECT_EQ(winner == nullptr ? "" : label_of(winner->role, winner->action),
                      tested.chosen);
            EXPECT_EQ(verdict.rule, tested.rule);
            EXPECT_EQ(verdict.rationale, tested.rationale);
            EXPECT_EQ(told(verdict), tested.losers);
            EXPECT_EQ(verdict.rivals, tested.rivals);
            EXPECT_EQ(verdict.accepted.size(), tested.carried_out ? 1U : 0U);
            EXPECT_EQ(verdict.judged.size(), proposals.size());
            EXPECT_EQ(verdict.round, 100U);
            const Contest contest = !tested.carried_out  ? Contest::idle
                                    : tested.rivals == 0 ? Contest::uncontested
                                                         : Contest::contested;
            EXPECT_EQ(verdict.contest, contest);
        } while (std::ranges::next_permutation(order).found);
    }
}

TEST(Prototype, chooses_the_first_by_name_among_equals) {
    SmallRound round;
    Proposal late = b(kSleep, 0.5);
    late.target = node_id(8);
    EXPECT_EQ(chosen(judge(round, {late, b(kSleep, 0.5)}))->target, Target(node_id(2)));
}

TEST(Prototype, chooses_among_several_idle_by_precedence_and_score) {
    SmallRound round;
    EXPECT_EQ(chosen(judge(round, {b(Noop{}, 0.9), {Role::scaling, Noop{}, node_id(1), 1}}))->role,
              Role::efficiency);
    EXPECT_EQ(chosen(judge(round, {{Role::safety, Noop{}, node_id(4), 0.2},
                                   {Role::safety, Noop{}, node_id(5), 0.3}}))
                  ->target,
              Target(node_id(5)));
}

TEST(Prototype, lists_idle_ones_first_then_the_choice_then_the_losers) {
    SmallRound round;
    const Verdict verdict = judge(round, {c(queue, 0.9), a(Replicate{}, 0.9), b(Noop{}, 0.1)});
    ASSERT_EQ(verdict.judged.size(), 3U);
    EXPECT_TRUE(std::holds_alternative<Idle>(verdict.judged[0].fate));
    EXPECT_TRUE(std::holds_alternative<Accepted>(verdict.judged[1].fate));
    EXPECT_TRUE(std::holds_alternative<Overridden>(verdict.judged[2].fate));
}

TEST(Prototype, ranks_without_the_guard_but_says_what_is_held) {
    SmallRound round;
    round.input.controls.stop = true;
    const Verdict verdict = judge(round, {a(Replicate{}, 0.9), c(queue, 0.9), b(Noop{}, 0)});
    ASSERT_EQ(verdict.accepted.size(), 1U);
    const Refused stopped{"stop", "the kill switch was pressed"};
    EXPECT_EQ(verdict.judged[0].guard, GuardReport{});
    EXPECT_EQ(verdict.judged[1].guard.held, stopped);
    EXPECT_EQ(verdict.judged[1].guard.passed, 0);
    EXPECT_EQ(verdict.judged[1].guard.asked, 25);
    EXPECT_EQ(verdict.judged[2].guard.held, stopped);
    round.input.controls.stop = false;
    const Verdict free = judge(round, {a(Replicate{}, 0.9)});
    EXPECT_FALSE(free.judged[0].guard.held);
    EXPECT_EQ(free.judged[0].guard.passed, 25);
}

TEST(Prototype, refuses_scores_that_are_not_finite) {
    SmallRound round;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Verdict verdict = judge(round, {a(Replicate{}, nan), c(queue, 0.9)});
    EXPECT_EQ(chosen(verdict)->role, Role::admission);
    EXPECT_EQ(std::get<Refused>(verdict.judged[0].fate).rule, "finite-score");
    const Verdict none = judge(round, {a(Replicate{}, std::numeric_limits<double>::infinity())});
    EXPECT_EQ(none.rule, "nothing-proposed");
    EXPECT_EQ(none.judged.size(), 1U);
}

}  // namespace
}  // namespace parley::arbitration
