#include "apps/dashboard/simulated_run.h"

#include "apps/dashboard/prepare_run.h"
#include "apps/dashboard/simulated_about.h"
#include "apps/session/session_options.h"
#include "apps/terminal/terminal.h"

#include <cstdio>
#include <utility>
#include <version.h>

namespace parley::app {
namespace {

tl::unexpected<int> not_started(const Error& error, int status,
                                const std::string& after = "Nothing was started.") {
    return tl::unexpected(report(error, status, after));
}

}  // namespace

tl::expected<SimulatedRun, int> open_simulated(const SimulatedFlags& flags,
                                               const SimulatedManner& manner) {
    const auto loaded = settings_of(flags.run);
    if (!loaded) {
        return not_started(loaded.error(), kWrongUse,
                           "Nothing was started. All settings: parley config print --schema");
    }
    const RunSettings& settings = loaded->settings.run;
    auto ready = session_options(real_disk(), loaded->settings, flags.resume);
    if (!ready) return not_started(ready.error(), kWrongUse);
    if (manner.warns) std::fputs(refusal_text(ready->served).c_str(), stderr);
    ready->trace_out = flags.trace_out;
    const auto plan = listen_plan(real_disk(), flags.listen, manner.listen, false);
    if (!plan) return not_started(plan.error(), kWrongUse);
    catch_stop_signals();
    auto opened = Dashboard::open(
        *plan, dashboard_run(*ready, *loaded, manner.paced ? settings.pace : Duration{}));
    if (!opened) return not_started(opened.error(), kFailed);
    std::unique_ptr<Dashboard> board = *std::move(opened);
    ready->stages = prepare(
        *board,
        {.flags = flags.boot, .folder = ready->folder, .resume = flags.resume, .program = kProgram},
        ready->policy,
        boot_stages(flags.boot, ready->policy, ready->served, names_predictor(*loaded)));
    if (stop_requested()) {
        std::fputs("Nothing was started.\n", stderr);
        return tl::unexpected(kDone);
    }
    ready->watch = [shown = board.get()](std::shared_ptr<const Published> round) {
        shown->publish(std::move(round));
    };
    auto session = Session::open(*ready);
    if (!session) return not_started(session.error(), status_of(session.error()));
    if (auto begun = board->begin(header_of(*ready), ready->stages); !begun) {
        return not_started(begun.error(), kFailed, "No round was made.");
    }
    return SimulatedRun{settings, *std::move(ready), std::move(board), *std::move(session)};
}

}  // namespace parley::app
