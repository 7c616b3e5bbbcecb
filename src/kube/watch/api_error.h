// Kube, failed answers: a status in, an Error whose code says what to do out. Pure.

#pragma once

#include "base/result.h"
#include "http/message.h"

#include <string>

namespace parley::kube {

/// Succeeds if the answer is 200 to 299 and JSON. `what` was asked for; it begins the sentence. For
/// reads: a time-out or 5xx is `unavailable`, since nothing can have changed.
[[nodiscard]] Result<void> read_answer(const http::Response& answer, const std::string& what);

/// The same for what was to change something: after a time-out or 5xx nobody knows whether it did
/// (a 504 was applied once the server's store came back), whatever time to try again it names. A
/// 429 was surely not applied, nor was the 500 for a pod that two disruption budgets select.
[[nodiscard]] Result<void> write_answer(const http::Response& answer, const std::string& what);

}  // namespace parley::kube
