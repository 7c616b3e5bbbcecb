// Guard: rules about how often, how much at once, and what is already under way or not ours.

#pragma once

#include "guard/rule.h"

#include <span>

namespace parley::guard {

/// In the order in which they are asked.
std::span<const Rule> pace_rules();

/// Why the breaker forbids it for this target (kNoSlot: none in particular); empty: it does not.
std::string breaker_forbids(const Facts& facts, Slot target);

}  // namespace parley::guard
