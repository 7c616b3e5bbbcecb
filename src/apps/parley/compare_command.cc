#include "apps/parley/brains.h"
#include "apps/parley/commands.h"
#include "apps/parley/compare_text.h"
#include "apps/parley/output_file.h"
#include "apps/parley/progress.h"
#include "apps/parley/terminal.h"
#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "config/nearest.h"
#include "experiment/compare.h"
#include "learn/model_manifest.h"
#include "trial/world_run.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <set>
#include <utility>

namespace parley::app {
namespace {

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
    int threads = 1;
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

Result<experiment::Plan> plan_of(const Options& options) {
    if (auto fine = check_output(options.markdown); !fine) return tl::unexpected(fine.error());
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
    plan.span = {.length = *length, .interval = *interval};
    model::Policy asked = trial::open_policy();
    asked.predictor = model::PredictorKind::xgboost;
    auto served = serve_policy(real_disk(), options.models, options.trust, asked);
    if (!served) return tl::unexpected(served.error());
    for (const std::string& refused : {served->refused, served->demand.refused}) {
        if (!refused.empty()) return fail(ErrorCode::denied, refused);
    }
    const auto manifest = learn::parse_manifest(served->files.manifest);
    if (!manifest) return tl::unexpected(manifest.error());
    for (const learn::SeedRange& each : manifest->seeds) {
        plan.trained_on.push_back({each.from, each.to});
    }
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
    const auto plan = plan_of(options);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was run.");
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
        const auto kept = write_output(real_disk(), options.markdown, compare_markdown(*made));
        if (!kept) return report(kept.error(), kFailed);
    }
    return kDone;
}

}  // namespace

void add_compare(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "compare", "Compare predictors and policies on the same seeds, with confidence intervals");
    const auto options = std::make_shared<Options>();
    command->add_option("--scenario", options->scenarios, "Built-in scenarios, by commas")
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
              {2, 100'000});
    add_text(*command, "--length", options->length, "TIME", "Of a run (default 2h)");
    add_text(*command, "--interval", options->interval, "TIME", "Between rounds (default 15s)");
    add_text(*command, "--models", options->models, "FOLDER", "Where trained models are");
    add_text(*command, "--trust", options->trust, "KEY", "Believe models signed by this key, too");
    add_text(*command, "--markdown", options->markdown, "FILE", "Write the tables there too");
    add_whole(*command, "--threads", options->threads, "Runs at once", {1, 256});
    add_output(*command, options->format, {"table", "json"});
    add_examples(*command,
                 {"parley compare --scenario mixed,calm --arms brain,evidence,never --pairs 40",
                  "parley compare --threads 2 --markdown docs/decision-quality.md",
                  "parley compare --policy ./careful.yaml --arms evidence,never --scenario mixed"});
    command->callback([&chosen, options] { chosen = [options] { return compare(*options); }; });
}

}  // namespace parley::app
