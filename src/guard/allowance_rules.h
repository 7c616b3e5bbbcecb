// Guard: rules about how much may be taken away at once, and when nothing may.

#pragma once

#include "guard/rule.h"

#include <span>

namespace parley::guard {

/// In the order in which they are asked.
std::span<const Rule> allowance_rules();

/// Why the breaker forbids it for this target (kNoSlot: none in particular); empty: it does not.
std::string breaker_forbids(const Facts& facts, Slot target);

}  // namespace parley::guard
