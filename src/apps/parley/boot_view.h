// App: what a run prepared before its first round, as the page shows it.

#pragma once

#include "apps/parley/boot_stages.h"
#include "web/views_common.h"

#include <vector>

namespace parley::app {

/// Off by choice never looks like a fault.
std::vector<web::StageView> stage_views(const std::vector<BootStage>& stages);

}  // namespace parley::app
