// Web: the head and body of an answer as bytes, and what is read from a request. connection.cc has
// the shell around it.

#pragma once

#include "web/serve/api.h"
#include "web/serve/door.h"
#include "web/serve/login.h"

#include <string>
#include <string_view>

namespace parley::web {

/// Limits of a request's head and body.
inline constexpr std::size_t kHeadBytesMax = 16'384;
inline constexpr std::size_t kBodyBytesMax = 65'536;

/// Status line and headers, including the empty line after them. A stream has no `length`.
std::string head_text(int status, std::string_view type, const std::size_t* length, bool keep_alive,
                      const std::vector<std::pair<std::string, std::string>>& more);

/// The token in the body of a login; nothing if it has another form.
std::optional<std::string> token_in(std::string_view body);

/// The answer to a person whose token was not accepted.
Refusal refusal_of(Tried tried);

}  // namespace parley::web
