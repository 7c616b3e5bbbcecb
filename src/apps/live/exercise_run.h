// App: the exerciser alone: a cluster is seen, phases are put into it, and nothing is decided.

#pragma once

#include "apps/live/live_exercise.h"

#include <functional>
#include <optional>

namespace parley::app {

struct ExerciseRunOptions {
    ChosenCluster cluster;
    ExerciseOptions exercise;
    Duration phase = seconds(20);
    std::optional<std::int64_t> phases;  ///< Stop after so many; nothing: until stopped.
    bool clean = false;                  ///< Only delete what an exerciser left.
};

/// Blocks until it ends, and has then deleted what it put. `leaving` is asked often.
[[nodiscard]] Result<void> run_exercise(ExerciseRunOptions options, exercise::Exerciser::Tell tell,
                                        std::function<bool()> leaving);

}  // namespace parley::app
