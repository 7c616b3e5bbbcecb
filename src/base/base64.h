// Base: bytes as base64 and back.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// Accepts padded text of the standard alphabet whose last character carries no stray bits. Line
/// ends are allowed, since files are wrapped. Nothing for any other text.
std::optional<std::string> decode_base64(std::string_view text);
std::string encode_base64(std::string_view bytes);

}  // namespace parley
