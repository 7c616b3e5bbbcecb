// App: files that a person asked for, which others may read.

#pragma once

#include "base/file.h"

#include <string>
#include <string_view>
#include <vector>

namespace parley::app {

/// Like write_file_atomically, whose files only their owner may read; this one may be read by
/// others as the umask says.
[[nodiscard]] Result<void> write_output(Disk& disk, const std::string& path,
                                        std::string_view bytes);

/// Checks before long work whether its result can be written there: the folder exists and may be
/// written to, and the path is a regular file or does not exist. An empty path is fine: no file was
/// asked for.
[[nodiscard]] Result<void> check_output(const std::string& path);

/// Also refuses a file that the work reads, under any name.
[[nodiscard]] Result<void> check_output(const std::string& path,
                                        const std::vector<std::string>& inputs);

/// The same for a folder that is created if missing: the nearest existing folder above it may be
/// written to.
[[nodiscard]] Result<void> check_output_folder(const std::string& path);

}  // namespace parley::app
