// App: what the dashboard of a run beside a real cluster is told.

#pragma once

#include "apps/parley/dashboard.h"
#include "apps/parley/live_session.h"

#include <vector>

namespace parley::app {

DashboardRun dashboard_run(const LiveOptions& options, std::vector<web::StageView> stages);

}  // namespace parley::app
