#include "apps/tuning/tune_flags.h"

#include "apps/session/scenario_file.h"
#include "base/number.h"
#include "base/time_text.h"
#include "experiment/tune_objective.h"

#include <utility>
#include <version.h>

namespace parley::app {
namespace {

void add_amounts(Command& command, TunePlan& plan) {
    add_whole(command, "--trials", plan.trials,
              "How many more (default 50); 0 only judges those there are", {0, 1'000'000});
    add_whole(command, "--workers", plan.workers, "Trials at once (default 1)", {1, 256});
    add_whole(command, "--pairs", plan.pairs, "Seeds of a trial (default 16)",
              {1, experiment::kSeedsMax});
    add_whole(command, "--fresh", plan.fresh,
              "Fresh seeds on which the best five run again (default 100)",
              {2, experiment::kSeedsMax});
    add_whole(command, "--seed", plan.seed, "Of what is drawn (default 0)");
}

}  // namespace

void add_tune_flags(Command& command, TuneFlags& into) {
    add_text(command, "--scenario", into.plan.scenario, "NAME",
             "A built-in scenario, or a file such as ./mine.yaml (default mixed)");
    add_text(command, "--seeds", into.seeds, "FIRST",
             "First seed of the trials (default 100000); fresh ones follow behind them");
    add_text(command, "--storage", into.plan.storage, "PLACE",
             "journal:FILE or sqlite:FILE (default sqlite:parley-tune.db)");
    add_text(command, "--study", into.plan.study, "NAME",
             "The study in it (default PROFILE-SCENARIO); one that exists goes on");
    command
        .text("--profile", into.profile,
              "Whose parameters: parley (default), or prototype: the weights of its reward")
        .type("NAME")
        .check(one_of({"parley", "prototype"}));
    add_amounts(command, into.plan);
    command
        .text("--pruner", into.pruner,
              "Who ends hopeless trials: median (default), hyperband, none")
        .type("NAME")
        .check(one_of({"median", "hyperband", "none"}));
    add_text(command, "--length", into.length, "TIME", "Of a run (default 2h)");
    add_text(command, "--interval", into.interval, "TIME", "Between rounds (default 15s)");
    add_text(command, "--timeout", into.timeout, "TIME", "No trial begins after that");
    add_text(command, "--grace", into.grace, "TIME",
             "A trial that was silent for longer is a dead worker's (default 1m; SQLite)");
    add_text(command, "--write", into.write, "FILE", "Write the winner there, for --config");
    add_output(command, into.format, {"table", "json"});
}

Result<TunePlan> tune_plan(Disk& disk, const TuneFlags& flags) {
    TunePlan plan = flags.plan;
    plan.program = kProgram;
    plan.profile = *enum_from_name<model::Profile>(flags.profile);
    plan.pruner = *enum_from_name<TunePruner>(flags.pruner);
    const auto length = parse_duration(flags.length);
    const auto interval = parse_duration(flags.interval);
    if (!length || !interval || *interval < milliseconds(100) || *length < *interval ||
        *length > hours(168)) {
        return fail(ErrorCode::malformed,
                    "--length and --interval are times such as 2h and 15s, the first the longer, "
                    "at most 168h, the second at least 100ms");
    }
    plan.span = {.length = *length, .interval = *interval};
    if (!flags.seeds.empty()) {
        const auto first = parse_uint64(flags.seeds);
        if (!first) {
            return fail(ErrorCode::malformed,
                        "--seeds is the first seed of the trials, such as "
                        "300000, and " +
                            in_quotes(flags.seeds) + " was given");
        }
        plan.first_seed = *first;
    }
    if (names_scenario_file(plan.scenario)) {
        auto scenario = load_scenario(disk, plan.scenario, 0);
        if (!scenario) return tl::unexpected(scenario.error());
        plan.own[plan.scenario] = *std::move(scenario);
    }
    const auto grace = parse_duration(flags.grace);
    if (!grace) return tl::unexpected(grace.error());
    plan.grace = *grace;
    return plan;
}

Result<Duration> tune_timeout(const TuneFlags& flags) {
    if (flags.timeout.empty()) return Duration{};
    const auto given = parse_duration(flags.timeout);
    if (given && given->us > 0) return *given;
    return fail(ErrorCode::malformed, "--timeout is a time such as 10m");
}

}  // namespace parley::app
