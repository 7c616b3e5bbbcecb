// Layer 5, execution: counters, twins and confirmed actions in, the round's cost and closed scores
// out. Definitions: docs/layers/execution.md.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::execution {

/// How many twin errors are kept.
inline constexpr std::size_t kTwinErrors = 200;

struct Attributed {
    model::RoundScore score;
    std::vector<model::ClosedScore> closed;
};

/// What an action is scored on: a node action the node and the workloads with pods on it, a
/// workload action the workload, anything else the queue (the whole cluster as a leaf).
std::vector<model::Target> leaves_of(const model::Target& target, const model::Snapshot& snapshot);

/// The leaves of a window, for twins: where the queue is one, the Jobs that are there are named as
/// well; those that arrive later belong to the queue.
std::vector<model::Target> named_leaves(const model::Window& window,
                                        const model::Snapshot& snapshot);

/// Opens the window of an action accepted in this round, after `attribute`: what it owns begins
/// now, since the time until its effect is its own too. Twins go on from the counters of now.
void open_window(const model::OpenAction& action, const std::string& loser,
                 const model::RoundInput& input, const model::Policy& policy,
                 model::Derived& derived);

/// Prices what the counters moved since the last round and gives it to the one window that owns
/// each leaf: the last confirmed action on it, else the last begun, else nobody. Folds the twins
/// over the same leaves and intervals, and closes windows that are over. `ended` are the actions
/// that left the ledger in this round. Pure; call it once a round, before new windows open.
Attributed attribute(const model::RoundInput& input, const model::Policy& policy,
                     const std::vector<model::OpenAction>& ended, model::Memory& memory);

/// What is known of actions whose windows are open, in order of opening.
std::vector<model::OpenScore> open_scores(const model::Derived& derived);

}  // namespace parley::execution
