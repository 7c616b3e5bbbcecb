// Guard: rules about scaling alone: its amounts, its own pace, and how much is scaled down at once.

#pragma once

#include "guard/rule.h"

#include <cstdint>
#include <span>
#include <string>

namespace parley::guard {

/// In the order in which they are asked.
std::span<const Rule> scale_rules();

/// How many replicas an action takes away.
std::int64_t replicas_taken(const model::Action& action);

/// Why so many replicas more, of all workloads together, may not be taken away now, given how many
/// this round takes already; empty: they may.
std::string scale_down_forbidden(const Facts& facts, std::int64_t taken_now, std::int64_t more);

}  // namespace parley::guard
