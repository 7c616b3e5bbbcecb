#include "layers/decide.h"

#include "guard/guard.h"
#include "guard/hard_limits.h"
#include "layers/arbitration/referee.h"
#include "layers/execution/attribution.h"
#include "layers/execution/begin.h"
#include "layers/execution/ledger_fold.h"
#include "layers/execution/prototype_reward.h"
#include "layers/explanation/alarms/alarms.h"
#include "layers/prediction/demand_forecast.h"
#include "layers/prediction/features.h"
#include "layers/prediction/hindsight.h"
#include "layers/prediction/node_trail.h"
#include "layers/prediction/predict.h"
#include "layers/prediction/trained.h"
#include "layers/proposal/propose.h"

#include <utility>

namespace parley {

using namespace model;

namespace {

/// The reward by the prototype's own formula; shown only in its profile.
void note_prototype(const RoundInput& input, const Policy& policy, Decision& decision) {
    if (policy.profile != Profile::prototype) return;
    const auto row = execution::prototype_row(input, decision.forecast, policy);
    decision.score.prototype =
        execution::prototype_reward(row, chosen(decision.verdict), policy.weights);
}

/// Whether it is done, or would be without the hold-out.
bool done_or_withheld(const Judged& judged) {
    const auto* refused = std::get_if<Refused>(&judged.fate);
    return std::holds_alternative<Accepted>(judged.fate) ||
           (refused != nullptr && refused->rule == kHoldoutRule);
}

/// Records why each node that is acted on has its risk or demand: the model may be gone when
/// somebody asks.
void note_reasons(const prediction::Round& round, const guard::Facts& facts, Decision& decision) {
    if (round.policy.predictor != PredictorKind::xgboost) return;
    for (const Judged& judged : decision.verdict.judged) {
        const auto* node = std::get_if<NodeId>(&judged.proposal.target);
        if (node == nullptr || changes_nothing(judged.proposal.action)) continue;
        const Slot slot = facts.slot_of(*node);
        if (judged.proposal.role == Role::safety && done_or_withheld(judged)) {
            if (auto reasons = prediction::reasons_of(round, slot)) {
                decision.forecast.reasons.push_back(*std::move(reasons));
            }
        }
        if (judged.proposal.role == Role::efficiency &&
            std::holds_alternative<Accepted>(judged.fate) &&
            prediction::serves_demand(round.policy, round.brains)) {
            auto reasons = prediction::demand_reasons_of(*round.brains.demand,
                                                         round.memory.derived.demand, slot);
            if (reasons) decision.forecast.demand.reasons.push_back(*std::move(reasons));
        }
    }
}

Outcome decide_within(const Policy& policy, const RoundInput& input, const Memory& memory,
                      const prediction::Brains& brains) {
    Outcome outcome{.decision = {.round = input.round}, .next = memory};
    Decision& d = outcome.decision;
    Memory& next = outcome.next;
    d.id = execution::id_at(input, 0);

    // Answers -> ledger.
    execution::Remembered remembered = execution::remember(input, next);
    d.first_steps = std::move(remembered.steps);
    d.ended = std::move(remembered.ended);

    // Snapshot -> windows -> forecast.
    prediction::fold(input, policy, next.derived);
    if (prediction::sees_trails(policy, brains)) {
        prediction::fold_trails(input, policy, next.derived);
    }
    prediction::fold_hindsight(input, policy, brains, next.derived);
    if (prediction::serves_demand(policy, brains)) {
        prediction::fold_demand_forecasts(input, policy, *brains.demand, next.derived.demand);
    }
    d.forecast = prediction::predict(input, next, policy, brains);
    prediction::note_over(d.forecast, input, policy, next.derived);
    prediction::note_idle(d.forecast, input, policy, next.derived);
    next.ledger.breaker = guard::next_breaker(input, d.forecast, next, policy);
    prediction::judge_danger(d.forecast, input, next, policy);

    // Forecast -> proposals -> verdict.
    d.proposals = proposal::propose(input, d.forecast, next, policy);
    const guard::Facts facts(input, d.forecast, next, policy);
    d.verdict = arbitration::Referee(policy).judge(facts, d.forecast, d.proposals);
    const prediction::Round served(input, next, policy, brains);
    note_reasons(served, facts, d);
    prediction::note_served(served, d, next.derived);

    // Counters, twins -> scores of what was done before; then the verdict -> first steps.
    execution::Attributed attributed = execution::attribute(input, policy, d.ended, next);
    d.score = attributed.score;
    d.closed = std::move(attributed.closed);
    note_prototype(input, policy, d);
    execution::begin(d.verdict, d.forecast, input, policy, next, d.first_steps);
    d.open_scores = execution::open_scores(next.derived);

    // For the next round's breaker.
    next.derived.bad_nodes = facts.census().bad;
    next.derived.nodes_counted = facts.census().counted;

    // Everything -> disagreements and alarms.
    explanation::note(input, d.forecast, d.verdict, d.score, policy, remembered.alarms, next, d);
    return outcome;
}

}  // namespace

Outcome decide(const RoundInput& input, const Memory& memory, const Policy& policy,
               const prediction::Brains& brains) {
    return decide_within(guard::bounded(policy), input, memory, brains);
}

}  // namespace parley
