#include "apps/session/session_options.h"

#include "apps/running/run_folder.h"
#include "apps/session/scenario_file.h"

#include <utility>

namespace parley::app {

Result<SessionOptions> session_options(Disk& disk, const Settings& settings, bool resume) {
    if (resume && settings.run.event_dir.empty()) {
        return fail(ErrorCode::denied, "--resume needs to know which run: add --event-dir FOLDER");
    }
    if (resume && settings.run.record == store::RecordLevel::none) {
        return fail(ErrorCode::denied, "--resume and --record none exclude each other; drop one");
    }
    auto scenario = load_scenario(disk, settings.run.scenario, settings.run.seed);
    if (!scenario) return tl::unexpected(scenario.error());
    auto folder = run_folder(disk, settings, (*scenario)->name);
    if (!folder) return tl::unexpected(folder.error());
    auto policy = settings.policy;
    auto served = serve_policy(disk, settings.run.models, settings.run.trust, policy);
    if (!served) return tl::unexpected(served.error());
    return SessionOptions{.scenario = scenario_for(*std::move(scenario), policy.profile),
                          .seed = settings.run.seed,
                          .policy = std::move(policy),
                          .served = *std::move(served),
                          .mode = settings.run.mode,
                          .interval = settings.run.interval,
                          .record = settings.run.record,
                          .folder = *std::move(folder),
                          .resume = resume};
}

std::string run_name(const SessionOptions& options) {
    return options.scenario->name + ", seed " + std::to_string(options.seed);
}

}  // namespace parley::app
