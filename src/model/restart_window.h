// Model: rounds in, one after the other; out, the restarts of a time by the node they happened on.
// For those who read a record: a node's own memory of restarts (NodeFold) is in keyframes alone,
// and holds only as many as decisions need.

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
        RestartAt at;  ///< Its slot is the one that the node had then.
    };

    explicit RestartWindow(Duration window) : window_(window) {}

    /// What a run remembers where reading begins, or goes on after a gap, instead of what was seen.
    void meet(const Table<NodeFold>& folds);
    /// One round after the other; what has become too old is forgotten.
    void take(const RoundInput& input);

    /// The oldest first.
    const std::deque<One>& seen() const { return seen_; }
    /// Those on nodes that are in the snapshot, with the slots they have there.
    std::vector<RestartAt> on_nodes_of(const Snapshot& snapshot) const;

private:
    Duration window_;
    std::deque<One> seen_;
};

}  // namespace parley::model
