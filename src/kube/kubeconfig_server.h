// Kube, kubeconfig: addresses of API servers and proxies, from text.

#pragma once

#include "base/result.h"
#include "kube/access.h"

#include <string_view>

namespace parley::kube {

/// `http://` and `https://` addresses without user, query or fragment. Pure.
[[nodiscard]] Result<Server> parse_server(std::string_view text);

/// `localhost`, what ends in `.localhost`, 127.0.0.0/8 or ::1. Any other name may lead anywhere.
bool loopback(std::string_view host);

/// Why kubectl would not take it as a proxy; its text is not repeated, for it may hold a password.
[[nodiscard]] Result<void> check_proxy(std::string_view url);

/// What a namespace may be called: a DNS label.
bool is_label(std::string_view name);

/// What a host or a TLS name may consist of.
bool is_host(std::string_view name);

}  // namespace parley::kube
