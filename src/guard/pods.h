// Guard: the pods of one node, and whether they would find room elsewhere. Read only when needed.

#pragma once

#include "guard/facts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::guard {

/// The pods of one workload on one node that still run or will.
struct Tenant {
    Slot workload = kNoSlot;
    const model::WorkloadRow* row = nullptr;  ///< Null: nobody knows whose they are.
    int pods = 0;
    int ready = 0;
    int unmovable = 0;  ///< Bare, static, with local storage, or marked not to be evicted.
    std::int64_t cpu_request_m = 0;          ///< Of the largest.
    std::int64_t memory_request = 0;         ///< Of the largest.
    std::vector<const model::PodRow*> rows;  ///< By name.
};

/// Who lives on a node, by name; pods of daemon sets, which stay with their node, are left out, and
/// so are pods that are done or on their way out. Reads the whole table of pods once.
std::vector<Tenant> tenants_of(const model::Snapshot& snapshot, Slot node);

/// What the workload is called; "an unknown workload" without a row.
std::string name_of(const Tenant& tenant);

/// What one pod asks for.
struct Need {
    std::int64_t cpu_m;
    std::int64_t memory;
    std::string whose;     ///< Its workload.
    std::uint32_t places;  ///< As of the pod: where it may be.
    std::string pod;       ///< Empty: one that is yet to be made.
};

/// The need of the i-th pod of a tenant, which counts as the largest of them.
Need need_of(const Tenant& tenant, std::size_t i);

/// What a node still has to give.
struct Room {
    std::int64_t cpu_m;
    std::int64_t memory;
    std::int64_t pods;
    Name node;
    Slot slot;
    bool tainted;  ///< By others: only for pods of which it is known that they bear it.
};

/// Whether a pod may be in the room at all, however much it gives.
bool may_be(const model::Snapshot& snapshot, const Need& need, const Room& room);

/// The nodes that a scheduler would use, other than `leaving`, each with what it can give while a
/// share of `headroom` of it stays free: workers that are on, not bad, and neither cordoned nor
/// tainted by us nor avoided. Those with most CPU to give first; of many alike, at most 512 that
/// each of the needs may be in.
std::vector<Room> rooms(const Facts& facts, Slot leaving, const std::vector<Need>& needs);

/// Places the needs, each on the first room that it may be in and that takes it: those that may not
/// be everywhere first, then the largest CPU first. Null: all have a place; else the first that has
/// none. The order of the needs does not matter.
const Need* homeless(const model::Snapshot& snapshot, std::vector<Need>& needs,
                     std::vector<Room> rooms);

/// Empty if all needs find a place elsewhere; else the sentence of the first that does not, with
/// the reason.
std::string nowhere_to_go(const Facts& facts, Slot leaving, std::vector<Need> needs);

}  // namespace parley::guard
