#include "apps/dashboard/simulated_run.h"
#include "apps/parley/commands.h"
#include "apps/running/run_folder.h"
#include "apps/running/run_to_end.h"
#include "apps/session/from_trace.h"
#include "apps/session/session_options.h"
#include "apps/terminal/terminal.h"
#include "base/json.h"

#include <cstdio>
#include <memory>
#include <utility>

namespace parley::app {
namespace {

struct SimulateArguments {
    SimulatedFlags flags;
    std::string from_trace;
    Format format = Format::table;
};

/// `kept` as is_kept() says; `name` is which run it was.
void tell(const RunSummary& summary, const std::string& name, bool kept, Format format) {
    if (format == Format::json) {
        std::printf("%s\n", to_json(summary).c_str());
        return;
    }
    const std::string bye =
        kept ? farewell(name, summary.folder, summary.rounds, summary.status, summary.record) : "";
    std::printf("%s\n%s", for_terminal(print_summary(summary)).c_str(), for_terminal(bye).c_str());
}

int simulate_trace(const SimulateArguments& options) {
    catch_stop_signals();
    const auto summary = decide_trace(options.from_trace, options.flags.run);
    if (!summary) return report(summary.error(), status_of(summary.error()));
    tell(*summary, summary->scenario, true, options.format);
    return kDone;
}

int simulate(const SimulateArguments& options) {
    if (!options.from_trace.empty()) return simulate_trace(options);
    const auto opened = open_simulated(
        options.flags, {.listen = ListenDefault::off, .paced = false, .warns = true});
    if (!opened) return opened.error();
    const auto& [settings, run, board, session] = *opened;
    std::fputs(board->greeting().c_str(), stderr);
    auto tally = run.resume ? tally_of_record(real_disk(), run.folder) : Result<Tally>(Tally());
    if (!tally) return report(tally.error(), kFailed, "No round was made.");
    RunSummary summary = begun_summary(header_of(run), run.folder, run.stages);
    const FinishRun finish = [&open = *session](store::RunStatus status,
                                                const std::string& reason) {
        return open.finish(status, reason);
    };
    const std::uint64_t last = settings.rounds.value_or(kSimulatedRounds);
    std::fputs(nothing_left(session->rounds(), last).c_str(), stderr);
    const auto done = run_to_end(*session, last, *std::move(tally), finish, summary);
    tell(summary, run_name(run), done || is_kept(done.error()), options.format);
    return done ? kDone : report(done.error(), kFailed, aftermath(done.error()));
}

}  // namespace

void add_simulate(Command& program) {
    Command command = program.command("simulate", "Run on a simulated cluster as fast as it goes");
    const auto options = std::make_shared<SimulateArguments>();
    add_run_flags(command, options->flags.run, std::to_string(kSimulatedRounds));
    Flag resume =
        command.on("--resume", options->flags.resume, "Go on with the run in --event-dir");
    Flag out = command.text("--trace-out", options->flags.trace_out,
                            "Write what is observed, round by round, as lines of JSON");
    out.type("FILE");
    command
        .text("--from-trace", options->from_trace,
              "Decide again on what --trace-out of simulate or live wrote")
        .type("FILE")
        .excludes(resume)
        .excludes(out);
    add_listen_flags(command, options->flags.listen, ListenDefault::off);
    add_output(command, options->format, {"table", "json"});
    add_examples(command,
                 {"parley simulate --scenario failing-node --seed 7 --rounds 300 --event-dir A",
                  "parley simulate --scenario ./mine.yaml --mode observe",
                  "parley simulate --scenario exercise --profile prototype -o json",
                  "parley simulate --rounds 60 --trace-out seen.jsonl",
                  "parley simulate --from-trace seen.jsonl --event-dir B",
                  "parley simulate --event-dir A --resume --scenario failing-node --rounds 600"});
    command.runs([options] { return simulate(*options); });
}

}  // namespace parley::app
