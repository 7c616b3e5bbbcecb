// Layer 6, explanation: what people did to a run, from the people.jsonl in its folder.

#pragma once

#include "base/file.h"
#include "base/time.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

/// One line of it. Whoever lifts a stop says why; runs of before have no such word.
struct PersonWord {
    std::string at;    ///< By the wall clock.
    std::string what;  ///< "stop", "clear".
    std::string who;
    std::string because;
    friend bool operator==(const PersonWord&, const PersonWord&) = default;
};

/// In order; lines that are none of these are left out. An error: the file is there and cannot be
/// read.
[[nodiscard]] Result<std::vector<PersonWord>> read_people(Disk& disk, const std::string& run);

/// Who lifted the kill switch, when and why: " by user 0 at a terminal at 2026-01-02T03:04:05Z: the
/// node is back"; empty: nobody says so. `before` is the time of the round that knew of it first;
/// nothing: the time of the run is not that of the wall, and the last one counts.
std::string lifted_text(Disk& disk, const std::string& run, std::optional<TimePoint> before);

/// The same of one run, for who does not know its folder.
using LiftedWords = std::function<std::string(std::optional<TimePoint> before)>;

}  // namespace parley::explanation
