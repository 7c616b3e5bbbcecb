#include "apps/dashboard/dashboard.h"
#include "apps/live/live_about.h"
#include "apps/live/live_flags.h"
#include "apps/parley/commands.h"
#include "apps/parley/prepare.h"
#include "apps/session/demo.h"
#include "apps/session/record_answers.h"
#include "apps/session/run_folder.h"
#include "apps/terminal/terminal.h"
#include "apps/tuning/boot_flags.h"
#include "base/clock_wait.h"
#include "base/number.h"
#include "layers/explanation/wording/wording.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <version.h>

namespace parley::app {
namespace {

/// What following cost the API server.
std::string load_text(const LiveState& state, Duration passed) {
    const std::uint64_t requests = state.cluster.requests;
    const double per_s = static_cast<double>(requests) * 1e6 /
                         static_cast<double>(std::max<std::int64_t>(1, passed.us));
    std::string text = "Asked the API server " + std::to_string(requests) + " times, " +
                       fixed(per_s, 1) + " a second.\n";
    if (!state.cluster.program.empty()) text += "Logged in by " + state.cluster.program + ".\n";
    if (state.skipped > 0) {
        text += std::to_string(state.skipped) + " rounds were left out, as others took too long.\n";
    }
    return text;
}

/// How the exerciser began and ended, and what stayed wrong in between; phases are in the record.
std::string exercise_text(const std::vector<exercise::Happened>& all) {
    std::string text;
    for (const exercise::Happened& each : all) {
        const bool frame = &each == &all.front() || &each == &all.back();
        const bool wrong = !each.fine && each.last;
        if (frame || wrong) text += "Exerciser, " + each.place + ": " + each.text + ".\n";
    }
    return text;
}

void greet(const LiveOptions& live) {
    std::fprintf(stderr, "Following %s at %s (%s), mode %s; Ctrl-C ends it.\n", live.name.c_str(),
                 live.access.server.text().c_str(), live.access.from.c_str(),
                 explanation::mode_text(live.mode, false).c_str());
    if (!live.exercise) return;
    std::fprintf(stderr, "%s\n", touched_text(live.name, *live.exercise).c_str());
    if (!live.exercise->plan.watched) {
        std::fprintf(stderr, "Its pods are not counted: --namespace-prefixes leaves out %s.\n",
                     live.exercise->plan.space.c_str());
    }
}

int live(const LiveFlags& flags) {
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
    ready->stages =
        prepare(**board,
                {.flags = flags.boot,
                 .folder = ready->folder,
                 .resume = ready->resume,
                 .program = kProgram},
                ready->policy,
                boot_stages(flags.boot, ready->policy, ready->served, names_brains(ready->loaded)));
    if (stop_requested()) {
        std::fputs("Nothing was started.\n", stderr);
        return kDone;
    }
    ready->watch = [&board](std::shared_ptr<const Published> round) {
        (*board)->publish(std::move(round));
    };
    auto session = LiveSession::open(*ready);
    if (!session) {
        return report(session.error(), status_of(session.error()), "Nothing was started.");
    }
    if (auto begun = (*board)->begin(header_of(*ready), ready->stages); !begun) {
        return report(begun.error(), kFailed, "No round was made.");
    }
    std::fputs(print(ready->stages).c_str(), stderr);
    greet(*ready);
    std::fputs((*board)->greeting().c_str(), stderr);
    const Stopwatch begun;
    (*session)->start();
    ScreenHistory history({ready->name, ready->policy, ready->folder, ready->interval,
                           (*board)->address(), ready->stages});
    Demo show(**session, std::move(history),
              {.pace = ready->interval, .look = milliseconds(50), .last = ready->last},
              answers_from(ready->folder));
    const auto done = flags.lines || !screen_possible() ? show.in_lines() : show.on_screen();
    const auto status = (*session)->stop();
    (*board)->finish(status ? *status : store::RunStatus::failed,
                     status ? "" : status.error().message);
    std::fputs(exercise_text((*session)->exercised()).c_str(), stdout);
    std::fputs(load_text((*session)->state(), begun.passed()).c_str(), stdout);
    const std::string how = status ? std::string(enum_name(*status)) : "failed";
    if (done || is_kept(done.error())) {
        std::fputs(live_farewell(ready->name, ready->folder, (*session)->recorded(), how).c_str(),
                   stdout);
    }
    if (!done) return report(done.error(), kFailed, aftermath(done.error()));
    return status ? kDone : report(status.error(), kFailed);
}

}  // namespace

void add_live(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("live", "Follow a real cluster; Parley only reads it");
    command->alias("live-kubernetes-run");
    const auto flags = std::make_shared<LiveFlags>();
    add_live_flags(*command, *flags);
    add_examples(*command, {"parley live", "parley live --context prod --rounds 100 --lines",
                            "parley live --kubeconfig ./admin.conf --event-dir A --interval 5s",
                            "parley live --exercise-cluster --exercise-interval-iterations 6"});
    command->callback([&chosen, flags] { chosen = [flags] { return live(*flags); }; });
}

}  // namespace parley::app
