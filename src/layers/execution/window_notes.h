// Layer 5, execution: rounds in; what happened to the leaves of open windows, as notes, out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <string>
#include <vector>

namespace parley::execution {

/// So many notes are kept of a window: of its target, and of its other leaves. The first count.
inline constexpr std::size_t kTargetNotesMax = 12;
inline constexpr std::size_t kOtherNotesMax = 12;

/// How the leaves of a window look when it opens; `plan` says how many pods it takes from its
/// node. Jobs come and go, and are not watched.
std::vector<model::LeafSeen> look_at(const model::Window& window,
                                     const std::vector<model::PlannedStep>& plan,
                                     const model::Snapshot& snapshot);

/// Notes what changed since the last round: a node that was emptied, failed, recovered or went; a
/// workload that someone else scaled, that lost its last ready pod, recovered or went. What the
/// action of a window did itself is no news to it. `ended` are actions that left the ledger in this
/// round. Pure.
void note_changes(const model::RoundInput& input, const model::Ledger& ledger,
                  const std::vector<model::OpenAction>& ended, std::vector<model::Window>& windows);

/// Another action took leaves of this window.
void note_taken(const model::Window& by, std::uint64_t round, model::Window& window);

}  // namespace parley::execution
