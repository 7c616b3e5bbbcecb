#include "apps/dashboard/dashboard.h"
#include "apps/dashboard/run_about.h"
#include "apps/parley/commands.h"
#include "apps/parley/prepare.h"
#include "apps/session/demo.h"
#include "apps/session/record_answers.h"
#include "apps/session/run_folder.h"
#include "apps/session/session.h"
#include "apps/tuning/boot_flags.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <version.h>

namespace parley::app {
namespace {

struct Options {
    RunFlags run;
    BootFlags boot;
    bool lines = false;
    ListenFlags listen;
};

int demo(const Options& options) {
    const auto loaded = settings_of(options.run);
    if (!loaded) {
        return report(loaded.error(), kWrongUse,
                      "Nothing was started. All settings: parley config print --schema");
    }
    const RunSettings& run = loaded->settings.run;
    auto ready = session_options(real_disk(), loaded->settings, false);
    if (!ready) return report(ready.error(), kWrongUse, "Nothing was started.");
    const auto plan = listen_plan(real_disk(), options.listen, ListenDefault::on, false);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was started.");
    catch_stop_signals();
    auto board = Dashboard::open(*plan, dashboard_run(*ready, *loaded, run.pace));
    if (!board) return report(board.error(), kFailed, "Nothing was started.");
    ready->stages =
        prepare(**board, {.flags = options.boot, .folder = ready->folder, .program = kProgram},
                ready->policy,
                boot_stages(options.boot, ready->policy, ready->served, names_brains(*loaded)));
    if (stop_requested()) {
        std::fputs("Nothing was started.\n", stderr);
        return kDone;
    }
    ready->watch = [&board](std::shared_ptr<const Published> round) {
        (*board)->publish(std::move(round));
    };
    auto session = Session::open(*ready);
    if (!session) {
        return report(session.error(), status_of(session.error()), "Nothing was started.");
    }
    if (auto begun = (*board)->begin(header_of(*ready), ready->stages); !begun) {
        return report(begun.error(), kFailed, "No round was made.");
    }
    std::fputs((print(ready->stages) + (*board)->greeting()).c_str(), stderr);
    ScreenHistory history({run_name(*ready), ready->policy, ready->folder, ready->interval,
                           (*board)->address(), ready->stages});
    Demo show(**session, std::move(history), {.pace = run.pace, .last = run.rounds},
              answers_from(ready->folder));
    const auto done = options.lines || !screen_possible() ? show.in_lines() : show.on_screen();
    const auto status = !done             ? store::RunStatus::failed
                        : show.complete() ? store::RunStatus::complete
                                          : store::RunStatus::stopped;
    const auto closed = (*session)->finish(status, done ? "" : done.error().message);
    (*board)->finish(status, done ? "" : done.error().message);
    if (done || is_kept(done.error())) {
        std::fputs(farewell(*ready, (*session)->rounds(), std::string(enum_name(status))).c_str(),
                   stdout);
    }
    if (!done) return report(done.error(), kFailed, aftermath(done.error()));
    return closed ? kDone : report(closed.error(), kFailed);
}

}  // namespace

void add_demo(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "demo", "Watch it work on a simulated cluster, a round a second: start here");
    const auto options = std::make_shared<Options>();
    add_run_flags(*command, options->run);
    command
        ->add_option_function<std::string>(
            "--pace",
            [options](const std::string& text) {
                options->run.values.push_back({"run.pace", "--pace", text});
            },
            "Real time between rounds (default 1s); 0s: as fast as it goes")
        ->type_name("TIME");
    add_listen_flags(*command, options->listen, ListenDefault::on);
    add_boot_flags(*command, options->boot);
    command->add_flag("--lines", options->lines,
                      "One line per change of decision, also on a terminal");
    add_examples(*command, {"parley demo", "parley demo --scenario rack-down --seed 3",
                            "parley demo --rounds 60 --pace 0s --lines"});
    command->callback([&chosen, options] { chosen = [options] { return demo(*options); }; });
}

}  // namespace parley::app
