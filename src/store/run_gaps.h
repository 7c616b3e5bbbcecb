// Store: what cannot be read of a run, in sentences; what a repair has declared is told apart.

#pragma once

#include "store/journal_report.h"
#include "store/run_format.h"

#include <string>
#include <vector>

namespace parley::store {

/// What reading a run found missing.
struct RunGaps {
    std::vector<Damage> damage;
    std::vector<NumberRange> rounds;  ///< Missing between rounds that can be read, or at the end.
    std::vector<GapNote> repairs;     ///< In order.
    bool exact = true;                ///< False: the last of `rounds` may never have been made.
};

/// Damage with lost frames that no repair has declared: nothing may be written after it.
std::vector<Damage> undeclared(const RunGaps& gaps);

/// For people: first what repairs have declared, by rounds; then all other damage and lost rounds.
std::vector<std::string> sentences(const RunGaps& gaps);

/// "round 5", "rounds 5 to 9".
std::string rounds_text(const NumberRange& rounds);

}  // namespace parley::store
