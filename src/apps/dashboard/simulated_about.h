// App: what the dashboard is told about a run on the simulated cluster.

#pragma once

#include "apps/dashboard/dashboard.h"
#include "apps/session/session.h"
#include "apps/terminal/settings.h"

namespace parley::app {

DashboardRun dashboard_run(const SessionOptions& options, const LoadedSettings& loaded,
                           Duration pace);

}  // namespace parley::app
