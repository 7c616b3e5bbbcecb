// Learn: actions taken or withheld on nodes over their limit in; how often the risk was right out.

#pragma once

#include "base/describe.h"
#include "learn/rows/censoring.h"

#include <cstdint>
#include <span>

namespace parley::learn {

/// A safety action that was taken or withheld, and what its node did within the horizon.
struct Deed {
    Treatment treatment = Treatment::acted;
    bool by_load = false;  ///< If so, a node that survives may have survived because of the action.
    /// The probability with which it was left alone; 0: nothing was drawn.
    double probability = 0;
    Ending ending = Ending::censored;
};

/// Figures about nodes over their limit. If load was the cause, acting hides what would have
/// happened; the hold-out shows it. Without a hold-out there are only bounds.
struct AboveLimit {
    std::int64_t hits = 0;               ///< Acted on, and failed anyway.
    std::int64_t needless = 0;           ///< Acted on, did not fail, and load was not the cause.
    std::int64_t hidden = 0;             ///< Acted on because of load: the outcome is not known.
    std::int64_t withheld_failed = 0;    ///< Withheld, and failed.
    std::int64_t withheld_survived = 0;  ///< Withheld, and survived.
    std::int64_t open = 0;               ///< The record ended first.
    bool identified = false;             ///< Whether the precision is a single figure.
    double precision_low = 0;            ///< Share that fails; both ends are equal if identified.
    double precision_high = 0;
};
BOOST_DESCRIBE_STRUCT(AboveLimit, (),
                      (hits, needless, hidden, withheld_failed, withheld_survived, open, identified,
                       precision_low, precision_high))

AboveLimit judge_deeds(std::span<const Deed> deeds);

}  // namespace parley::learn
