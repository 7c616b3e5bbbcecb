// Layer 1, observation: shapes of pods, each kept once for all pods that have it.

#pragma once

#include "base/table.h"
#include "model/container.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace parley::observation {

/// Knows which shapes are in a snapshot's table and how many pods have each. A shape goes with the
/// last pod that has it, so that resizing pods leaves nothing behind. The table is handed in with
/// each call: it is a part of the snapshot.
class Shapes {
public:
    Shapes() = default;
    /// Goes on with a table; who has the shapes is told by hold_again().
    explicit Shapes(const Table<model::PodShape>& table);

    /// One pod more has this shape. Null: kNoSlot, not known.
    Slot hold(Table<model::PodShape>& table, const model::PodShape* shape);
    /// One pod more has the shape at a slot that is taken already.
    void hold_again(Slot slot);
    /// One pod less has it. kNoSlot: nothing.
    void release(Table<model::PodShape>& table, Slot slot);

private:
    std::unordered_multimap<std::size_t, Slot> by_hash_;  // Lookup only.
    std::vector<std::uint32_t> pods_;                     ///< By slot, how many have it.
};

}  // namespace parley::observation
