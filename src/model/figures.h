// Model: figures of risk, demand and cost in, the digits that people read out. Pure.

#pragma once

#include <string>
#include <utility>

namespace parley::model {

/// A risk or demand: two decimals, "<0.01", never "0.00"; what is not finite reads "?".
std::string share_text(double value);

/// Whether a share can never reach its bound.
bool never_reached(double value, double limit);

/// A value and the bound it is held against, each with as many digits as it takes to keep their
/// order: {"0.829", "0.83"}. A bound above 1 is never reached: {"0.21", "never"}.
std::pair<std::string, std::string> beside(double value, double limit);

/// "41.3", "0.004": a cost in pod-minutes, with more digits where there is little.
std::string pod_minutes(double value);

}  // namespace parley::model
