// Layer 5, execution: pods that found no place after we evicted them.

#pragma once

#include "model/memory.h"
#include "model/policy.h"
#include "model/round.h"

#include <string>
#include <vector>

namespace parley::execution {

/// A sentence if pods that replace those which the action evicted have had no node for longer than
/// `guard.pending_abort`; else empty. Pods of Jobs do not count: new Jobs wait, too, and look the
/// same.
std::string stranded(const model::OpenAction& action, const model::RoundInput& input,
                     const model::Policy& policy);

/// Gives up every open action that stranded pods, and undoes it: the node that they came from takes
/// pods again. This replaces the action's next step in this round.
void release_stranded(const model::RoundInput& input, const model::Policy& policy,
                      model::Memory& memory, std::vector<model::Step>& steps);

}  // namespace parley::execution
