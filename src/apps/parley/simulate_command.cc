#include "apps/dashboard/dashboard.h"
#include "apps/dashboard/run_about.h"
#include "apps/parley/commands.h"
#include "apps/parley/from_trace.h"
#include "apps/parley/prepare.h"
#include "apps/session/run_folder.h"
#include "apps/session/summary.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "base/json.h"
#include "layers/explanation/wording/wording.h"
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
    std::string trace_out;
    std::string from_trace;
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

/// `simulate` tunes nothing; a run that was tuned when it began goes on as it is.
std::vector<BootStage> stages_without_trials(SessionOptions& ready, const LoadedSettings& loaded) {
    auto stages = boot_stages({}, ready.policy, ready.served, names_brains(loaded));
    stages.push_back(tune_at_start(real_disk(), {.folder = ready.folder, .resume = ready.resume},
                                   ready.policy, {}));
    return stages;
}

void print(const RunSummary& summary, const std::string& farewell, Format format) {
    if (format == Format::json) {
        std::printf("%s\n", to_json(summary).c_str());
    } else {
        std::printf("%s\n%s", for_terminal(print_summary(summary)).c_str(),
                    for_terminal(farewell).c_str());
    }
}

int simulate_trace(const Options& options) {
    catch_stop_signals();
    const auto summary = decide_trace(options.from_trace, options.run);
    if (!summary) return report(summary.error(), status_of(summary.error()));
    print(*summary,
          live_farewell(summary->scenario, summary->folder, summary->rounds, summary->status),
          options.format);
    return kDone;
}

int simulate(const Options& options) {
    if (!options.from_trace.empty()) return simulate_trace(options);
    const auto loaded = settings_of(options.run);
    if (!loaded) {
        return report(loaded.error(), kWrongUse,
                      "Nothing was started. All settings: parley config print --schema");
    }
    const Settings& settings = loaded->settings;
    auto ready = session_options(real_disk(), settings, options.resume);
    if (!ready) return report(ready.error(), kWrongUse, "Nothing was started.");
    std::fputs(refusal_text(ready->served).c_str(), stderr);
    ready->trace_out = options.trace_out;
    const auto plan = listen_plan(real_disk(), options.listen, ListenDefault::off, false);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was started.");
    catch_stop_signals();
    ready->stages = stages_without_trials(*ready, *loaded);
    auto board = Dashboard::open(*plan, dashboard_run(*ready, *loaded, {}));
    if (!board) return report(board.error(), kFailed, "Nothing was started.");
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
    std::fputs((*board)->greeting().c_str(), stderr);
    RunSummary summary{.scenario = ready->scenario->name, .seed = ready->seed};
    summary.profile = std::string(enum_name(settings.policy.profile));
    summary.mode = explanation::mode_text(ready->mode, true);
    summary.folder = ready->folder;
    summary.stages = ready->stages;
    const std::uint64_t last = settings.run.rounds ? *settings.run.rounds : kRoundsDefault;
    Tally tally;
    if (options.resume) {
        const auto counted = count_earlier(ready->folder, tally);
        if (!counted) return report(counted.error(), kFailed, "No round was made.");
    }
    const auto done = run_to(**session, last, std::move(tally), summary);
    const bool kept = done || is_kept(done.error());
    print(summary, kept ? farewell(*ready, summary.rounds, summary.status) : "", options.format);
    return done ? kDone : report(done.error(), kFailed, aftermath(done.error()));
}

}  // namespace

void add_simulate(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("simulate", "Run on a simulated cluster as fast as it goes");
    const auto options = std::make_shared<Options>();
    add_run_flags(*command, options->run);
    CLI::Option* resume =
        command->add_flag("--resume", options->resume, "Go on with the run in --event-dir");
    CLI::Option* out =
        command->add_option("--trace-out", options->trace_out,
                            "Write what is observed, round by round, as lines of JSON");
    out->type_name("FILE");
    command
        ->add_option("--from-trace", options->from_trace,
                     "Decide again on what --trace-out of simulate or live wrote")
        ->type_name("FILE")
        ->excludes(resume)
        ->excludes(out);
    add_listen_flags(*command, options->listen, ListenDefault::off);
    add_output(*command, options->format, {"table", "json"});
    add_examples(*command,
                 {"parley simulate --scenario failing-node --seed 7 --rounds 300 --event-dir A",
                  "parley simulate --scenario ./mine.yaml --mode observe",
                  "parley simulate --scenario exercise --profile prototype -o json",
                  "parley simulate --rounds 60 --trace-out seen.jsonl",
                  "parley simulate --from-trace seen.jsonl --event-dir B",
                  "parley simulate --event-dir A --resume --scenario failing-node --rounds 600"});
    command->callback([&chosen, options] { chosen = [options] { return simulate(*options); }; });
}

}  // namespace parley::app
