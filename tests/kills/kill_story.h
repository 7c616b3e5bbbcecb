// Kills: plays a script: processes that begin, end and are followed by others, until nobody has
// anything to do any more.

#pragma once

#include "tests/kills/kill_life.h"

#include <memory>
#include <string>
#include <vector>

namespace parley::kills {

/// All that is left of a story.
struct Evidence {
    explicit Evidence(const Script& script) : world(script.kind), network(world, script) {}

    World world;
    Network network;
    std::vector<std::unique_ptr<Run>> runs;
    std::vector<std::string> deaths;  ///< How each process ended that was killed or stopped.
    bool began = false;               ///< Something was decided.
    bool open = false;                ///< An action is still open at the end.
};

std::unique_ptr<Evidence> play(const Script& script, bool tells);

}  // namespace parley::kills
