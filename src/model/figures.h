// Model: turns figures of risk, demand and cost into the digits that people read. Pure.

#pragma once

#include <string>
#include <utility>

namespace parley::model {

/// A risk or demand: two decimals, "<0.01", never "0.00"; what is not finite reads "?".
std::string share_text(double value);

/// Whether the bound is one that a share can never reach.
bool never_reached(double value, double limit);

/// A value and its bound, each with as many digits as are needed to show which is larger: {"0.829",
/// "0.83"}. A bound above 1 is never reached: {"0.21", "never"}.
std::pair<std::string, std::string> beside(double value, double limit);

/// A cost in pod-minutes, with more digits if it is small: "41.3", "0.004".
std::string pod_minutes(double value);

}  // namespace parley::model
