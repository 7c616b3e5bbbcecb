// Kube, what an API server serves: answers to /version and /apis in, names out. Pure.

#pragma once

#include "base/result.h"

#include <set>
#include <string>
#include <string_view>

namespace parley::kube {

/// `1.35.4`, from an answer to /version. `malformed`: it names none.
[[nodiscard]] Result<std::string> server_version(std::string_view body);

/// Group/version pairs such as `apps/v1`, from an answer to /apis.
[[nodiscard]] Result<std::set<std::string>> served_versions(std::string_view body);

}  // namespace parley::kube
