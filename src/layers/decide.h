// One round as a pure function: what is seen and remembered in, what is decided out.

#pragma once

#include "layers/prediction/brains.h"
#include "model/memory.h"
#include "model/policy.h"
#include "model/round.h"

#include <cstdint>

namespace parley {

/// Raised with any change of what is decided. A record names it, so that replay knows whether to
/// expect the same bits.
inline constexpr std::uint32_t kRulesVersion = 10;

struct Outcome {
    model::Decision decision;
    model::Memory next;  ///< What the next round remembers.
};

/// Pure: the same arguments give the same bits from every build. Runs layers 2 to 6 in order; what
/// came back from the cluster is folded in first, so that nothing is decided on an old ledger.
/// `brains` are the models that the policy names.
Outcome decide(const model::RoundInput& input, const model::Memory& memory,
               const model::Policy& policy, const prediction::Brains& brains = {});

}  // namespace parley
