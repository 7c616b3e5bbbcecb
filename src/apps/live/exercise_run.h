// App: the exerciser alone: watches a cluster and puts phases into it; nothing is decided.

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

/// Blocks until it ends; by then it has deleted what it put. `leaving` is called often.
[[nodiscard]] Result<void> run_exercise(ExerciseRunOptions options, exercise::Exerciser::Tell tell,
                                        std::function<bool()> leaving);

}  // namespace parley::app
