// Model: whether a policy allows a kind of action in a namespace.

#pragma once

#include "model/policy.h"

#include <string_view>

namespace parley::model {

/// Whether the policy allows this kind of action in a namespace: by `*`, by its name, by `prefix*`.
bool opted_in(const Policy& policy, ActionKind kind, std::string_view space);

/// By `*`, so that no namespace need be looked up.
bool opted_in_everywhere(const Policy& policy, ActionKind kind);

/// In at least one namespace, though nobody knows whether there is such a one.
bool opted_in_somewhere(const Policy& policy, ActionKind kind);

}  // namespace parley::model
