// Layer 2, prediction: makers of small snapshots, for tests.

#pragma once

#include "base/check.h"
#include "brain/model.h"
#include "layers/prediction/node_features.h"
#include "model/round.h"

#include <memory>
#include <string>

namespace parley::prediction::kit {

inline constexpr TimePoint kNow{seconds(10'000).us};

inline model::Provenance from(Duration age = {}, model::Source source = model::Source::metrics) {
    return {.received = kNow - age, .measured = kNow - age, .source = source};
}

template <class T>
model::Reading<T> read(T value, Duration age = {}, model::Source source = model::Source::metrics) {
    return model::Reading<T>(value, from(age, source));
}

template <class T>
model::Reading<T> gap(model::Gap why) {
    return model::Reading<T>(why, from());
}

/// A Ready worker of 10 CPU and 100 bytes of memory with a lease renewed just now.
inline model::NodeRow node(const std::string& name, std::uint64_t uid) {
    model::NodeRow row;
    row.id = {Name::of(name)};
    row.uid = {0, uid};
    row.ready = model::Readiness::yes;
    row.lease = read(kNow, {}, model::Source::api);
    row.cpu_allocatable_m = 10'000;
    row.memory_allocatable = 100;
    return row;
}

/// A Deployment with as many Ready pods as wanted.
inline model::WorkloadRow workload(const std::string& name, std::int32_t pods) {
    model::WorkloadRow row;
    row.id = {Name::of("shop"), model::WorkloadKind::deployment, Name::of(name)};
    row.wanted = pods;
    row.ready = pods;
    return row;
}

inline model::PodRow pod(Slot workload, Slot node) {
    model::PodRow row;
    row.workload = workload;
    row.node = node;
    row.phase = model::PodPhase::running;
    row.ready = true;
    return row;
}

/// An input whose API and metrics delivered just now.
inline model::RoundInput input() {
    model::RoundInput in;
    in.round = 1;
    in.now = kNow;
    for (const model::Source source : {model::Source::api, model::Source::metrics}) {
        in.snapshot.sources.push_back({.source = source,
                                       .condition = model::SourceCondition::ok,
                                       .last_success = kNow,
                                       .limit = seconds(60)});
    }
    return in;
}

inline model::SourceState& source(model::RoundInput& in, model::Source which) {
    for (model::SourceState& state : in.snapshot.sources) {
        if (state.source == which) return state;
    }
    return in.snapshot.sources.emplace_back(model::SourceState{.source = which});
}

inline constexpr float kCalm = -4.0F;
inline constexpr float kLate = 1.0F;

/// One tree: a lease older than 20 s adds 1 to the log-odds, a younger one subtracts 4.
inline std::shared_ptr<const brain::Model> brain_of_leases() {
    brain::Trees trees;
    trees.objective = brain::Objective::logistic;
    trees.features = static_cast<std::uint32_t>(node_feature_list().size());
    trees.roots = {0};
    trees.left = {1, 0, 0};
    trees.feature = {0, 0, 0};
    trees.missing_left = {1, 0, 0};
    trees.threshold = {20.0F, kCalm, kLate};
    trees.cover = {100, 95, 5};
    auto forest = brain::Forest::from(trees);
    PARLEY_CHECK(forest);
    auto paths = brain::paths_of(*forest);
    brain::ModelFacts facts{.id = "risk-test", .gap_s = 120, .horizons_s = {1'800}};
    return std::make_shared<const brain::Model>(
        brain::Model{std::move(facts),
                     *std::move(forest),
                     std::move(paths),
                     {.id = "cal-1", .kind = brain::CalibrationKind::intercept, .a = 0.5}});
}

}  // namespace parley::prediction::kit
