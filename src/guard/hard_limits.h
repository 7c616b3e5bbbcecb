// Guard: limits that no setting removes. Takes a policy; returns it, nowhere looser than they
// allow.

#pragma once

#include "model/policy.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::guard {

/// The range that a setting may have. Times count as seconds.
struct HardLimit {
    std::string_view path;  ///< Such as `policy.guard.headroom`.
    double least;
    double most;
};

/// Settings may be tighter than these, never looser: see docs/decisions/0024. Readers of settings
/// refuse values beyond them; the guard applies them to whatever policy it is given.
inline constexpr HardLimit kHardLimits[] = {
    // How old and how complete the data behind a disruption must be.
    {"policy.guard.api_age_max", 0, 60},
    {"policy.guard.metrics_age_max", 0, 120},
    {"policy.guard.coverage_disrupt", 0.8, 1},
    {"policy.guard.clock_jump_max", 0, 60},
    {"policy.guard.warmup_rounds", 3, 1e6},
    // How much at a time, and how fast.
    {"policy.guard.allowance_one_in", 10, 1e6},
    {"policy.guard.disruptions_per_hour_max", 0, 30},
    {"policy.guard.drains_per_node_day_max", 0, 4},
    {"policy.guard.power_down_apart", 300, 86'400},
    {"policy.guard.cool_down", 300, 86'400},
    {"policy.guard.headroom", 0.05, 1},
    {"policy.guard.pending_abort", 1, 600},
    {"policy.guard.cool_down_scale", 5, 86'400},
    {"policy.guard.scale_down_share", 0, 0.5},
    {"policy.guard.scale_down_window", 60, 86'400},
    // When too much is wrong to touch anything.
    {"policy.guard.breaker_bad_min", 1, 2},
    {"policy.guard.breaker_share", 0, 0.2},
    {"policy.guard.breaker_group_min", 1, 5},
    {"policy.guard.breaker_rise_min", 1, 2},
    {"policy.guard.breaker_rise", 0, 0.1},
    {"policy.guard.breaker_quiet", 600, 86'400},
    {"policy.evidence.lease_lost_after", 0, 60},
    // What justifies a disruption. A base of zero would give limits that no node can exceed, and
    // blind the breaker.
    {"policy.evidence.base", 1e-6, 1},
    {"policy.evidence.restarts_workloads_min", 2, 8},
    {"policy.evidence.restarts_workloads_few", 2, 8},
    {"policy.stakes.margin", 1, 1e6},
    {"policy.stakes.rounds_over", 2, 8},
    {"policy.stakes.rounds_of", 1, 8},
    {"policy.efficiency.rounds_idle", 2, 6},
    {"policy.efficiency.rounds_of", 1, 6},
    {"policy.efficiency.sleep_below", 0, 0.5},
};

/// Of a workload's replicas, whatever ceiling people set: far above what clusters run, and far
/// below what a figure on its way to the API could lose.
inline constexpr std::int64_t kReplicasMost = 100'000;

/// To how many replicas a workload may grow at once: four times as many, or a hundred more, so that
/// small ones and those at zero can follow a burst.
constexpr std::int64_t grown_most(std::int64_t replicas) {
    return std::max(replicas * 4, replicas + 100);
}

/// At least two thirds of the rounds: nothing disruptive rests on less.
constexpr int rounds_needed(int rounds_of) { return (2 * rounds_of + 2) / 3; }

/// Why the policy is too loose although each single setting is within its limit; names the setting
/// first: "policy.stakes.rounds_over is 2 of 8 rounds; ..."; empty: it is not.
std::string beyond_together(const model::Policy& policy);

/// The policy with looser settings moved to their limit. Idempotent.
model::Policy bounded(model::Policy policy);

}  // namespace parley::guard
