// Web: rounds in, those that lie ready out: the last ones, as many as their number and their memory
// allow.

#pragma once

#include "web/views/seen_round.h"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace parley::web {

/// What a round holds that another does not hold too, in bytes: rows in chunks that they do not
/// share, and what was believed of them.
std::size_t bytes_alone(const SeenRound& round, const SeenRound& other);

/// First in, first out. Rounds share what did not change between them, so that calm ones cost next
/// to nothing, and one in which every pod is another costs all of them.
class KeptRounds {
public:
    struct Limits {
        std::size_t rounds = 120;
        std::size_t bytes = std::size_t{12} << 20;  ///< Of all but the newest, which others hold.
    };

    explicit KeptRounds(const Limits& limits) : limits_(limits) {}

    /// At least the last two stay.
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
        std::size_t bytes = 0;  ///< That go with it, as the next one does not share them.
    };

    Limits limits_;
    std::deque<Kept> kept_;
    std::size_t bytes_ = 0;
};

}  // namespace parley::web
