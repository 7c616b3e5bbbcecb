// Kube, answers that are no answers: a status in, an Error that says what the caller does out.
// Pure.

#pragma once

#include "base/result.h"
#include "http/message.h"

#include <string>

namespace parley::kube {

/// Nothing if the answer is 200 to 299 and JSON. `what`: what was asked for, in front of the
/// sentence. For reads: a time-out or a 5xx is `unavailable`, since nothing can have changed.
[[nodiscard]] Result<void> read_answer(const http::Response& answer, const std::string& what);

}  // namespace parley::kube
