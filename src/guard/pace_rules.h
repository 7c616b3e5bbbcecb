// Guard: rules about what is on its way already, how often, and how long between two.

#pragma once

#include "guard/rule.h"

#include <span>

namespace parley::guard {

/// In the order in which they are asked.
std::span<const Rule> pace_rules();

}  // namespace parley::guard
