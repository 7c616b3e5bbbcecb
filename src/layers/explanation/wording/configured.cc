#include "layers/explanation/wording/configured.h"

#include "base/number.h"
#include "base/time_text.h"
#include "layers/explanation/wording/wording.h"

#include <string_view>

namespace parley::explanation {

using namespace model;

namespace {

std::string shown(Duration value) { return print_duration(value); }
std::string shown(double value) { return print_double(value); }
std::string shown(std::int32_t count) { return std::to_string(count); }

template <auto Part, auto Member>
std::string value_of(const Policy& policy) {
    return shown(policy.*Part.*Member);
}

bool any(const Action&) { return true; }
bool gentle(const Action& action) { return !disruptive(action); }
bool sleeps(const Action& action) { return kind_of(action) == ActionKind::power_state; }
bool rests_on_risk(const Action& action) { return !sleeps(action); }

/// A setting that a rule of the guard's holds against an action.
struct Limit {
    std::string_view rule;
    const char* key;
    std::string (*value)(const Policy&);
    bool (*concerns)(const Action&) = any;
};

template <auto Member>
constexpr auto kGuard = value_of<&Policy::guard, Member>;
template <auto Member>
constexpr auto kStakes = value_of<&Policy::stakes, Member>;
template <auto Member>
constexpr auto kEfficiency = value_of<&Policy::efficiency, Member>;

constexpr Limit kLimits[] = {
    {"api-age", "guard.api_age_max", kGuard<&GuardRules::api_age_max>},
    {"clock", "guard.clock_jump_max", kGuard<&GuardRules::clock_jump_max>},
    {"warm-up", "guard.warmup_rounds", kGuard<&GuardRules::warmup_rounds>},
    {"metrics-age", "guard.metrics_age_max", kGuard<&GuardRules::metrics_age_max>},
    {"coverage", "guard.coverage_disrupt", kGuard<&GuardRules::coverage_disrupt>, disruptive},
    {"coverage", "guard.coverage_act", kGuard<&GuardRules::coverage_act>, gentle},
    {"coverage", "guard.metrics_age_max", kGuard<&GuardRules::metrics_age_max>},
    {"cool-down", "guard.cool_down", kGuard<&GuardRules::cool_down>, disruptive},
    {"cool-down", "guard.cool_down_gentle", kGuard<&GuardRules::cool_down_gentle>, gentle},
    {"rate", "guard.disruptions_per_hour_max", kGuard<&GuardRules::disruptions_per_hour_max>},
    {"power-pace", "guard.power_down_apart", kGuard<&GuardRules::power_down_apart>},
    {"drains-per-day", "guard.drains_per_node_day_max",
     kGuard<&GuardRules::drains_per_node_day_max>},
    {"hysteresis", "stakes.rounds_over", kStakes<&StakesRules::rounds_over>, rests_on_risk},
    {"hysteresis", "stakes.rounds_of", kStakes<&StakesRules::rounds_of>, rests_on_risk},
    {"hysteresis", "efficiency.rounds_idle", kEfficiency<&EfficiencyRules::rounds_idle>, sleeps},
    {"hysteresis", "efficiency.rounds_of", kEfficiency<&EfficiencyRules::rounds_of>, sleeps},
    {"breaker", "guard.breaker_bad_min", kGuard<&GuardRules::breaker_bad_min>},
    {"breaker", "guard.breaker_share", kGuard<&GuardRules::breaker_share>},
    {"breaker", "guard.breaker_group_min", kGuard<&GuardRules::breaker_group_min>},
    {"breaker", "guard.breaker_rise_min", kGuard<&GuardRules::breaker_rise_min>},
    {"breaker", "guard.breaker_rise", kGuard<&GuardRules::breaker_rise>},
    {"breaker", "guard.breaker_quiet", kGuard<&GuardRules::breaker_quiet>},
    {"allowance", "guard.allowance_one_in", kGuard<&GuardRules::allowance_one_in>},
    {"fits-elsewhere", "guard.headroom", kGuard<&GuardRules::headroom>},
};

}  // namespace

std::string set_text(const std::string& is, const std::string& usual) {
    return is + " by configuration (default " + usual + ")";
}

std::string limits_set(const std::string& rule, const Action& action, const Policy& policy) {
    const Policy usual;
    std::string text;
    for (const Limit& limit : kLimits) {
        if (limit.rule != rule || !limit.concerns(action)) continue;
        const std::string is = limit.value(policy);
        const std::string by_default = limit.value(usual);
        if (is == by_default) continue;
        text += (text.empty() ? "policy." : ", policy.") + std::string(limit.key) + " is " +
                set_text(is, by_default);
    }
    return text;
}

std::string refusal_text(const Refused& refused, const Action& action, const Policy& policy) {
    const std::string set = limits_set(refused.rule, action, policy);
    return set.empty() ? refused.because : without_stop(refused.because) + "; " + set;
}

}  // namespace parley::explanation
