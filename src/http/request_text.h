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

/// Refuses control characters, which could end a line early and smuggle in another header. The
/// error names the header only, since its value may be a secret.
[[nodiscard]] Result<std::string> request_text(std::string_view method, std::string_view target,
                                               const std::vector<Header>& headers,
                                               std::string_view body);

/// For the server at `url`, or for a proxy that is asked to forward it.
[[nodiscard]] Result<std::string> request_text(const Request& request, const Url& url,
                                               const std::optional<Proxy>& told);

}  // namespace parley::http
