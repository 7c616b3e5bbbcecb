// Kube, kubeconfig: addresses of API servers, from text.

#pragma once

#include "base/result.h"
#include "kube/access/access.h"

#include <string_view>

namespace parley::kube {

/// `http://` and `https://` addresses without user, query or fragment. Pure.
[[nodiscard]] Result<Server> parse_server(std::string_view text);

/// What a namespace may be called: a DNS label.
bool is_label(std::string_view name);

/// What a host or a TLS name may consist of.
bool is_host(std::string_view name);

}  // namespace parley::kube
