#include "experiment/arms.h"

#include "base/check.h"
#include "trial/world_run.h"

#include <algorithm>
#include <utility>

namespace parley::experiment {
namespace {

constexpr Duration kHorizon = minutes(30);
constexpr double kWeekMinutes = 7 * 24 * 60;

/// An accepted safety action, to be judged by what the node then did.
struct Deed {
    model::NodeId node;
    TimePoint at;
};

bool takes_away(model::ActionKind kind) {
    using model::ActionKind;
    return kind == ActionKind::migrate || kind == ActionKind::replicate ||
           kind == ActionKind::power_state;
}

/// A node that fails within the horizon of an action on it counts as answered; an action without
/// such a failure was needless.
void judge(const std::vector<Deed>& deeds, const sim::Truth& truth, TimePoint end,
           RunOutcome& out) {
    for (const sim::NodeFailure& failure : truth.failures) {
        ++out.failures;
        const auto before = std::ranges::find_if(deeds, [&](const Deed& deed) {
            return deed.node == failure.node && deed.at <= failure.at &&
                   failure.at - deed.at <= kHorizon;
        });
        if (before == deeds.end()) continue;
        ++out.answered;
        out.lead_minutes += in_minutes(failure.at - before->at);
    }
    for (const Deed& deed : deeds) {
        if (end - deed.at < kHorizon) continue;  // Its outcome is not known yet.
        const bool failed = std::ranges::any_of(truth.failures, [&](const auto& failure) {
            return failure.node == deed.node && deed.at <= failure.at &&
                   failure.at - deed.at <= kHorizon;
        });
        out.needless += failed ? 0 : 1;
    }
}

/// Adds the counters of workloads as last read, which may be before the last round.
void add_counters(const trial::WorldRun& run, RunOutcome& out) {
    run.memory().derived.workloads.for_each([&](Slot, const model::WorkFold& fold) {
        if (!fold.counted) return;
        out.lost_requests += static_cast<double>(fold.last.lost) / 1e3;
        out.violating_requests += static_cast<double>(fold.last.violating) / 1e3;
        out.service_minutes += static_cast<double>(fold.last.service_ms) / 60e3;
    });
}

}  // namespace

Arm arm_of(ArmKind kind, const model::Policy& base, const prediction::Brains& brains) {
    Arm arm{.name = std::string(enum_name(kind)), .kind = kind, .policy = base, .brains = brains};
    using model::PredictorKind;
    const bool trained = kind == ArmKind::brain || kind == ArmKind::permuted ||
                         kind == ArmKind::oracle || kind == ArmKind::risk_only;
    if (kind == ArmKind::risk_only) arm.brains.demand = nullptr;
    if (kind == ArmKind::formula) arm.policy.predictor = PredictorKind::formula;
    if (kind == ArmKind::evidence) arm.policy.predictor = PredictorKind::evidence;
    if (trained) arm.policy.predictor = PredictorKind::xgboost;
    // An arm is judged by what it does, so nothing is withheld for learning.
    arm.policy.risk.holdout = 0;
    return arm;
}

RunOutcome run_arm(const Arm& arm, std::shared_ptr<const sim::Scenario> scenario,
                   std::uint64_t seed, const Span& span) {
    trial::RunSetup setup{.scenario = std::move(scenario),
                          .seed = seed,
                          .interval = span.interval,
                          .policy = arm.policy,
                          .brains = arm.brains};
    if (arm.kind == ArmKind::never) setup.mode = model::Mode::observe;
    if (arm.kind == ArmKind::permuted) setup.brains.staged.permuted_by = seed;
    setup.oracle = arm.kind == ArmKind::oracle;
    trial::WorldRun run(std::move(setup));

    RunOutcome out;
    std::vector<Deed> deeds;
    const bool acts = arm.kind != ArmKind::never;
    for (std::int64_t i = 0; i < span.length.us / span.interval.us; ++i) {
        run.decide_round();
        for (const model::Proposal& each : run.decision().verdict.accepted) {
            if (!acts || !takes_away(model::kind_of(each.action))) continue;
            ++out.disruptive;
            const auto* node = std::get_if<model::NodeId>(&each.target);
            if (node != nullptr && each.role == model::Role::safety) {
                deeds.push_back({*node, run.input().now});
            }
        }
        PARLEY_CHECK(run.carry_out_round());
        out.node_weeks += static_cast<double>(run.input().snapshot.nodes.size()) *
                          in_minutes(span.interval) / kWeekMinutes;
    }
    const model::Cost& account = run.memory().derived.account;
    out.leaves = run.memory().derived.leaves;
    out.missing = run.memory().derived.missing;
    out.cost = static_cast<double>(account.total()) / model::kCostUnit;
    for (const model::Role role : model::kRoles) {
        out.by[role] = static_cast<double>(account[role]) / model::kCostUnit;
    }
    add_counters(run, out);
    judge(deeds, run.world().truth(), run.input().now, out);
    return out;
}

}  // namespace parley::experiment
