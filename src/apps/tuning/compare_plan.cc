#include "apps/tuning/compare_plan.h"

#include "apps/session/scenario_file.h"
#include "apps/shelf/brains.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/settings.h"
#include "base/number.h"
#include "base/time_text.h"
#include "config/nearest.h"
#include "experiment/tune_objective.h"
#include "learn/folder/model_manifest.h"
#include "trial/world_run.h"

#include <optional>
#include <set>
#include <utility>

namespace parley::app {
namespace {

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

/// Refuses duplicates, which would be compared with themselves.
Result<void> check_once(const std::vector<std::string>& names, const char* flag) {
    const std::set<std::string> known(names.begin(), names.end());
    if (known.size() == names.size()) return {};
    return fail(ErrorCode::denied, std::string(flag) + " names something twice; name each once");
}

/// The user's own seeds: the first, or the first and the last.
Result<void> set_seeds(const CompareFlags& flags, experiment::Plan& plan) {
    if (flags.seeds.empty()) return {};
    constexpr std::uint64_t kMost = std::uint64_t{1} << 53;  // The largest exact integer in JSON.
    const std::size_t dash = flags.seeds.find('-');
    const auto first = parse_uint64(flags.seeds.substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : parse_uint64(flags.seeds.substr(dash + 1));
    if (!first || !last || *last > kMost || *first > *last) {
        return fail(ErrorCode::denied,
                    "--seeds is the first seed, or a range such as 2000000-2000099, and " +
                        in_quotes(flags.seeds) + " was given");
    }
    plan.own_seeds = true;
    plan.first_seed = *first;
    if (dash == std::string::npos) return {};
    if (flags.pairs > 0) {
        return fail(ErrorCode::denied,
                    "--pairs has no meaning with a range of --seeds: it says how many there are");
    }
    if (*first == *last || *last - *first >= kPairsMost)
        return fail(ErrorCode::denied, "--seeds is a range of 2 to 100000 seeds");
    plan.pairs = static_cast<std::int64_t>(*last - *first + 1);
    return {};
}

/// Scenario files, by path.
Result<void> load_own(Disk& disk, const std::vector<std::string>& names,
                      experiment::OwnScenarios& own) {
    for (const std::string& name : names) {
        if (!names_scenario_file(name)) continue;
        auto scenario = load_scenario(disk, name, 0);
        if (!scenario) return tl::unexpected(scenario.error());
        own[name] = *std::move(scenario);
    }
    return {};
}

/// A settings file that is an arm.
struct OwnPolicy {
    std::string path;
    Settings settings;
};

/// Before seeds were a setting, `parley tune` wrote them behind this.
constexpr const char* kSeedsOnceIn = "# seeds it knows: ";

Result<std::vector<OwnPolicy>> load_policies(Disk& disk, const std::vector<std::string>& paths) {
    std::vector<OwnPolicy> all;
    for (const std::string& path : paths) {
        auto loaded = load_settings(disk, path, {});
        if (!loaded) return tl::unexpected(loaded.error());
        const auto text = read_file(disk, path);
        if (!text) return tl::unexpected(text.error());
        // Without them it would be judged on seeds that it was fitted to.
        // prose: an old mark that is looked for; nothing behind it is read.
        if (loaded->settings.tuned_on.empty() && text->find(kSeedsOnceIn) != std::string::npos) {
            return fail(ErrorCode::denied,
                        path +
                            " has the seeds it was tuned on in a comment, as earlier versions "
                            "wrote them; add them as a setting, such as tuned_on: [{from: "
                            "300000, to: 300015}]");
        }
        for (const SeedSpan& each : loaded->settings.tuned_on) {
            if (each.from <= each.to) continue;
            return fail(ErrorCode::denied, path + ": a range of tuned_on ends before it begins: " +
                                               std::to_string(each.from) + " to " +
                                               std::to_string(each.to));
        }
        all.push_back({path, std::move(loaded->settings)});
    }
    return all;
}

/// Seeds that models and policies of the comparison have used before.
Result<void> add_known_seeds(const ServedBrains& served, const std::vector<OwnPolicy>& policies,
                             experiment::Plan& plan) {
    for (const learn::ModelFiles* files : {&served.files, &served.demand.files}) {
        const auto manifest = learn::parse_manifest(files->manifest);
        if (!manifest) return tl::unexpected(manifest.error());
        for (const learn::SeedRange& each : manifest->seeds)
            plan.trained_on.push_back({each.from, each.to});
    }
    for (const OwnPolicy& own : policies) {
        for (const SeedSpan& each : own.settings.tuned_on)
            plan.trained_on.push_back({each.from, each.to, own.path + " was tuned on"});
    }
    plan.trained_on.push_back({experiment::kTuningSeeds,
                               experiment::kFreshSeeds + experiment::kSeedsMax - 1,
                               "parley tune uses"});
    return {};
}

}  // namespace

Result<experiment::Plan> compare_plan(Disk& disk, const CompareFlags& flags) {
    for (const std::string& path : {flags.markdown, flags.keep}) {
        if (auto fine = check_output(path, flags.policies); !fine)
            return tl::unexpected(fine.error());
    }
    for (const auto& [names, flag] : {std::pair{&flags.scenarios, "--scenario"},
                                      {&flags.arms, "--arms"},
                                      {&flags.policies, "--policy"}}) {
        if (auto fine = check_once(*names, flag); !fine) return tl::unexpected(fine.error());
    }
    experiment::Plan plan{
        .scenarios = flags.scenarios, .pairs = flags.pairs, .threads = flags.threads};
    const auto length = parse_duration(flags.length);
    const auto interval = parse_duration(flags.interval);
    if (!length || !interval || *interval < milliseconds(100) || *length < *interval ||
        *length > hours(168)) {
        return fail(ErrorCode::denied,
                    "--length and --interval are times such as 2h and 15s, the first the longer, "
                    "at most 168h, the second at least 100ms");
    }
    if (!(flags.matters >= 0 && flags.matters <= 100)) {
        return fail(ErrorCode::denied,
                    "--matters is a share of the other's cost from 0 to 100 %, and " +
                        print_double(flags.matters) + " was given");
    }
    plan.matters = flags.matters / 100;
    plan.span = {.length = *length, .interval = *interval};
    model::Policy asked = trial::open_policy();
    asked.predictor = model::PredictorKind::xgboost;
    auto served = serve_policy(disk, flags.models, flags.trust, asked);
    if (!served) return tl::unexpected(served.error());
    for (const std::string& refused : {served->refused, served->demand.refused}) {
        if (!refused.empty()) return fail(ErrorCode::denied, refused);
    }
    const auto policies = load_policies(disk, flags.policies);
    if (!policies) return tl::unexpected(policies.error());
    if (auto fine = add_known_seeds(*served, *policies, plan); !fine)
        return tl::unexpected(fine.error());
    if (auto fine = set_seeds(flags, plan); !fine) return tl::unexpected(fine.error());
    if (auto fine = load_own(disk, flags.scenarios, plan.own); !fine)
        return tl::unexpected(fine.error());
    for (const OwnPolicy& own : *policies) {
        experiment::Arm arm =
            experiment::arm_of(experiment::ArmKind::own, own.settings.policy, served->brains);
        arm.name = own.path;
        plan.arms.push_back(std::move(arm));
    }
    for (const std::string& name : flags.arms) {
        const auto kind = kind_of(name);
        if (!kind) return tl::unexpected(kind.error());
        plan.arms.push_back(experiment::arm_of(*kind, trial::open_policy(), served->brains));
    }
    return plan;
}

}  // namespace parley::app
