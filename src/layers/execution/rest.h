// Layer 5, execution: targets that are left alone for a while, because somebody else changed what
// we had changed there. Kept among the cool-downs of the ledger.

#pragma once

#include "model/ledger.h"

namespace parley::execution {

inline constexpr Duration kRestFirst = minutes(30);
inline constexpr Duration kRestLongest = hours(24);
/// A target without another conflict for so long after its last rest starts afresh.
inline constexpr Duration kRestRemembered = hours(24);

/// Lets a target rest from now on: for half an hour, and each further time for twice as long, up to
/// a day. A target that rests already goes on resting. A rest is a cool-down of the kind `noop`,
/// which no action has: it holds for every kind (guard/pace_rules.h). Rests that are over stay in
/// the ledger, to be counted, until they are forgotten.
void rest(model::Ledger& ledger, const model::Target& target, TimePoint now);

/// Drops cool-downs that are over, and rests that are forgotten: all of a target at once.
void drop_cool_downs(model::Ledger& ledger, TimePoint now);

}  // namespace parley::execution
