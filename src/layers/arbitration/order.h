// Layer 4, arbitration: an order of proposals that does not depend on which agent answered first.

#pragma once

#include "model/proposal.h"

#include <string>
#include <vector>

namespace parley::arbitration {

/// A total order: by role, target, kind, then everything else a proposal says; defined for scores
/// that are not numbers, too.
bool before(const model::Proposal& a, const model::Proposal& b);

/// "A safety", "A safety and B efficiency", "A safety, B efficiency and C admission".
std::string in_words(const std::vector<std::string>& names);

/// How many wanted something else and lost. A plain admit and a noop want nothing.
std::int32_t rivals_in(const model::Verdict& verdict);

/// Proposals without a finite score are refused first, since NaN cannot be ordered.
bool has_finite_score(const model::Proposal& proposal);
model::Refused score_refused();

}  // namespace parley::arbitration
