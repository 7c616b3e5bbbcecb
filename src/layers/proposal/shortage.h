// Layer 3, proposal: pending pods in, how many of them more room would help out.

#pragma once

#include "model/aside.h"
#include "model/policy.h"
#include "model/snapshot.h"

#include <cstdint>
#include <string>
#include <vector>

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
/// no selector that no node matches, no size that no node has, no volume, no gate of ours or
/// others, no other scheduler.
Shortage shortage_of(const model::Snapshot& snapshot, const model::Policy& policy);

/// The shortage of one namespace.
struct SpaceShortage {
    Name space;
    Shortage shortage;
    bool has_jobs =
        false;  ///< Some run or wait there: without one, holding Jobs back helps nobody.
};

/// Of each namespace in which a pod counts, by name.
std::vector<SpaceShortage> shortages_of(const model::Snapshot& snapshot,
                                        const model::Policy& policy);

/// As of all of them together.
Shortage sum_of(const std::vector<SpaceShortage>& shortages);

/// Pods that count in these namespaces, `space/name`, the longest waiting first; at most `most`.
std::vector<std::string> short_pods(const model::Snapshot& snapshot,
                                    const std::vector<Name>& spaces, std::size_t most);

/// What they wait for.
model::ShortOf short_of(const Shortage& shortage);

}  // namespace parley::proposal
