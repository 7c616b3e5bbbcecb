// App: how a run was started, kept beside its record (about.json): command line, settings and their
// origins. Not part of the record: no decision uses it.

#pragma once

#include "apps/terminal/settings.h"
#include "base/file.h"
#include "base/result.h"
#include "web/run/run_hooks.h"

#include <string>
#include <vector>

namespace parley::app {

/// Every setting in force, and the flag, file or profile that it came from.
std::vector<web::SettingView> setting_views(const LoadedSettings& loaded);

[[nodiscard]] Result<void> write_about(Disk& disk, const std::string& run,
                                       const web::RunAbout& about);
/// Empty if there is none that can be read, for example because it is too old.
web::RunAbout read_about(Disk& disk, const std::string& run);

}  // namespace parley::app
