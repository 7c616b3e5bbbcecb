// Experiment, arms: a scenario, a seed and a way to judge risk in, what the run cost and did out.

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
    never,      ///< Nobody acts.
    formula,    ///< The prototype's risk.
    evidence,   ///< The default predictor.
    brain,      ///< A trained model.
    permuted,   ///< The same model, its risks given to the wrong nodes: as many actions, blindly.
    oracle,     ///< Knows which nodes will fail.
    own,        ///< A policy from a file.
    risk_only,  ///< As brain, with demand as it is now.
};
BOOST_DESCRIBE_ENUM(ArmKind, never, formula, evidence, brain, permuted, oracle, own, risk_only)

struct Arm {
    std::string name;
    ArmKind kind = ArmKind::evidence;
    model::Policy policy;
    prediction::Brains brains;
};

/// What one run came to. Costs in pod-minutes of service.
struct RunOutcome {
    double cost = 0;                     ///< The account's total: what is compared.
    InPlace<model::PerRole<double>> by;  ///< Its parts.
    double lost_requests = 0;
    double violating_requests = 0;
    double service_minutes = 0;   ///< Ready pod-minutes.
    std::int64_t failures = 0;    ///< Nodes that really failed.
    std::int64_t answered = 0;    ///< Of these, acted on before.
    double lead_minutes = 0;      ///< From acting to failing, over those answered, summed.
    std::int64_t disruptive = 0;  ///< Drains, moves and power-downs that were accepted.
    std::int64_t needless = 0;    ///< Safety actions on nodes that did not fail in time.
    double node_weeks = 0;
    std::int64_t leaves = 0;   ///< (leaf, round) pairs that the account could read ...
    std::int64_t missing = 0;  ///< ... and that it could not: too many, and its costs are none.
    friend bool operator==(const RunOutcome&, const RunOutcome&) = default;
};
BOOST_DESCRIBE_STRUCT(RunOutcome, (),
                      (cost, by, lost_requests, violating_requests, service_minutes, failures,
                       answered, lead_minutes, disruptive, needless, node_weeks, leaves, missing))

/// Why what a run cost is not known; empty: it is.
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
