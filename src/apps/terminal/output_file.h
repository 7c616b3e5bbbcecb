// App: files that a person asked for: a path and bytes in, a file that others may read out.

#pragma once

#include "base/file.h"

#include <string>
#include <string_view>
#include <vector>

namespace parley::app {

/// As write_file_atomically, whose files are for their owner alone; this one others may read as the
/// umask says.
[[nodiscard]] Result<void> write_output(Disk& disk, const std::string& path,
                                        std::string_view bytes);

/// Says before long work whether its result could be written there: the folder is there and may be
/// written to, and the path is a regular file or nothing yet. An empty path is fine: nobody asked
/// for a file.
[[nodiscard]] Result<void> check_output(const std::string& path);

/// Also refused: a file that the work reads, by whatever name.
[[nodiscard]] Result<void> check_output(const std::string& path,
                                        const std::vector<std::string>& inputs);

/// Likewise for a folder that is made where it is not there: the nearest one above it that is there
/// is a folder and may be written to.
[[nodiscard]] Result<void> check_output_folder(const std::string& path);

}  // namespace parley::app
