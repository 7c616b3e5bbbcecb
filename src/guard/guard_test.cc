#include "guard/guard.h"

#include "base/random.h"
#include "fake/small_round.h"
#include "guard/rule_families.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace parley::guard {
namespace {

using namespace model;
using fake::node_id;
using fake::SmallRound;
using fake::workload_id;

Answer answer(const SmallRound& round, const Action& action, const Target& target) {
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    return ask(facts, {.action = action, .target = target});
}

TEST(Guard, asks_its_rules_in_this_order) {
    const std::vector<std::string_view> expected = {
        "stop",       "leader",        "target",          "amount",         "api-age",
        "clock",      "warm-up",       "lease",           "ready",          "metrics-age",
        "coverage",   "capability",    "maintenance",     "left-alone",     "control-plane",
        "already",    "scale-owner",   "open-action",     "ledger-room",    "rest",
        "cool-down",  "rate",          "power-pace",      "drains-per-day", "hysteresis",
        "breaker",    "one-at-a-time", "ready-floor",     "allowance",      "scale-amount",
        "scale-size", "scale-open",    "scale-cool-down", "scale-down",     "unreachable",
        "opt-in",     "protected",     "unmovable",       "quorum",         "last-replica",
        "budget",     "movable",       "replicable",      "fits-elsewhere"};
    std::vector<std::string_view> names;
    for (const Rule& rule : all_rules()) names.push_back(rule.name);
    EXPECT_EQ(names, expected);
}

TEST(Guard, asks_each_action_what_concerns_it) {
    SmallRound round;
    struct Case {
        Action action;
        Target target;
        int rules;
    };
    const Case cases[] = {
        {Replicate{}, node_id(1), 25},
        {Migrate{}, node_id(1), 26},
        {Throttle{}, node_id(1), 13},
        {PowerState{PowerWish::sleep}, node_id(1), 34},
        {PowerState{PowerWish::off}, node_id(1), 34},
        {Dvfs{}, node_id(1), 17},
        {MemoryBalloon{}, node_id(1), 16},
        {Admission{AdmissionWish::queue}, WholeCluster{}, 8},
        {Admission{AdmissionWish::reject}, WholeCluster{}, 8},
        {ResourceCap{}, WholeCluster{}, 9},
        {Scale{{4, 5}}, workload_id("shop", "web"), 11},
        {Scale{{4, 3}}, workload_id("shop", "web"), 15},
        {Noop{}, node_id(1), 0},
        {Admission{AdmissionWish::admit}, WholeCluster{}, 0},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(text_of(c.action));
        const Answer said = answer(round, c.action, c.target);
        EXPECT_FALSE(said.refused);
        EXPECT_EQ(said.report.asked, c.rules);
        EXPECT_EQ(said.report.passed, c.rules);
        EXPECT_FALSE(said.report.held);
    }
    round.node(1).power = Power::sleep;
    const Answer wake = answer(round, PowerState{PowerWish::on}, node_id(1));
    EXPECT_EQ(wake.report.passed, 13);
}

TEST(Guard, stops_at_the_first_refusal_and_counts_what_passed) {
    SmallRound round;
    round.node(1).maintenance = true;
    round.memory.ledger.breaker.tripped = true;
    const Answer said = answer(round, Migrate{}, node_id(1));
    ASSERT_TRUE(said.refused);
    EXPECT_EQ(said.refused->rule, "maintenance");
    EXPECT_EQ(said.report.asked, 26);
    EXPECT_EQ(said.report.passed, 8);
    EXPECT_EQ(said.report.closest, "other nodes with samples: 11 of 11; 90% is needed");
}

TEST(Guard, a_node_that_asks_to_be_left_alone_is) {
    SmallRound round;
    round.node(1).left_alone = true;
    for (const Action& action : {Action(Migrate{}), Action(Replicate{}), Action(Throttle{}),
                                 Action(MemoryBalloon{}), Action(Dvfs{})}) {
        const Answer said = answer(round, action, node_id(1));
        ASSERT_TRUE(said.refused);
        if (said.refused->rule == "capability") continue;  // Nobody can, whoever asks.
        EXPECT_EQ(said.refused->rule, "left-alone");
        EXPECT_EQ(said.refused->because, "node-01 asks to be left alone");
    }
    round.node(1).left_alone = false;
    EXPECT_FALSE(answer(round, Migrate{}, node_id(1)).refused);
}

TEST(Guard, lets_nothing_be_what_it_is) {
    SmallRound round;
    round.input.controls.stop = true;
    EXPECT_FALSE(answer(round, Noop{}, node_id(1)).refused);
    EXPECT_FALSE(answer(round, Admission{}, WholeCluster{}).refused);
    EXPECT_TRUE(answer(round, Admission{AdmissionWish::queue}, WholeCluster{}).refused);
}

TEST(Guard, does_not_refuse_for_the_mode) {
    for (const Mode mode : {Mode::observe, Mode::dry_run, Mode::act}) {
        SmallRound round;
        round.input.controls.mode = mode;
        EXPECT_FALSE(answer(round, Migrate{}, node_id(1)).refused);
        EXPECT_EQ(answer(round, Migrate{}, node_id(1)).report.asked,
                  mode == Mode::observe ? 25 : 26);
    }
}

TEST(Guard, lets_one_disruption_begin_in_a_round) {
    const Proposal migrate{.action = Migrate{}, .target = node_id(1)};
    const Proposal sleep{.action = PowerState{PowerWish::sleep}, .target = node_id(2)};
    const Proposal throttle{.action = Throttle{}, .target = node_id(3)};
    const SmallRound round;
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    Beside beside(facts);
    EXPECT_FALSE(beside.ask(migrate));
    beside.accept(throttle);
    EXPECT_FALSE(beside.ask(migrate));
    beside.accept(migrate);
    EXPECT_FALSE(beside.ask(throttle));
    const auto refused = beside.ask(sleep);
    ASSERT_TRUE(refused);
    EXPECT_EQ(*refused, (Overridden{"one-at-a-time", Role::safety,
                                    "one disruptive action at a time: migrate node-01 "
                                    "was accepted in this round"}));
}

// Asked again before each step.

/// A migrate of node-01 that is about to evict the first pod of shop/web.
struct Step {
    SmallRound round;
    OpenAction action;
    Live live{.exists = true, .uid = {3, 1}};

    Step() {
        action = round.open(Migrate{}, node_id(1));
        action.uid = {1, 1};
        action.plan = {{PutMark{node_id(1), {}, {}}, {}}, {EvictPod{{3, 1}, "web-1"}, {}}};
        action.undo = {SetTaint{node_id(1), Taint::none}};
        action.at = 1;
    }
    std::string ask() const {
        const Facts facts(round.input, round.forecast, round.memory, round.policy);
        const auto refused = ask_again(facts, action, live);
        return refused ? refused->rule + ": " + refused->because : "yes";
    }
    void undo() {
        action.undoing = true;
        action.at = 0;
        live.uid = {1, 1};
    }
    void gentle() {
        action.action = Throttle{};
        action.at = 0;
        live.uid = {1, 1};
    }
};

struct StepCase {
    const char* name;
    std::function<void(Step&)> spoil;
    std::string expected;
    std::string undoing = "yes";  ///< What an undo step is told.
    std::string gentle = "yes";   ///< What a throttle is told.
};

TEST(GuardAgain, asks_before_each_step) {
    const std::string stop = "stop: the kill switch was pressed";
    const std::string leader = "leader: the ledger is of leader epoch 0, ours is 2";
    const std::string observe = "mode: mode observe sends nothing";
    const std::string dry = "mode: mode dry-run sends nothing";
    const std::string deadline = "deadline: its deadline passed 0.0s ago";
    const std::string expired = "deadline: it expired 1s ago";
    const std::string old = "api-age: API data are 16s old; 15s is allowed";
    const StepCase cases[] = {
        {"yes", [](Step&) {}, "yes"},
        {"stop", [](Step& s) { s.round.input.controls.stop = true; }, stop, "yes", stop},
        {"observe", [](Step& s) { s.round.input.controls.mode = Mode::observe; }, observe, observe,
         observe},
        {"dry_run", [](Step& s) { s.round.input.controls.mode = Mode::dry_run; }, dry, dry, dry},
        {"leader", [](Step& s) { s.round.input.controls.epoch = 2; }, leader, leader, leader},
        {"deadline", [](Step& s) { s.action.deadline = s.round.input.now; }, deadline, "yes",
         deadline},
        {"just_before_it", [](Step& s) { s.action.deadline = s.round.input.now + microseconds(1); },
         "yes"},
        {"expired", [](Step& s) { s.action.expires = s.round.before(milliseconds(1500)); }, expired,
         "yes", expired},
        {"just_expired", [](Step& s) { s.action.expires = s.round.input.now; },
         "deadline: it expired 0.0s ago", "yes", "deadline: it expired 0.0s ago"},
        {"deadline_and_expired",
         [](Step& s) { s.action.deadline = s.action.expires = s.round.input.now; }, deadline, "yes",
         deadline},
        {"old_data", [](Step& s) { s.round.api().last_success = s.round.before(seconds(16)); }, old,
         "yes", old},
        {"clock", [](Step& s) { s.round.memory.derived.jumped = true; },
         "clock: the clock jumped by more than 30s in this round"},
        {"warm_up", [](Step& s) { s.round.memory.derived.rounds = 1; },
         "warm-up: this is round 1 since the start; nothing disruptive in the first 3"},
        {"breaker",
         [](Step& s) {
             s.round.memory.ledger.breaker = {
                 .tripped = true, .since = s.round.input.now, .because = "why"};
         },
         "breaker: the breaker has been tripped for 0.0s: why"},
        {"three_others_are_bad",
         [](Step& s) {
             for (const int i : {5, 6, 7}) s.round.break_node(i);
         },
         "breaker: the breaker forbids it: 3 of 12 nodes are bad, more than 20%"},
        {"the_target_and_two_others_are_bad",
         [](Step& s) {
             for (const int i : {1, 6, 7}) s.round.break_node(i);
         },
         "yes"},
        {"gone", [](Step& s) { s.live = {}; }, "yes"},
        {"budget", [](Step& s) { s.round.workload(s.round.web).has_budget = true; },
         "budget: shop/web has a disruption budget that allows 0 now"},
        {"budget_of_one",
         [](Step& s) {
             s.round.workload(s.round.web).has_budget = true;
             s.round.workload(s.round.web).disruptions_allowed = 1;
         },
         "yes"},
        {"last_replica", [](Step& s) { s.round.workload(s.round.web).ready = 1; },
         "last-replica: web-1 is the last ready replica of shop/web"},
        {"two_replicas", [](Step& s) { s.round.workload(s.round.web).ready = 2; }, "yes"},
        {"last_of_a_job",
         [](Step& s) {
             s.round.workload(s.round.web).ready = 1;
             s.round.workload(s.round.web).batch = true;
         },
         "yes"},
        {"not_ready_itself",
         [](Step& s) {
             s.round.workload(s.round.web).ready = 1;
             s.round.pod(0).ready = false;
         },
         "yes"},
        {"pod_is_new_to_us",
         [](Step& s) {
             s.round.workload(s.round.web).ready = 1;
             s.round.pod(0).uid = {3, 99};
         },
         "yes"},
        {"pod_of_nobody", [](Step& s) { s.round.pod(0).workload = 99; }, "yes"},
        {"fits_nowhere_by_now", [](Step& s) { s.round.pod(0).cpu_request_m = 1'000'000; },
         "fits-elsewhere: web-1 of shop/web (1k CPU, 256Mi) fits on no other node with 10% to "
         "spare"},
        {"plan_is_over", [](Step& s) { s.action.plan.clear(); }, "yes"},
    };
    for (const StepCase& c : cases) {
        SCOPED_TRACE(c.name);
        Step forward;
        c.spoil(forward);
        EXPECT_EQ(forward.ask(), c.expected);
        Step back;
        back.undo();
        c.spoil(back);
        EXPECT_EQ(back.ask(), c.undoing);
        Step throttle;
        throttle.gentle();
        c.spoil(throttle);
        EXPECT_EQ(throttle.ask(), c.gentle);
    }
}

TEST(GuardAgain, names_the_gravest_reason_first) {
    Step step;
    const TimePoint now = step.round.input.now;
    step.round.input.controls = {.mode = Mode::observe, .stop = true, .epoch = 2};
    step.live.uid = {9, 9};
    step.action.deadline = now;
    step.round.api().condition = SourceCondition::late;
    step.round.memory.derived.jumped = true;
    step.round.memory.derived.rounds = 1;
    step.round.memory.ledger.breaker.tripped = true;
    step.round.workload(step.round.web).has_budget = true;
    step.round.workload(step.round.web).ready = 1;
    const auto rule = [&] { return step.ask().substr(0, step.ask().find(':')); };
    EXPECT_EQ(rule(), "stop");
    step.round.input.controls.stop = false;
    EXPECT_EQ(rule(), "mode");
    step.round.input.controls.mode = Mode::act;
    EXPECT_EQ(rule(), "leader");
    step.round.input.controls.epoch = 0;
    EXPECT_EQ(rule(), "uid");
    step.live.uid = {3, 1};
    EXPECT_EQ(rule(), "deadline");
    step.action.deadline = now + minutes(1);
    EXPECT_EQ(rule(), "api-age");
    step.round.api().condition = SourceCondition::ok;
    EXPECT_EQ(rule(), "clock");
    step.round.memory.derived.jumped = false;
    EXPECT_EQ(rule(), "warm-up");
    step.round.memory.derived.rounds = 9;
    EXPECT_EQ(rule(), "breaker");
    step.round.memory.ledger.breaker.tripped = false;
    EXPECT_EQ(rule(), "budget");
    step.round.workload(step.round.web).has_budget = false;
    EXPECT_EQ(rule(), "last-replica");
    step.round.workload(step.round.web).ready = 2;
    EXPECT_EQ(rule(), "yes");
    step.live.uid = {9, 9};
    step.action.at = 2;
    EXPECT_EQ(rule(), "yes");  // The plan is over.
}

TEST(GuardAgain, knows_whom_each_request_is_about) {
    const WorkloadId web = workload_id("shop", "web");
    const WorkloadId gone = workload_id("shop", "gone");
    const Uid pod{3, 1};
    const Uid node{1, 1};
    const Uid workload{2, 1};
    struct Case {
        const char* name;
        Request request;
        Uid right;
    };
    const Case cases[] = {
        {"evict", EvictPod{pod, "web-1"}, pod},
        {"cost", SetDeletionCost{pod, "web-1", -9}, pod},
        {"replicas", SetReplicas{web, 5}, workload},
        {"resize", ResizePod{pod, Name::of("shop"), "web-1", {}}, pod},
        {"limit", SetCpuLimit{web, node_id(1), 100}, workload},
        {"memory", SetMemoryRequest{web, node_id(1), 100}, workload},
        {"mark", PutMark{node_id(1), {}, {}}, node},
        {"mark of a workload", PutMark{web, {}, {}}, workload},
        {"taint", SetTaint{node_id(1), Taint::no_schedule}, node},
        {"power", SetPower{node_id(1), PowerWish::off}, node},
        {"clock", SetClock{node_id(1), 1}, node},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        Step step;
        step.action.plan = {{c.request, {}}};
        step.action.at = 0;
        step.live.uid = c.right;
        EXPECT_EQ(step.ask(), "yes");
        step.live.uid = {9, 9};
        const Uid other{9, 9};
        EXPECT_EQ(step.ask(), "uid: what is there now is another one: its uid is " + other.text() +
                                  ", not " + c.right.text());
        step.action.undo = {c.request};
        step.action.undoing = true;
        EXPECT_EQ(step.ask().substr(0, 4), "uid:");
        step.action.at = 1;
        EXPECT_EQ(step.ask(), "yes");  // Nothing is left to undo.
    }
    Step back;
    back.undo();
    back.action.plan[0] = {EvictPod{pod, "web-1"}, {}};
    EXPECT_EQ(back.ask(), "yes");  // The undo step that is sent counts, not the plan.
    Step step;
    step.action.plan[1] = {SetReplicas{gone, 5}, {}};
    step.live.uid = {9, 9};
    EXPECT_EQ(step.ask(), "yes");  // Its uid is not known; the precondition is all there is.
}

TEST(GuardAgain, marks_only_the_workload_that_the_action_was_decided_for) {
    Step step;
    step.action.target = workload_id("shop", "web");
    step.action.uid = {2, 1};
    step.action.plan = {{PutMark{step.action.target, {}, {}}, {}}};
    step.action.at = 0;
    step.live.uid = {2, 1};
    EXPECT_EQ(step.ask(), "yes");
    // Deleted and made again under its name: the snapshot and the live read agree, and yet it is
    // another one.
    step.round.workload(step.round.web).uid = {2, 9};
    step.live.uid = {2, 9};
    EXPECT_EQ(step.ask().substr(0, 4), "uid:");
}

TEST(GuardAgain, evicts_nobody_who_has_opted_out_meanwhile) {
    Step step;
    EXPECT_EQ(step.ask(), "yes");
    step.round.workload(step.round.web).has_budget = true;
    EXPECT_EQ(step.ask().substr(0, 7), "budget:");
    step.round.pod(0).evictable = false;
    EXPECT_EQ(step.ask(), "unmovable: web-1 must not be evicted");
    step.round.workload(step.round.web).protect = true;
    EXPECT_EQ(step.ask(), "protected: shop/web is protected");
}

// These hold whatever agents ask for.

Action drawn_action(std::uint64_t bits) {
    const Action all[] = {Replicate{},
                          Migrate{},
                          Throttle{},
                          PowerState{PowerWish::sleep},
                          PowerState{PowerWish::off},
                          PowerState{PowerWish::on},
                          Dvfs{static_cast<std::int64_t>(bits >> 20) % 2'000'000},
                          MemoryBalloon{static_cast<std::int64_t>(bits >> 20) % 2'000'000},
                          Admission{AdmissionWish::reject},
                          ResourceCap{},
                          Scale{{4, static_cast<std::int32_t>(bits >> 40) % 9}}};
    return all[bits % std::size(all)];
}

Target drawn_target(std::uint64_t bits, int nodes) {
    if (bits % 8 == 0) return WholeCluster{};
    if (bits % 8 == 1) return workload_id("shop", "web");
    return node_id(1 + static_cast<int>((bits >> 8) % static_cast<std::uint64_t>(nodes + 1)));
}

/// The effect of a disruptive action on the cluster: the node is quarantined at once.
void carry_out(SmallRound& round, const Proposal& proposal) {
    const auto& id = std::get<NodeId>(proposal.target);
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    const Slot slot = facts.slot_of(id);
    round.input.snapshot.nodes.edit(slot).quarantined = true;
    round.open(proposal.action, proposal.target, ActionState::confirmed);
    round.memory.ledger.spent.push_back({round.input.now, kind_of(proposal.action), id});
}

TEST(Guard, keeps_a_malicious_agent_within_the_allowance) {
    for (int nodes = 1; nodes <= 33; nodes += 2) {
        SmallRound round(nodes);
        round.policy.guard.disruptions_per_hour_max = 1'000;  // Only the allowance may hold it.
        for (int i = 1; i <= nodes; ++i) round.fold(i).over = 0xff;
        int begun = 0;
        for (std::uint64_t step = 0; step < 400; ++step) {
            const auto bits = draw128(11, Stream::policy, static_cast<std::uint64_t>(nodes), step);
            const Proposal wish{.action = drawn_action(bits.first),
                                .target = drawn_target(bits.second, nodes)};
            const Facts facts(round.input, round.forecast, round.memory, round.policy);
            if (ask(facts, wish).refused || !disruptive(wish.action)) continue;
            carry_out(round, wish);
            ++begun;
        }
        const int allowed = nodes < 3 ? 0 : nodes < 10 ? 1 : nodes / 10;
        EXPECT_EQ(begun, allowed) << nodes << " nodes";
    }
}

TEST(Guard, answers_everything_without_falling_over) {
    std::set<std::string> rules;
    for (std::uint64_t i = 0; i < 4'000; ++i) {
        const auto bits = draw128(12, Stream::policy, 0, i);
        const int nodes = static_cast<int>(bits.first >> 60);
        SmallRound round(nodes);
        if (bits.first >> 59 & 1U) round.input.snapshot.workloads.erase(round.web);
        if (bits.first >> 58 & 1U) round.forecast.nodes.clear();
        if (bits.first >> 57 & 1U) round.memory.derived.nodes = {};
        const Answer said =
            answer(round, drawn_action(bits.first), drawn_target(bits.second, nodes));
        EXPECT_LE(said.report.passed, said.report.asked);
        EXPECT_EQ(said.refused.has_value(), said.report.passed < said.report.asked);
        if (said.refused) {
            EXPECT_FALSE(said.refused->because.empty());
            rules.insert(said.refused->rule);
        }
    }
    EXPECT_GE(rules.size(), 6U);
}

}  // namespace
}  // namespace parley::guard
