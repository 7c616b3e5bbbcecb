#include "experiment/tune_objective.h"

#include "base/check.h"
#include "base/codec.h"
#include "base/hash.h"
#include "base/number.h"
#include "sim/builtin_scenarios.h"

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
     .low = 1,
     .high = 3,  // Of the last three rounds, which stay as they are.
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
    // Also false if the value is no number.
    const bool inside = value >= tunable.low && value <= tunable.high;
    if (inside && (!tunable.whole || value == std::floor(value))) return {};
    return fail(ErrorCode::malformed, std::string(tunable.name) + " is " + print_double(value) +
                                          ", but must be a " + (tunable.whole ? "whole " : "") +
                                          "number from " + print_double(tunable.low) + " to " +
                                          print_double(tunable.high));
}

}  // namespace

std::span<const Tunable> tunables() { return kTunables; }

std::vector<double> values_of(const model::Policy& policy) {
    std::vector<double> values;
    for (const Tunable& tunable : kTunables) {
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
    if (values.size() != std::size(kTunables)) {
        return fail(ErrorCode::malformed, "there are " + std::to_string(values.size()) +
                                              " values for " +
                                              std::to_string(std::size(kTunables)) + " parameters");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (auto fine = check(kTunables[i], values[i]); !fine) return fine;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        at_path(policy, kTunables[i].path, [&](auto& member) {
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
                       const Span& span) {
    auto world = sim::builtin_scenario(scenario, seed);
    if (!world) {
        return fail(ErrorCode::denied, "no scenario is called " + in_quotes(scenario) +
                                           "; parley scenario list shows those there are");
    }
    Arm arm{.name = "tuned", .kind = ArmKind::own, .policy = policy, .brains = {}};
    arm.policy.cost = {};
    arm.policy.weights = {};
    return run_arm(arm, std::make_shared<const sim::Scenario>(*std::move(world)), seed, span).cost;
}

std::string prices_hash() {
    return hex(sha256(encode(model::Prices{}) + encode(model::Weights{})));
}

}  // namespace parley::experiment
