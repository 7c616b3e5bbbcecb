// Layer 3, proposal: pending pods in, how many of them would be helped by more room out.

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
    std::int64_t cpu = 0;     ///< Those short of CPU; a pod may be short of several things.
    std::int64_t memory = 0;  ///< Those short of memory.
    std::int64_t places = 0;  ///< Those for which nodes have reached their maximum number of pods.
    std::int64_t batch = 0;   ///< Those that belong to Jobs.
    TimePoint oldest;         ///< When the oldest began to wait; undefined if none waits.

    friend bool operator==(const Shortage&, const Shortage&) = default;
};

/// A pod counts if it is short of something that a cluster can have more of, and nothing else keeps
/// it waiting: no selector that no node matches, no size that no node has, no volume, no gate of
/// ours or others, no other scheduler.
Shortage shortage_of(const model::Snapshot& snapshot, const model::Policy& policy);

/// The shortage of one namespace.
struct SpaceShortage {
    Name space;
    Shortage shortage;
    bool has_jobs =
        false;  ///< Some run or wait there; without one, holding Jobs back helps nobody.
};

/// For each namespace in which a pod counts, sorted by name.
std::vector<SpaceShortage> shortages_of(const model::Snapshot& snapshot,
                                        const model::Policy& policy);

/// The shortage over all these namespaces.
Shortage sum_of(const std::vector<SpaceShortage>& shortages);

/// The pods that count in these namespaces, as `space/name`, longest waiting first; at most `most`.
std::vector<std::string> short_pods(const model::Snapshot& snapshot,
                                    const std::vector<Name>& spaces, std::size_t most);

/// What the counted pods are short of.
model::ShortOf short_of(const Shortage& shortage);

}  // namespace parley::proposal
