#include "apps/dashboard/simulated_run.h"
#include "apps/parley/commands.h"
#include "apps/running/record_answers.h"
#include "apps/running/run_folder.h"
#include "apps/running/screen_loop.h"
#include "apps/session/session_options.h"
#include "apps/tuning/boot_flags.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct DemoArguments {
    SimulatedFlags flags;
    bool lines = false;
};

int demo(const DemoArguments& options) {
    const auto opened = open_simulated(options.flags, {.listen = ListenDefault::on});
    if (!opened) return opened.error();
    const auto& [settings, run, board, session] = *opened;
    std::fputs((print(run.stages) + board->greeting()).c_str(), stderr);
    ScreenHistory history(
        {run_name(run), run.policy, run.folder, run.interval, board->address(), run.stages});
    ScreenLoop show(*session, std::move(history), {.pace = settings.pace, .last = settings.rounds},
                    answers_from(run.folder));
    const auto done = options.lines || !screen_possible() ? show.in_lines() : show.on_screen();
    const auto status = !done             ? store::RunStatus::failed
                        : show.complete() ? store::RunStatus::complete
                                          : store::RunStatus::stopped;
    const auto closed = session->finish(status, done ? "" : done.error().message);
    board->finish(status, done ? "" : done.error().message);
    if (done || is_kept(done.error())) {
        std::fputs(farewell(run_name(run), run.folder, session->rounds(),
                            std::string(enum_name(status)), settings.record)
                       .c_str(),
                   stdout);
    }
    if (!done) return report(done.error(), kFailed, aftermath(done.error()));
    return closed ? kDone : report(closed.error(), kFailed);
}

}  // namespace

void add_demo(Command& program) {
    Command command = program.command(
        "demo", "Watch it work on a simulated cluster, a round a second: start here");
    const auto options = std::make_shared<DemoArguments>();
    add_run_flags(command, options->flags.run, "none: until stopped");
    const auto pace = [options](const std::string& text) -> std::string {
        options->flags.run.values.push_back({"run.pace", "--pace", text});
        return "";
    };
    command.taken("--pace", pace, "Real time between rounds (default 1s); 0s: as fast as it goes")
        .type("TIME");
    add_listen_flags(command, options->flags.listen, ListenDefault::on);
    add_boot_flags(command, options->flags.boot);
    command.on("--lines", options->lines, "One line per change of decision, also on a terminal");
    add_examples(command, {"parley demo", "parley demo --scenario rack-down --seed 3",
                           "parley demo --rounds 60 --pace 0s --lines"});
    command.runs([options] { return demo(*options); });
}

}  // namespace parley::app
