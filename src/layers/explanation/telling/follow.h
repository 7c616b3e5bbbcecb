// Layer 6, explanation: an accepted action and the events that followed in, which of its requests
// were sent and what was answered out. The one place that puts the fate of a step into words.

#pragma once

#include "model/action.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

/// One request of an action, and what came of it.
struct SentStep {
    std::string request;  ///< "quarantine node-07".
    /// "ok", "found done", "moot: node-07 was gone before it was sent", "not sent", "would be
    /// sent", or the error.
    std::string answer;
    bool ok = false;  ///< In force, by us or found so.
    model::StepFate fate = model::StepFate::open;
    bool sent = false;  ///< A request left us, whatever came of it.
    friend bool operator==(const SentStep&, const SentStep&) = default;
};
BOOST_DESCRIBE_STRUCT(SentStep, (), (request, answer, ok, fate, sent))

/// Carries the events of one action through the action machine, as the ledger did. Where the record
/// shows the action itself again, in a later round's steps, that is taken for what it is: the
/// ledger is the truth. Records of rules before 6 keep no fates; there events and marks say them.
class Follower {
public:
    explicit Follower(model::OpenAction action);

    const model::DecisionId& id() const { return action_.id; }
    const model::OpenAction& action() const { return action_; }

    /// Events of other actions are passed over.
    void take(const model::ActionEvent& event);
    /// As it stands in a later round.
    void meet(const model::OpenAction& later);
    /// Events may have been missed: a process began anew, or a part of the record is not readable.
    void lose_track() { whole_ = false; }

    /// Every request of its plan in order.
    std::vector<SentStep> steps() const;
    /// The last state that is known, and why it is held, blocked or failed.
    model::ActionState state() const { return action_.state; }
    const std::string& note() const { return action_.note; }
    std::int32_t done() const;  ///< How many are in force.
    std::int32_t total() const { return static_cast<std::int32_t>(action_.plan.size()); }
    /// "2 of 3 sent, 1 moot", with another verb where it is given.
    std::string tally(const std::string& verb) const;
    /// "3 of 3 sent", "1 of 3 sent: no route to host", "would send 3".
    std::string text() const;
    /// Where events and ledger disagreed first, as a clause; empty: nowhere.
    const std::string& contradiction() const { return contradiction_; }

private:
    SentStep step(std::size_t place) const;
    std::string answer_of(std::size_t place) const;
    std::int64_t count(model::StepFate fate) const;

    model::OpenAction action_;
    std::vector<std::string> errors_;  ///< By step: the last that was answered; empty: none.
    std::vector<bool> tried_;          ///< By step: a request was answered, or is under way.
    bool whole_ = false;               ///< Every event of it was seen.
    std::string contradiction_;
};

}  // namespace parley::explanation
