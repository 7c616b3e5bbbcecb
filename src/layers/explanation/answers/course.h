// Layer 6, explanation: reads a whole run for what matters besides the one round asked about:
// actions that are stuck and marks that are gone, agents that never acted, later alarms.

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "model/round.h"
#include "store/run_format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

/// An action that was held, blocked or unanswered for this long is reported.
inline constexpr Duration kStuckFrom = minutes(1);

/// Something about a round, in words.
struct CourseNote {
    std::uint64_t round = 0;
    std::string text;
    friend bool operator==(const CourseNote&, const CourseNote&) = default;
};

/// An agent that never acted in this run although there was something to act on.
struct Untouched {
    model::Role role = model::Role::safety;
    std::uint64_t round = 0;  ///< In which it wanted something most, or its figure was highest.
    std::string figure;       ///< "highest risk while Ready 0.39, node-02 in round 59".
    std::string action;       ///< What it could have done then, as `why-not` takes it.
    friend bool operator==(const Untouched&, const Untouched&) = default;
};

struct Course {
    std::uint64_t contested = 0;  ///< The last contested round; 0: none.
    /// Actions, by the round in which they were accepted; marks, by the round in which they were
    /// found missing or foreign.
    std::vector<CourseNote> stuck;
    std::vector<CourseNote> alarms;  ///< In the rounds in which they were raised, in order.
    std::vector<Untouched> untouched;
};

/// Reads from the keyframe before `from` to the end; each round once and without copying.
[[nodiscard]] Result<Course> course_of(Disk& disk, const std::string& folder, std::uint64_t from);

/// "2 alarms since, the first in round 61: ..."; empty: no alarm was raised after `round`.
std::string alarms_since(const Course& course, std::uint64_t round);

}  // namespace parley::explanation
