#include "apps/tuning/tune_study.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/time_text.h"
#include "experiment/compare.h"
#include "experiment/tune_objective.h"
#include "layers/decide.h"
#include "model/coded.h"
#include "tuner/json.h"
#include "tuner/study.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

using tuner::Owner;
using tuner::Study;
using tuner::TrialState;

/// Something that a cost depends on besides the tuned values: costs that differ in it cannot be
/// compared.
struct Fact {
    const char* key;
    const char* what;
    std::string value;
};

/// Everything that influences decisions and is not tuned. Another default of a tuned parameter does
/// not matter.
std::string rules_text(model::Profile profile) {
    constexpr std::size_t kDigits = 12;
    std::vector<double> lows;
    for (const experiment::Tunable& each : experiment::tunables(profile)) lows.push_back(each.low);
    model::Policy policy = experiment::untuned(profile);
    PARLEY_CHECK(experiment::set_values(lows, policy));
    return std::to_string(kRulesVersion) + ", the rest of the policy " +
           hex(sha256(encode(policy))).substr(0, kDigits);
}

/// With a digest of the content, since a file may change under its name.
std::string scenario_text(const TunePlan& plan) {
    constexpr std::size_t kDigits = 12;
    const auto found = plan.own.find(plan.scenario);
    if (found == plan.own.end()) return plan.scenario;
    return found->second->name + " " + hex(sha256(to_json(*found->second))).substr(0, kDigits);
}

std::vector<Fact> facts_of(const TunePlan& plan) {
    const std::uint64_t first = tuning_seed(plan);
    const std::uint64_t last = first + static_cast<std::uint64_t>(plan.pairs) - 1;
    // Costs have their prices; studies of costs are older than those of rewards.
    const Fact objective =
        plan.profile == model::Profile::parley
            ? Fact{"parley:prices", "prices with the hash", experiment::prices_hash()}
            : Fact{"parley:objective", "the objective", experiment::objective_text(plan.profile)};
    return {objective,
            {"parley:rules", "rules", rules_text(plan.profile)},
            {"parley:scenario", "the scenario", scenario_text(plan)},
            {"parley:seeds", "the seeds", std::to_string(first) + "-" + std::to_string(last)},
            {"parley:runs", "runs of",
             print_duration(plan.span.length) + ", a round every " +
                 print_duration(plan.span.interval)}};
}

tuner::Direction direction_of(const TunePlan& plan) {
    return experiment::more_is_better(plan.profile) ? tuner::Direction::maximize
                                                    : tuner::Direction::minimize;
}

/// The text of an attribute; nothing if there is none. Anything but text reads as its JSON.
std::optional<std::string> attribute(const tuner::Attributes& of, std::string_view key) {
    const auto found = of.find(key);
    if (found == of.end()) return std::nullopt;
    const auto json = parse_python_json(found->second);
    if (!json || json->text() == nullptr) return found->second;
    return *json->text();
}

tl::unexpected<Error> refuse(const Study& study, const std::string& why) {
    return fail(ErrorCode::denied, "the study " + in_quotes(study.name) + " " + why +
                                       "; name another one with --study");
}

/// Refuses a study that cannot be compared, and writes what it does not state yet.
Result<void> agree(tuner::Storage& storage, const TunePlan& plan) {
    const Study& study = storage.study();
    if (study.directions != std::vector{direction_of(plan)}) {
        return refuse(study, experiment::more_is_better(plan.profile)
                                 ? "does not maximize one value, as rewards want it"
                                 : "does not minimize one value, as costs want it");
    }
    const bool begun = std::ranges::any_of(
        study.trials, [](const tuner::Trial& trial) { return trial.state != TrialState::waiting; });
    std::vector<Fact> unsaid;
    for (const Fact& fact : facts_of(plan)) {
        const auto said = attribute(study.user_attributes, fact.key);
        if (said && *said != fact.value) {
            return refuse(study, std::string("has ") + fact.what + " " + in_quotes(*said) +
                                     ", not " + in_quotes(fact.value) +
                                     ", so that values cannot be compared");
        }
        if (!said && begun) {
            return refuse(study, std::string("has trials, but no attribute ") + fact.key +
                                     " that says what they rest on");
        }
        if (!said) unsaid.push_back(fact);
    }
    if (!attribute(study.user_attributes, "parley:program")) {
        unsaid.push_back({"parley:program", "", plan.program});
    }
    if (plan.trials == 0) return {};  // The study is only read.
    for (const Fact& fact : unsaid) {
        auto done =
            storage.set_study_attribute(Owner::user, fact.key, tuner::json_text(fact.value));
        if (!done) return done;
    }
    return {};
}

/// The default policy, with which everything is compared, belongs in the study. If another process
/// runs it at the moment, it may occur twice, which does no harm.
Result<void> enqueue_default(tuner::Storage& storage, model::Profile profile) {
    for (const tuner::Trial& trial : storage.study().trials) {
        const bool counts =
            trial.state == TrialState::waiting || trial.state == TrialState::complete;
        if (counts && is_default(trial, profile)) return {};
    }
    const std::vector<double> values = experiment::values_of(experiment::untuned(profile));
    tuner::Attributes fixed;
    std::size_t i = 0;
    for (const auto& [name, distribution] : tuning_space(profile)) {
        fixed[name] = tuner::external_json(*distribution, values[i++]);
    }
    const auto number = storage.enqueue(fixed);
    if (!number) return tl::unexpected(number.error());
    return storage.set_attribute(*number, Owner::user, kPolicyAttribute, "\"default\"");
}

}  // namespace

std::string study_name(const TunePlan& plan) {
    if (!plan.study.empty()) return plan.study;
    const auto own = plan.own.find(plan.scenario);
    return std::string(enum_name(plan.profile)) + "-" +
           (own == plan.own.end() ? plan.scenario : own->second->name);
}

std::uint64_t tuning_seed(const TunePlan& plan) {
    return plan.first_seed.value_or(experiment::kTuningSeeds);
}

std::uint64_t fresh_seed(const TunePlan& plan) {
    return plan.first_seed ? *plan.first_seed + static_cast<std::uint64_t>(plan.pairs)
                           : experiment::kFreshSeeds;
}

tuner::Space tuning_space(model::Profile profile) {
    tuner::Space space;
    for (const experiment::Tunable& each : experiment::tunables(profile)) {
        tuner::Distribution distribution =
            tuner::FloatRange{.low = each.low, .high = each.high, .log = each.log};
        if (each.whole) {
            distribution = tuner::IntRange{.low = static_cast<std::int64_t>(each.low),
                                           .high = static_cast<std::int64_t>(each.high),
                                           .log = each.log};
        }
        auto checked = tuner::checked(std::move(distribution));
        PARLEY_CHECK(checked);
        space.emplace_back(std::string(each.name),
                           std::make_shared<const tuner::Distribution>(*std::move(checked)));
    }
    return space;
}

std::optional<std::vector<double>> tuned_values(const std::vector<tuner::Param>& params,
                                                model::Profile profile) {
    std::vector<double> values;
    for (const experiment::Tunable& each : experiment::tunables(profile)) {
        const auto found = std::ranges::find(params, each.name, &tuner::Param::name);
        if (found == params.end()) return std::nullopt;
        values.push_back(found->value);
    }
    return values;
}

bool is_default(const tuner::Trial& trial, model::Profile profile) {
    if (attribute(trial.user_attributes, kPolicyAttribute) != "default") return false;
    // The default of an earlier version is a trial like any other.
    const std::vector<double> values = experiment::values_of(experiment::untuned(profile));
    std::size_t i = 0;
    for (const auto& [name, distribution] : tuning_space(profile)) {
        if (tuner::fixed_param(trial, name, *distribution) != values[i++]) return false;
    }
    return true;
}

Result<std::unique_ptr<tuner::Storage>> join_study(const TunePlan& plan) {
    return tuner::open_storage(plan.storage, {.study = study_name(plan), .create = false});
}

Result<std::unique_ptr<tuner::Storage>> open_study(const TunePlan& plan) {
    if (auto there = experiment::world_of(plan.own, plan.scenario, tuning_seed(plan)); !there)
        return tl::unexpected(there.error());
    const std::uint64_t last = fresh_seed(plan) + static_cast<std::uint64_t>(plan.fresh) - 1;
    if (last >= experiment::kTestSeeds) {
        return fail(ErrorCode::denied, "seeds " + std::to_string(tuning_seed(plan)) + " to " +
                                           std::to_string(last) + " reach those from " +
                                           std::to_string(experiment::kTestSeeds) +
                                           " on, which are for parley compare alone: what is tuned "
                                           "on them cannot be judged on them; choose lower ones");
    }
    auto storage = tuner::open_storage(
        plan.storage,
        {.study = study_name(plan), .direction = direction_of(plan), .create = plan.trials > 0});
    if (!storage) return storage;
    if (auto fine = agree(**storage, plan); !fine) return tl::unexpected(fine.error());
    if (plan.trials > 0) {
        if (auto done = enqueue_default(**storage, plan.profile); !done)
            return tl::unexpected(done.error());
    }
    return storage;
}

}  // namespace parley::app
