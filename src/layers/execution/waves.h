// Layer 5, execution: the waves of a plan that evicts: one pod of every workload, then the second
// of each, and so on. Between two waves the plan waits until what it did can have been noticed.

#pragma once

#include "model/open_action.h"

#include <cstddef>
#include <span>

namespace parley::execution {

/// Whether the workload awaited after this step lost its last pod since the plan last waited, so
/// that what is read of it at once may be of the time before. Otherwise it can be read at once: it
/// belongs to an earlier wave. The step must await one.
bool wave_ends_at(std::span<const model::PlannedStep> plan, std::size_t step);

}  // namespace parley::execution
