#include "sim/world/fault_script.h"

#include "sim/world/faults.h"
#include "sim/world/world_load.h"
#include "sim/world/world_nodes.h"
#include "sim/world/world_requests.h"

#include <algorithm>

namespace parley::sim {
namespace {

void begin_nuisance(State& s, Index n, bool lag, Ms lasts) {
    NodeState& node = s.nodes[n];
    node.nuisance = {.lag = lag, .pressure = !lag, .io = 0.0, .end = s.now + lasts};
    if (lag) lease_late(s, n);
    if (!lag) set_pressure(s, n, true, false);
    s.truth.nodes[n].harmless = true;
    wind(s, n, NodeClock::nuisance, EventKind::node_nuisance, s.now + lasts);
}

void begin_gray(State& s, Index n, const ScriptedFault& fault) {
    s.nodes[n].gray = fault.speed;
    speed_changed(s, n);
    for (const Index w : s.nodes[n].works) touch(s, w);
    wind(s, n, NodeClock::gray, EventKind::node_gray, s.now + ms_of(fault.lasts));
}

void begin_crash_loop(State& s, Index w, const ScriptedFault& fault) {
    WorkState& work = s.works[w];
    roll_out(s, w);
    work.crashes_until = s.now + ms_of(fault.lasts);
    s.queue.push(s.now + 1, EventKind::crash_loop, w, ++work.crash_epoch);
}

/// A request by a person; whether the cluster accepts it does not matter here.
void ask(State& s, const model::Request& request) { (void)apply_request(s, request, {}); }

void happen_to_workloads(State& s, const ScriptedFault& fault) {
    for (Index w = 0; w < s.works.size(); ++w) {
        const model::WorkloadId id = s.works[w].id;
        if (id.space.str() + "/" + id.name.str() != fault.target) continue;
        if (fault.kind == ScriptedKind::crash_loop) begin_crash_loop(s, w, fault);
        if (fault.kind == ScriptedKind::scale) ask(s, model::SetReplicas{id, fault.replicas});
    }
}

}  // namespace

Index scripted_node(const State& s, Index i) {
    const std::string& name = s.scenario->script[i].target;
    std::vector<Index> workers;
    for (Index n = 0; n < s.nodes.size(); ++n) {
        if (s.nodes[n].id.name.view() == name) return n;
        if (s.nodes[n].worker) workers.push_back(n);
    }
    const std::uint64_t bits = draw(s.seed, Stream::fault, entity_of("scripted node"), i);
    return workers[random::below(bits, workers.size())];
}

Ms scripted_at(const State& s, Index i) {
    const ScriptedFault& fault = s.scenario->script[i];
    const std::uint64_t bits = draw(s.seed, Stream::fault, entity_of("script"), i);
    const Ms jitter = fault.jitter.us > 0 ? random::between(bits, 0, ms_of(fault.jitter)) : 0;
    return ms_of(fault.at) + jitter;
}

void announce_script(State& s) {
    for (NodeState& node : s.nodes) node.script_fails_at = kNever;
    for (Index i = 0; i < s.scenario->script.size(); ++i) {
        const ScriptedFault& fault = s.scenario->script[i];
        const bool rack = fault.kind == ScriptedKind::rack;
        const bool degrades = fault.kind == ScriptedKind::degrade_fail;
        if (!rack && !degrades && fault.kind != ScriptedKind::fail) continue;
        const Ms begins = scripted_at(s, i);
        if (begins <= s.now) continue;  // An episode that has begun knows itself when it ends.
        const Ms at = degrades ? begins + ms_of(fault.lead) : begins;
        const Index n = scripted_node(s, i);
        for (Index other = 0; other < s.nodes.size(); ++other) {
            const bool meant =
                rack ? s.nodes[other].rack_index == s.nodes[n].rack_index : other == n;
            Ms& known = s.nodes[other].script_fails_at;
            if (meant) known = std::min(known, at);
        }
    }
}

void script_event(State& s, Index i) {
    announce_script(s);
    const ScriptedFault& fault = s.scenario->script[i];
    if (about_workload(fault.kind)) return happen_to_workloads(s, fault);
    const Index n = scripted_node(s, i);
    const Ms lasts = ms_of(fault.lasts);
    switch (fault.kind) {
        case ScriptedKind::degrade_fail:
        case ScriptedKind::degrade_heal: {
            const bool fails = fault.kind == ScriptedKind::degrade_fail;
            begin_episode(s, n,
                          {.lead = ms_of(fault.lead),
                           .gamma = fault.gamma,
                           .fails = fails,
                           .pressure_from = 0.5,
                           .repair = ms_of(fault.repair)},
                          FaultCause::scripted);
            break;
        }
        case ScriptedKind::fail:
            fail_node(s, n, FaultCause::scripted, ms_of(fault.repair));
            break;
        case ScriptedKind::gray:
            begin_gray(s, n, fault);
            break;
        case ScriptedKind::flap:
            s.nodes[n].flaps_until = s.now + lasts;
            wind(s, n, NodeClock::flap, EventKind::node_flap, s.now);
            break;
        case ScriptedKind::rack:
            for (Index other = 0; other < s.nodes.size(); ++other) {
                if (s.nodes[other].rack_index != s.nodes[n].rack_index) continue;
                fail_node(s, other, FaultCause::rack, ms_of(fault.repair));
            }
            break;
        case ScriptedKind::lease_lag:
        case ScriptedKind::pressure:
            begin_nuisance(s, n, fault.kind == ScriptedKind::lease_lag, lasts);
            break;
        case ScriptedKind::unmark:
            ask(s, model::PutMark{.target = s.nodes[n].id});
            break;
        case ScriptedKind::crash_loop:
        case ScriptedKind::scale:
            break;
    }
}

}  // namespace parley::sim
