// Experiment, arms: a scenario, a seed and a way to judge risk in; what the run cost and did out.

#pragma once

#include "base/describe.h"
#include "layers/prediction/brains.h"
#include "model/policy.h"
#include "model/score.h"
#include "sim/scenario/scenario.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::experiment {

enum class ArmKind : std::uint8_t {
    never,     ///< No action at all.
    formula,   ///< The prototype's risk.
    evidence,  ///< The default predictor.
    brain,     ///< A trained model.
    /// The same model with its risks given to the wrong nodes: as many actions, blindly.
    permuted,
    oracle,     ///< Knows which nodes will fail.
    own,        ///< A policy from a file.
    risk_only,  ///< Like brain, but demand is taken to stay as it is.
};
BOOST_DESCRIBE_ENUM(ArmKind, never, formula, evidence, brain, permuted, oracle, own, risk_only)

struct Arm {
    std::string name;
    ArmKind kind = ArmKind::evidence;
    model::Policy policy;
    prediction::Brains brains;
};

/// The outcome of one run. Costs are in pod-minutes of service.
struct RunOutcome {
    double cost = 0;                     ///< The account's total: what is compared.
    InPlace<model::PerRole<double>> by;  ///< Its parts.
    double lost_requests = 0;
    double violating_requests = 0;
    double service_minutes = 0;   ///< Ready pod-minutes.
    std::int64_t failures = 0;    ///< Nodes that really failed.
    std::int64_t answered = 0;    ///< Failed nodes on which an action was taken before.
    double lead_minutes = 0;      ///< From action to failure, summed over those answered.
    std::int64_t disruptive = 0;  ///< Drains, moves and power-downs that were accepted.
    std::int64_t needless = 0;    ///< Safety actions on nodes that did not fail in time.
    double node_weeks = 0;
    std::int64_t leaves = 0;  ///< (leaf, round) pairs that the account could read ...
    /// ... and that it could not. If these are too many, the costs are not known.
    std::int64_t missing = 0;
    friend bool operator==(const RunOutcome&, const RunOutcome&) = default;
};
BOOST_DESCRIBE_STRUCT(RunOutcome, (),
                      (cost, by, lost_requests, violating_requests, service_minutes, failures,
                       answered, lead_minutes, disruptive, needless, node_weeks, leaves, missing))

/// Why the cost of a run is not known; empty: it is.
inline std::string not_known_because(const RunOutcome& run) {
    return model::too_little_read(run.leaves, run.missing);
}

struct Span {
    Duration length = hours(2);
    Duration interval = seconds(15);  ///< Between rounds.
};

/// The policy that an arm of this kind runs: `base` with the predictor of the kind.
Arm arm_of(ArmKind kind, const model::Policy& base, const prediction::Brains& brains);

/// Pure: the same arguments give the same outcome.
RunOutcome run_arm(const Arm& arm, std::shared_ptr<const sim::Scenario> scenario,
                   std::uint64_t seed, const Span& span);

}  // namespace parley::experiment
