// App: a file that XGBoost saved, from anywhere: what it holds, or why it is not understood.

#pragma once

#include "apps/terminal/cli.h"
#include "base/file.h"

#include <string>

namespace parley::app {

/// Whether the word names a file rather than a model on the shelf: no id holds a dot or a slash.
bool names_file(const std::string& word);

/// Version, objective, trees and features of a file in JSON or UBJSON. Refuses in one sentence what
/// would not be served with the bits of XGBoost.
[[nodiscard]] Result<std::string> model_file_text(Disk& disk, const std::string& path,
                                                  Format format);

}  // namespace parley::app
