// Web: keeps the newest rounds in memory, as many as their number and size allow.

#pragma once

#include "web/views/seen_round.h"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace parley::web {

/// Bytes that a round does not share with another: rows in different chunks, and their forecasts.
std::size_t bytes_alone(const SeenRound& round, const SeenRound& other);

/// First in, first out. Rounds share what did not change, so that quiet ones cost almost nothing,
/// and one in which every pod changed costs the full size.
class KeptRounds {
public:
    struct Limits {
        std::size_t rounds = 120;
        /// For all but the newest, which others hold anyway.
        std::size_t bytes = std::size_t{12} << 20;
    };

    explicit KeptRounds(const Limits& limits) : limits_(limits) {}

    /// Keeps at least the last two.
    void add(SeenRoundPtr round);

    bool empty() const { return kept_.empty(); }
    std::size_t size() const { return kept_.size(); }
    const SeenRoundPtr& oldest() const { return kept_.front().round; }
    const SeenRoundPtr& newest() const { return kept_.back().round; }
    /// Null: not among them.
    SeenRoundPtr find(std::uint64_t number) const;

    template <class F>
    void for_each(F&& f) const {
        for (const Kept& each : kept_) f(each.round);
    }

private:
    struct Kept {
        SeenRoundPtr round;
        std::size_t bytes = 0;  ///< Freed with it, since the next round does not share them.
    };

    Limits limits_;
    std::deque<Kept> kept_;
    std::size_t bytes_ = 0;
};

}  // namespace parley::web
