#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace parley::proposal {
namespace {

using namespace kit;

model::NodeFold& fold(Round& round) { return round.memory.derived.nodes.edit(0); }

/// A pod of a workload of its own that asks for 400 bytes, as its template does, and uses 100.
void lodge(Round& round, Slot node) {
    model::WorkloadRow work;
    const auto slot = static_cast<Slot>(round.input.snapshot.workloads.size());
    work.id = {Name::of("shop"), model::WorkloadKind::deployment,
               Name::of("web-" + std::to_string(slot))};
    work.memory_request = 400;
    work.memory_used = read(model::Usage{.sum = 100, .max = 100, .count = 1});
    round.input.snapshot.workloads.put(slot, work);
    model::PodRow pod;
    pod.workload = slot;
    pod.node = node;
    pod.phase = model::PodPhase::running;
    pod.memory_request = 400;
    round.input.snapshot.pods.insert(pod);
}

/// One worker that can be switched and clocked, and has long been idle; its pods ask for 400 of
/// 1000 bytes and use 100. Clocks are lowered below 0.30, as a policy may ask for.
Round idle_node(std::optional<double> demand) {
    Round round;
    round.policy.efficiency.dvfs_below = 0.30;
    model::NodeRow& node = round.node(0, "node-05");
    node.can_power = true;
    node.can_clock = true;
    node.memory_requested = 400;
    node.memory_used = read<std::int64_t>(100);
    round.expect(0, 0.0005, demand);
    fold(round).idle = 0xff;
    lodge(round, 0);
    return round;
}

struct Case {
    const char* name;
    double demand;
    const char* wants;
    std::function<void(Round&)> change = [](Round&) {};
};

class EfficiencyWants : public testing::TestWithParam<Case> {};

TEST_P(EfficiencyWants, by_demand_and_what_the_platform_can_do) {
    Round round = idle_node(GetParam().demand);
    GetParam().change(round);
    EXPECT_EQ(text(round.ask(efficiency_agent())), GetParam().wants)
        << round.ask(efficiency_agent()).because;
}

model::NodeRow& row(Round& round) { return round.input.snapshot.nodes.edit(0); }
model::PodRow& pod(Round& round) { return round.input.snapshot.pods.edit(0); }
model::WorkloadRow& work(Round& round) { return round.input.snapshot.workloads.edit(0); }
double under(double bound) { return bound - 1e-12; }

const Case kCases[] = {
    {"under_012", under(0.12), "power_state:sleep node-05"},
    {"at_012", 0.12, "dvfs node-05"},
    {"one_sample_is_too_few", 0.05, "dvfs node-05", [](Round& r) { fold(r).idle = 0b1; }},
    {"three_samples_are_too_few", 0.05, "dvfs node-05", [](Round& r) { fold(r).idle = 0b111; }},
    {"four_samples", 0.05, "power_state:sleep node-05", [](Round& r) { fold(r).idle = 0b1111; }},
    {"the_newest_was_high", 0.05, "dvfs node-05", [](Round& r) { fold(r).idle = 0b11111110; }},
    {"a_model_that_is_named_has_not_seen_more", 0.05, "dvfs node-05",
     [](Round& r) {
         fold(r).idle = 0b111;
         r.forecast.demand.model = "demand-1";
     }},
    {"under_030", under(0.30), "dvfs node-05"},
    {"at_030", 0.30, "memory_balloon node-05"},
    {"under_045", under(0.45), "memory_balloon node-05"},
    {"at_045", 0.45, "noop node-05"},
    {"nobody_can_switch_it", 0.05, "dvfs node-05", [](Round& r) { row(r).can_power = false; }},
    {"nobody_can_switch_or_clock_it", 0.05, "memory_balloon node-05",
     [](Round& r) { row(r).can_power = row(r).can_clock = false; }},
    {"clocked_down_already", 0.20, "memory_balloon node-05",
     [](Round& r) { row(r).clock_ppm = 650'000; }},
    {"clocked_down_a_little", 0.20, "dvfs node-05", [](Round& r) { row(r).clock_ppm = 650'001; }},
    {"nothing_can_be_done", 0.05, "noop node-05",
     [](Round& r) {
         row(r).can_power = row(r).can_clock = false;
         row(r).memory_requested = 100;
     }},
    {"requests_fit_use", 0.40, "noop node-05",
     [](Round& r) { row(r).memory_requested = 121; }},  // 115 / 121 = 0.9504.
    {"requests_exceed_use_by_enough", 0.40, "memory_balloon node-05",
     [](Round& r) { row(r).memory_requested = 122; }},  // 115 / 122 = 0.9426.
    {"all_of_it_stands", 0.40, "noop node-05", [](Round& r) { pod(r).memory_request = 115; }},
    {"it_is_lower_already", 0.40, "noop node-05", [](Round& r) { pod(r).memory_request = 114; }},
    {"it_could_be_lower", 0.40, "memory_balloon node-05",
     [](Round& r) { pod(r).memory_request = 116; }},
    {"it_stands_for_one_of_two", 0.40, "memory_balloon node-05",
     [](Round& r) {
         pod(r).memory_request = 115;
         lodge(r, 0);
     }},
    {"its_pod_is_elsewhere", 0.40, "noop node-05", [](Round& r) { pod(r).node = 1; }},
    {"its_pod_waits_for_a_node", 0.40, "noop node-05", [](Round& r) { pod(r).node = kNoSlot; }},
    {"its_pod_leaves", 0.40, "noop node-05", [](Round& r) { pod(r).terminating = true; }},
    {"its_pod_is_done", 0.40, "noop node-05",
     [](Round& r) { pod(r).phase = model::PodPhase::succeeded; }},
    {"its_pod_is_protected", 0.40, "noop node-05", [](Round& r) { work(r).protect = true; }},
    {"its_pod_is_an_autoscalers", 0.40, "noop node-05",
     [](Round& r) { work(r).scale_owner = model::ScaleOwner::hpa; }},
    {"the_pods_use_is_not_known", 0.40, "noop node-05",
     [](Round& r) { work(r).memory_used = model::Reading<model::Usage>::never(); }},
    {"another_pod_of_it_needs_all", 0.40, "noop node-05",
     [](Round& r) { work(r).memory_used = read(model::Usage{.max = 350, .count = 2}); }},
    {"no_requests", 0.40, "noop node-05", [](Round& r) { row(r).memory_requested = 0; }},
    {"not_ready_is_not_idle", 0.0, "noop cluster",
     [](Round& r) { row(r).ready = model::Readiness::no; }},
    {"ready_unknown_is_not_idle", 0.0, "noop cluster",
     [](Round& r) { row(r).ready = model::Readiness::unknown; }},
    {"cordoned", 0.0, "noop cluster", [](Round& r) { row(r).cordoned = true; }},
    {"maintenance", 0.0, "noop cluster", [](Round& r) { row(r).maintenance = true; }},
    {"quarantined", 0.0, "noop cluster", [](Round& r) { row(r).quarantined = true; }},
    {"asleep", 0.0, "noop cluster", [](Round& r) { row(r).power = model::Power::sleep; }},
    {"control_plane", 0.0, "noop cluster",
     [](Round& r) { row(r).role = model::NodeRole::control_plane; }},
    {"no_cpu_sample", 0.0, "noop cluster",
     [](Round& r) { row(r).cpu_used_m = model::Reading<std::int64_t>::never(); }},
    {"old_memory_sample", 0.0, "noop cluster",
     [](Round& r) { row(r).memory_used = read<std::int64_t>(100, seconds(61)); }},
    {"sample_at_the_limit", 0.0, "power_state:sleep node-05",
     [](Round& r) { row(r).memory_used = read<std::int64_t>(100, seconds(60)); }},
    {"demand_unknown", 0.0, "noop cluster", [](Round& r) { r.forecast.nodes[0].demand.reset(); }},
    {"demand_not_a_number", 0.0, "noop cluster",
     [](Round& r) { r.forecast.nodes[0].demand = std::numeric_limits<double>::quiet_NaN(); }},
    {"no_sleep_while_pods_wait", 0.05, "dvfs node-05",
     [](Round& r) { r.waiting(1, short_of(model::Cause::cpu)); }},
    {"a_selector_is_no_shortage", 0.05, "power_state:sleep node-05",
     [](Round& r) { r.waiting(99, short_of(model::Cause::selector)); }},
    {"busy_with_another_action", 0.05, "noop node-05",
     [](Round& r) {
         r.memory.ledger.open.push_back({.target = row(r).id, .state = model::ActionState::sent});
     }},
    {"what_is_done_does_not_keep_it_busy", 0.05, "power_state:sleep node-05",
     [](Round& r) {
         r.memory.ledger.open.push_back(
             {.target = row(r).id, .state = model::ActionState::confirmed});
     }},
    {"a_rest_is_for_every_kind", 0.05, "noop node-05",
     [](Round& r) {
         r.memory.ledger.cool_downs.push_back({.target = row(r).id,
                                               .kind = model::ActionKind::noop,
                                               .until = r.input.now + seconds(1)});
     }},
};
INSTANTIATE_TEST_SUITE_P(Rows, EfficiencyWants, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Efficiency, leaves_clocks_alone_unless_the_policy_asks) {
    Round round = idle_node(0.20);
    EXPECT_EQ(text(round.ask(efficiency_agent())), "dvfs node-05");
    round.policy = {};
    EXPECT_EQ(text(round.ask(efficiency_agent())), "memory_balloon node-05");
    round.forecast.nodes[0].demand = 0.0;
    row(round).can_power = false;
    EXPECT_EQ(text(round.ask(efficiency_agent())), "memory_balloon node-05");
}

TEST(Efficiency, acts_on_the_node_of_lowest_demand_and_speaks_of_it) {
    Round round = idle_node(0.25);
    model::NodeRow& other = round.node(1, "node-02");
    other.can_clock = true;
    round.expect(1, 0.0005, 0.20);
    const model::Proposal proposal = round.ask(efficiency_agent());
    EXPECT_EQ(text(proposal), "dvfs node-02");
    EXPECT_EQ(proposal.score, 0.80);
    EXPECT_EQ(proposal.evidence,
              (model::Evidence{"demand", 0.20, "below", 0.30, model::Measure::demand}));
    EXPECT_EQ(proposal.because,
              "Demand 0.20 is below 0.30: node-02 can do its work at 65% of its clock.");
    round.forecast.nodes[1].demand = 0.25;
    EXPECT_EQ(text(round.ask(efficiency_agent())), "dvfs node-02");
    round.input.snapshot.nodes.edit(1).can_clock = false;
    EXPECT_EQ(text(round.ask(efficiency_agent())), "dvfs node-05");
}

TEST(Efficiency, what_is_not_allowed_does_not_hide_what_is) {
    using enum model::ActionKind;
    Round round = idle_node(0.05);
    round.input.controls.mode = model::Mode::act;
    round.policy.allow = {{"shop", {memory_balloon}}};
    EXPECT_EQ(text(round.ask(efficiency_agent())), "memory_balloon node-05");
    round.policy.allow = {{"bank", {memory_balloon}}, {"shop", {dvfs}}};
    EXPECT_EQ(text(round.ask(efficiency_agent())), "dvfs node-05");
    round.policy.allow = {{"bank", {power_state, memory_balloon}}};
    EXPECT_EQ(text(round.ask(efficiency_agent())), "power_state:sleep node-05")
        << "the guard says what it lacks";
    round.node(1, "node-06").can_power = true;
    round.expect(1, 0.0005, 0.08);
    round.memory.derived.nodes.edit(1).idle = 0xff;
    EXPECT_EQ(text(round.ask(efficiency_agent())), "power_state:sleep node-06")
        << "nobody is there who did not allow it";
}

TEST(Efficiency, lowers_memory_towards_need_by_a_quarter_at_most) {
    Round round = idle_node(0.38);
    model::Proposal proposal = round.ask(efficiency_agent());
    EXPECT_EQ(proposal.action, model::Action(model::MemoryBalloon{.scale_ppm = 750'000}));
    EXPECT_EQ(proposal.because,
              "Demand 0.38 is below 0.45: pods on node-05 ask for 400 of memory where 100 is used; "
              "requests go to 75%.");
    row(round).memory_requested = 140;  // 115 / 140 = 0.821.
    EXPECT_EQ(round.ask(efficiency_agent()).action,
              model::Action(model::MemoryBalloon{.scale_ppm = 830'000}));
}

TEST(Efficiency, wakes_the_first_sleeper_when_pods_wait_for_room) {
    Round round = idle_node(0.05);
    for (const auto& [slot, name] : {std::pair<Slot, const char*>{1, "node-09"}, {2, "node-08"}}) {
        model::NodeRow& node = round.node(slot, name);
        node.power = model::Power::sleep;
        node.can_power = true;
    }
    EXPECT_EQ(text(round.ask(efficiency_agent())), "power_state:sleep node-05");
    round.waiting(3, short_of(model::Cause::cpu));
    const model::Proposal proposal = round.ask(efficiency_agent());
    EXPECT_EQ(text(proposal), "power_state:on node-08");
    EXPECT_EQ(proposal.because, "3 pods wait for CPU while node-08 sleeps.");
    EXPECT_EQ(proposal.evidence,
              (model::Evidence{"pods short of CPU", 3, "from", 1, model::Measure::count}));
    round.input.snapshot.nodes.edit(2).can_power = false;
    EXPECT_EQ(text(round.ask(efficiency_agent())), "power_state:on node-09");
    round.input.snapshot.nodes.edit(2).power = model::Power::booting;
    EXPECT_EQ(text(round.ask(efficiency_agent())), "dvfs node-05");
}

TEST(Efficiency, idle_names_the_lowest_demand_and_the_bound) {
    Round round = idle_node(0.52);
    EXPECT_EQ(round.ask(efficiency_agent()).because,
              "Lowest demand node-05: 0.52, acts below 0.45.");
    EXPECT_EQ(round.ask(efficiency_agent()).evidence,
              (model::Evidence{"demand", 0.52, "below", 0.45, model::Measure::demand}));
    round.node(1, "node-06").cpu_used_m = model::Reading<std::int64_t>::never();
    round.expect(1, 0.0005, 0.1);
    EXPECT_EQ(round.ask(efficiency_agent()).because,
              "Lowest demand node-05: 0.52, acts below 0.45. Missing: fresh use of 1 workers.");
}

TEST(Efficiency, idle_names_what_is_missing) {
    Round round = idle_node(0.05);
    row(round).cpu_used_m = read<std::int64_t>(0, seconds(94));
    const auto because = [&] { return round.ask(efficiency_agent()).because; };
    EXPECT_EQ(because(),
              "Missing: fresh CPU and memory use of the one worker; the source delivers, "
              "but not for them.");
    row(round).cpu_used_m = model::Reading<std::int64_t>(
        model::Gap::sampled_twice,
        {.received = kNow, .measured = kNow, .source = model::Source::metrics});
    EXPECT_EQ(because(),
              "Missing: fresh CPU and memory use of the one worker; metrics: rejected as sampled "
              "twice.");
    row(round).cpu_used_m = read<std::int64_t>(0, seconds(94));
    round.source(model::Source::metrics).last_success = kNow - seconds(94);
    EXPECT_EQ(because(),
              "Missing: fresh CPU and memory use of the one worker; metrics is 1m34s old "
              "(limit 1m00s).");
    round.source(model::Source::metrics).condition = model::SourceCondition::failed;
    round.source(model::Source::metrics).reason = "no route to host";
    EXPECT_EQ(because(),
              "Missing: fresh CPU and memory use of the one worker; metrics failed: no "
              "route to host.");
    round.source(model::Source::metrics).condition = model::SourceCondition::off;
    EXPECT_EQ(because(),
              "Missing: fresh CPU and memory use of the one worker; no source of usage "
              "is on.");
    row(round).ready = model::Readiness::no;
    EXPECT_EQ(because(), "No Ready worker is in service.");
}

}  // namespace
}  // namespace parley::proposal
