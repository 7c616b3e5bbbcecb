#include "sim/world/twin.h"

#include <algorithm>
#include <utility>

namespace parley::sim {

Twins::Twins(const World& live, TwinLimits limits) : live_(live), limits_(limits) {}

void Twins::fork(const model::OpenAction& action, const std::vector<model::Target>& leaves,
                 const std::vector<model::PlannedStep>& loser, const model::Snapshot& /*seen*/) {
    if (followed_.size() >= limits_.actions_max) return;
    Followed followed{.action = action.id, .leaves = leaves, .futures = {}};
    const auto add = [&](model::Branch branch, std::vector<model::PlannedStep> plan) {
        followed.futures.push_back({.branch = branch, .world = live_, .plan = std::move(plan)});
        followed.futures.back().world.stop_reporting();
    };
    add(model::Branch::noop, {});
    add(model::Branch::acted, action.plan);
    if (!loser.empty()) add(model::Branch::loser, loser);
    followed_.push_back(std::move(followed));
}

void Twins::drop(model::DecisionId action) {
    std::erase_if(followed_, [&](const Followed& each) { return each.action == action; });
}

std::vector<model::TwinSample> Twins::sample(TimePoint now, const model::Snapshot& /*seen*/) {
    std::vector<model::TwinSample> samples;
    for (Followed& followed : followed_) {
        for (Future& future : followed.futures) {
            future.world.advance(now);
            samples.push_back(look(followed, future));
            carry_on(future);
        }
    }
    return samples;
}

/// Carries out the plan as far as possible at this moment; steps that must wait or are blocked are
/// tried again with the next sample.
void Twins::carry_on(Future& future) {
    while (future.at < future.plan.size()) {
        const model::PlannedStep& step = future.plan[future.at];
        if (!future.awaiting) {
            const auto applied = future.world.apply(step.request, {});
            if (!applied && applied.error().code == ErrorCode::blocked) return;
            future.awaiting =
                true;  // A final refusal counts as done: the live machine continues, too.
        }
        if (step.then.ready_at_least > 0) {
            const auto live = future.world.read(model::SetReplicas{step.then.workload, 0});
            if (live.exists && live.ready < step.then.ready_at_least) return;
        }
        future.awaiting = false;
        ++future.at;
    }
}

model::TwinSample Twins::look(const Followed& followed, const Future& future) {
    model::TwinSample sample{.action = followed.action, .branch = future.branch, .leaves = {}};
    for (const model::Target& leaf : followed.leaves) {
        if (!std::holds_alternative<model::WholeCluster>(leaf)) {
            sample.leaves.push_back(counters_of(future.world, leaf));
        }
    }
    const bool queue =
        std::ranges::count(followed.leaves, model::Target(model::WholeCluster{})) > 0;
    if (queue) add_jobs(future.world, sample.leaves);
    return sample;
}

/// The queue is all present Jobs, including those that have arrived since.
void Twins::add_jobs(const World& world, std::vector<model::LeafCounters>& leaves) {
    for (const JobSpec& spec : world.scenario().jobs) {
        const model::Target job =
            model::WorkloadId{Name::of(spec.space), model::WorkloadKind::job, Name::of(spec.name)};
        if (std::ranges::count(leaves, job, &model::LeafCounters::leaf) > 0) continue;
        model::LeafCounters counters = counters_of(world, job);
        if (counters.work) leaves.push_back(std::move(counters));
    }
}

model::LeafCounters counters_of(const World& world, const model::Target& leaf) {
    model::LeafCounters counters{.leaf = leaf, .work = {}, .node = {}};
    if (const auto* workload = std::get_if<model::WorkloadId>(&leaf)) {
        counters.work = world.work_counters(*workload);
    } else if (const auto* node = std::get_if<model::NodeId>(&leaf)) {
        counters.node = world.node_counters(*node);
    }
    return counters;
}

}  // namespace parley::sim
