#include "apps/parley/commands.h"
#include "apps/parley/dashboard.h"
#include "apps/parley/progress.h"
#include "apps/parley/run_about.h"
#include "apps/parley/run_folder.h"
#include "apps/parley/summary.h"
#include "apps/parley/terminal.h"
#include "base/json.h"
#include "layers/explanation/wording.h"
#include "store/run_reader.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <utility>

namespace parley::app {
namespace {

constexpr std::uint64_t kRoundsDefault = 300;

struct Options {
    RunFlags run;
    bool resume = false;
    ListenFlags listen;
    Format format = Format::table;
};

/// What a run that goes on has made so far.
Result<void> count_earlier(const std::string& folder, Tally& tally) {
    auto reader = store::RunReader::open(real_disk(), folder);
    if (!reader) return tl::unexpected(reader.error());
    for (;;) {
        const auto round = reader->next();
        if (!round) return tl::unexpected(round.error());
        if (!*round) return {};
        tally.add((*round)->decision);
    }
}

/// Runs to round `last`; what ended it goes into the summary, `tally` has what was made before.
Result<void> run_to(Session& session, std::uint64_t last, Tally tally, RunSummary& summary) {
    Result<void> done;
    {
        Progress progress(last, "rounds");
        while (done && session.rounds() < last && !stop_requested()) {
            done = session.round();
            if (!done) break;
            tally.add(session.last()->decision);
            progress.show(session.rounds());
        }
    }
    const bool complete = session.rounds() >= last;
    const auto status = !done      ? store::RunStatus::failed
                        : complete ? store::RunStatus::complete
                                   : store::RunStatus::stopped;
    const auto closed = session.finish(status, done ? "" : done.error().message);
    tally.fill(summary);
    summary.status = std::string(enum_name(status));
    summary.rounds = session.rounds();
    return done ? closed : done;
}

int simulate(const Options& options) {
    const auto loaded = settings_of(options.run);
    if (!loaded) {
        return report(loaded.error(), kWrongUse,
                      "Nothing was started. All settings: parley config print --schema");
    }
    const Settings& settings = loaded->settings;
    auto ready = session_options(real_disk(), settings, options.resume);
    if (!ready) return report(ready.error(), kWrongUse, "Nothing was started.");
    std::fputs(refusal_text(ready->served).c_str(), stderr);
    const auto plan = listen_plan(real_disk(), options.listen, ListenDefault::off, false);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was started.");
    catch_stop_signals();
    std::unique_ptr<Dashboard> board;
    ready->watch = [&board](std::shared_ptr<const Published> round) {
        board->publish(std::move(round));
    };
    auto session = Session::open(*ready);
    if (!session) {
        return report(session.error(), status_of(session.error()), "Nothing was started.");
    }
    auto opened = Dashboard::open(*plan, dashboard_run(*ready, *loaded, {}));
    if (!opened) return report(opened.error(), kFailed, "No round was made.");
    board = *std::move(opened);
    std::fputs(board->greeting().c_str(), stderr);
    RunSummary summary{.scenario = ready->scenario->name, .seed = ready->seed};
    summary.profile = std::string(enum_name(settings.policy.profile));
    summary.mode = explanation::mode_text(ready->mode, true);
    summary.folder = ready->folder;
    const std::uint64_t last = settings.run.rounds ? *settings.run.rounds : kRoundsDefault;
    Tally tally;
    if (options.resume) {
        const auto counted = count_earlier(ready->folder, tally);
        if (!counted) return report(counted.error(), kFailed, "No round was made.");
    }
    const auto done = run_to(**session, last, std::move(tally), summary);
    if (options.format == Format::json) {
        std::printf("%s\n", to_json(summary).c_str());
    } else {
        const bool kept = done || is_kept(done.error());
        const std::string bye = kept ? farewell(*ready, summary.rounds, summary.status) : "";
        std::printf("%s\n%s", for_terminal(print_summary(summary)).c_str(),
                    for_terminal(bye).c_str());
    }
    return done ? kDone : report(done.error(), kFailed, aftermath(done.error()));
}

}  // namespace

void add_simulate(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("simulate", "Run on a simulated cluster as fast as it goes");
    const auto options = std::make_shared<Options>();
    add_run_flags(*command, options->run);
    command->add_flag("--resume", options->resume, "Go on with the run in --event-dir");
    add_listen_flags(*command, options->listen, ListenDefault::off);
    add_output(*command, options->format, {"table", "json"});
    add_examples(*command,
                 {"parley simulate --scenario failing-node --seed 7 --rounds 300 --event-dir A",
                  "parley simulate --scenario ./mine.yaml --mode observe",
                  "parley simulate --scenario exercise --profile prototype -o json",
                  "parley simulate --event-dir A --resume --scenario failing-node --rounds 600"});
    command->callback([&chosen, options] { chosen = [options] { return simulate(*options); }; });
}

}  // namespace parley::app
