#include "apps/live/live_run.h"

#include "apps/dashboard/dashboard.h"
#include "apps/dashboard/prepare_run.h"
#include "apps/live/live_about.h"
#include "apps/live/live_text.h"
#include "apps/running/record_answers.h"
#include "apps/running/run_folder.h"
#include "apps/running/screen_loop.h"
#include "apps/terminal/terminal.h"
#include "base/clock_wait.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <version.h>

namespace parley::app {

int run_live(const LiveFlags& flags) {
    auto ready = live_options(flags);
    if (!ready) {
        return report(ready.error(), kWrongUse,
                      "Nothing was started. All settings: parley config print --schema");
    }
    const bool in_cluster = std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
    const auto plan = listen_plan(real_disk(), flags.listen, ListenDefault::on, in_cluster);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was started.");
    catch_stop_signals();
    auto board = Dashboard::open(*plan, dashboard_run(*ready));
    if (!board) return report(board.error(), kFailed, "Nothing was started.");
    ready->stages = prepare(
        **board,
        {.flags = flags.boot,
         .folder = ready->folder,
         .resume = ready->resume,
         .program = kProgram},
        ready->policy,
        boot_stages(flags.boot, ready->policy, ready->served, names_predictor(ready->loaded)));
    if (stop_requested()) {
        std::fputs("Nothing was started.\n", stderr);
        return kDone;
    }
    ready->watch = [&board](std::shared_ptr<const Published> round,
                            std::optional<explanation::Leading> leading) {
        (*board)->publish(std::move(round), std::move(leading));
    };
    auto session = LiveSession::open(*ready);
    if (!session) {
        return report(session.error(), status_of(session.error()), "Nothing was started.");
    }
    if (auto begun = (*board)->begin(header_of(*ready), ready->stages); !begun) {
        return report(begun.error(), kFailed, "No round was made.");
    }
    std::fputs((print(ready->stages) + live_greeting(*ready) + (*board)->greeting()).c_str(),
               stderr);
    const Stopwatch begun;
    (*session)->start();
    ScreenHistory history({ready->name, ready->policy, ready->folder, ready->interval,
                           (*board)->address(), ready->stages});
    ScreenLoop show(**session, std::move(history),
                    {.pace = ready->interval, .look = milliseconds(50), .last = ready->last},
                    answers_from(ready->folder));
    const auto done = flags.lines || !screen_possible() ? show.in_lines() : show.on_screen();
    const auto status = (*session)->stop();
    (*board)->finish(status ? *status : store::RunStatus::failed,
                     status ? "" : status.error().message);
    std::fputs(exercise_text((*session)->exercised()).c_str(), stdout);
    std::fputs(load_text((*session)->state(), begun.passed()).c_str(), stdout);
    const std::string lost = (*session)->lost_events();
    if (!lost.empty()) std::fputs((lost + ".\n").c_str(), stdout);
    const std::string how = status ? std::string(enum_name(*status)) : "failed";
    if (done || is_kept(done.error())) {
        const std::string words =
            farewell(ready->name, ready->folder, (*session)->recorded(), how, ready->record);
        std::fputs(words.c_str(), stdout);
    }
    if (!done) return report(done.error(), kFailed, aftermath(done.error()));
    return status ? kDone : report(status.error(), kFailed);
}

}  // namespace parley::app
