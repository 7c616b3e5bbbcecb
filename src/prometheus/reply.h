// Prometheus, a reply over HTTP in; an answer, or what is wrong, out. Pure.

#pragma once

#include "base/result.h"
#include "http/message.h"
#include "prometheus/answer.h"

#include <string>
#include <vector>

namespace parley::prometheus {

/// An answer that warns of being incomplete is `malformed`: a part of a sum would pass for the
/// whole. A login page is `malformed` whatever its status; redirects are not followed, and
/// `denied`.
[[nodiscard]] Result<Answer> read_reply(const http::Response& reply,
                                        const std::vector<std::string>& labels);

/// Whether it affects all further queries: not logged in, not Prometheus, overloaded.
bool concerns_all(const http::Response& reply);

}  // namespace parley::prometheus
