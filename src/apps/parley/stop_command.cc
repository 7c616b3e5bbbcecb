#include "apps/parley/commands.h"
#include "apps/parley/kill_switch.h"
#include "apps/parley/server_file.h"
#include "store/run_reader.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <set>
#include <unistd.h>

namespace parley::app {
namespace {

struct Options {
    std::string run;
    bool clear = false;
};

/// The run that was named, or the only one that a dashboard of this person shows now.
Result<std::string> run_of(const Options& options) {
    if (!options.run.empty()) return options.run;
    const auto words = server_words(real_disk(), real_environment());
    if (!words) return tl::unexpected(words.error());
    std::set<std::string> runs;
    for (const ServerWord& word : *words) runs.insert(word.runs.begin(), word.runs.end());
    if (runs.size() == 1) return *runs.begin();
    return fail(ErrorCode::denied, runs.empty()
                                       ? "no run of yours with a dashboard is running; name the "
                                         "run folder: parley stop RUN"
                                       : std::to_string(runs.size()) +
                                             " runs are shown now; name one: parley stop RUN");
}

int stop(const Options& options) {
    const auto run = run_of(options);
    if (!run) return report(run.error(), kWrongUse, "Nothing was changed.");
    if (const auto reader = store::RunReader::open(real_disk(), *run); !reader) {
        return report(reader.error(), status_of(reader.error()), "Nothing was changed.");
    }
    const std::string who = "user " + std::to_string(::getuid()) + " at a terminal";
    if (!options.clear) {
        const auto done = press_kill_switch(real_disk(), *run, {.who = who});
        if (!done) return report(done.error(), kFailed);
        std::printf(
            "%s sends nothing any more, from its next request on. Lift it: parley stop %s "
            "--clear\n",
            run->c_str(), run->c_str());
        return kDone;
    }
    const auto lifted = lift_kill_switch(real_disk(), *run, who);
    if (!lifted) return report(lifted.error(), kFailed);
    std::printf(*lifted ? "%s may act again.\n" : "%s was not stopped.\n", run->c_str());
    return kDone;
}

}  // namespace

void add_stop(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("stop", "The kill switch: a run observes on, but sends nothing");
    const auto options = std::make_shared<Options>();
    command->add_option("RUN", options->run,
                        "A run folder (default: the one that a dashboard of yours shows)");
    command->add_flag("--clear", options->clear, "Lift it again");
    add_examples(*command, {"parley stop runs/tour-7", "parley stop runs/tour-7 --clear"});
    command->callback([&chosen, options] { chosen = [options] { return stop(*options); }; });
}

}  // namespace parley::app
