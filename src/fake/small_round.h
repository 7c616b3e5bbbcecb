// Fake: a round on a small, healthy cluster, for a test to change in few words.

#pragma once

#include "model/round.h"

#include <string>
#include <string_view>
#include <utility>

namespace parley::fake {

inline model::NodeId node_id(int number) {
    return {Name::of((number < 10 ? "node-0" : "node-") + std::to_string(number))};
}
inline model::WorkloadId workload_id(std::string_view space, std::string_view name,
                                     model::WorkloadKind kind = model::WorkloadKind::deployment) {
    return {Name::of(space), kind, Name::of(name)};
}

/// Nodes node-01, node-02, ... of 10 CPU and 32 GiB, Ready, with fresh leases and samples, able to
/// do everything; every kind of action is allowed everywhere; mode act, long after the start.
/// `shop/web` has 4 ready replicas, 2 of them on node-01. node-01 is over its own risk limit in 2
/// of the last 3 rounds, and not in this one, so that nothing is bad. All have long been idle.
struct SmallRound {
    model::RoundInput input;
    model::Forecast forecast;
    model::Memory memory;
    model::Policy policy;
    Slot web = kNoSlot;

    explicit SmallRound(int nodes = 12) {
        input.round = 100;
        input.now = {hours(30).us};
        input.seed = 7;
        input.controls.mode = model::Mode::act;
        input.snapshot.round = 100;
        input.snapshot.taken = input.now;
        input.snapshot.sources.push_back({.source = model::Source::api,
                                          .condition = model::SourceCondition::ok,
                                          .last_success = before(seconds(3)),
                                          .limit = seconds(15),
                                          .covered = nodes,
                                          .expected = nodes});
        memory.derived.rounds = 100;
        memory.derived.last_now = input.now;
        memory.derived.nodes_counted = nodes;
        policy.allow.push_back({"*", all_kinds()});
        for (int number = 1; number <= nodes; ++number) add_node(number);
        web = add_workload(workload_id("shop", "web"), 4);
        for (int pod = 0; pod < 4; ++pod) {
            if (nodes > 0) run(web, pod < 2 || nodes < 3 ? 1 : pod);
        }
        if (nodes > 0) fold(1).over = 0b110;
    }

    static std::vector<model::ActionKind> all_kinds() {
        using enum model::ActionKind;
        return {replicate,      migrate,   throttle,     power_state, dvfs,
                memory_balloon, admission, resource_cap, scale};
    }

    TimePoint before(Duration span) const { return input.now - span; }
    model::Provenance from(Duration age, model::Source source = model::Source::metrics) const {
        return {.received = before(age), .measured = before(age), .source = source};
    }
    template <class T>
    model::Reading<T> reading(T value, Duration age) const {
        return {value, from(age)};
    }
    template <class T>
    model::Reading<T> gap(model::Gap why) const {
        return {why, from(seconds(1))};
    }
    model::Reading<TimePoint> lease(Duration age) const {
        return {before(age), from(age, model::Source::api)};
    }

    model::NodeRow& node(int number) { return input.snapshot.nodes.edit(slot(number)); }
    model::WorkloadRow& workload(Slot at) { return input.snapshot.workloads.edit(at); }
    model::PodRow& pod(Slot at) { return input.snapshot.pods.edit(at); }
    model::NodeForecast& risk(int number) { return forecast.nodes.at(slot(number)); }
    model::NodeFold& fold(int number) { return memory.derived.nodes.edit(slot(number)); }
    model::SourceState& api() { return input.snapshot.sources.at(0); }
    static Slot slot(int number) { return static_cast<Slot>(number - 1); }

    void add_node(int number) {
        const model::Uid uid{1, static_cast<std::uint64_t>(number)};
        const Slot at = input.snapshot.nodes.insert(
            {.id = node_id(number),
             .uid = uid,
             .ready = model::Readiness::yes,
             .lease = lease(seconds(2)),
             .can_power = true,
             .can_clock = true,
             .cpu_allocatable_m = 10'000,
             .memory_allocatable = std::int64_t{32} << 30,
             .cpu_used_m = reading<std::int64_t>(2'000, seconds(9)),
             .memory_used = reading<std::int64_t>(1 << 30, seconds(9))});
        forecast.nodes.push_back({.node = at, .risk = 0.01, .limit = 0.25});
        memory.derived.nodes.put(at, {.uid = uid, .was_ready = true, .idle = 0xff});
    }

    /// A workload whose replicas are all ready.
    Slot add_workload(model::WorkloadId id, int replicas) {
        const auto low = static_cast<std::uint64_t>(input.snapshot.workloads.size() + 1);
        return input.snapshot.workloads.insert(
            {.id = id,
             .uid = {2, low},
             .wanted = replicas,
             .ready = replicas,
             .cpu_used_m = reading(model::Usage{}, seconds(9)),
             .memory_used = reading(model::Usage{}, seconds(9))});
    }

    /// A ready pod of the workload, bound to a node.
    Slot run(Slot of, int on, std::int64_t cpu_m = 500, std::int64_t memory_bytes = 1 << 28) {
        const auto low = static_cast<std::uint64_t>(input.snapshot.pods.size() + 1);
        node(on).pods += 1;
        node(on).cpu_requested_m += cpu_m;
        node(on).memory_requested += memory_bytes;
        return input.snapshot.pods.insert({.uid = {3, low},
                                           .workload = of,
                                           .node = slot(on),
                                           .phase = model::PodPhase::running,
                                           .ready = true,
                                           .cpu_request_m = static_cast<std::int32_t>(cpu_m),
                                           .memory_request = memory_bytes});
    }

    /// Gives the pods that a workload has now containers.
    void shape(Slot of, model::PodShape containers) {
        const Slot at = input.snapshot.shapes.insert(std::move(containers));
        for (Slot each = 0; each < input.snapshot.pods.end_slot(); ++each) {
            if (input.snapshot.pods.has(each) && pod(each).workload == of) pod(each).shape = at;
        }
    }

    /// NotReady, with all that follows from it.
    void break_node(int number) { node(number).ready = model::Readiness::no; }

    /// An accepted action in progress.
    model::OpenAction& open(const model::Action& action, const model::Target& target,
                            model::ActionState state = model::ActionState::sent) {
        model::OpenAction& added = memory.ledger.open.emplace_back();
        added.id = {1, memory.ledger.open.size()};
        added.round = 90;
        added.action = action;
        added.target = target;
        added.state = state;
        added.deadline = input.now + minutes(5);
        added.expires = input.now + minutes(30);
        return added;
    }
};

}  // namespace parley::fake
