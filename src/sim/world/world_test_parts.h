// Simulation, for tests: small worlds, and what a watcher would make of their reports.

#pragma once

#include "sim/scenario/builtin_scenarios.h"
#include "sim/scenario/scenario_parts.h"
#include "sim/world/world.h"
#include "sim/world/world_build.h"
#include "sim/world/world_load.h"
#include "sim/world/world_pods.h"
#include "sim/world/world_state.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace parley::sim {

inline TimePoint at_s(std::int64_t s) { return {s * 1'000'000}; }

/// `count` nodes of 4 CPU and 8 GiB in two zones, and nothing on them.
inline Scenario bare_nodes(std::int32_t count) {
    Scenario s{.name = "bare"};
    s.nodes.push_back({.count = count,
                       .zones = count > 1 ? 2 : 1,
                       .racks = 1,
                       .cpu_m = 4'000,
                       .memory_mib = 8'192,
                       .can_power = true,
                       .can_clock = true});
    return s;
}

/// A Deployment that only reserves.
inline WorkloadSpec reserving(const std::string& name, std::int32_t replicas, std::int64_t cpu_m) {
    WorkloadSpec w{.space = "test", .name = name, .replicas = replicas};
    w.pod.cpu_request_m = cpu_m;
    return w;
}

inline World world_of(const Scenario& scenario, std::uint64_t seed = 7) {
    const auto valid = validate(scenario);
    PARLEY_CHECK(valid);
    return World(std::make_shared<const Scenario>(scenario), seed);
}

inline State state_of(const Scenario& scenario, std::uint64_t seed = 7) {
    PARLEY_CHECK(validate(scenario));
    return build_state(std::make_shared<const Scenario>(scenario), seed);
}

inline World builtin_world(const std::string& name, std::uint64_t seed = 7) {
    return world_of(*builtin_scenario(name, seed), seed);
}

inline model::WorkloadId deployment(const std::string& name, const std::string& space = "test") {
    return {Name::of(space), model::WorkloadKind::deployment, Name::of(name)};
}
inline model::NodeId node_id(const std::string& name) { return {Name::of(name)}; }

using UidKey = std::pair<std::uint64_t, std::uint64_t>;
inline UidKey key(const model::Uid& uid) { return {uid.high, uid.low}; }

/// What a watcher knows from all reports so far.
struct Watched {
    std::map<UidKey, model::NodeRow> nodes;
    std::map<UidKey, model::WorkloadRow> works;
    std::map<UidKey, cluster::PodChange> pods;
    std::int32_t restarts = 0;
    cluster::Batch batch;

    void look(World& world) {
        world.collect(batch);
        for (const cluster::Change& change : batch.changes) std::visit(*this, change);
    }
    void operator()(const cluster::NodeChange& c) { nodes.insert_or_assign(key(c.row.uid), c.row); }
    void operator()(const cluster::NodeGone& c) { nodes.erase(key(c.uid)); }
    void operator()(const cluster::WorkloadChange& c) {
        works.insert_or_assign(key(c.row.uid), c.row);
    }
    void operator()(const cluster::WorkloadGone& c) { works.erase(key(c.uid)); }
    void operator()(const cluster::PodChange& c) { pods.insert_or_assign(key(c.row.uid), c); }
    void operator()(const cluster::PodGone& c) { pods.erase(key(c.uid)); }
    void operator()(const cluster::PodRestarted& c) { restarts += c.count; }
    void operator()(const cluster::PodDisrupted&) {}  // A simulated cluster counts by itself.

    const model::NodeRow& node(const std::string& name) const {
        for (const auto& [uid, row] : nodes) {
            if (row.id.name.view() == name) return row;
        }
        PARLEY_CHECK(false);
        std::abort();
    }
    const model::WorkloadRow* work(const std::string& name) const {
        for (const auto& [uid, row] : works) {
            if (row.id.name.view() == name) return &row;
        }
        return nullptr;
    }
    /// Pods of a workload, by uid.
    std::vector<cluster::PodChange> of(const std::string& name) const {
        std::vector<cluster::PodChange> found;
        for (const auto& [uid, pod] : pods) {
            const auto owner = works.find(key(pod.workload));
            if (owner != works.end() && owner->second.id.name.view() == name) found.push_back(pod);
        }
        return found;
    }
    std::int32_t ready(const std::string& name) const {
        std::int32_t count = 0;
        for (const cluster::PodChange& pod : of(name)) count += pod.row.ready ? 1 : 0;
        return count;
    }
};

}  // namespace parley::sim
