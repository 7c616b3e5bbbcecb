#include "twin/twins.h"

#include <algorithm>
#include <utility>

namespace parley::twin {

using namespace model;

namespace {

constexpr LineSet kUnmodelledWork = LineSet{}
                                        .with(CostLine::lost_requests)
                                        .with(CostLine::violating_requests)
                                        .with(CostLine::rejections);
constexpr LineSet kUnmodelledNode = LineSet{}.with(CostLine::energy);

Slot slot_of(const Snapshot& seen, const NodeId& id) {
    Slot found = kNoSlot;
    seen.nodes.for_each([&](Slot slot, const NodeRow& row) {
        if (row.id == id) found = slot;
    });
    return found;
}

std::size_t index_of(const Shown& shown, const WorkloadId& id) {
    const auto found = std::ranges::find(shown.works, id, &Work::id);
    return static_cast<std::size_t>(found - shown.works.begin());
}

/// The node that a request names, if it matters to a model.
const NodeId* node_of(const Request& request) {
    if (const auto* taint = std::get_if<SetTaint>(&request)) return &taint->node;
    if (const auto* power = std::get_if<SetPower>(&request)) return &power->node;
    return nullptr;
}

Wish wish_of(const PlannedStep& step, const Shown& shown, const Snapshot& seen) {
    Wish wish{.request = step.request,
              .work = shown.works.size(),
              .await = index_of(shown, step.then.workload),
              .ready = step.then.ready_at_least};
    if (const NodeId* node = node_of(step.request)) wish.node = slot_of(seen, *node);
    if (const auto* replicas = std::get_if<SetReplicas>(&step.request)) {
        wish.work = index_of(shown, replicas->workload);
    }
    if (const auto* resize = std::get_if<ResizePod>(&step.request)) {
        wish.asks = resized(*resize, seen);
    }
    return wish;
}

std::vector<Wish> wishes_of(const std::vector<PlannedStep>& plan, const Shown& shown,
                            const Snapshot& seen) {
    std::vector<Wish> wishes;
    for (const PlannedStep& step : plan) {
        const bool marks = std::holds_alternative<PutMark>(step.request) ||
                           std::holds_alternative<MarkPod>(step.request);
        if (!marks || step.then.ready_at_least > 0) wishes.push_back(wish_of(step, shown, seen));
    }
    return wishes;
}

/// Whom to follow for these leaves.
Following following_of(const OpenAction& action, const std::vector<Target>& leaves,
                       const Snapshot& seen) {
    Following following{.works = {}, .action = action.id};
    if (const auto* node = std::get_if<NodeId>(&action.target)) {
        following.target = slot_of(seen, *node);
    }
    for (const PlannedStep& step : action.plan) {
        if (const auto* evict = std::get_if<EvictPod>(&step.request)) {
            following.own_pods.insert(evict->pod);
        }
    }
    std::vector<WorkloadId> named;
    for (const Target& leaf : leaves) {
        if (std::holds_alternative<WholeCluster>(leaf)) following.queue = true;
        if (const auto* id = std::get_if<WorkloadId>(&leaf)) named.push_back(*id);
    }
    std::ranges::sort(named);
    seen.workloads.for_each([&](Slot, const WorkloadRow& row) {
        if (std::ranges::binary_search(named, row.id)) following.works.push_back(row.uid);
    });
    return following;
}

}  // namespace

Twins::Twins(const StakesRules& rules, TwinLimits limits)
    : startup_assumed_(rules.startup_assumed), toleration_(rules.toleration), limits_(limits) {}

void Twins::fork(const OpenAction& action, const std::vector<Target>& leaves,
                 const std::vector<PlannedStep>& loser, const Snapshot& seen) {
    if (followed_.size() >= limits_.actions_max) return;
    Followed followed{.action = action.id,
                      .following = following_of(action, leaves, seen),
                      .leaves = {},
                      .branches = {}};
    Shown start = show(seen, followed.following, startup_assumed_, true);
    if (start.pods.size() > limits_.pods_max) return;
    // What others did before it began is no part of it.
    for (Work& work : start.works) work.disrupted = 0;
    for (const Target& leaf : leaves) {
        if (const auto* node = std::get_if<NodeId>(&leaf)) {
            followed.leaves.push_back({leaf, slot_of(seen, *node), 0});
        } else if (const auto* work = std::get_if<WorkloadId>(&leaf)) {
            followed.leaves.push_back({leaf, kNoSlot, index_of(start, *work)});
        }
    }
    const auto add = [&](model::Branch which, const std::vector<PlannedStep>& plan) {
        followed.branches.push_back(
            {which, Future(start, wishes_of(plan, start, seen), toleration_, seen.taken)});
    };
    add(model::Branch::noop, {});
    add(model::Branch::acted, action.plan);
    if (!loser.empty()) add(model::Branch::loser, loser);
    followed_.push_back(std::move(followed));
}

void Twins::drop(DecisionId action) {
    std::erase_if(followed_, [&](const Followed& each) { return each.action == action; });
}

std::vector<TwinSample> Twins::sample(TimePoint now, const Snapshot& seen) {
    std::vector<TwinSample> samples;
    for (Followed& followed : followed_) {
        const Shown shown = show(seen, followed.following, startup_assumed_, false);
        for (Branch& branch : followed.branches) {
            branch.future.advance(shown, now);
            samples.push_back(look(followed, branch, shown));
            branch.future.carry_on(shown, now);
        }
    }
    return samples;
}

TwinSample Twins::look(const Followed& followed, const Branch& branch, const Shown& shown) {
    TwinSample sample{.action = followed.action, .branch = branch.which, .leaves = {}};
    LineSet without = kUnmodelledWork;
    // How long a Job's pods run is not known: what they reserve cannot be told from its start.
    if (followed.following.queue) {
        without = without.with(CostLine::core_hours).with(CostLine::gib_hours);
    }
    const auto add = [&](const Target& leaf, std::size_t work) {
        WorkCounters counters = branch.future.work(work);
        counters.uncounted = without;
        sample.leaves.push_back({leaf, counters, std::nullopt});
    };
    std::vector<bool> told(shown.works.size(), false);
    for (const Leaf& leaf : followed.leaves) {
        if (leaf.node != kNoSlot) {
            NodeCounters counters = branch.future.node(leaf.node);
            counters.uncounted = kUnmodelledNode;
            sample.leaves.push_back({leaf.target, std::nullopt, counters});
        } else if (leaf.work < shown.works.size()) {
            add(leaf.target, leaf.work);
            told[leaf.work] = true;
        }
    }
    for (std::size_t i = 0; i < shown.works.size(); ++i) {
        const bool comes = followed.following.queue && !told[i] && !shown.works[i].id.name.empty();
        if (comes) add(shown.works[i].id, i);
    }
    return sample;
}

}  // namespace parley::twin
