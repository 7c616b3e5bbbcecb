// Layer 5, execution: marks on what an action changes, so that from them alone it can be given
// back.

#pragma once

#include "model/round.h"

#include <optional>
#include <vector>

namespace parley::execution {

/// The decision that a request writes as a mark, none if it takes one away; null: it marks nothing.
const model::DecisionId* marks(const model::Request& request);

/// What a new mark says beside an earlier one that it replaces: of what both change, the value
/// before the first; and what only the earlier one changed. `before` null: there was none.
std::vector<model::MarkedChange> carried(std::vector<model::MarkedChange> fresh,
                                         const std::vector<model::MarkedChange>* before);

/// The changes that a mark has to name for a request that resizes a pod.
std::vector<model::MarkedChange> changes_of(const model::ResizePod& there,
                                            const model::ResizePod& back);

/// Pods carry one mark, and no row of a snapshot says which: a pod that another open action has
/// marked gets a mark that names the changes of both, and at the end has the other's again. Pure.
void carry_marks(model::OpenAction& action, const model::Ledger& ledger);

}  // namespace parley::execution
