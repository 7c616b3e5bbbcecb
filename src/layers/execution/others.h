// Layer 5, execution: open actions and a snapshot in; what somebody else did to what we are
// changing out. Others win: we step back.

#pragma once

#include "model/round.h"

#include <string>
#include <vector>

namespace parley::execution {

/// Somebody else has changed what we change.
struct Contest {
    model::Target about;  ///< The action's target, or a workload that it changes.
    std::string because;  ///< What was found.
    friend bool operator==(const Contest&, const Contest&) = default;
};

/// The note of an action that ends because of them: the first, and how many more there are.
std::string stepped_back(const std::vector<Contest>& contests);

/// How long a change of ours may take until a snapshot shows it.
inline constexpr Duration kShownAfter = seconds(5);

/// Ends every open action that a snapshot shows somebody else to interfere with: its node is
/// cordoned or being drained while the plan is under way; a mark, taint, number of replicas, size
/// or deletion cost that we set is not there any more; an autoscaler or an opt-out has come. What
/// others have set since stays; what is still ours is given back; the action's target and what was
/// contested rest. Pure. Nobody else acts on a simulated cluster, and nothing is done there.
void step_back(const model::RoundInput& input, model::Ledger& ledger);

}  // namespace parley::execution
