#include "apps/parley/commands.h"
#include "apps/session/scenario_file.h"
#include "apps/shelf/brains.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "apps/tuning/compare_keep.h"
#include "apps/tuning/compare_text.h"
#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "config/nearest.h"
#include "experiment/compare.h"
#include "experiment/tune_objective.h"
#include "learn/folder/model_manifest.h"
#include "trial/world_run.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace parley::app {
namespace {

constexpr std::uint64_t kPairsMost = 100'000;

struct Options {
    std::vector<std::string> scenarios{"failing-node", "gray-failure", "mixed",
                                       "rack-down",    "flash-crowd",  "calm"};
    std::vector<std::string> arms{"brain", "formula", "evidence", "permuted", "never", "oracle"};
    std::vector<std::string> policies;  ///< Settings files, each an arm.
    std::int64_t pairs = 0;
    std::string length = "2h";
    std::string interval = "15s";
    std::string models;
    std::string trust;
    std::string markdown;
    std::string seeds;  ///< FIRST or FIRST-LAST; empty: those for tests.
    std::string keep;   ///< A file for the runs; empty: none.
    int threads = 1;
    double matters = 100 * experiment::kMattersShare;  ///< In percent.
    Format format = Format::table;
};

Result<experiment::ArmKind> kind_of(const std::string& name) {
    std::vector<std::string> known;
    std::optional<experiment::ArmKind> found;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<experiment::ArmKind>>(
        [&](auto each) {
            if (each.value == experiment::ArmKind::own) return;
            known.emplace_back(each.name);
            if (name == each.name) found = each.value;
        });
    if (found) return *found;
    return fail(ErrorCode::denied, config::none_called("arm", name, known));
}

/// Twice the same would be compared with itself.
Result<void> check_once(const std::vector<std::string>& names, const char* flag) {
    const std::set<std::string> known(names.begin(), names.end());
    if (known.size() == names.size()) return {};
    return fail(ErrorCode::denied, std::string(flag) + " names something twice; name each once");
}

/// Seeds of one's own: the first, or the first and the last.
Result<void> set_seeds(const Options& options, experiment::Plan& plan) {
    if (options.seeds.empty()) return {};
    constexpr std::uint64_t kMost = std::uint64_t{1} << 53;  // As far as JSON counts.
    const std::size_t dash = options.seeds.find('-');
    const auto first = parse_uint64(options.seeds.substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : parse_uint64(options.seeds.substr(dash + 1));
    if (!first || !last || *last > kMost || *first > *last) {
        return fail(ErrorCode::denied,
                    "--seeds is the first seed, or a range such as 2000000-2000099, and " +
                        in_quotes(options.seeds) + " was given");
    }
    plan.own_seeds = true;
    plan.first_seed = *first;
    if (dash == std::string::npos) return {};
    if (options.pairs > 0) {
        return fail(ErrorCode::denied,
                    "--pairs has no meaning with a range of --seeds: it says how many there are");
    }
    if (*first == *last || *last - *first >= kPairsMost)
        return fail(ErrorCode::denied, "--seeds is a range of 2 to 100000 seeds");
    plan.pairs = static_cast<std::int64_t>(*last - *first + 1);
    return {};
}

/// Scenarios that are files, by their paths.
Result<void> load_own(const std::vector<std::string>& names, experiment::OwnScenarios& own) {
    for (const std::string& name : names) {
        if (!names_scenario_file(name)) continue;
        auto scenario = load_scenario(real_disk(), name, 0);
        if (!scenario) return tl::unexpected(scenario.error());
        own[name] = *std::move(scenario);
    }
    return {};
}

/// What models and policies in the comparison have seen before.
Result<void> add_known_seeds(const ServedBrains& served, const std::vector<std::string>& policies,
                             experiment::Plan& plan) {
    for (const learn::ModelFiles* files : {&served.files, &served.demand.files}) {
        const auto manifest = learn::parse_manifest(files->manifest);
        if (!manifest) return tl::unexpected(manifest.error());
        for (const learn::SeedRange& each : manifest->seeds)
            plan.trained_on.push_back({each.from, each.to});
    }
    for (const std::string& path : policies) {
        const auto text = read_file(real_disk(), path);
        if (!text) return tl::unexpected(text.error());
        for (auto& each : seeds_of_policy(path, *text)) plan.trained_on.push_back(std::move(each));
    }
    plan.trained_on.push_back({experiment::kTuningSeeds,
                               experiment::kFreshSeeds + experiment::kSeedsMax - 1,
                               "parley tune uses"});
    return {};
}

Result<experiment::Plan> plan_of(const Options& options) {
    for (const std::string& path : {options.markdown, options.keep}) {
        if (auto fine = check_output(path, options.policies); !fine)
            return tl::unexpected(fine.error());
    }
    for (const auto& [names, flag] : {std::pair{&options.scenarios, "--scenario"},
                                      {&options.arms, "--arms"},
                                      {&options.policies, "--policy"}}) {
        if (auto fine = check_once(*names, flag); !fine) return tl::unexpected(fine.error());
    }
    experiment::Plan plan{
        .scenarios = options.scenarios, .pairs = options.pairs, .threads = options.threads};
    const auto length = parse_duration(options.length);
    const auto interval = parse_duration(options.interval);
    if (!length || !interval || *interval < milliseconds(100) || *length < *interval ||
        *length > hours(168)) {
        return fail(ErrorCode::denied,
                    "--length and --interval are times such as 2h and 15s, the first the longer, "
                    "at most 168h, the second at least 100ms");
    }
    if (!(options.matters >= 0 && options.matters <= 100)) {
        return fail(ErrorCode::denied,
                    "--matters is a share of the other's cost from 0 to 100 %, and " +
                        print_double(options.matters) + " was given");
    }
    plan.matters = options.matters / 100;
    plan.span = {.length = *length, .interval = *interval};
    model::Policy asked = trial::open_policy();
    asked.predictor = model::PredictorKind::xgboost;
    auto served = serve_policy(real_disk(), options.models, options.trust, asked);
    if (!served) return tl::unexpected(served.error());
    for (const std::string& refused : {served->refused, served->demand.refused}) {
        if (!refused.empty()) return fail(ErrorCode::denied, refused);
    }
    if (auto fine = add_known_seeds(*served, options.policies, plan); !fine)
        return tl::unexpected(fine.error());
    if (auto fine = set_seeds(options, plan); !fine) return tl::unexpected(fine.error());
    if (auto fine = load_own(options.scenarios, plan.own); !fine)
        return tl::unexpected(fine.error());
    for (const std::string& path : options.policies) {
        auto loaded = load_settings(real_disk(), path, {});
        if (!loaded) return tl::unexpected(loaded.error());
        experiment::Arm arm =
            experiment::arm_of(experiment::ArmKind::own, loaded->settings.policy, served->brains);
        arm.name = path;
        plan.arms.push_back(std::move(arm));
    }
    for (const std::string& name : options.arms) {
        const auto kind = kind_of(name);
        if (!kind) return tl::unexpected(kind.error());
        plan.arms.push_back(experiment::arm_of(*kind, trial::open_policy(), served->brains));
    }
    return plan;
}

int compare(const Options& options) {
    auto plan = plan_of(options);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was run.");
    std::optional<KeptRuns> kept;
    if (!options.keep.empty()) {
        auto opened = KeptRuns::open(real_disk(), options.keep, *plan);
        if (!opened) return report(opened.error(), kWrongUse, "Nothing was run.");
        kept = *std::move(opened);
        plan->done = kept->done();
        plan->keep = [&](const experiment::DoneRun& run) { kept->keep(run); };
    }
    catch_stop_signals();
    std::unique_ptr<Progress> progress;
    std::int64_t whole = 0;
    const auto made = experiment::compare(*plan, [&](std::int64_t done, std::int64_t of) {
        if (std::exchange(whole, of) != of) progress.reset();  // A pilot asked for more.
        if (!progress)
            progress = std::make_unique<Progress>(static_cast<std::uint64_t>(of), "runs");
        progress->show(static_cast<std::uint64_t>(done));
        return !stop_requested();
    });
    progress.reset();
    if (kept && !kept->outcome()) return report(kept->outcome().error(), kFailed);
    if (!made) {
        const bool wrong = made.error().code == ErrorCode::denied;
        return report(made.error(), wrong ? kWrongUse : kFailed, wrong ? "Nothing was run." : "");
    }
    if (options.format == Format::json) {
        std::printf("%s\n", to_json(*made).c_str());
    } else {
        std::fputs(compare_text(*made).c_str(), stdout);
    }
    if (!options.markdown.empty()) {
        const auto written = write_output(real_disk(), options.markdown, compare_markdown(*made));
        if (!written) return report(written.error(), kFailed);
    }
    if (made->stopped) {
        std::fputs(kept ? "\nStopped. What is done is kept, and the same command goes on with it.\n"
                        : "\nStopped. With --keep FILE the same command could go on with it.\n",
                   stderr);
    }
    return kDone;
}

}  // namespace

void add_compare(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "compare", "Compare predictors and policies on the same seeds, with confidence intervals");
    const auto options = std::make_shared<Options>();
    command
        ->add_option("--scenario", options->scenarios,
                     "Built-in scenarios, or files such as ./mine.yaml, by commas")
        ->delimiter(',')
        ->type_name("NAMES");
    command
        ->add_option("--arms", options->arms,
                     "Of brain, risk_only (brain without its demand), formula, evidence, permuted, "
                     "never, oracle; the first is compared "
                     "with all others")
        ->delimiter(',')
        ->type_name("NAMES");
    command
        ->add_option("--policy", options->policies, "A settings file as an arm; these come first")
        ->type_name("FILE");
    add_whole(*command, "--pairs", options->pairs,
              "Seeds of each scenario (default: as many as a pilot of 20 says, 100 to 1,000)",
              {2, static_cast<std::int64_t>(kPairsMost)});
    add_text(*command, "--seeds", options->seeds, "A[-B]",
             "Seeds of your own; any that no model or policy here was trained or tuned on");
    add_text(*command, "--keep", options->keep, "FILE",
             "Keep each run there; a comparison that was stopped goes on with what is in it");
    add_text(*command, "--length", options->length, "TIME", "Of a run (default 2h)");
    add_text(*command, "--interval", options->interval, "TIME", "Between rounds (default 15s)");
    add_text(*command, "--models", options->models, "FOLDER", "Where trained models are");
    add_text(*command, "--trust", options->trust, "KEY", "Believe models signed by this key, too");
    add_text(*command, "--markdown", options->markdown, "FILE", "Write the tables there too");
    command
        ->add_option(
            "--matters", options->matters,
            "What a difference must come to, in % of the other's cost, before it is better "
            "or worse (default 0.5)")
        ->type_name("PERCENT");
    add_whole(*command, "--threads", options->threads, "Runs at once", {1, 256});
    add_output(*command, options->format, {"table", "json"});
    add_examples(
        *command,
        {"parley compare --scenario mixed,calm --arms brain,evidence,never --pairs 40",
         "parley compare --threads 2 --markdown docs/decision-quality.md",
         "parley compare --policy ./careful.yaml --arms evidence,never --scenario mixed",
         "parley compare --scenario ./mine.yaml --seeds 2000000-2000039 --keep mine.runs"});
    command->callback([&chosen, options] { chosen = [options] { return compare(*options); }; });
}

}  // namespace parley::app
