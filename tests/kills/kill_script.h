// Kills: what happens in one story, by its seed alone: the kind of action, how each process ends,
// how long nobody is there, what the network does, and how the action comes to its end.

#pragma once

#include "base/random.h"
#include "base/time.h"
#include "tests/kills/kill_scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::kills {

/// Draws that depend on the seed and on how many came before.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : seed_(seed) {}

    /// From 0 to `sides` - 1.
    std::uint64_t roll(std::uint64_t sides) {
        return draw(seed_, Stream::jitter, 0, rolled_++) % sides;
    }
    bool chance(int percent) { return roll(100) < static_cast<std::uint64_t>(percent); }

private:
    std::uint64_t seed_;
    std::uint64_t rolled_ = 0;
};

enum class Death : std::uint8_t {
    kill,   ///< SIGKILL: what was written is there.
    power,  ///< The machine: what was not durable may be lost or torn.
    stop,   ///< SIGSTOP: it goes on beside its successor, then it is killed.
};
BOOST_DESCRIBE_ENUM(Death, kill, power, stop)

/// How a process ends.
struct Fate {
    Death death = Death::kill;
    int at = 0;            ///< At which of the points that it passes once something is to be done.
    Duration down;         ///< How long nobody is there afterwards.
    bool resumes = false;  ///< The next one goes on with its record.
    int beside = 0;        ///< Stopped: how many rounds the next one makes meanwhile ...
    int afterwards = 0;    ///< ... and how many it makes itself when it goes on.
};

/// A guard that is left out, to see that it is missed.
enum class Missing : std::uint8_t {
    nothing,
    mark,      ///< What is changed is not marked before.
    record,    ///< Nothing is recorded before it is sent.
    epoch,     ///< Who is not the leader any more sends all the same.
    doubt,     ///< Without an answer it counts as not done.
    takeover,  ///< What a predecessor sent may still arrive.
};
BOOST_DESCRIBE_ENUM(Missing, nothing, mark, record, epoch, doubt, takeover)

/// How the action ends.
enum class Ending : std::uint8_t {
    expiry,  ///< Its time is over.
    ease,    ///< Its reason goes away in the middle.
    cordon,  ///< Somebody takes the node in the middle.
};
BOOST_DESCRIBE_ENUM(Ending, expiry, ease, cordon)

struct Script {
    std::uint64_t seed = 0;
    Kind kind = Kind::replicate;
    std::vector<Fate> fates;
    Ending ending = Ending::expiry;
    int ends_in = 0;    ///< In which life the reason goes or the node is taken ...
    int ends_at = 0;    ///< ... and in which of its rounds.
    int rough = 0;      ///< Percent of requests that the network does something to.
    Duration interval;  ///< Between rounds.
    /// What is late comes after at most this many further requests of anybody.
    std::uint64_t late_most = 1;
    Missing missing = Missing::nothing;
};

Script script_of(std::uint64_t seed);
std::string text_of(const Script& script);

}  // namespace parley::kills
