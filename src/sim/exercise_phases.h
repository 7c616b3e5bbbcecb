// Simulation, exercise phases: a number and a specification in, the phase's pods and intent out;
// and the exerciser that puts them into a world.

#pragma once

#include "model/snapshot.h"
#include "sim/scenario.h"

#include <cstdint>
#include <string_view>

namespace parley::sim {

struct State;

inline constexpr std::int64_t kPhases = 9;

/// What one phase puts into the cluster, after deleting what the one before left.
struct ExercisePhase {
    std::string_view name;
    std::string_view intent;                 ///< The label that it means to bring about.
    std::int32_t pods = 0;                   ///< 0: it only deletes.
    std::int64_t cpu_m = 0, memory_mib = 0;  ///< Of each pod, requests and limits.
    bool waits = false;                      ///< Its pods are meant to find no place.
    model::Quantity moves = model::Quantity::none;
};

/// The n-th phase since the start. `largest_cpu_m`: allocatable CPU of the largest node, of which
/// pods that are meant to be short of CPU ask 30 % each.
ExercisePhase exercise_phase(const ExerciseSpec& spec, std::int64_t number,
                             std::int64_t largest_cpu_m);

/// A burst of Jobs, shown as a stimulus if it has a name.
void burst_event(State& s, std::uint32_t work, std::uint32_t burst);

/// Goes on to the next phase and plans the one after.
void exercise_event(State& s);

}  // namespace parley::sim
