// Layer 5, execution: a round in mode dry-run in; out, which requests of the actions that it would
// begin are tried by a dry run.

#pragma once

#include "model/round.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parley::execution {

/// One request of a plan that would be carried out.
struct ToRehearse {
    model::DecisionId action;
    std::uint32_t step = 0;  ///< Its place in the plan.
    model::Request request;
};

/// Of one round. Each takes a read and a dry run, and a round should not take long.
inline constexpr std::size_t kRehearsedPerRoundMax = 128;
/// The same kind of action on the same target is tried again only after this long: a dry run in
/// every round would be load for nothing.
inline constexpr Duration kRehearsedAgainAfter = minutes(10);

/// Remembers what was tried when. Not thread-safe, never waits.
class Rehearsals {
public:
    /// The requests to try for this round, in the order of its actions and of their plans. Those of
    /// a plan that finds no room are left out from its end.
    std::vector<ToRehearse> of(const model::Decision& decision, TimePoint now);

private:
    std::map<std::string, TimePoint> tried_;  ///< By kind and target.
};

}  // namespace parley::execution
