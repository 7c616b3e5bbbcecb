// Kube, who made an object what it is: its JSON and a request of ours in, whether that request made
// it so out. Pure.

#pragma once

#include "model/request.h"

#include <string_view>

namespace parley::kube {

/// Whether what a request wants is there, and was put there by us rather than by somebody who wants
/// the same. A mark names its decision, and our taint beside the mark of this decision is nobody
/// else's. Of replicas, sizes and deletion costs the API server keeps who wrote them last
/// (metadata.managedFields): an autoscaler may set the very number that we want. False where nobody
/// can tell, as of a pod that is going or of what was taken away.
bool made_by_us(std::string_view body, const model::Request& request,
                const model::DecisionId& decision);

}  // namespace parley::kube
