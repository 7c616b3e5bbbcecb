// Layer 3, proposal: pending pods in, how many of them more room would help out.

#pragma once

#include "model/policy.h"
#include "model/snapshot.h"

#include <cstdint>
#include <string>

namespace parley::proposal {

/// Watched pods that wait for room.
struct Shortage {
    std::int64_t pods = 0;
    std::int64_t cpu = 0;     ///< Of these, short of CPU; a pod may be short of several.
    std::int64_t memory = 0;  ///< Short of memory.
    std::int64_t places = 0;  ///< Nodes are at their number of pods.
    std::int64_t batch = 0;   ///< Of these, pods of Jobs.
    TimePoint oldest;         ///< When the oldest began to wait; meaningless if none does.

    friend bool operator==(const Shortage&, const Shortage&) = default;
};

/// A pod counts if it is short of something a cluster can have more of and nothing else keeps it:
/// no selector that no node matches, no volume, no gate of ours or others, no other scheduler.
Shortage shortage_of(const model::Snapshot& snapshot, const model::Policy& policy);

/// "CPU", "memory", "CPU and memory": what they wait for.
std::string what_is_short(const Shortage& shortage);

/// Whether any Job runs or waits: without one, holding Jobs back helps nobody.
bool has_batch(const model::Snapshot& snapshot);

}  // namespace parley::proposal
