// HTTP, a request as it is sent: values in, text out. Pure.

#pragma once

#include "base/result.h"
#include "http/message.h"
#include "http/proxy.h"
#include "http/url.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::http {

/// What would end a line too early, and so say something nobody meant, is refused by the name of
/// the header; its value may be a secret.
[[nodiscard]] Result<std::string> request_text(std::string_view method, std::string_view target,
                                               const std::vector<Header>& headers,
                                               std::string_view body);

/// To the server at `url`, or to a proxy that is told where to go.
[[nodiscard]] Result<std::string> request_text(const Request& request, const Url& url,
                                               const std::optional<Proxy>& told);

}  // namespace parley::http
