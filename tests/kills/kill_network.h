// Kills: what lies between a process and the cluster. Requests get lost, come late, even after the
// death of their sender, twice and out of order; answers get lost.

#pragma once

#include "model/ledger.h"
#include "tests/kills/kill_script.h"
#include "tests/kills/kill_world.h"

#include <functional>
#include <string>
#include <vector>

namespace parley::kills {

/// One for a story: all its processes share it.
class Network {
public:
    Network(World& world, const Script& script)
        : world(world),
          dice(script.seed ^ 0x9e37),
          missing(script.missing),
          rough_(script.rough),
          most_(script.late_most) {}

    World& world;
    Dice dice;
    Missing missing;
    model::Ledger ledger;     ///< As it is stored in the cluster.
    int holder = -1;          ///< The life that holds the lease.
    std::uint64_t epoch = 0;  ///< How often it was taken.
    std::vector<std::string> story;
    bool tells = false;

    /// Called before anybody's request: what is late by one less may arrive now.
    void pass();
    /// Everything that is late arrives now.
    void flush();
    /// Something that is on its way, and arrives after a few requests of anybody.
    void later(std::function<void()> arrives);
    void tell(int life, const std::string& what);

    /// What becomes of a request.
    enum class Weather : std::uint8_t { fine, lost, late, no_answer, twice, refused };
    Weather weather();

private:
    struct Late {
        std::uint64_t after = 0;
        std::function<void()> arrives;
    };
    int rough_;
    std::uint64_t most_;
    std::vector<Late> late_;
};

}  // namespace parley::kills
