// Traces: a file, plain or gzip, as text; bounded, whatever it holds.

#pragma once

#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <string>

namespace parley::traces {

inline constexpr std::uint64_t kFileBytesMax = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kTextBytesMax = std::uint64_t{1} << 30;

/// Inflates what begins as gzip does; other bytes are the text themselves. Refuses a file or a text
/// that is too large, gzip that is damaged or cut off, and what is packed otherwise or no text.
[[nodiscard]] Result<std::string> read_text(Disk& disk, const std::string& path,
                                            std::uint64_t text_max = kTextBytesMax);

/// The text inside gzip bytes; several members follow each other as gzip allows.
[[nodiscard]] Result<std::string> gunzip(const std::string& bytes, std::uint64_t text_max);

}  // namespace parley::traces
