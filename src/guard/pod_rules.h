// Guard: rules about the pods of a node that an action touches, and about opt-in by namespace.

#pragma once

#include "guard/rule.h"

#include <span>

namespace parley::guard {

/// In the order in which they are asked; last of all, since they read the table of pods.
std::span<const Rule> pod_rules();

/// Why a replicate does not add pods for this tenant; empty: it does.
std::string cannot_replicate(const Tenant& tenant);

}  // namespace parley::guard
