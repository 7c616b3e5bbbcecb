// App: what the dashboard is told about a run beside a real cluster.

#pragma once

#include "apps/dashboard/dashboard.h"
#include "apps/live/live_session.h"

namespace parley::app {

DashboardRun dashboard_run(const LiveOptions& options);

}  // namespace parley::app
