#include "apps/parley/commands.h"
#include "apps/session/scenario_file.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "apps/terminal/ticker.h"
#include "apps/tuning/tune_run.h"
#include "apps/tuning/tune_text.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "experiment/tune_objective.h"
#include "tuner/storage.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstring>
#include <memory>
#include <version.h>

namespace parley::app {
namespace {

struct Options {
    TunePlan plan;
    std::string profile = "parley";
    std::string pruner = "median";
    std::string length = "2h";
    std::string interval = "15s";
    std::string timeout;
    std::string grace = "1m";
    std::string write;
    std::string seeds;  ///< The first; empty: those kept for tuning.
    Format format = Format::table;
};

Result<TunePlan> plan_of(const Options& options) {
    TunePlan plan = options.plan;
    plan.program = kProgram;
    plan.profile = *enum_from_name<model::Profile>(options.profile);
    plan.pruner = *enum_from_name<TunePruner>(options.pruner);
    const auto length = parse_duration(options.length);
    const auto interval = parse_duration(options.interval);
    if (!length || !interval || *interval < milliseconds(100) || *length < *interval ||
        *length > hours(168)) {
        return fail(ErrorCode::malformed,
                    "--length and --interval are times such as 2h and 15s, the first the longer, "
                    "at most 168h, the second at least 100ms");
    }
    plan.span = {.length = *length, .interval = *interval};
    if (!options.seeds.empty()) {
        const auto first = parse_uint64(options.seeds);
        if (!first) {
            return fail(ErrorCode::malformed,
                        "--seeds is the first seed of the trials, such as "
                        "300000, and " +
                            in_quotes(options.seeds) + " was given");
        }
        plan.first_seed = *first;
    }
    if (names_scenario_file(plan.scenario)) {
        auto scenario = load_scenario(real_disk(), plan.scenario, 0);
        if (!scenario) return tl::unexpected(scenario.error());
        plan.own[plan.scenario] = *std::move(scenario);
    }
    const auto grace = parse_duration(options.grace);
    if (!grace) return tl::unexpected(grace.error());
    plan.grace = *grace;
    return plan;
}

/// A bar for each part of the work; ends it on a signal, winds it up when the time is over.
class Watcher {
public:
    explicit Watcher(Duration timeout) : limited_(timeout.us > 0), timer_(timeout) {}

    Go operator()(const TuneProgress& at) {
        if (std::strcmp(what_, at.what) != 0) bar_.reset();
        what_ = at.what;
        if (!bar_) bar_ = std::make_unique<Progress>(static_cast<std::uint64_t>(at.of), at.what);
        bar_->show(static_cast<std::uint64_t>(at.done));
        if (stop_requested()) return Go::stop;
        over_ = over_ || (limited_ && timer_.due() > 0);
        const bool trials = std::strcmp(at.what, "trials") == 0;
        return over_ && trials ? Go::wind_up : Go::on;  // What the trials found is judged whole.
    }

private:
    const char* what_ = "";
    std::unique_ptr<Progress> bar_;
    bool limited_;
    bool over_ = false;
    Ticker timer_;
};

int tune_it(const Options& options) {
    const auto plan = plan_of(options);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was run.");
    Duration timeout;
    if (!options.timeout.empty()) {
        const auto given = parse_duration(options.timeout);
        if (!given || given->us <= 0) {
            return report({ErrorCode::malformed, "--timeout is a time such as 10m", std::nullopt},
                          kWrongUse, "Nothing was run.");
        }
        timeout = *given;
    }
    const std::string study = tuner::storage_file(options.plan.storage);
    if (auto fine = check_output(options.write, {study}); !fine) {
        return report(fine.error(), kWrongUse, "Nothing was run.");
    }
    catch_stop_signals();
    auto watcher = std::make_unique<Watcher>(timeout);
    const auto made = tune(*plan, [&](const TuneProgress& at) { return (*watcher)(at); });
    watcher.reset();
    if (!made && made.error().code == ErrorCode::gone && stop_requested()) {
        std::fputs("Stopped. The study is whole, and the same command goes on with it.\n", stderr);
        return kDone;
    }
    if (!made) {
        // A storage that cannot be understood is a damaged file, not a wrong flag.
        const bool wrong = made.error().code == ErrorCode::denied;
        return report(made.error(), wrong ? kWrongUse : kFailed);
    }
    if (options.format == Format::json) {
        std::printf("%s\n", to_json(*made).c_str());
    } else {
        std::printf("%s\n%s", tune_text(*made).c_str(), made->settings.c_str());
    }
    if (options.write.empty()) return kDone;
    const auto kept = write_output(real_disk(), options.write, made->settings);
    if (!kept) return report(kept.error(), kFailed);
    std::fprintf(stderr, "\nThe winner is in %s: parley simulate --config %s\n",
                 options.write.c_str(), options.write.c_str());
    return kDone;
}

void add_amounts(CLI::App& command, Options& options) {
    TunePlan& plan = options.plan;
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

void add_tune(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "tune", "Find decision parameters over the simulator, in a study that Optuna reads");
    const auto options = std::make_shared<Options>();
    add_text(*command, "--scenario", options->plan.scenario, "NAME",
             "A built-in scenario, or a file such as ./mine.yaml (default mixed)");
    add_text(*command, "--seeds", options->seeds, "FIRST",
             "First seed of the trials (default 100000); fresh ones follow behind them");
    add_text(*command, "--storage", options->plan.storage, "PLACE",
             "journal:FILE or sqlite:FILE (default sqlite:parley-tune.db)");
    add_text(*command, "--study", options->plan.study, "NAME",
             "The study in it (default PROFILE-SCENARIO); one that exists goes on");
    command
        ->add_option("--profile", options->profile,
                     "Whose parameters: parley (default), or prototype: the weights of its reward")
        ->type_name("NAME")
        ->check(one_of({"parley", "prototype"}));
    add_amounts(*command, *options);
    command
        ->add_option("--pruner", options->pruner,
                     "Who ends hopeless trials: median (default), hyperband, none")
        ->type_name("NAME")
        ->check(one_of({"median", "hyperband", "none"}));
    add_text(*command, "--length", options->length, "TIME", "Of a run (default 2h)");
    add_text(*command, "--interval", options->interval, "TIME", "Between rounds (default 15s)");
    add_text(*command, "--timeout", options->timeout, "TIME", "No trial begins after that");
    add_text(*command, "--grace", options->grace, "TIME",
             "A trial that was silent for longer is a dead worker's (default 1m; SQLite)");
    add_text(*command, "--write", options->write, "FILE", "Write the winner there, for --config");
    add_output(*command, options->format, {"table", "json"});
    add_examples(*command,
                 {"parley tune --scenario mixed --trials 200 --workers 2 --write tuned.yaml",
                  "parley tune --storage journal:study.log --study night --timeout 30m",
                  "parley tune --scenario ./mine.yaml --seeds 300000 --trials 100",
                  "parley tune --trials 0      Judge the best of a study again, run no trials",
                  "parley simulate --config tuned.yaml"});
    command->callback([&chosen, options] { chosen = [options] { return tune_it(*options); }; });
}

}  // namespace parley::app
