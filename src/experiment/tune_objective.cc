#include "experiment/tune_objective.h"

#include "base/check.h"
#include "base/codec.h"
#include "base/hash.h"
#include "base/number.h"
#include "trial/world_run.h"

#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

namespace parley::experiment {
namespace {

constexpr Tunable kTunables[] = {
    {.name = "evidence.lease_slow",
     .path = "evidence.lease_slow",
     .low = 0.02,
     .high = 0.4,
     .log = true},
    {.name = "evidence.pressure",
     .path = "evidence.pressure",
     .low = 0.02,
     .high = 0.6,
     .log = true},
    {.name = "evidence.restarts",
     .path = "evidence.restarts",
     .low = 0.02,
     .high = 0.7,
     .log = true},
    {.name = "evidence.flaps", .path = "evidence.flaps", .low = 0.05, .high = 0.8, .log = true},
    {.name = "evidence.horizon_min",
     .path = "evidence.horizon",
     .low = 5,
     .high = 30,
     .whole = true},
    {.name = "stakes.margin", .path = "stakes.margin", .low = 1, .high = 3},
    {.name = "stakes.rounds_over",
     .path = "stakes.rounds_over",
     .low = 2,
     .high = 3,  // Of the last three rounds, which is not tuned; fewer than two are not allowed.
     .whole = true},
    {.name = "stakes.release_share", .path = "stakes.release_share", .low = 0.2, .high = 0.9},
    {.name = "efficiency.sleep_below", .path = "efficiency.sleep_below", .low = 0, .high = 0.3},
    {.name = "efficiency.dvfs_below", .path = "efficiency.dvfs_below", .low = 0, .high = 0.45},
    {.name = "efficiency.balloon_below", .path = "efficiency.balloon_below", .low = 0, .high = 0.6},
    {.name = "admission.queue_from",
     .path = "admission.queue_from",
     .low = 2,
     .high = 40,
     .whole = true},
    {.name = "guard.cool_down_min", .path = "guard.cool_down", .low = 5, .high = 60, .whole = true},
    {.name = "guard.headroom", .path = "guard.headroom", .low = 0.05, .high = 0.4},
};

/// The weights of the prototype's reward.
constexpr Tunable kWeights[] = {
    {.name = "alpha", .path = "weights.alpha", .low = 0.5, .high = 2.5},
    {.name = "beta", .path = "weights.beta", .low = 0.1, .high = 2.0},
    {.name = "gamma", .path = "weights.gamma", .low = 0.1, .high = 2.0},
};

/// Calls f with the member of a group of the policy that `path` names.
template <class P, class F>
void at_path(P& policy, std::string_view path, F&& f) {
    const std::size_t dot = path.find('.');
    PARLEY_CHECK(dot != std::string_view::npos);
    bool found = false;
    for_each_member(policy, [&](std::string_view group_name, auto& group) {
        using Group = std::remove_cvref_t<decltype(group)>;
        if constexpr (DescribedStruct<Group> && !TimeLike<Group>) {
            if (group_name != path.substr(0, dot)) return;
            for_each_member(group, [&](std::string_view name, auto& member) {
                using Member = std::remove_cvref_t<decltype(member)>;
                if constexpr (std::is_arithmetic_v<Member> || TimeLike<Member>) {
                    if (name != path.substr(dot + 1)) return;
                    found = true;
                    f(member);
                }
            });
        }
    });
    PARLEY_CHECK(found);  // The table names something that is not in the policy.
}

Result<void> check(const Tunable& tunable, double value) {
    // Also false for NaN.
    const bool inside = value >= tunable.low && value <= tunable.high;
    if (inside && (!tunable.whole || value == std::floor(value))) return {};
    return fail(ErrorCode::malformed, std::string(tunable.name) + " is " + print_double(value) +
                                          ", but must be a " + (tunable.whole ? "whole " : "") +
                                          "number from " + print_double(tunable.low) + " to " +
                                          print_double(tunable.high));
}

}  // namespace

std::span<const Tunable> tunables(model::Profile profile) {
    if (profile == model::Profile::prototype) return kWeights;
    return kTunables;
}

model::Policy untuned(model::Profile profile) {
    model::Policy policy = trial::open_policy();
    policy.profile = profile;
    if (profile == model::Profile::prototype) policy.predictor = model::PredictorKind::formula;
    return policy;
}

std::vector<double> values_of(const model::Policy& policy) {
    std::vector<double> values;
    for (const Tunable& tunable : tunables(policy.profile)) {
        at_path(policy, tunable.path, [&](const auto& member) {
            if constexpr (TimeLike<std::remove_cvref_t<decltype(member)>>) {
                values.push_back(static_cast<double>(member.us) /
                                 static_cast<double>(minutes(1).us));
            } else {
                values.push_back(static_cast<double>(member));
            }
        });
    }
    return values;
}

Result<void> set_values(std::span<const double> values, model::Policy& policy) {
    const std::span<const Tunable> all = tunables(policy.profile);
    if (values.size() != all.size()) {
        return fail(ErrorCode::malformed, "there are " + std::to_string(values.size()) +
                                              " values for " + std::to_string(all.size()) +
                                              " parameters");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (auto fine = check(all[i], values[i]); !fine) return fine;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        at_path(policy, all[i].path, [&](auto& member) {
            using Member = std::remove_cvref_t<decltype(member)>;
            if constexpr (TimeLike<Member>) {
                member = minutes(static_cast<std::int64_t>(values[i]));
            } else {
                member = static_cast<Member>(values[i]);
            }
        });
    }
    return {};
}

Result<double> cost_of(const model::Policy& policy, std::string_view scenario, std::uint64_t seed,
                       const Span& span, const OwnScenarios& own) {
    auto world = world_of(own, scenario, seed);
    if (!world) return tl::unexpected(world.error());
    Arm arm{.name = "tuned", .kind = ArmKind::own, .policy = policy, .brains = {}};
    arm.policy.cost = {};
    arm.policy.weights = {};
    const RunOutcome run = run_arm(arm, *std::move(world), seed, span);
    if (const std::string few = not_known_because(run); !few.empty()) {
        return fail(ErrorCode::unavailable,
                    "what a run of " + std::string(scenario) +
                        " costs is not known, so nothing can be tuned on it: " + few + " (seed " +
                        std::to_string(seed) + ")");
    }
    return run.cost;
}

Result<model::PrototypeReward> reward_of(const model::Policy& policy, std::string_view scenario,
                                         std::uint64_t seed, const Span& span,
                                         const OwnScenarios& own) {
    PARLEY_CHECK(policy.profile == model::Profile::prototype);
    auto world = world_of(own, scenario, seed);
    if (!world) return tl::unexpected(world.error());
    trial::WorldRun run({.scenario = *std::move(world),
                         .seed = seed,
                         .interval = span.interval,
                         .policy = policy,
                         .brains = {}});
    const std::int64_t rounds = span.length.us / span.interval.us;
    model::PrototypeReward mean;
    for (std::int64_t i = 0; i < rounds; ++i) {
        run.decide_round();
        const auto& reward = run.decision().score.prototype;
        PARLEY_CHECK(reward);
        mean.safety += reward->safety;
        mean.efficiency += reward->efficiency;
        mean.admission += reward->admission;
        mean.total += reward->total;
        PARLEY_CHECK(run.carry_out_round());
    }
    for (double* each : {&mean.safety, &mean.efficiency, &mean.admission, &mean.total}) {
        *each /= static_cast<double>(rounds);
    }
    return mean;
}

Result<double> Objective::operator()(std::span<const double> values, std::uint64_t seed) {
    model::Policy policy = untuned(profile_);
    if (auto fits = set_values(values, policy); !fits) return tl::unexpected(fits.error());
    if (profile_ != model::Profile::prototype) return cost_of(policy, scenario_, seed, span_, own_);
    const auto terms = this->terms(seed);
    if (!terms) return tl::unexpected(terms.error());
    const model::Weights& weights = policy.weights;
    return weights[model::Role::safety] * terms->safety +
           weights[model::Role::efficiency] * terms->efficiency +
           weights[model::Role::admission] * terms->admission;
}

Result<model::PrototypeReward> Objective::terms(std::uint64_t seed) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = known_.find(seed); found != known_.end()) return found->second;
    }
    auto terms = reward_of(untuned(profile_), scenario_, seed, span_, own_);
    if (terms) {
        const std::lock_guard lock(mutex_);
        known_.emplace(seed, *terms);  // If two threads computed it, both values are equal.
    }
    return terms;
}

std::string objective_text(model::Profile profile) {
    if (profile != model::Profile::prototype) {
        return "cost in pod-minutes of service; less is better";
    }
    return "the prototype's reward per round; more is better; the objective contains its own "
           "weights";
}

std::string value_text(double value, model::Profile profile) {
    return fixed(value, profile == model::Profile::prototype ? 2 : 1);
}

std::string prices_hash() {
    return hex(sha256(encode(model::Prices{}) + encode(model::Weights{})));
}

}  // namespace parley::experiment
