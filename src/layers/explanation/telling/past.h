// Layer 6, explanation: inputs of a run in, the windows over past rounds that risk rests on out, in
// words. Predictors keep their own; a record holds those only in keyframes.

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

/// Restarts and Ready flaps of every node, no further back than the policy's windows. Not for
/// decisions: it only words what the record already says.
class Past {
public:
    explicit Past(const model::EvidenceRules& rules)
        : rules_(rules), restarts_(rules.restarts_window) {}
    Past(const Past&) = delete;  // Places point into what it keeps.
    Past& operator=(const Past&) = delete;

    /// What a run remembers where reading begins or goes on after a gap. Call it before take().
    void meet(const model::Derived& derived);
    /// One round after the other.
    void take(const model::RoundInput& input);

    /// What pushed the risk of a node up, in words: "lease 23s old", "6 restarts in 10 min over 3
    /// pods"; where `evidence` predicted, with what each adds alone: "lease 23s old (alone 0.10)".
    /// Then restarts that were seen and did not push it: "shop/web restarted 3 times: its own crash
    /// loop, its pods elsewhere restart too (no sign of the node)".
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
    /// Into ready_, by slot: a node mostly is where it was a round before.
    std::vector<std::pair<const model::Uid, Readiness>*> places_;
    bool begun_ = false;
};

}  // namespace parley::explanation
