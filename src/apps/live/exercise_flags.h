// App: the flags of the exerciser, for `exercise` and for `live`.

#pragma once

#include "apps/live/live_exercise.h"
#include "apps/terminal/command.h"
#include "model/policy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::app {

struct ExerciseFlags {
    bool on = false;  ///< --exercise-cluster, for commands that require it.
    std::string space = "parley-exercise";
    std::int64_t every = 3;
    bool randomize = false;
    std::uint64_t seed = 31;
    std::string form;  ///< Empty: as in the profile.
    std::string load = "reserve";
    std::string image;  ///< Empty: pause.
    std::vector<std::string> mirrors;
    std::string mirror_space;        ///< Empty: the same as the first one.
    std::vector<std::string> given;  ///< Flags that have no meaning without --exercise-cluster.
};

/// `beside_a_run`: with --exercise-cluster, and phases counted in rounds.
void add_exercise_flags(Command& command, ExerciseFlags& into, bool beside_a_run);

/// The options they mean. Refuses contradictory flags.
[[nodiscard]] Result<ExerciseOptions> exercise_of(const ExerciseFlags& flags,
                                                  const model::Policy& policy);

}  // namespace parley::app
