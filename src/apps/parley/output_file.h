// App: files that a person asked for: a path and bytes in, a file that others may read out.

#pragma once

#include "base/file.h"

#include <string>
#include <string_view>

namespace parley::app {

/// As write_file_atomically, whose files are for their owner alone; this one others may read as the
/// umask says.
[[nodiscard]] Result<void> write_output(Disk& disk, const std::string& path,
                                        std::string_view bytes);

}  // namespace parley::app
