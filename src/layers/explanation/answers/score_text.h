// Layer 6, explanation: the score of an action in, the sentences of `why` about it out.

#pragma once

#include "model/score.h"

#include <string>

namespace parley::explanation {

/// Whether it is measured, estimated or missing, how far it can be relied on, and which lines of
/// the account it leaves out and why.
std::string outcome_text(const model::ClosedScore& score, bool simulated);

}  // namespace parley::explanation
