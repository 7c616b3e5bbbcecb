// Layer 6, explanation: an accepted action and the events that followed in, which of its requests
// were sent and what was answered out.

#pragma once

#include "model/action.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

/// One request of an action, and what came of it.
struct SentStep {
    std::string request;  ///< "quarantine node-07".
    std::string answer;   ///< "ok", "found done", "not sent", or the error.
    bool ok = false;      ///< In force, by us or found so.
    friend bool operator==(const SentStep&, const SentStep&) = default;
};
BOOST_DESCRIBE_STRUCT(SentStep, (), (request, answer, ok))

/// Reads the events of one action as they were recorded; it decides nothing. Where the record shows
/// the action itself again, in a later round's steps, that is taken for what it is.
class Follower {
public:
    explicit Follower(model::OpenAction action);

    const model::DecisionId& id() const { return action_.id; }
    const model::OpenAction& action() const { return action_; }

    /// Events of other actions are passed over.
    void take(const model::ActionEvent& event);
    /// As it stands in a later round.
    void meet(const model::OpenAction& later);

    /// Every request of its plan in order.
    const std::vector<SentStep>& steps() const { return steps_; }
    std::int32_t done() const;  ///< How many are in force.
    std::int32_t total() const { return static_cast<std::int32_t>(steps_.size()); }
    /// The last state that is known, and why it is held, blocked or failed.
    model::ActionState state() const { return action_.state; }
    const std::string& note() const { return action_.note; }
    /// "3 of 3 sent", "1 of 3 sent: no route to host", "would send 3".
    std::string text() const;

private:
    void on_seen(const model::Seen& seen);
    void on_answered(const model::Answered& answer);
    void settle(const char* answer);
    bool in_plan() const { return !action_.undoing && action_.at < action_.plan.size(); }

    model::OpenAction action_;
    std::vector<SentStep> steps_;
};

}  // namespace parley::explanation
