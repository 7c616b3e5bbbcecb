// Guard: rules about what is on its way already, how often, and how long between two.

#pragma once

#include "guard/rule.h"

#include <span>

namespace parley::guard {

/// In the order in which they are asked.
std::span<const Rule> pace_rules();

/// Whether it holds for every kind of action: somebody else changed what we had changed of that
/// target, which is left alone for a while (layers/execution/rest.h).
inline bool is_rest(const model::CoolDown& cool_down) {
    return cool_down.kind == model::ActionKind::noop;
}

}  // namespace parley::guard
