// Exercise, plan: a phase and a snapshot in, pods of the right size and the stimulus out. Pure.

#pragma once

#include "base/result.h"
#include "cluster/stage.h"
#include "exercise/phases.h"

#include <optional>
#include <string>

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
    std::optional<cluster::Filler> filler;  ///< Nothing: the phase only deletes.
    model::Stimulus stimulus;               ///< Its `since` is not set yet.
};

/// Phases with one pod fill the node that others ask least of, up to the share of CPU and memory
/// that the phase means; what others ask there is left to them. Denied: no node can take it.
[[nodiscard]] Result<Plan> plan_phase(const PlanOptions& options, std::int64_t number,
                                      const model::Snapshot& snapshot);

/// What became of a plan, judged by its pods.
struct Effect {
    bool reached = false;
    std::string text;  ///< "12 of 12 wait".
};
Effect effect_of(const Plan& plan, const cluster::Cast& cast);

}  // namespace parley::exercise
