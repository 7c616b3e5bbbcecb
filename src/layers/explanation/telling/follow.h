// Layer 6, explanation: an accepted action and its events in; out, which requests were sent and
// what was answered. The one place that puts the fate of a step into words.

#pragma once

#include "model/open_action.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace parley::explanation {

/// One request of an action, and what came of it.
struct SentStep {
    std::string request;  ///< "quarantine node-07".
    /// "ok", "found done", "moot: node-07 was gone before it was sent", "not sent", "would be
    /// sent", "dry run: ok", or the error.
    std::string answer;
    /// In force, through us or already before; where nothing is sent, what a dry run found fine.
    bool ok = false;
    model::StepFate fate = model::StepFate::open;
    bool sent = false;   ///< A request was sent, whatever came of it.
    bool tried = false;  ///< Nothing was sent, but a dry run made: `answer` and `ok` are of that.
    friend bool operator==(const SentStep&, const SentStep&) = default;
};
BOOST_DESCRIBE_STRUCT(SentStep, (), (request, answer, ok, fate, sent, tried))

/// Passes the events of one action through the action machine, as the ledger did. If the record
/// shows the action itself again, in the steps of a later round, that state is taken over: the
/// ledger is the truth. Records of rules before version 6 hold no fates; for them events and marks
/// are used.
class Follower {
public:
    explicit Follower(model::OpenAction action);

    const model::DecisionId& id() const { return action_.id; }
    const model::OpenAction& action() const { return action_; }

    /// Events of other actions are ignored.
    void take(const model::ActionEvent& event);
    /// Takes over its state in a later round.
    void meet(const model::OpenAction& later);
    /// Events may have been missed: a new process began, or a part of the record cannot be read.
    void lose_track() { whole_ = false; }

    /// Every request of its plan in order.
    std::vector<SentStep> steps() const;
    /// The last known state.
    model::ActionState state() const { return action_.state; }
    const std::string& note() const { return action_.note; }
    std::int32_t done() const;  ///< How many requests are in force.
    std::int32_t total() const { return static_cast<std::int32_t>(action_.plan.size()); }
    /// "2 of 3 sent, 1 moot"; `verb` replaces "sent".
    std::string tally(const std::string& verb) const;
    /// "3 of 3 sent", "1 of 3 sent: no route to host", "would send 3; dry run: 3 ok".
    std::string text() const;
    /// Of an action that would be sent, what its dry runs were answered: "2 of 3 ok; evict shop/a:
    /// denied: no". Empty: none was made.
    std::string rehearsed() const;
    /// Where events and ledger first disagreed, as a clause; empty: nowhere.
    const std::string& contradiction() const { return contradiction_; }

private:
    SentStep step(std::size_t place) const;
    std::string answer_of(std::size_t place) const;
    SentStep would_step(std::size_t place) const;
    std::int64_t count(model::StepFate fate) const;

    model::OpenAction action_;
    /// For each step the last error that was answered; empty: none.
    std::vector<std::string> errors_;
    std::vector<bool> tried_;  ///< For each step: a request was answered or is under way.
    /// What dry runs of its first steps were answered, in order, where it would be sent.
    std::vector<std::variant<model::Seen, model::Answered>> rehearsed_;
    bool whole_ = false;  ///< Every event of the action was seen.
    std::string contradiction_;
};

}  // namespace parley::explanation
