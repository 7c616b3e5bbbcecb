// Layer 5, execution: counters, twins and confirmed actions in; the round's cost and closed scores
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

/// The leaves that an action is scored on: for a node the node and the workloads with pods on it,
/// for a workload that workload, for anything else the queue (WholeCluster as a leaf).
std::vector<model::Target> leaves_of(const model::Target& target, const model::Snapshot& snapshot);

/// The leaves of a window, for twins. If one is the queue, the present Jobs are listed as well;
/// later ones belong to the queue.
std::vector<model::Target> named_leaves(const model::Window& window,
                                        const model::Snapshot& snapshot);

/// Opens the window of an action accepted in this round, after `attribute`. It owns its leaves from
/// now on, since the time until its effect counts, too. Twins continue from the present counters.
void open_window(const model::OpenAction& action, const std::string& loser,
                 const model::RoundInput& input, const model::Policy& policy,
                 model::Derived& derived);

/// Prices what the counters moved since the last round, and assigns it to the one window that owns
/// each leaf: the last confirmed action on it, else the last one begun, else none. Folds the twins
/// over the same leaves and intervals, and closes windows that are over. `ended` are the actions
/// that left the ledger in this round. Pure; call it once a round, before new windows open.
Attributed attribute(const model::RoundInput& input, const model::Policy& policy,
                     const std::vector<model::OpenAction>& ended, model::Memory& memory);

/// What is known about actions with open windows, in order of opening.
std::vector<model::OpenScore> open_scores(const model::Derived& derived);

}  // namespace parley::execution
