#include "apps/dashboard/which_run.h"
#include "apps/parley/commands.h"
#include "apps/running/stop_run.h"
#include "store/run_reader.h"

#include <cstdio>
#include <memory>
#include <unistd.h>

namespace parley::app {
namespace {

struct StopArguments {
    std::string run;
    bool all = false;
    bool clear = false;
    std::string because;
};

/// The run that was named, all that dashboards of this person show now, or the one chosen of these.
Result<std::vector<std::string>> runs_of(const StopArguments& options) {
    if (!options.run.empty()) return std::vector<std::string>{options.run};
    const auto words = server_words(real_disk(), real_environment());
    if (!words) return tl::unexpected(words.error());
    auto runs = runs_shown(*words);
    if (runs.empty()) {
        return fail(ErrorCode::denied,
                    "no run of yours with a dashboard is running; name the run folder: parley stop "
                    "RUN");
    }
    if (options.all) return runs;
    auto chosen = which_of(runs, "parley stop", person_at_terminal());
    if (!chosen) return tl::unexpected(chosen.error());
    return std::vector<std::string>{*std::move(chosen)};
}

Result<void> stop_one(const std::string& run, const StopArguments& options,
                      const std::string& because) {
    if (const auto reader = store::RunReader::open(real_disk(), run); !reader) {
        return tl::unexpected(reader.error());
    }
    const std::string who = "user " + std::to_string(::getuid()) + " at a terminal";
    const auto said = options.clear ? clear_run(real_disk(), run, {who, because})
                                    : stop_run(real_disk(), run, who);
    if (!said) return tl::unexpected(said.error());
    std::printf("%s\n", for_terminal(*said).c_str());
    return {};
}

int stop(const StopArguments& options) {
    const auto runs = runs_of(options);
    if (!runs) return report(runs.error(), kWrongUse, "Nothing was changed.");
    const auto because = reason_of(options.clear, options.because, person_at_terminal());
    if (!because) return report(because.error(), kWrongUse, "Nothing was changed.");
    int status = kDone;
    for (const std::string& run : *runs) {
        // A run that cannot be stopped does not keep the others from being stopped.
        if (auto done = stop_one(run, options, *because); !done) {
            status = report(done.error(), status_of(done.error()), "It was left as it is.");
        }
    }
    return status;
}

}  // namespace

void add_stop(Command& program) {
    Command command =
        program.command("stop", "The kill switch: a run observes on, but sends nothing");
    const auto options = std::make_shared<StopArguments>();
    Flag run =
        command.text("RUN", options->run,
                     "A run folder (default: asks which of those that dashboards of yours show)");
    command.on("--all", options->all, "Every run that a dashboard of yours shows").excludes(run);
    command.on("--clear", options->clear, "Lift it again");
    command
        .text("--because", options->because,
              "Why it is lifted, kept with the run (default: asks at a terminal)")
        .type("TEXT");
    add_examples(command, {"parley stop runs/tour-7",
                           "parley stop runs/tour-7 --clear --because 'node-07 was replaced'",
                           "parley stop --all"});
    command.runs([options] { return stop(*options); });
}

}  // namespace parley::app
