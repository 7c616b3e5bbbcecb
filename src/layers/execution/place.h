// Layer 5, execution: what a request changes, to know which requests overwrite each other.

#pragma once

#include "model/request.h"

namespace parley::execution {

/// Whether the later of two requests would undo the earlier: same kind of change, same object.
bool same_place(const model::Request& a, const model::Request& b);

/// Whether a request changes the object that carries the action's mark. Evictions, workloads on a
/// node and the admission policy are other objects.
bool on_target(const model::Request& request, const model::Target& target);

}  // namespace parley::execution
