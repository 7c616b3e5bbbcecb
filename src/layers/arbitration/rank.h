// Layer 4, arbitration: what goes before what, as one list: a proposal in, its rank out.

#pragma once

#include "model/proposal.h"

#include <span>

namespace parley::arbitration {

struct Rank {
    const char* rule;   ///< By which its first wins: `safety-first`.
    const char* words;  ///< The same in words: "safety goes first".
    bool (*takes)(const model::Proposal&);
    bool may_be_withheld = false;   ///< The hold-out is drawn for it.
    bool yields_to_danger = false;  ///< It takes capacity away, or can wait.
};

/// The first goes first; the last takes everything.
std::span<const Rank> ranks();

/// The first that takes it: by what is wanted, not by who wants it alone. A power-down is no safety
/// action in whoever's name, and what an agent does that is none of its own business ranks last.
const Rank& rank_of(const model::Proposal& proposal);

/// Whether `a` has the higher rank, or the higher score within the same.
bool outranks(const model::Proposal& a, const model::Proposal& b);

}  // namespace parley::arbitration
