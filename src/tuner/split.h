// Tuner: divides finished trials into good ones and others, as TPE needs.

#pragma once

#include "tuner/trial.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace parley::tuner {

/// How many of n finished trials count as good: a tenth, at most 25.
std::size_t good_count(std::size_t finished);

/// Keeps finished trials sorted: complete ones by value, then pruned ones (those that got farther
/// first, then by their last value), then infeasible ones by how far they are from feasible; ties
/// by number.
class Ranking {
public:
    /// `maximizes` as the study does.
    explicit Ranking(bool maximizes = false) : sign_(maximizes ? -1 : 1) {}

    /// Adds a complete or pruned trial; once each.
    void add(const Trial& trial);
    std::size_t size() const { return complete_.size() + pruned_.size() + infeasible_.size(); }

    /// Sets `member[number]` to 1 for the best `count` trials, to 0 for all others. `member` must
    /// cover every number that was added.
    void mark_best(std::size_t count, std::span<std::uint8_t> member) const;

private:
    struct Place {
        double first;
        double second;
        std::int64_t number;
    };
    static void insert(std::vector<Place>& into, Place place);

    double sign_;
    std::vector<Place> complete_;
    std::vector<Place> pruned_;
    std::vector<Place> infeasible_;
};

}  // namespace parley::tuner
