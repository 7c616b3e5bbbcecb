#include "layers/arbitration/referee.h"

#include "base/random.h"
#include "fake/small_round.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace parley::arbitration {
namespace {

using namespace model;
using fake::node_id;
using fake::SmallRound;
using fake::workload_id;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Proposal replicate(double score, int node = 1) {
    return {Role::safety, Replicate{}, node_id(node), score, {}, "risk 0.86"};
}
Proposal migrate(double score, int node = 1) {
    return {Role::safety, Migrate{}, node_id(node), score, {}, "risk 0.86"};
}
Proposal throttle(double score, int node = 1) {
    return {Role::safety, Throttle{}, node_id(node), score, {}, "risk 0.6"};
}
Proposal balloon(double score, int node = 5) {
    return {Role::efficiency, MemoryBalloon{}, node_id(node), score, {}, "demand 0.4"};
}
Proposal dvfs(double score, int node = 6) {
    return {Role::efficiency, Dvfs{}, node_id(node), score, {}, "demand 0.2"};
}
Proposal power(PowerWish state, double score, int node = 9) {
    return {Role::efficiency, PowerState{state}, node_id(node), score, {}, "demand 0.1"};
}
Proposal queue(double score, Role role = Role::admission) {
    return {role, Admission{AdmissionWish::queue}, WholeCluster{}, score, {}, "9 pods wait"};
}
Proposal cap(double score) {
    return {Role::admission, ResourceCap{}, WholeCluster{}, score, {}, "130 pods wait"};
}
Proposal admit(double score) {
    return {Role::admission, Admission{}, WholeCluster{}, score, {}, "nobody waits"};
}
Proposal scale(int from, int to, double score) {
    return {Role::scaling, Scale{{from, to}}, workload_id("shop", "web"), score, {}, "CPU 84%"};
}
Proposal noop(Role role) { return {role, Noop{}, WholeCluster{}, 0, {}, "all is well"}; }

std::string text_of_fate(const Judged& judged) {
    const std::string who(enum_name(judged.proposal.role));
    if (std::holds_alternative<Accepted>(judged.fate)) return who + ": accepted";
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) {
        return who + ": lost to " + std::string(enum_name(lost->by)) + ", " + lost->rule;
    }
    if (const auto* refused = std::get_if<Refused>(&judged.fate)) {
        return who + ": refused, " + refused->rule;
    }
    return who + ": idle";
}

Verdict judge(const SmallRound& round, std::vector<Proposal> proposals) {
    const guard::Facts facts(round.input, round.forecast, round.memory, round.policy);
    return Referee(round.policy).judge(facts, round.forecast, std::move(proposals));
}

std::vector<std::string> fates(const Verdict& verdict) {
    std::vector<std::string> out;
    for (const Judged& judged : verdict.judged) out.push_back(text_of_fate(judged));
    return out;
}

struct Case {
    const char* name;
    std::vector<Proposal> proposals;
    std::vector<std::string> fates;  ///< Refused and idle first, then by rank.
    int limit = 4;
    bool danger = false;
    void (*spoil)(SmallRound&) = [](SmallRound&) {};
};

void PrintTo(const Case& tested, std::ostream* out) { *out << tested.name; }

class RefereeJudges : public ::testing::TestWithParam<Case> {};

TEST_P(RefereeJudges, by_the_rules) {
    const Case& c = GetParam();
    SmallRound round;
    round.policy.actions_per_round_max = c.limit;
    round.forecast.danger = c.danger;
    round.forecast.danger_because = c.danger ? "node-01 is over its own limit" : "";
    c.spoil(round);
    const Verdict verdict = judge(round, c.proposals);
    EXPECT_EQ(fates(verdict), c.fates);
    EXPECT_EQ(verdict.round, 100U);
}

void tripped(SmallRound& round) { round.memory.ledger.breaker.tripped = true; }
void cooling(SmallRound& round) {
    round.memory.ledger.cool_downs.push_back(
        {node_id(1), ActionKind::replicate, round.input.now + minutes(3)});
}
void asleep(SmallRound& round) { round.node(9).power = Power::sleep; }
void two_risky(SmallRound& round) { round.fold(2).over = 0xff; }

const Case kCases[] = {
    {"nobody", {}, {}},
    {"all_idle",
     {noop(Role::safety), noop(Role::efficiency), admit(1)},
     {"safety: idle", "efficiency: idle", "admission: idle"}},
    {"rank_beats_score",
     {balloon(0.9), scale(4, 6, 0.8), queue(0.7), throttle(0.6, 1)},
     {"safety: accepted", "admission: accepted", "scaling: lost to safety, same-target",
      "efficiency: accepted"}},
    {"ranks_in_full",
     {dvfs(0.99), scale(4, 6, 0.8), cap(0.1), balloon(0.5)},
     {"admission: accepted", "scaling: accepted", "efficiency: accepted", "efficiency: accepted"}},
    {"score_within_a_rank",
     {balloon(0.4), dvfs(0.6)},
     {"efficiency: accepted", "efficiency: lost to efficiency, action-limit"},
     1},
    {"scaling_down_ranks_with_efficiency_below",
     {balloon(0.6), scale(4, 3, 0.5)},
     {"efficiency: accepted", "scaling: accepted"},
     1},
    {"scaling_down_ranks_with_efficiency_above",
     {balloon(0.6), scale(4, 3, 0.7)},
     {"scaling: accepted", "efficiency: accepted"},
     1},
    {"scaling_up_ranks_before_efficiency",
     {balloon(0.6), scale(4, 5, 0.1)},
     {"scaling: accepted", "efficiency: accepted"},
     1},
    {"scaling_to_the_same_is_not_up",
     {balloon(0.6), scale(4, 4, 0.1)},
     {"efficiency: accepted", "scaling: accepted"},
     1},
    {"danger_is_named_before_a_rival",
     {throttle(0.9), {Role::efficiency, MemoryBalloon{}, node_id(1), 0.5}},
     {"safety: accepted", "efficiency: lost to safety, danger-blocks-efficiency"},
     4,
     true},
    {"waking_ranks_with_scaling_up",
     {balloon(0.6), power(PowerWish::on, 0.1)},
     {"efficiency: accepted", "efficiency: lost to safety, danger-blocks-efficiency"},
     4,
     true,
     asleep},
    {"protection_before_scaling_up",
     {scale(4, 5, 0.9), queue(0.1)},
     {"admission: accepted", "scaling: accepted"},
     1},
    {"safety_before_protection",
     {queue(0.9), throttle(0.1)},
     {"safety: accepted", "admission: lost to safety, action-limit"},
     1},
    {"plain_admit_is_idle", {admit(1), balloon(0.1)}, {"admission: idle", "efficiency: accepted"}},
    {"refused_safety_blocks_nobody",
     {replicate(0.9), queue(0.8), balloon(0.7)},
     {"safety: refused, cool-down", "admission: accepted",
      "efficiency: lost to admission, action-limit"},
     1,
     false,
     cooling},
    {"danger_blocks_efficiency",
     {balloon(0.9), queue(0.2)},
     {"admission: accepted", "efficiency: lost to safety, danger-blocks-efficiency"},
     4,
     true},
    {"danger_blocks_scaling_down_only",
     {scale(4, 3, 0.9)},
     {"scaling: lost to safety, danger-blocks-efficiency"},
     4,
     true},
    {"danger_lets_scale_up", {scale(4, 5, 0.9)}, {"scaling: accepted"}, 4, true},
    {"danger_lets_safety_act", {migrate(0.9)}, {"safety: accepted"}, 4, true},
    {"tripped_breaker_is_danger",
     {balloon(0.9), throttle(0.3)},
     {"safety: accepted", "efficiency: lost to safety, danger-blocks-efficiency"},
     4,
     false,
     tripped},
    {"same_target",
     {throttle(0.9, 5), balloon(0.7, 5), dvfs(0.6, 6)},
     {"safety: accepted", "efficiency: lost to safety, same-target", "efficiency: accepted"},
     4,
     false,
     [](SmallRound& r) { r.fold(5).over = 0xff; }},
    {"workload_on_the_node_is_the_same_target",
     {balloon(0.7, 2), scale(4, 3, 0.6)},
     {"efficiency: accepted", "scaling: lost to efficiency, same-target"}},
    {"node_under_the_workload_is_too",
     {balloon(0.5, 2), scale(4, 3, 0.6)},
     {"scaling: accepted", "efficiency: lost to scaling, same-target"}},
    {"workload_elsewhere_is_not",
     {balloon(0.7, 5), scale(4, 3, 0.6)},
     {"efficiency: accepted", "scaling: accepted"}},
    {"limit_of_two",
     {throttle(0.9), queue(0.8), balloon(0.7)},
     {"safety: accepted", "admission: accepted", "efficiency: lost to safety, action-limit"},
     2},
    {"limit_of_none", {queue(0.8)}, {"admission: lost to admission, action-limit"}, 0},
    {"one_disruption_a_round",
     {migrate(0.9, 1), migrate(0.8, 2), queue(0.7)},
     {"safety: accepted", "safety: lost to safety, one-at-a-time", "admission: accepted"},
     4,
     false,
     two_risky},
    {"the_limit_of_a_round_is_named_before_that",
     {migrate(0.9, 1), migrate(0.8, 2)},
     {"safety: accepted", "safety: lost to safety, action-limit"},
     1,
     false,
     two_risky},
    {"one_disruption_behind_a_gentle_one",
     {throttle(0.95, 2), migrate(0.9, 1), power(PowerWish::sleep, 0.8), balloon(0.1)},
     {"safety: accepted", "safety: accepted", "efficiency: lost to safety, one-at-a-time",
      "efficiency: accepted"},
     4,
     false,
     two_risky},
    {"nan",
     {replicate(kNan), queue(0.1)},
     {"safety: refused, finite-score", "admission: accepted"}},
    {"infinity",
     {queue(kInfinity), dvfs(-kInfinity), balloon(0.1)},
     {"efficiency: refused, finite-score", "admission: refused, finite-score",
      "efficiency: accepted"}},
    {"a_noop_needs_no_score",
     {{Role::safety, Noop{}, WholeCluster{}, kNan, {}, "no data"}},
     {"safety: idle"}},
    {"equal_scores_go_by_name",
     {balloon(0.5, 6), balloon(0.5, 5)},
     {"efficiency: accepted", "efficiency: lost to efficiency, action-limit"},
     1},
    {"safety_in_another_name_is_not_safety",
     {{Role::efficiency, Migrate{}, node_id(1), 0.9, {}, "mine"}, queue(0.1)},
     {"admission: accepted", "efficiency: lost to admission, action-limit"},
     1},
    {"a_power_down_is_no_safety",
     {{Role::safety, PowerState{PowerWish::off}, node_id(9), 0.9, {}, "mine"}, queue(0.1)},
     {"admission: accepted", "safety: lost to admission, action-limit"},
     1},
    {"protection_in_another_name_is_not_protection",
     {queue(0.9, Role::efficiency), scale(4, 5, 0.1)},
     {"scaling: accepted", "efficiency: accepted"},
     1},
};

INSTANTIATE_TEST_SUITE_P(Cases, RefereeJudges, ::testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Referee, prefers_the_first_by_name_among_equals) {
    SmallRound round;
    const Verdict verdict = judge(round, {balloon(0.5, 6), balloon(0.5, 5)});
    ASSERT_EQ(verdict.accepted.size(), 1U);
    EXPECT_EQ(verdict.accepted[0].target, Target(node_id(5)));
}

TEST(Referee, ranks_many_equals_by_name) {
    const SmallRound round(40);
    std::vector<Proposal> proposals;
    for (int i = 40; i >= 1; --i) proposals.push_back(balloon(0.5, i));
    const Verdict verdict = judge(round, proposals);
    ASSERT_EQ(verdict.judged.size(), 40U);
    for (int i = 1; i <= 40; ++i) {
        EXPECT_EQ(verdict.judged[static_cast<std::size_t>(i - 1)].proposal.target,
                  Target(node_id(i)));
    }
}

TEST(Referee, says_who_won_over_whom_and_why) {
    SmallRound round;
    round.forecast.danger = true;
    round.forecast.danger_because = "node-01 is over its own limit";
    const Verdict verdict =
        judge(round, {replicate(0.86), queue(0.9), scale(4, 6, 0.7), balloon(0.6), admit(1)});
    EXPECT_EQ(verdict.rule, "safety-first");
    EXPECT_EQ(verdict.rationale,
              "A safety won with replicate node-01: safety goes first; overruled C admission "
              "(action-limit), D scaling (same-target) and B efficiency "
              "(danger-blocks-efficiency).");
    EXPECT_EQ(verdict.contest, Contest::contested);
    EXPECT_EQ(verdict.rivals, 3);
    ASSERT_NE(chosen(verdict), nullptr);
    EXPECT_EQ(*chosen(verdict), verdict.accepted.at(0));
    std::string told;
    for (const Judged& judged : verdict.judged) {
        if (const auto* lost = std::get_if<Overridden>(&judged.fate)) told += lost->because + "; ";
    }
    EXPECT_EQ(told,
              "1 a round, and A safety came first: replicate node-01; A safety already changes "
              "shop/web: replicate node-01; node-01 is over its own limit; ");
}

TEST(Referee, says_by_which_rule_each_rank_wins) {
    const SmallRound round;
    const auto said = [&](const Proposal& proposal) {
        const Verdict verdict = judge(round, {proposal});
        EXPECT_EQ(verdict.contest, Contest::uncontested);
        EXPECT_EQ(verdict.rivals, 0);
        return verdict.rule + ": " + verdict.rationale;
    };
    const std::string alone = ": nobody who may act wanted anything else.";
    EXPECT_EQ(said(throttle(0.5)), "safety-first: A safety won with throttle node-01" + alone);
    EXPECT_EQ(said(queue(0.5)), "protection-first: C admission won with admission:queue" + alone);
    EXPECT_EQ(said(scale(4, 5, 0.5)), "capacity-first: D scaling won with scale shop/web" + alone);
    EXPECT_EQ(said(dvfs(0.5)), "best-score: B efficiency won with dvfs node-06" + alone);
}

TEST(Referee, says_in_words_why_a_rank_wins) {
    SmallRound round;
    const auto said = [&](std::vector<Proposal> proposals) {
        return judge(round, std::move(proposals)).rationale;
    };
    EXPECT_EQ(said({queue(0.5), dvfs(0.9)}),
              "C admission won with admission:queue: admission protection goes before capacity; "
              "overruled B efficiency (action-limit).");
    round.node(9).power = Power::sleep;
    EXPECT_EQ(
        said({power(PowerWish::on, 0.5), dvfs(0.9)}),
        "B efficiency won with power_state:on node-09: adding capacity goes before saving it; "
        "overruled B efficiency (action-limit).");
    EXPECT_EQ(said({balloon(0.5), dvfs(0.9)}),
              "B efficiency won with dvfs node-06: the highest score wins; overruled B efficiency "
              "(action-limit).");
}

TEST(Referee, scales_many_workloads_in_a_round_up_to_a_limit_of_their_own) {
    SmallRound round;
    round.policy.scales_per_round_max = 3;
    std::vector<Proposal> wanted{migrate(0.9), throttle(0.1)};
    for (const char* name : {"a", "b", "c", "d"}) {
        round.add_workload(workload_id("shop", name), 4);
        wanted.push_back({Role::scaling, Scale{{4, 5}}, workload_id("shop", name), 0.5});
    }
    const Verdict verdict = judge(round, wanted);
    EXPECT_EQ(fates(verdict), (std::vector<std::string>{
                                  "safety: accepted", "safety: lost to safety, same-target",
                                  "scaling: accepted", "scaling: accepted", "scaling: accepted",
                                  "scaling: lost to safety, scale-limit"}));
    EXPECT_EQ(verdict.accepted.size(), 4U);
}

TEST(Referee, scales_down_no_more_of_all_than_the_guard_allows_in_a_round) {
    SmallRound round;
    round.input.snapshot.workloads.for_each(
        [&](Slot slot, const WorkloadRow&) { round.workload(slot).wanted = 0; });
    std::vector<Proposal> wanted;
    for (const char* name : {"a", "b"}) {
        round.add_workload(workload_id("shop", name), 10);
        wanted.push_back({Role::scaling, Scale{{10, 6}}, workload_id("shop", name), 0.5});
    }
    EXPECT_EQ(
        fates(judge(round, wanted)),
        (std::vector<std::string>{"scaling: accepted", "scaling: lost to scaling, scale-down"}));
}

TEST(Referee, says_why_nothing_is_done) {
    SmallRound round;
    const auto said = [&](std::vector<Proposal> proposals) {
        const Verdict verdict = judge(round, std::move(proposals));
        EXPECT_EQ(verdict.contest, Contest::idle);
        EXPECT_EQ(chosen(verdict), nullptr);
        return verdict.rule + ": " + verdict.rationale;
    };
    EXPECT_EQ(said({}), "nothing-proposed: Nothing was proposed.");
    EXPECT_EQ(said({noop(Role::safety), admit(1)}), "all-idle: Nobody wants to change anything.");
    round.input.controls.stop = true;
    EXPECT_EQ(said({noop(Role::safety), queue(1)}),
              "all-refused: Nothing is done: C admission wanted admission:queue, refused by stop: "
              "the kill switch was pressed.");
    round.input.controls.stop = false;
    round.forecast.danger = true;
    round.forecast.danger_because = "node-01 is over its own limit";
    EXPECT_EQ(said({noop(Role::safety), dvfs(1)}),
              "danger-blocks-efficiency: Nothing is done: B efficiency wanted dvfs node-06, "
              "overruled by danger-blocks-efficiency: node-01 is over its own limit.");
    round.forecast.danger = false;
    round.memory.ledger.breaker = {.tripped = true, .because = "4 of 12 are bad"};
    EXPECT_EQ(said({dvfs(1)}),
              "danger-blocks-efficiency: Nothing is done: B efficiency wanted dvfs node-06, "
              "overruled by danger-blocks-efficiency: the breaker is tripped: 4 of 12 are bad.");
    round.memory.ledger.breaker = {};
    round.policy.actions_per_round_max = 0;
    EXPECT_EQ(said({queue(1)}),
              "action-limit: Nothing is done: C admission wanted admission:queue, overruled by "
              "action-limit: 0 a round.");
}

TEST(Referee, reports_what_the_guard_said) {
    SmallRound round;
    cooling(round);
    const Verdict verdict = judge(round, {replicate(0.9), throttle(0.8), noop(Role::efficiency)});
    ASSERT_EQ(verdict.judged.size(), 3U);
    EXPECT_EQ(verdict.judged[0].guard.asked, 25);
    EXPECT_EQ(verdict.judged[0].guard.passed, 14);
    EXPECT_EQ(verdict.judged[1].guard, GuardReport{});
    EXPECT_EQ(verdict.judged[2].guard.passed, 13);
    EXPECT_EQ(verdict.judged[2].guard.closest,
              "rounds over its own risk limit: 2 of the last 3, 2 needed");
}

TEST(Referee, ignores_the_order_of_arrival) {
    for (const int limit : {1, 2, 9}) {
        SmallRound round;
        round.policy.actions_per_round_max = limit;
        std::vector<Proposal> proposals = {replicate(kNan),  balloon(0.5), queue(kInfinity),
                                           scale(4, 3, 0.5), dvfs(0.5),    admit(0.5),
                                           throttle(0.5)};
        std::vector<std::size_t> order(proposals.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        const Verdict first = judge(round, proposals);
        while (std::ranges::next_permutation(order).found) {
            std::vector<Proposal> shuffled;
            for (const std::size_t i : order) shuffled.push_back(proposals[i]);
            const Verdict verdict = judge(round, shuffled);
            ASSERT_EQ(fates(verdict), fates(first));
            ASSERT_EQ(verdict.accepted, first.accepted);
            ASSERT_EQ(verdict.rationale, first.rationale);
        }
    }
}

Proposal drawn(std::uint64_t index) {
    const auto bits = draw128(21, Stream::policy, 0, index);
    const Action actions[] = {Noop{},
                              Replicate{},
                              Migrate{},
                              Throttle{},
                              PowerState{PowerWish::off},
                              PowerState{PowerWish::on},
                              Dvfs{},
                              MemoryBalloon{},
                              Admission{AdmissionWish::reject},
                              Admission{},
                              ResourceCap{},
                              Scale{{4, 3}}};
    const Target targets[] = {
        node_id(1),    node_id(2), node_id(3), node_id(99), workload_id("shop", "web"),
        WholeCluster{}};
    const double scores[] = {0, 0.5, 0.9, kNan, kInfinity};
    return {static_cast<Role>(bits.first >> 62),
            actions[bits.first % std::size(actions)],
            targets[bits.second % std::size(targets)],
            scores[(bits.second >> 32) % std::size(scores)],
            {},
            "drawn " + std::to_string(index % 3)};
}

TEST(Referee, gives_every_proposal_exactly_one_fate_and_keeps_its_limits) {
    std::uint64_t index = 0;
    for (int trial = 0; trial < 400; ++trial) {
        SmallRound round(trial % 25);
        round.policy.profile = trial % 2 == 0 ? Profile::parley : Profile::prototype;
        round.policy.actions_per_round_max = trial % 5;
        round.forecast.danger = trial % 7 == 0;
        for (int i = 1; i <= trial % 25; ++i) round.fold(i).over = 0xff;
        std::vector<Proposal> proposals;
        for (int i = 0; i < trial % 9; ++i) proposals.push_back(drawn(index++));
        const Verdict verdict = judge(round, proposals);

        std::vector<Proposal> judged;
        for (const Judged& j : verdict.judged) judged.push_back(j.proposal);
        // Scores may be NaN, so they are compared as text.
        const auto key = [](const Proposal& p) {
            return std::string(enum_name(p.role)) + text_of(p.action) + text_of(p.target) +
                   p.because + std::to_string(p.score);
        };
        std::ranges::sort(judged, {}, key);
        std::ranges::sort(proposals, {}, key);
        ASSERT_EQ(judged.size(), proposals.size());
        for (std::size_t i = 0; i < judged.size(); ++i)
            EXPECT_EQ(key(judged[i]), key(proposals[i]));

        const bool prototype = round.policy.profile == Profile::prototype;
        const int limit = prototype ? 1 : round.policy.actions_per_round_max;
        EXPECT_LE(static_cast<int>(verdict.accepted.size()), limit);
        EXPECT_LE(std::ranges::count_if(verdict.accepted,
                                        [](const Proposal& p) { return disruptive(p.action); }),
                  1);
        for (const Proposal& p : verdict.accepted) EXPECT_FALSE(changes_nothing(p.action));
    }
}

}  // namespace
}  // namespace parley::arbitration
