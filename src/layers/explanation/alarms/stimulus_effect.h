// Layer 6, explanation: a phase of the exerciser in; whether what it meant to move did, and what
// our own filter hides of it, out. Pure.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

/// The present amount; nothing: unknown.
std::optional<std::int64_t> amount_of(model::Quantity quantity, const model::RoundInput& input,
                                      const model::Policy& policy);

/// What a phase put and our own filter hides: pods that wait, and where.
struct Hidden {
    std::int64_t pods = 0;
    std::vector<std::string> spaces;  ///< Sorted; policy.namespaces leaves them out.
};

/// Pods that would be in the queue if their namespaces were watched, and came with this phase. A
/// cluster's clock may be behind ours, and its pods come before the phase has begun.
Hidden hidden_by_filter(const model::Stimulus& stimulus, const model::RoundInput& input,
                        const model::Policy& policy);

/// "the exerciser is in light-dvfs since 12s, yet requested CPU, which it meant to move, did not";
/// or which namespaces policy.namespaces leaves out.
std::string moved_nothing_text(const model::Stimulus& stimulus, const Hidden& hidden,
                               Duration since);

}  // namespace parley::explanation
