#include "apps/parley/live_about.h"

#include "apps/parley/cli.h"
#include "apps/parley/run_about.h"

namespace parley::app {
namespace {

/// Off by choice never looks like a fault.
web::StageState state_of(StageStatus status) {
    switch (status) {
        case StageStatus::disabled:
            return web::StageState::off;
        case StageStatus::skipped:
            return web::StageState::skipped;
        case StageStatus::complete:
            return web::StageState::done;
        case StageStatus::failed:
            break;
    }
    return web::StageState::failed;
}

}  // namespace

DashboardRun dashboard_run(const LiveOptions& options, const BootFlags& boot) {
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
    run.about.cannot.push_back("send anything: on a real cluster this build only observes");
    for (const BootStage& stage : boot_stages(boot, options.policy, options.served)) {
        run.about.stages.push_back({stage.name, state_of(stage.status), stage.detail, ""});
    }
    return run;
}

}  // namespace parley::app
