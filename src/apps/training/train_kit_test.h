// App, tests: a training small enough for a test.

#pragma once

#include "apps/training/node_training.h"

namespace parley::app::kit {

inline const TrainWatch kOn = [](std::uint64_t, std::uint64_t) { return true; };

/// On simulated runs of this length; enough of them for whole runs to be held out.
inline NodeTraining small_training(Duration length, int rounds) {
    NodeTraining training;
    training.simulated = learn::SimulatedRuns{
        .first_seed = 1, .last_seed = 22, .length = length, .interval = seconds(30)};
    training.flags.depth = 3;
    training.flags.rounds = rounds;
    return training;
}

}  // namespace parley::app::kit
