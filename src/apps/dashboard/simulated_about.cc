#include "apps/dashboard/simulated_about.h"

#include "apps/dashboard/run_about.h"
#include "apps/terminal/cli.h"

namespace parley::app {

DashboardRun dashboard_run(const SessionOptions& options, const LoadedSettings& loaded,
                           Duration pace) {
    DashboardRun run{.folder = options.folder,
                     .name = options.scenario->name,
                     .header = header_of(options),
                     .kill = options.kill,
                     .pace = pace,
                     .resumed = options.resume,
                     .models = loaded.settings.run.models};
    run.about = {.command = command_line(),
                 .settings = setting_views(loaded),
                 .cluster_kind = "simulated, scenario " + options.scenario->name};
    if (options.mode != model::Mode::act) {
        run.about.cannot.push_back("send anything: mode " + std::string(enum_name(options.mode)));
    }
    return run;
}

}  // namespace parley::app
