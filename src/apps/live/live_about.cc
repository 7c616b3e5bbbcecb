#include "apps/live/live_about.h"

#include "apps/dashboard/run_about.h"
#include "apps/terminal/cli.h"
#include "layers/explanation/wording/wording.h"

#include <utility>

namespace parley::app {

DashboardRun dashboard_run(const LiveOptions& options) {
    DashboardRun run{.folder = options.folder,
                     .name = "live",
                     .header = header_of(options),
                     .kill = options.kill,
                     .pace = options.interval,
                     .resumed = options.resume,
                     .models = options.loaded.settings.run.models};
    run.about = {.command = command_line(),
                 .settings = setting_views(options.loaded),
                 .cluster_kind = "Kubernetes, " + options.name};
    if (options.mode != model::Mode::act) {
        run.about.cannot.push_back("send anything: it runs in mode " +
                                   explanation::mode_text(options.mode, false));
    }
    return run;
}

}  // namespace parley::app
