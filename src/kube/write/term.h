// Kube, for how long we may still send: until our leadership ends, or without an end where nobody
// else could send either.

#pragma once

#include "base/time.h"
#include "http/client.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace parley::kube {

/// How long we lead without another renewal; zero: we do not.
using Term = std::function<Duration()>;

/// A command of a person's: whoever leads, it may send.
inline Term always() {
    return [] { return hours(24); };
}

/// The limits of one request: after the term ends others may not begin for five more seconds, and a
/// request that is still on its way by then could be carried out beside theirs. Nothing: it may not
/// be sent at all.
inline std::optional<http::Limits> within_term(http::Limits limits, Duration left) {
    constexpr Duration kAfter = seconds(4);
    if (left <= Duration{}) return std::nullopt;
    limits.head = std::min(limits.head, left + kAfter);
    limits.whole = std::min(limits.whole, left + kAfter);
    return limits;
}

inline constexpr const char* kNoTerm = "another process leads, or nobody does; nothing is sent";

}  // namespace parley::kube
