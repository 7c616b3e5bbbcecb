// Traces: a file, plain or gzip, as text of bounded size.

#pragma once

#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <string>

namespace parley::traces {

inline constexpr std::uint64_t kFileBytesMax = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kTextBytesMax = std::uint64_t{1} << 30;

/// Inflates files that begin like gzip; other bytes are taken as text. Refuses a file or text that
/// is too large, gzip that is damaged or truncated, other compression, and anything that is not
/// text.
[[nodiscard]] Result<std::string> read_text(Disk& disk, const std::string& path,
                                            std::uint64_t text_max = kTextBytesMax);

/// The text inside gzip bytes; several members in a row are allowed.
[[nodiscard]] Result<std::string> gunzip(const std::string& bytes, std::uint64_t text_max);

}  // namespace parley::traces
