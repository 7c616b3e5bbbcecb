#include "layers/arbitration/holdout.h"

#include "base/number.h"
#include "base/random.h"
#include "base/time_text.h"
#include "model/aside.h"

#include <algorithm>

namespace parley::arbitration {
namespace {

model::Refused refused(const model::NodeId& node, double share, Duration left) {
    return {model::kHoldoutRule, "withheld for " + print_age(left) + " to see whether " +
                                     node.text() + " fails, as " + fixed(share * 100, 0) +
                                     "% of safety actions are" + model::holdout_aside()};
}

}  // namespace

Drawn draw_holdout(const guard::Facts& facts, const model::Proposal& proposal) {
    const model::Policy& policy = facts.policy();
    const model::Forecast& forecast = facts.forecast();
    const double share = policy.risk.holdout;
    const auto* node = std::get_if<model::NodeId>(&proposal.target);
    const bool may = share > 0 && policy.predictor == model::PredictorKind::xgboost &&
                     forecast.features != 0 && proposal.role == model::Role::safety &&
                     facts.controls().mode == model::Mode::act && forecast.horizon.us > 0;
    if (!may || node == nullptr) return {};
    const Slot slot = facts.slot_of(*node);
    const auto believed = std::ranges::find(forecast.nodes, slot, &model::NodeForecast::node);
    const bool urgent = believed == forecast.nodes.end() || !believed->risk ||
                        !(*believed->risk <= policy.risk.urgent);
    if (urgent) return {};
    const model::RiskWatch* watch = facts.derived().hindsight.nodes.find(slot);
    if (watch != nullptr && facts.now() < watch->withheld_until) {
        return {refused(*node, share, watch->withheld_until - facts.now()), share};
    }
    const auto bits = draw(facts.seed(), Stream::holdout, entity_of(node->text()),
                           static_cast<std::uint64_t>(facts.now().us / forecast.horizon.us));
    if (!random::bernoulli(bits, share)) return {std::nullopt, 1 - share};
    return {refused(*node, share, forecast.horizon), share};
}

}  // namespace parley::arbitration
