// Cluster seam: which step of which decision a request is, so that the cluster's own log can say
// it.

#pragma once

#include "base/time.h"
#include "model/ids.h"

#include <cstdint>

namespace parley::cluster {

struct Stamp {
    model::DecisionId decision;
    std::uint32_t step = 0;  ///< Its place in the plan, or among what undoes it.
    bool undo = false;       ///< It gives back what an earlier one changed.
    /// For how long it may still be sent: what it was decided on gets old.
    Duration fresh = hours(24);
    friend bool operator==(const Stamp&, const Stamp&) = default;
};

}  // namespace parley::cluster
