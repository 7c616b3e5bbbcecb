// Web: the head and body of an answer as bytes, and what is read of a request. The shell around it
// is in connection.cc.

#pragma once

#include "web/serve/api.h"
#include "web/serve/door.h"
#include "web/serve/login.h"

#include <string>
#include <string_view>

namespace parley::web {

/// No head or body of a request is longer.
inline constexpr std::size_t kHeadBytesMax = 16'384;
inline constexpr std::size_t kBodyBytesMax = 65'536;

/// Status line and headers, with the empty line behind them. `length` is left out for a stream.
std::string head_text(int status, std::string_view type, const std::size_t* length, bool keep_alive,
                      const std::vector<std::pair<std::string, std::string>>& more);

/// The token of a login's body; nothing if that is not what it holds.
std::optional<std::string> token_in(std::string_view body);

/// What a person reads who tried a token in vain.
Refusal refusal_of(Tried tried);

}  // namespace parley::web
