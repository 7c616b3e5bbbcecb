// Guard: rules about whose the target is, and whether it is so already.

#pragma once

#include "guard/rule.h"

#include <span>

namespace parley::guard {

/// In the order in which they are asked.
std::span<const Rule> owner_rules();

}  // namespace parley::guard
