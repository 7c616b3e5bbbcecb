// Layer 6, explanation: lines of the cost account that nobody counted in, words about them out.
// Pure.

#pragma once

#include "model/score.h"

#include <string>
#include <string_view>
#include <vector>

namespace parley::explanation {

/// "lost requests", "node-hours".
std::string_view line_name(model::CostLine line);

/// The lines that a figure leaves out: ", without lost requests, energy of 2 of 5"; empty: none.
/// "of 2 of 5" are (leaf, round) pairs, as parts of all that have this line.
std::string without_text(const std::vector<model::LineGap>& uncounted);

/// The same, one sentence for each, with the reason and what would help: "lost requests: no source
/// tells how many requests fail".
std::vector<std::string> reasons_without(const std::vector<model::LineGap>& uncounted);

/// What the score of an action leaves out: lines that nobody counted, and lines that its twins do
/// not have.
std::vector<model::LineGap> left_out(const model::ClosedScore& score);
std::vector<std::string> reasons_left_out(const model::ClosedScore& score);

/// How far an estimated score can be relied on: "80% between -0.5 and +1.0", or that too few errors
/// of its twins are known to say so.
std::string likely_text(const model::ClosedScore& score);

}  // namespace parley::explanation
