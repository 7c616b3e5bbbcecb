// Guard: the pods of one node, and whether they would find room elsewhere. Computed only when
// needed.

#pragma once

#include "guard/facts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::guard {

/// The pods of one workload on one node that run or are going to.
struct Tenant {
    Slot workload = kNoSlot;
    const model::WorkloadRow* row = nullptr;  ///< Null: their workload is not known.
    int pods = 0;
    int ready = 0;
    int unmovable = 0;  ///< Bare, static, with local storage, or marked not to be evicted.
    std::int64_t cpu_request_m = 0;          ///< Of its largest pod.
    std::int64_t memory_request = 0;         ///< Of its largest pod.
    std::vector<const model::PodRow*> rows;  ///< Sorted by name.
};

/// The tenants of a node, sorted by name. Leaves out pods of daemon sets, which stay with their
/// node, and pods that have ended or are terminating. Reads the whole table of pods once.
std::vector<Tenant> tenants_of(const model::Snapshot& snapshot, Slot node);

/// What the workload is called; "an unknown workload" without a row.
std::string name_of(const Tenant& tenant);

/// What one pod needs elsewhere.
struct Need {
    std::int64_t cpu_m;
    std::int64_t memory;
    std::string whose;     ///< Its workload.
    std::uint32_t places;  ///< Where it may be placed, as in the pod's row.
    std::string pod;       ///< Empty: a pod that does not exist yet.
};

/// The need of the i-th pod of a tenant; each counts as large as the largest of them.
Need need_of(const Tenant& tenant, std::size_t i);

/// What a node still has to give.
struct Room {
    std::int64_t cpu_m;
    std::int64_t memory;
    std::int64_t pods;
    Name node;
    Slot slot;
    bool tainted;  ///< By others: only pods that are known to tolerate it may go there.
};

/// Whether a pod may be on that node at all, regardless of free room.
bool may_be(const model::Snapshot& snapshot, const Need& need, const Room& room);

/// The nodes that a scheduler would use, other than `leaving`, each with what it can give while a
/// share of `headroom` stays free: workers that are on, not bad, and neither cordoned nor tainted
/// by us nor avoided. Sorted by free CPU, most first; for each kind of need at most 512.
std::vector<Room> rooms(const Facts& facts, Slot leaving, const std::vector<Need>& needs);

/// Places the needs, each in the first suitable room with enough space; those that may not be
/// everywhere first, then by CPU, largest first. Returns null if all were placed, else the first
/// that was not. The order of `needs` does not matter.
const Need* homeless(const model::Snapshot& snapshot, std::vector<Need>& needs,
                     std::vector<Room> rooms);

/// Empty if all needs find a place elsewhere; else a sentence about the first that does not, with
/// the reason.
std::string nowhere_to_go(const Facts& facts, Slot leaving, std::vector<Need> needs);

}  // namespace parley::guard
