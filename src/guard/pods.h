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
    std::int64_t cpu_request_m = 0;   ///< Of the largest.
    std::int64_t memory_request = 0;  ///< Of the largest.
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
    std::string whose;
};

/// What a node still has to give.
struct Room {
    std::int64_t cpu_m;
    std::int64_t memory;
    std::int64_t pods;
    Name node;
};

/// The nodes that a scheduler would use, other than `leaving`, each with what it can give while a
/// share of `headroom` of it stays free: workers that are on, not bad, and neither cordoned,
/// tainted nor avoided. At most 512 of them, those with most CPU to give first.
std::vector<Room> rooms(const Facts& facts, Slot leaving);

/// Places the needs, largest CPU first, each on the first room that takes it. Null: all have a
/// place; else the first that has none. The order of the needs does not matter.
const Need* homeless(std::vector<Need>& needs, std::vector<Room> rooms);

}  // namespace parley::guard
