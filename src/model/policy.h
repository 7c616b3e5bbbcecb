// Model: everything a person may set that decisions depend on. Named by its digest; the members
// are the keys of the configuration file, and `parley config print` shows them with these values.

#pragma once

#include "base/describe.h"
#include "base/time.h"
#include "model/per_role.h"

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace parley::model {

enum class Profile : std::uint8_t { parley, prototype };
BOOST_DESCRIBE_ENUM(Profile, parley, prototype)
enum class PredictorKind : std::uint8_t { evidence, formula, xgboost };
BOOST_DESCRIBE_ENUM(PredictorKind, evidence, formula, xgboost)

/// For predictor `evidence`: risk = 1 - (1 - base) x product of (1 - what each signal adds).
struct EvidenceRules {
    double base = 0.0005;
    double lease_slow = 0.10;
    Duration lease_slow_after = seconds(10);
    double lease_lost = 0.90;
    Duration lease_lost_after = seconds(40);
    double not_ready = 0.90;
    double pressure = 0.15;
    double restarts = 0.20;
    std::int32_t restarts_min = 3;
    std::int32_t restarts_pods_min = 2;
    Duration restarts_window = minutes(10);
    double flaps = 0.40;
    std::int32_t flaps_min = 2;
    Duration flaps_window = hours(1);
    Duration horizon = minutes(10);
    std::int32_t restarts_workloads_min = 3;  ///< Unrelated workloads that must restart ...
    std::int32_t restarts_workloads_few = 2;  ///< ... where fewer than `restarts_few_below` run.
    std::int32_t restarts_few_below = 6;
    friend bool operator==(const EvidenceRules&, const EvidenceRules&) = default;
};
BOOST_DESCRIBE_STRUCT(EvidenceRules, (),
                      (base, lease_slow, lease_slow_after, lease_lost, lease_lost_after, not_ready,
                       pressure, restarts, restarts_min, restarts_pods_min, restarts_window, flaps,
                       flaps_min, flaps_window, horizon, restarts_workloads_min,
                       restarts_workloads_few, restarts_few_below))

/// When acting on risk pays: p x loss x efficacy x timeliness > margin x cost.
struct StakesRules {
    Duration detection = seconds(50);
    Duration toleration = seconds(300);
    Duration startup_assumed = seconds(30);  ///< Where no start-up time was measured.
    double margin = 1.1;
    double throttle_efficacy = 0.2;
    double throttle_timeliness = 0.9;
    double throttle_cost = 0.1;  ///< Pod-minutes per pod on the node.
    double replicate_efficacy = 0.7;
    double replicate_timeliness = 0.8;
    double replicate_cost = 0.1;  ///< Pod-minutes per added pod and minute of the horizon.
    double migrate_efficacy = 0.95;
    double migrate_timeliness = 0.7;
    std::int32_t rounds_over = 2;  ///< Over the limit in this many ...
    std::int32_t rounds_of = 3;    ///< ... of the last rounds.
    double release_share = 0.5;    ///< Released below this share of the limit.
    friend bool operator==(const StakesRules&, const StakesRules&) = default;
};
BOOST_DESCRIBE_STRUCT(StakesRules, (),
                      (detection, toleration, startup_assumed, margin, throttle_efficacy,
                       throttle_timeliness, throttle_cost, replicate_efficacy, replicate_timeliness,
                       replicate_cost, migrate_efficacy, migrate_timeliness, rounds_over, rounds_of,
                       release_share))

struct EfficiencyRules {
    double sleep_below = 0.12;  ///< Only if the node's demand is below this.
    /// Only if demand is below this. 0: clocks are left alone; see docs/decisions/0014.
    double dvfs_below = 0;
    double balloon_below = 0.45;
    double dvfs_clock = 0.65;
    double balloon_margin = 1.15;  ///< Memory requests stay this far above what is used.
    std::int32_t rounds_idle = 2;  ///< Idle enough to be put to sleep in this many ...
    std::int32_t rounds_of = 3;    ///< ... of the last rounds, on samples of their own.
    friend bool operator==(const EfficiencyRules&, const EfficiencyRules&) = default;
};
BOOST_DESCRIBE_STRUCT(EfficiencyRules, (),
                      (sleep_below, dvfs_below, balloon_below, dvfs_clock, balloon_margin,
                       rounds_idle, rounds_of))

struct AdmissionRules {
    std::int64_t queue_from = 8;  ///< Pods short of a resource.
    std::int64_t deprioritize_from = 80;
    std::int64_t cap_from = 120;
    double cap_share = 0.85;
    Duration order_lasts = minutes(10);  ///< A standing order expires after this.
    friend bool operator==(const AdmissionRules&, const AdmissionRules&) = default;
};
BOOST_DESCRIBE_STRUCT(AdmissionRules, (),
                      (queue_from, deprioritize_from, cap_from, cap_share, order_lasts))

struct GuardRules {
    Duration api_age_max = seconds(15);
    Duration metrics_age_max = seconds(60);
    double coverage_disrupt = 0.9;  ///< Share of nodes with samples below which nothing disrupts.
    /// Share of nodes with samples below which no action that rests on metrics is taken.
    double coverage_act = 0.5;
    Duration clock_jump_max = seconds(30);
    std::int32_t warmup_rounds = 3;
    Duration cool_down = minutes(30);        ///< Of a disruptive action on its target.
    Duration cool_down_gentle = minutes(5);  ///< Of any other action on its target.
    std::int32_t disruptions_per_hour_max = 6;
    std::int32_t drains_per_node_day_max = 2;
    Duration power_down_apart = minutes(10);  ///< Between two power-downs, anywhere.
    double headroom = 0.10;  ///< Pods moved must fit elsewhere with this much to spare.
    std::int32_t breaker_bad_min = 2;
    double breaker_share = 0.20;
    std::int32_t breaker_group_min = 5;
    std::int32_t breaker_rise_min = 2;
    double breaker_rise = 0.10;
    Duration breaker_quiet = minutes(10);
    std::int32_t allowance_one_in = 10;       ///< One disrupted node per this many.
    Duration pending_abort = minutes(2);      ///< Pods that wait longer after our eviction undo it.
    Duration cool_down_scale = seconds(15);   ///< Between two scalings of a workload.
    double scale_down_share = 0.25;           ///< Of all replicas: scaled down at most within ...
    Duration scale_down_window = minutes(5);  ///< ... this time.
    friend bool operator==(const GuardRules&, const GuardRules&) = default;
};
BOOST_DESCRIBE_STRUCT(GuardRules, (),
                      (api_age_max, metrics_age_max, coverage_disrupt, coverage_act, clock_jump_max,
                       warmup_rounds, cool_down, cool_down_gentle, disruptions_per_hour_max,
                       drains_per_node_day_max, power_down_apart, headroom, breaker_bad_min,
                       breaker_share, breaker_group_min, breaker_rise_min, breaker_rise,
                       breaker_quiet, allowance_one_in, pending_abort, cool_down_scale,
                       scale_down_share, scale_down_window))

/// Which action kinds may be carried out in namespaces that begin with, or are exactly, `space`.
struct OptIn {
    std::string space;  ///< `*` for all; `shop` exactly; `test-*` by prefix.
    std::vector<ActionKind> kinds;
    friend bool operator==(const OptIn&, const OptIn&) = default;
};
BOOST_DESCRIBE_STRUCT(OptIn, (), (space, kinds))

/// Prices in pod-minutes of service.
struct Prices {
    double lost_request = 0.002;
    double disruption = 0.5;
    double energy_kwh = 6.0;
    double node_hour = 3.0;
    double pending_minute = 1.0;  ///< Of a pod that waits for a shortage or our gate.
    double rejection = 1.0;
    double violating_request = 0.0005;
    double core_hour = 3.0;
    double gib_hour = 0.3;
    friend bool operator==(const Prices&, const Prices&) = default;
};
BOOST_DESCRIBE_STRUCT(Prices, (),
                      (lost_request, disruption, energy_kwh, node_hour, pending_minute, rejection,
                       violating_request, core_hour, gib_hour))

/// How much each agent's lines of the account count in a score: alpha A + beta B + ... The settings
/// are named by Greek letters, in the order of the agents.
struct Weights : PerRole<double> {
    constexpr Weights() {
        for (const Role role : kRoles) (*this)[role] = 1.0;
        (*this)[Role::efficiency] = 0.6;
        (*this)[Role::admission] = 0.8;
        (*this)[Role::scaling] = 0.8;
    }

    static constexpr const char* kNames[] = {"alpha",   "beta", "gamma", "delta",
                                             "epsilon", "zeta", "eta",   "theta"};
    static_assert(kRoles.size() <= std::size(kNames), "every agent's weight has a name");
    template <class Described>
    struct Member : PerRole::Member<Described> {
        static constexpr const char* name = kNames[static_cast<std::size_t>(Described::value)];
    };
    using Members = boost::mp11::mp_rename<
        boost::mp11::mp_transform<Member, boost::describe::describe_enumerators<Role>>,
        boost::mp11::mp_list>;
};

/// Estimated power of a node where none is measured: idle + cpu x utilisation + memory x share.
struct PowerRules {
    double idle_w = 80;
    double cpu_w = 120;
    double memory_w = 60;
    std::string source = "built-in constants";
    friend bool operator==(const PowerRules&, const PowerRules&) = default;
};
BOOST_DESCRIBE_STRUCT(PowerRules, (), (idle_w, cpu_w, memory_w, source))

/// Trained models, by id; what they are is in their folders.
struct BrainRules {
    std::string risk;                   ///< Empty: the one that comes with the program.
    std::vector<PredictorKind> shadow;  ///< Predictors that run beside and decide nothing.
    std::string demand;                 ///< As `risk`; served with predictor `xgboost`.
    friend bool operator==(const BrainRules&, const BrainRules&) = default;
};
BOOST_DESCRIBE_STRUCT(BrainRules, (), (risk, shadow, demand))

/// What a served model of risk may learn from outcomes. Other predictors give no probabilities that
/// could be corrected.
struct RiskServing {
    double holdout = 0;       ///< Share of safety actions withheld to see what comes; 0: none.
    double urgent = 0.5;      ///< An action on a node with a higher risk is never withheld.
    bool recalibrate = true;  ///< Risks are corrected by what came of earlier ones.
    friend bool operator==(const RiskServing&, const RiskServing&) = default;
};
BOOST_DESCRIBE_STRUCT(RiskServing, (), (holdout, urgent, recalibrate))

struct Policy {
    Profile profile = Profile::parley;
    PredictorKind predictor = PredictorKind::evidence;
    /// How many targets may be touched before looking again.
    std::int32_t actions_per_round_max = 1;
    EvidenceRules evidence;
    StakesRules stakes;
    EfficiencyRules efficiency;
    AdmissionRules admission;
    GuardRules guard;
    std::vector<OptIn> allow;             ///< Nothing is allowed that is not named here.
    std::vector<std::string> namespaces;  ///< Watched: prefixes, or `=name` exactly; empty: all.
    Prices cost;
    Weights weights;
    PowerRules power;
    BrainRules brains;
    RiskServing risk;
    std::int32_t scales_per_round_max = 1'000;  ///< Workloads that are scaled in one round.
    friend bool operator==(const Policy&, const Policy&) = default;
};
BOOST_DESCRIBE_STRUCT(Policy, (),
                      (profile, predictor, actions_per_round_max, evidence, stakes, efficiency,
                       admission, guard, allow, namespaces, cost, weights, power, brains, risk,
                       scales_per_round_max))

/// In profile `prototype` these bounds are fixed, whatever is set.
inline constexpr EfficiencyRules kPrototypeEfficiency{
    .sleep_below = 0.12, .dvfs_below = 0.30, .balloon_below = 0.45};

/// The bounds that hold in the policy's profile.
inline const EfficiencyRules& efficiency_of(const Policy& policy) {
    return policy.profile == Profile::prototype ? kPrototypeEfficiency : policy.efficiency;
}

}  // namespace parley::model
