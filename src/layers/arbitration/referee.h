// Layer 4, arbitration: many proposals in, one verdict out.

#pragma once

#include "guard/guard.h"
#include "model/policy.h"
#include "model/proposal.h"

#include <cstdint>
#include <vector>

namespace parley::arbitration {

/// Decides which proposals to carry out. Pure: the same proposals give the same verdict, bit for
/// bit, in whatever order the agents answered. Every proposal gets exactly one fate. In `judged`,
/// idle and refused ones come first, then the others by rank.
class Referee {
public:
    explicit Referee(const model::Policy& policy)
        : profile_(policy.profile),
          actions_max_(policy.actions_per_round_max),
          scales_max_(policy.scales_per_round_max) {}

    /// Profile `parley` asks the guard first; what it refuses blocks nobody, nor does what the
    /// hold-out withholds. The rest rank by the list of rank.h, within a rank by score. Danger (the
    /// forecast's, or a tripped breaker) overrides the last rank; a target gets one action, a round
    /// `actions_per_round_max` and beside them `scales_per_round_max` scalings; what the guard
    /// forbids beside those already accepted loses to them.
    /// A plain admit is idle: there is nothing to do. Profile `prototype` is judged by
    /// judge_prototype.
    model::Verdict judge(const guard::Facts& facts, const model::Forecast& forecast,
                         std::vector<model::Proposal> proposals) const;

private:
    model::Profile profile_;
    std::int32_t actions_max_;
    std::int32_t scales_max_;
};

}  // namespace parley::arbitration
