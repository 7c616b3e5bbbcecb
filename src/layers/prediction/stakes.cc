#include "layers/prediction/stakes.h"

#include <algorithm>

namespace parley::prediction {
namespace {

using model::ActionKind;
using model::PodRow;
using model::WorkloadRow;

// Sums are whole billionths of a pod-minute, so that the order of pods does not matter.
constexpr double kUnit = 1e9;
constexpr Duration kStartupMin = seconds(1);  // A measured zero would make moving a pod free.
constexpr double kNever = 2;

/// What one pod of a workload adds to its node.
struct Factor {
    std::int64_t loss = 0;  ///< Zero: its pods are not counted at all.
    std::int64_t move = 0;
    bool only_ready = true;  ///< An unready pod serves nobody.
    bool throttles = false;
    bool replicates = false;
    bool moves = false;
};

struct Sums {
    std::int64_t loss = 0;
    std::int64_t throttle_loss = 0;
    std::int64_t replicate_loss = 0;
    std::int64_t migrate_loss = 0;
    std::int64_t migrate_cost = 0;
    std::int32_t throttled = 0;
    std::int32_t replicated = 0;
};

std::int64_t units(double pod_minutes) {
    return static_cast<std::int64_t>(pod_minutes * kUnit + 0.5);
}

/// A start-up time is a property, not a state: it is used however old the measurement is.
Duration startup_of(const WorkloadRow& workload, const model::StakesRules& rules) {
    const Duration* measured = workload.startup_p95.value();
    return std::max(kStartupMin, measured ? *measured : rules.startup_assumed);
}

/// Copies can be made beforehand: for a Deployment that rolls out, scales freely and shares no
/// disk. Whether its namespace allows it is up to the guard.
bool replicable(const WorkloadRow& workload) {
    return workload.id.kind == model::WorkloadKind::deployment && workload.wanted >= 2 &&
           !workload.recreate && !workload.rwo_volume && !workload.protect && !workload.batch &&
           workload.scale_owner == model::ScaleOwner::nobody;
}

Factor factor_of(const WorkloadRow& workload, const model::StakesRules& rules) {
    if (workload.id.kind == model::WorkloadKind::daemon_set) return {};
    const Duration startup = startup_of(workload, rules);
    const double share = workload.batch ? 1.0 : 1.0 / std::max(1, workload.ready);
    Factor factor;
    factor.loss = units(in_minutes(rules.detection + rules.toleration + startup) * share);
    factor.move = units(in_minutes(startup) * share);
    factor.only_ready = !workload.batch;
    factor.throttles = workload.cpu_limit_m > workload.cpu_request_m && !workload.protect;
    factor.replicates = replicable(workload);
    factor.moves = !workload.protect;
    return factor;
}

std::vector<Factor> factors_of(const model::Snapshot& snapshot, const model::StakesRules& rules) {
    std::vector<Factor> factors(snapshot.workloads.end_slot());
    snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& workload) {
        factors[slot] = factor_of(workload, rules);
    });
    return factors;
}

std::vector<Sums> sums_of(const model::Snapshot& snapshot, const std::vector<Factor>& factors) {
    std::vector<Sums> sums(snapshot.nodes.end_slot());
    snapshot.pods.for_each_glance([&](Slot, const PodRow::Glance& pod) {
        if (pod.node >= sums.size() || pod.workload >= factors.size()) return;
        if (pod.phase != model::PodPhase::running || pod.terminating) return;
        const Factor& factor = factors[pod.workload];
        if (factor.only_ready && !pod.ready) return;
        Sums& at = sums[pod.node];
        at.loss += factor.loss;
        if (factor.throttles) {
            at.throttle_loss += factor.loss;
            ++at.throttled;
        }
        if (factor.replicates) {
            at.replicate_loss += factor.loss;
            ++at.replicated;
        }
        if (factor.moves && pod.evictable) {
            at.migrate_loss += factor.loss;
            at.migrate_cost += factor.move;
        }
    });
    return sums;
}

/// `touched` is the part of `loss` in pods that the remedy can help.
model::Remedy remedy(const model::Remedy& plain, std::int64_t touched, std::int64_t loss,
                     double margin) {
    model::Remedy out = plain;
    if (loss <= 0 || touched <= 0) {
        out.efficacy = 0;
        return out;
    }
    out.efficacy *= static_cast<double>(touched) / static_cast<double>(loss);
    const double averted = static_cast<double>(loss) / kUnit * out.efficacy * out.timeliness;
    if (averted > 0) out.limit = std::min(kNever, margin * out.cost / averted);
    return out;
}

Stakes priced(const Sums& sums, const model::Policy& policy, Duration horizon) {
    const model::StakesRules& rules = policy.stakes;
    const double per_copy = rules.replicate_cost * in_minutes(horizon);
    const model::Remedy throttle{.kind = ActionKind::throttle,
                                 .efficacy = rules.throttle_efficacy,
                                 .timeliness = rules.throttle_timeliness,
                                 .cost = rules.throttle_cost * sums.throttled,
                                 .limit = kNever};
    const model::Remedy replicate{.kind = ActionKind::replicate,
                                  .efficacy = rules.replicate_efficacy,
                                  .timeliness = rules.replicate_timeliness,
                                  .cost = per_copy * sums.replicated,
                                  .limit = kNever};
    const model::Remedy migrate{.kind = ActionKind::migrate,
                                .efficacy = rules.migrate_efficacy,
                                .timeliness = rules.migrate_timeliness,
                                .cost = static_cast<double>(sums.migrate_cost) / kUnit,
                                .limit = kNever};
    Stakes stakes;
    stakes.loss = static_cast<double>(sums.loss) / kUnit;
    stakes.remedies = {remedy(throttle, sums.throttle_loss, sums.loss, rules.margin),
                       remedy(replicate, sums.replicate_loss, sums.loss, rules.margin),
                       remedy(migrate, sums.migrate_loss, sums.loss, rules.margin)};
    for (const model::Remedy& each : stakes.remedies) {
        stakes.limit = std::min(stakes.limit, each.limit);
    }
    return stakes;
}

}  // namespace

std::vector<Stakes> stakes_of(const model::Snapshot& snapshot, const model::Policy& policy,
                              Duration horizon) {
    const std::vector<Sums> sums = sums_of(snapshot, factors_of(snapshot, policy.stakes));
    std::vector<Stakes> stakes(sums.size());
    for (std::size_t slot = 0; slot < sums.size(); ++slot) {
        stakes[slot] = priced(sums[slot], policy, horizon);
    }
    return stakes;
}

}  // namespace parley::prediction
