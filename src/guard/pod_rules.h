// Guard: rules about the pods of a node that an action touches, and about opt-in by namespace.

#pragma once

#include "guard/rule.h"

#include <span>
#include <string_view>

namespace parley::guard {

/// In the order in which they are asked; last of all, since they read the table of pods.
std::span<const Rule> pod_rules();

/// Whether the policy allows this kind of action in a namespace: by `*`, by its name, by `prefix*`.
bool opted_in(const model::Policy& policy, model::ActionKind kind, std::string_view space);

/// Why a replicate does not add pods for this tenant; empty: it does.
std::string cannot_replicate(const Tenant& tenant);

}  // namespace parley::guard
