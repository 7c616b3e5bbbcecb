// Layer 5, execution: how long an action is scored, who owns a leaf, and the score of a window.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <map>
#include <string>
#include <vector>

namespace parley::execution {

/// How long a window lasts after its effect is confirmed: by kind, but at least three start-ups
/// plus the lag of metrics.
Duration window_length(const model::Window& window, const model::RoundInput& input,
                       const model::Policy& policy);

/// The effect of an action is confirmed: its window takes its leaves from the others. `released` is
/// when the action ends by itself.
void confirm(std::size_t index, TimePoint at, TimePoint released, Duration length,
             std::vector<model::Window>& windows);

/// Which window owns which leaf in this round. Windows that open in this round own nothing yet.
class Ownership {
public:
    Ownership(const std::vector<model::Window>& windows, std::uint64_t round);

    /// Index of the window that owns a leaf, or -1.
    int owner_of(const model::Target& leaf) const;

private:
    const std::vector<model::Window>& windows_;
    std::map<model::Target, int> owners_;
    int queue_ = -1;  ///< Owner of the Jobs that no window owns by name.
};

/// Those of a window's lines that nobody counted, or not everywhere.
std::vector<model::LineGap> gaps_of(const std::vector<model::LineGap>& lines);

/// Keeps the last errors of each kind of action.
void keep_miss(std::vector<model::TwinMiss>& misses, model::TwinMiss miss);

/// How many past errors of its kind there are, and where that puts an estimated score.
void add_likely(const std::vector<model::TwinMiss>& misses, model::ClosedScore& score);

/// The score of a window that closes. `because`: why it never took effect; empty if it did.
model::ClosedScore close(const model::Window& window, const std::string& because,
                         const model::RoundInput& input);

}  // namespace parley::execution
