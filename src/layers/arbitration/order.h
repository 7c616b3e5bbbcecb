// Layer 4, arbitration: one order of proposals that does not depend on who answered first.

#pragma once

#include "model/proposal.h"

#include <string>
#include <vector>

namespace parley::arbitration {

/// By role, target, kind, then by everything else a proposal says: a total order, also for scores
/// that are not numbers. Two of which neither is before the other are equal.
bool before(const model::Proposal& a, const model::Proposal& b);

/// "A safety", "A safety and B efficiency", "A safety, B efficiency and C admission".
std::string in_words(const std::vector<std::string>& names);

/// How many wanted something else and lost. A plain admit and a noop want nothing.
std::int32_t rivals_in(const model::Verdict& verdict);

/// Refused before anything else, so that no order ever rests on it: NaN is neither less nor more.
bool has_finite_score(const model::Proposal& proposal);
model::Refused score_refused();

}  // namespace parley::arbitration
