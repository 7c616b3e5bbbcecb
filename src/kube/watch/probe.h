// Kube, a small regular request: is the API server there, is it the same cluster, and how far is
// its clock from ours? Pure, except for the request itself.

#pragma once

#include "base/result.h"
#include "http/message.h"
#include "model/ids.h"

#include <optional>
#include <string>
#include <string_view>

namespace parley::kube {

/// The namespace kube-system exists as long as its cluster.
inline constexpr const char* kProbePath = "/api/v1/namespaces/kube-system";

/// A larger difference of clocks is reported.
inline constexpr Duration kSkewMax = seconds(30);

struct Probed {
    std::optional<model::Uid> cluster;  ///< Nothing: we may not read it.
    std::optional<Duration> ahead;      ///< How far its clock is ahead of ours, to the second.
};

/// The uid in the body of one object. `malformed`: it has none.
[[nodiscard]] Result<model::Uid> uid_of_object(std::string_view body);

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that servers send today.
std::optional<TimePoint> parse_http_date(std::string_view text);

/// What an answer to the probe says; `asked` and `answered` are by our clock, or by round time if
/// `ahead` is to be of that.
Probed judge_probe(const http::Response& answer, TimePoint asked, TimePoint answered);

}  // namespace parley::kube
