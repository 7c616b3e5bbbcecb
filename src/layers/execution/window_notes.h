// Layer 5, execution: rounds in; what happened to the leaves of open windows, as notes, out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <string>
#include <vector>

namespace parley::execution {

/// How many notes a window keeps about its target, and about its other leaves: the first ones.
inline constexpr std::size_t kTargetNotesMax = 12;
inline constexpr std::size_t kOtherNotesMax = 12;

/// The state of a window's leaves when it opens; `plan` says how many pods it takes from its node.
/// Jobs come and go, so they are not watched.
std::vector<model::LeafSeen> look_at(const model::Window& window,
                                     const std::vector<model::PlannedStep>& plan,
                                     const model::Snapshot& snapshot);

/// Notes what changed since the last round: a node that was emptied, failed, recovered or vanished;
/// a workload that someone else scaled, that lost its last ready pod, recovered or vanished. What
/// the window's own action did is not noted. `ended` are actions that left the ledger in this
/// round. Pure.
void note_changes(const model::RoundInput& input, const model::Ledger& ledger,
                  const std::vector<model::OpenAction>& ended, std::vector<model::Window>& windows);

/// Notes that another action took over leaves of this window.
void note_taken(const model::Window& by, std::uint64_t round, model::Window& window);

}  // namespace parley::execution
