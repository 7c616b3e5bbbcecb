// Layer 6, explanation: scores of rounds in, the cost of a run out, or why it is not known.

#pragma once

#include "model/score.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

/// Adds up what rounds cost. A reading that was missing in one round and comes in a later one
/// counts as read from then on: its cost is in the later round.
class AccountSum {
public:
    void take(const model::RoundScore& score) {
        cost_ = cost_ + score.cost;
        score_ += score.score;
        read_ += score.leaves + score.settled;
        missing_ += score.missing - score.settled;
        model::add_gaps(uncounted_, score.uncounted);
    }

    /// In pod-minutes; nothing: too little could be read.
    std::optional<double> cost() const {
        if (!not_known_because().empty()) return std::nullopt;
        return static_cast<double>(cost_.total()) / model::kCostUnit;
    }
    std::optional<double> score() const {
        if (!not_known_because().empty()) return std::nullopt;
        return score_;
    }
    /// Share of (leaf, round) pairs that could be read; nothing: there were none.
    std::optional<double> coverage() const {
        const std::int64_t all = read_ + missing_;
        if (all <= 0) return std::nullopt;
        return static_cast<double>(read_) / static_cast<double>(all);
    }
    /// Empty: the cost is known.
    std::string not_known_because() const { return model::too_little_read(read_, missing_); }

    /// Lines that are not, or not everywhere, in the cost.
    const std::vector<model::LineGap>& uncounted() const { return uncounted_; }

private:
    model::Cost cost_;
    double score_ = 0;
    std::int64_t read_ = 0;
    std::int64_t missing_ = 0;
    std::vector<model::LineGap> uncounted_;
};

}  // namespace parley::explanation
