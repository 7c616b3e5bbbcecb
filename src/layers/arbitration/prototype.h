// Layer 4, arbitration: the prototype's referee, exactly, for profile `prototype`.

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
/// The choice alone has fate accepted, even if it is a noop or a plain admit (model::chosen names
/// it); `accepted` holds it only if it changes something. The other noops are idle, all else that
/// lost is told to what. The guard's word on each proposal is in its report: what it refuses is
/// held. A score that is not finite is refused here too, and equal ones go by target and kind.
model::Verdict judge_prototype(const guard::Facts& facts, std::vector<model::Proposal> proposals);

}  // namespace parley::arbitration
