// Layer 4, arbitration: the ranks of proposals as one list: a proposal in, its rank out.

#pragma once

#include "model/proposal.h"

#include <span>

namespace parley::arbitration {

struct Rank {
    const char* rule;   ///< The rule by which its first proposal wins: `safety-first`.
    const char* words;  ///< The same in words: "safety goes first".
    bool (*takes)(const model::Proposal&);
    bool may_be_withheld = false;   ///< It may be withheld by the hold-out.
    bool yields_to_danger = false;  ///< It takes capacity away, or can wait.
};

/// Highest rank first; the last one takes every proposal.
std::span<const Rank> ranks();

/// The first rank that takes it. It depends on the action, not only on the agent: a power-down is
/// never a safety action, whoever proposes it, and an action outside an agent's own business gets
/// the last rank.
const Rank& rank_of(const model::Proposal& proposal);

/// Whether `a` has the higher rank, or the higher score within the same.
bool outranks(const model::Proposal& a, const model::Proposal& b);

}  // namespace parley::arbitration
