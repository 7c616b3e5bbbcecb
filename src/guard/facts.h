// Guard: everything that its rules may know about one round, with counts made once.

#pragma once

#include "guard/breaker.h"
#include "model/round.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace parley::guard {

struct WorkloadIndex {
    std::map<model::WorkloadId, Slot> slots;
    std::set<model::WorkloadId> scaling;
    std::int64_t replicas = 0;
};

/// A view of one round, for one thread. Pure; what it is made of is borrowed and must outlive it.
/// Building it is linear in the number of nodes and reads no pod. `memory` is that of this round:
/// answers folded in, windows moved on, the breaker set by next_breaker.
class Facts {
public:
    Facts(const model::RoundInput& input, const model::Forecast& forecast,
          const model::Memory& memory, const model::Policy& policy);

    std::uint64_t round() const { return input_->round; }
    TimePoint now() const { return input_->now; }
    std::uint64_t seed() const { return input_->seed; }
    const model::Controls& controls() const { return input_->controls; }
    const model::Snapshot& snapshot() const { return input_->snapshot; }
    const model::Forecast& forecast() const { return *forecast_; }
    const model::Ledger& ledger() const { return memory_->ledger; }
    const model::Derived& derived() const { return memory_->derived; }
    /// Never looser than the hard limits, whatever policy was given.
    const model::Policy& policy() const { return policy_; }
    const model::GuardRules& rules() const { return policy_.guard; }
    /// Also the source of Derived::bad_nodes and nodes_counted at the end of a round.
    const Census& census() const { return census_; }

    /// kNoSlot: no such node.
    Slot slot_of(model::NodeId id) const;
    /// kNoSlot: no such workload. The first call makes an index of all workloads.
    Slot slot_of(const model::WorkloadId& id) const;
    /// Whether an earlier scaling of it is on its way.
    bool is_scaling(const model::WorkloadId& id) const;
    /// Replicas that all workloads want which can be scaled, together.
    std::int64_t replicas() const;
    /// The shapes of a workload's pods that are bound and neither ended nor on their way out, each
    /// once, without those that are not known. The first call reads the table of pods.
    std::vector<const model::PodShape*> shapes_of(Slot workload) const;
    /// Whether some node, were it empty, could hold a pod that asks for that much.
    bool could_hold(std::int64_t cpu_m, std::int64_t memory) const;
    /// Null: there is no such source.
    const model::SourceState* source(model::Source source) const;
    /// Null: this node was not seen before (a new uid under a known name counts as new).
    const model::NodeFold* fold_of(Slot node) const;
    /// Null: this workload, which is one of the snapshot, was not seen before.
    const model::WorkFold* fold_of(const model::WorkloadRow& workload) const;

private:
    const model::RoundInput* input_;
    const model::Forecast* forecast_;
    const model::Memory* memory_;
    model::Policy policy_;
    Census census_;
    std::vector<std::pair<std::uint32_t, Slot>> by_handle_;  ///< Nodes, sorted; for lookup only.

    const WorkloadIndex& workloads() const;
    mutable std::optional<WorkloadIndex> workloads_;  ///< Made when first asked for.
    /// By workload, sorted; likewise.
    mutable std::optional<std::vector<std::pair<Slot, Slot>>> shapes_;
    /// What each node can give of CPU and memory, without its row around it; likewise.
    mutable std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>> nodes_;
};

}  // namespace parley::guard
