// Layer 4, arbitration: the prototype's referee, reproduced exactly for profile `prototype`.

#pragma once

#include "guard/guard.h"
#include "model/proposal.h"

#include <vector>

namespace parley::arbitration {

/// One choice a round, by the steps of the prototype, ranked without the guard: (0) nothing is
/// proposed; (1) all are noop: precedence A, C, B, then score; (2) a safety action of A, whatever
/// the scores; (3) protection by C; (4) the efficiency action of highest score, which a plain admit
/// never blocks; (5) else, among those that are no noop, precedence, then score.
///
/// Only the choice has the fate accepted, even if it is a noop or a plain admit (see
/// model::chosen); `accepted` holds it only if it changes something. Other noops are idle;
/// everything else lost, and says to what. The guard's answer to each proposal is in its report: a
/// choice that it refuses is held. Scores that are not finite are refused here, too; equal scores
/// are ordered by target and kind.
model::Verdict judge_prototype(const guard::Facts& facts, std::vector<model::Proposal> proposals);

}  // namespace parley::arbitration
