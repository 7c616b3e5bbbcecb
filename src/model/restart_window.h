// Model: takes rounds one after the other; gives the restarts of the recent past with the node of
// each. For readers of a record: a node's own memory of restarts (NodeFold) is stored in keyframes
// only, and holds no more than decisions need.

#pragma once

#include "model/memory.h"
#include "model/restarts.h"
#include "model/round.h"

#include <deque>
#include <vector>

namespace parley::model {

class RestartWindow {
public:
    struct One {
        Uid node;
        RestartAt at;  ///< With the slot that the node had at that time.
    };

    explicit RestartWindow(Duration window) : window_(window) {}

    /// Starts from what the run itself remembers, where reading begins or continues after a gap.
    void meet(const Table<NodeFold>& folds);
    /// Adds the next round, and drops what has become too old.
    void take(const RoundInput& input);

    /// Oldest first.
    const std::deque<One>& seen() const { return seen_; }
    /// Only those on nodes that are in the snapshot, with the slots they have there.
    std::vector<RestartAt> on_nodes_of(const Snapshot& snapshot) const;

private:
    Duration window_;
    std::deque<One> seen_;
};

}  // namespace parley::model
