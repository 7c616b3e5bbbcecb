// Learn: what was done, or withheld, about nodes over their limit in; how often the fear was right
// out.

#pragma once

#include "base/describe.h"
#include "learn/rows/censoring.h"

#include <cstdint>
#include <span>

namespace parley::learn {

/// A safety action that was taken or withheld, and what its node did within the horizon.
struct Deed {
    Treatment treatment = Treatment::acted;
    bool by_load = false;  ///< Then a node that survives being acted on may owe it to that.
    /// With which it was left to its fate; 0: nothing was drawn.
    double probability = 0;
    Ending ending = Ending::censored;
};

/// Of nodes over their limit. Acting hides what would have come where load was the cause; the
/// hold-out shows it. Without one there are only bounds.
struct AboveLimit {
    std::int64_t hits = 0;               ///< Acted on, and failed.
    std::int64_t needless = 0;           ///< Acted on, and did not, load not being the cause.
    std::int64_t hidden = 0;             ///< Acted on because of load: nobody knows.
    std::int64_t withheld_failed = 0;    ///< Left to its fate.
    std::int64_t withheld_survived = 0;  ///< Likewise.
    std::int64_t open = 0;               ///< The record ended before.
    bool identified = false;             ///< Whether the precision is one figure.
    double precision_low = 0;            ///< Share that fails; both ends are equal if identified.
    double precision_high = 0;
};
BOOST_DESCRIBE_STRUCT(AboveLimit, (),
                      (hits, needless, hidden, withheld_failed, withheld_survived, open, identified,
                       precision_low, precision_high))

AboveLimit judge_deeds(std::span<const Deed> deeds);

}  // namespace parley::learn
