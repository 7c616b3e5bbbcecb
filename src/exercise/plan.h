// Exercise, plan: a phase and a snapshot in, pods of the right size and the stimulus out. Pure.

#pragma once

#include "base/result.h"
#include "cluster/stage.h"
#include "exercise/phases.h"

#include <optional>
#include <string>
#include <vector>

namespace parley::exercise {

struct PlanOptions {
    Choice choice;
    std::string space;    ///< The only namespace that is touched.
    bool watched = true;  ///< Its pods count in the snapshot's queue.
    bool burn_cpu = false;
    bool hold_memory = false;
};

struct Plan {
    Phase phase;
    std::vector<cluster::Filler> fillers;  ///< Empty: the phase only deletes.
    model::Stimulus stimulus;              ///< Its `since` is not set yet.
};

/// The most nodes that a phase about the emptiest node fills.
inline constexpr std::size_t kNodesFilledMax = 16;

/// One pod fills the node of which others request least, up to the phase's share of CPU and memory;
/// what others request there is left to them. A phase about the emptiest node fills every node
/// below that share. Denied: no node can take it.
[[nodiscard]] Result<Plan> plan_phase(const PlanOptions& options, std::int64_t number,
                                      const model::Snapshot& snapshot);

std::int32_t pods_of(const std::vector<cluster::Filler>& fillers);

/// What became of a plan, judged by its pods.
struct Effect {
    bool reached = false;
    std::string text;  ///< "12 of 12 wait".
    /// Why pods were not created or do not run, as far as the cluster says.
    std::optional<cluster::Trouble> trouble = {};
};
Effect effect_of(const Plan& plan, const cluster::Cast& cast);

}  // namespace parley::exercise
