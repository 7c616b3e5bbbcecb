// App: what a file that XGBoost saved contains, or why it is not understood.

#pragma once

#include "apps/terminal/cli.h"
#include "base/file.h"

#include <string>

namespace parley::app {

/// Whether the word is a file rather than a model on the shelf: no id contains a dot or slash.
bool names_file(const std::string& word);

/// Version, objective, trees and features of a file in JSON or UBJSON. Refuses in one sentence what
/// could not be served with exactly XGBoost's results.
[[nodiscard]] Result<std::string> model_file_text(Disk& disk, const std::string& path,
                                                  Format format);

}  // namespace parley::app
