#include "apps/session/from_trace.h"

#include "apps/running/boot_stages.h"
#include "apps/running/run_folder.h"
#include "apps/runs/run_record.h"
#include "apps/session/trace_in.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "layers/decide.h"
#include "version.h"

#include <utility>

namespace parley::app {
namespace {

/// Settings of the trace, overridden by the flags.
Result<LoadedSettings> settings_on(const store::RunHeader& header, const RunFlags& flags) {
    Settings defaults = default_settings();
    defaults.policy = header.policy;
    defaults.run.scenario = header.scenario;
    defaults.run.seed = header.seed;
    defaults.run.interval = header.interval;
    defaults.run.mode = header.mode;
    // What is kept is part of the digest; a run that kept nothing has none.
    if (header.record != store::RecordLevel::none) defaults.run.record = header.record;
    auto loaded = settings_of(flags, defaults);
    if (!loaded) return loaded;
    for (const char* fixed : {"scenario", "seed", "interval", "mode"}) {
        if (!loaded->origins.contains(std::string("run.") + fixed)) continue;
        return fail(ErrorCode::denied, std::string("--from-trace brings its own ") + fixed +
                                           "; leave --" + fixed + " out");
    }
    const bool named = loaded->origins.contains("policy.profile");
    if (!named && header.policy.profile == model::Profile::prototype) {
        // Not the one that a profile would imply.
        loaded->settings.policy.predictor = header.policy.predictor;
    }
    return loaded;
}

/// Makes every decision again, and counts the results.
Result<std::uint64_t> decide_all(TraceIn& trace, const store::RunHeader& header,
                                 const ServedBrains& served, RunRecorder& recorder,
                                 std::optional<std::uint64_t> last, RunSummary& summary) {
    Tally tally;
    model::Memory memory;
    std::uint64_t rounds = 0;
    Progress progress(last ? *last : 0, "rounds");
    while (!stop_requested() && !(last && rounds >= *last)) {
        auto round = trace.next();
        if (!round) return tl::unexpected(round.error());
        if (!*round) break;
        if ((*round)->start) {
            memory = *std::move((*round)->start);
            if (auto kept = recorder.keep_start(memory); !kept) {
                return tl::unexpected(kept.error());
            }
        }
        Outcome outcome = decide((*round)->input, memory, header.policy, served.brains);
        memory = std::move(outcome.next);
        auto kept = recorder.keep_round((*round)->input, outcome.decision, memory);
        for (const model::ActionEvent& event : (*round)->came) {
            if (kept) kept = recorder.keep_event(event);
        }
        if (!kept) return tl::unexpected(kept.error());
        tally.add(outcome.decision);
        rounds = (*round)->input.round;
        progress.show(rounds);
    }
    tally.fill(summary);
    return rounds;
}

}  // namespace

Result<RunSummary> decide_trace(const std::string& path, const RunFlags& flags) {
    auto trace = TraceIn::open(real_disk(), path);
    if (!trace) return tl::unexpected(trace.error());
    auto loaded = settings_on(trace->header(), flags);
    if (!loaded) return tl::unexpected(loaded.error());
    const Settings& settings = loaded->settings;
    store::RunHeader header = trace->header();
    header.rules_version = kRulesVersion;
    header.program = kProgram;
    header.policy = settings.policy;
    header.record = settings.run.record;
    auto served = serve_policy(real_disk(), settings.run.models, settings.run.trust, header.policy);
    if (!served) return tl::unexpected(served.error());
    header.policy_digest = policy_digest(header.policy);
    auto folder = run_folder(real_disk(), settings, header.scenario);
    if (!folder) return tl::unexpected(folder.error());
    auto stages = boot_stages({}, header.policy, *served, names_predictor(*loaded));
    stages.push_back({"optuna", StageStatus::idle, "a trace is decided as it is"});
    auto opened = open_record(*folder, header, *served, false, stages);
    if (!opened) return tl::unexpected(opened.error());
    RunSummary summary = begun_summary(header, *folder, stages);
    const auto rounds =
        decide_all(*trace, header, *served, *opened->recorder, settings.run.rounds, summary);
    const auto status = !rounds            ? store::RunStatus::failed
                        : stop_requested() ? store::RunStatus::stopped
                                           : store::RunStatus::complete;
    summary.status = std::string(enum_name(status));
    summary.rounds = rounds ? *rounds : 0;
    const auto closed = finish_record(
        *opened->recorder, *folder, {status, rounds ? "" : rounds.error().message, summary.rounds});
    if (!rounds) return tl::unexpected(rounds.error());
    if (!closed) return tl::unexpected(closed.error());
    return summary;
}

}  // namespace parley::app
