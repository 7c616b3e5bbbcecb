// Execution, for tests: a small cluster made by hand.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <string>
#include <string_view>
#include <utility>

namespace parley::execution {

inline constexpr TimePoint kNow{1'000'000'000};
inline constexpr model::Provenance kMeasured{.received = kNow, .measured = kNow};

inline model::NodeId node_id(std::string_view name) { return {Name::of(name)}; }
inline model::WorkloadId workload_id(std::string_view name,
                                     model::WorkloadKind kind = model::WorkloadKind::deployment) {
    return {Name::of("shop"), kind, Name::of(name)};
}
inline model::WorkloadId job_id(std::string_view name) {
    return workload_id(name, model::WorkloadKind::job);
}

template <class T>
model::Reading<T> measured(T value, TimePoint at = kNow) {
    return {std::move(value), {.received = at, .measured = at}};
}

/// A round in mode act, over a cluster that the calls below build.
struct Kit {
    model::RoundInput input;
    model::Policy policy;
    model::Forecast forecast;
    model::Memory memory;

    Kit() {
        input.round = 100;
        input.now = kNow;
        input.seed = 7;
        input.snapshot.round = 100;
        input.snapshot.taken = kNow;
        input.controls.mode = model::Mode::act;
        input.controls.simulated = true;
        using enum model::ActionKind;
        policy.allow.push_back({"*",
                                {replicate, migrate, throttle, power_state, dvfs, memory_balloon,
                                 admission, resource_cap, scale}});
        memory.derived.rounds = 50;
    }

    Slot add_node(std::string_view name) {
        const model::Uid uid{1, input.snapshot.nodes.size() + 1};
        const Slot slot = input.snapshot.nodes.insert({.id = node_id(name),
                                                       .uid = uid,
                                                       .ready = model::Readiness::yes,
                                                       .cpu_allocatable_m = 8000,
                                                       .memory_allocatable = std::int64_t{16} << 30,
                                                       .version = 41});
        memory.derived.nodes.put(slot, {.uid = uid});
        return slot;
    }

    /// A Deployment, or a Job where `id` says so, with all its replicas ready.
    Slot add_workload(model::WorkloadId id, std::int32_t wanted) {
        model::WorkloadRow row;
        row.id = id;
        row.uid = {2, input.snapshot.workloads.size() + 1};
        row.wanted = wanted;
        row.ready = wanted;
        row.batch = id.kind == model::WorkloadKind::job;
        row.cpu_request_m = 100;
        row.memory_request = std::int64_t{256} << 20;
        row.version = 41;
        return input.snapshot.workloads.insert(row);
    }

    Slot add_pod(Slot workload, Slot node) {
        model::PodRow row;
        const auto number = input.snapshot.pods.size() + 1;
        row.uid = {3, number};
        const std::string stem = input.snapshot.workloads.at(workload).id.name.str() + "-";
        row.name = model::PodName::of(stem, std::to_string(number));
        row.workload = workload;
        row.node = node;
        row.phase = model::PodPhase::running;
        row.ready = true;
        const Slot slot = input.snapshot.pods.insert(row);
        as_template(slot);
        return slot;
    }

    /// It asks for these containers, and for the memory that they ask for together.
    void shape(Slot slot, std::vector<model::ContainerSpec> containers) {
        model::PodRow& row = pod(slot);
        row.memory_request = 0;
        for (const model::ContainerSpec& each : containers) {
            row.memory_request += each.memory_request.value_or(0);
        }
        row.shape = input.snapshot.shapes.insert({std::move(containers)});
    }

    /// One container, as its workload says now; a limit of 0 is none.
    void as_template(Slot slot) {
        const model::WorkloadRow& row = workload(pod(slot).workload);
        model::ContainerSpec main{.name = Name::of("main"),
                                  .cpu_request_m = row.cpu_request_m,
                                  .memory_request = row.memory_request};
        if (row.cpu_limit_m > 0) main.cpu_limit_m = row.cpu_limit_m;
        if (row.memory_limit > 0) main.memory_limit = row.memory_limit;
        shape(slot, {main});
    }
    void as_templates() {
        for (Slot slot = 0; slot < input.snapshot.pods.end_slot(); ++slot) as_template(slot);
    }

    model::WorkloadRow& workload(Slot slot) { return input.snapshot.workloads.edit(slot); }
    model::NodeRow& node(Slot slot) { return input.snapshot.nodes.edit(slot); }
    model::PodRow& pod(Slot slot) { return input.snapshot.pods.edit(slot); }
};

inline model::Proposal proposes(model::Role role, model::Action action, model::Target target) {
    return {.role = role,
            .action = std::move(action),
            .target = target,
            .score = 1,
            .because = "a test wants it"};
}

/// A verdict that accepts this proposal and overrides the others.
inline model::Verdict accepts(const model::Proposal& proposal,
                              std::vector<model::Proposal> losers = {}) {
    model::Verdict verdict;
    verdict.accepted.push_back(proposal);
    verdict.judged.push_back({proposal, model::Accepted{}, {}, 1});
    for (model::Proposal& loser : losers) {
        model::Overridden fate{"same-target", proposal.role, "it lost"};
        verdict.judged.push_back({std::move(loser), std::move(fate), {}, 1});
    }
    return verdict;
}

}  // namespace parley::execution
