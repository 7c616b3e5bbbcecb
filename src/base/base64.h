// Base: bytes as base64 and back.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// Padded, of the standard alphabet, with no bits left over; line ends are allowed, as in files
/// that were wrapped. Nothing if it is anything else.
std::optional<std::string> decode_base64(std::string_view text);
std::string encode_base64(std::string_view bytes);

}  // namespace parley
