// Guard: may this be done at all? Facts of a round and one proposal in, a yes or a sentence out.

#pragma once

#include "guard/breaker.h"
#include "guard/facts.h"

#include <cstdint>
#include <optional>

namespace parley::guard {

struct Answer {
    std::optional<model::Refused> refused;  ///< Nothing: it may be done.
    model::GuardReport report;
};

/// Asks every rule that concerns the action, in a fixed order, until one refuses. Pure. No rule
/// concerns a plain admit or a noop. Observe and dry-run are no reason to refuse: there the action
/// ends as would-send. Observe does not require opt-in either, so that people see what they could
/// allow.
Answer ask(const Facts& facts, const model::Proposal& proposal);

/// What was accepted in a round so far, as far as the next one must answer for it. Borrows `facts`.
class Beside {
public:
    explicit Beside(const Facts& facts);

    /// May it be done beside what was accepted? Nothing: yes. Else it loses to the first of those
    /// that it would be too much beside.
    std::optional<model::Overridden> ask(const model::Proposal& proposal) const;
    void accept(const model::Proposal& proposal);

private:
    const Facts* facts_;
    std::optional<model::Proposal> disrupts_;
    std::optional<model::Role> scales_down_;
    std::int64_t replicas_taken_ = 0;
};

/// May the current step of this action be sent? Nothing: yes. Asks for mode, leader, identity; of a
/// step forward also kill switch, deadline, expiry and the age of API data; of a disruptive one
/// breaker, clock, warm-up, and for an eviction budget, last ready replica and opt-outs that have
/// come. An undo step answers only for the first three: what we changed is given back even when
/// eyes are poor or everything else was stopped. A target that is gone is no refusal: the action is
/// moot.
std::optional<model::Refused> ask_again(const Facts& facts, const model::OpenAction& action,
                                        const model::Live& live);

}  // namespace parley::guard
