// Base: round time. It begins as the wall clock and goes on with the time since boot, so that
// whoever sets the clock of the machine makes nothing older, younger or stand still.

#pragma once

#include "base/time.h"

#include <functional>

namespace parley {

/// The wall clock, and the time since boot (suspended or not), of one moment.
struct ClockReading {
    TimePoint wall;
    Duration boot;
};
ClockReading read_clocks();

/// A step that is smaller is none: a leap second is one of these.
inline constexpr Duration kStepLeast = seconds(2);
/// Towards a wall clock that was set, round time runs faster or slower by one part in so many.
inline constexpr std::int64_t kSlewOneIn = 20;
/// A wall clock so far ahead is adopted at once: whoever began in 1970 would never catch up.
inline constexpr Duration kAdoptFrom = hours(1);

/// Never goes back. Not thread-safe. docs/decisions/0028.
class RoundClock {
public:
    using Read = std::function<ClockReading()>;
    explicit RoundClock(Read read = read_clocks);

    TimePoint now();
    /// A time by the wall clock, such as others write theirs, in round time: as long ago as it is
    /// by the wall clock of this moment.
    TimePoint ours(TimePoint wall);
    /// Goes on from there if it is later than now: a run that is continued never goes back.
    void not_before(TimePoint least);
    /// How far the wall clock was set, forward or (below zero) back, since a step was last told;
    /// zero: it was not.
    Duration step();

private:
    void move_on(const ClockReading& to);

    Read read_;
    ClockReading last_;
    TimePoint time_;   ///< Round time at `last_`.
    Duration offset_;  ///< Of the wall clock before the time since boot, as it was last told.
};

}  // namespace parley
