// Layer 6, explanation: inputs of a run in; out, in words, the windows over past rounds that risk
// rests on. Predictors keep their own windows, but a record holds those in keyframes only.

#pragma once

#include "model/policy.h"
#include "model/restart_window.h"
#include "model/round.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace parley::explanation {

/// Restarts and Ready flaps of every node, as far back as the policy's windows. Only for wording
/// what the record says, not for decisions.
class Past {
public:
    explicit Past(const model::EvidenceRules& rules)
        : rules_(rules), restarts_(rules.restarts_window) {}
    Past(const Past&) = delete;  // places_ points into its own members.
    Past& operator=(const Past&) = delete;

    /// Starts from what the run itself remembers, where reading begins or continues after a gap.
    /// Call it before take().
    void meet(const model::Derived& derived);
    /// Takes the rounds in order.
    void take(const model::RoundInput& input);

    /// What raised the risk of a node: "lease 23s old", "6 restarts in 10 min over 3 pods"; for
    /// predictor `evidence` with what each adds alone: "lease 23s old (alone 0.10)". Then restarts
    /// that did not raise it: "shop/web restarted 3 times: its own crash loop, its pods elsewhere
    /// restart too (no sign of the node)".
    std::vector<std::string> words(const model::RoundInput& input, const model::Forecast& forecast,
                                   const model::NodeForecast& node) const;

private:
    struct Readiness {
        bool was_ready = false;
        std::deque<TimePoint> flaps;
    };

    Readiness& readiness_of(Slot slot, const model::Uid& node);
    model::RestartSign restarts_on(const model::RoundInput& input, Slot slot) const;
    std::string restarts_text(const model::Uid& node, const model::RestartSign& sign,
                              TimePoint now) const;
    std::string flaps_text(const model::Uid& node, TimePoint now) const;

    model::EvidenceRules rules_;
    model::RestartWindow restarts_;
    std::map<model::Uid, Readiness> ready_;
    /// Pointers into ready_, by slot: a node is mostly at the same slot as a round before.
    std::vector<std::pair<const model::Uid, Readiness>*> places_;
    bool begun_ = false;
};

}  // namespace parley::explanation
