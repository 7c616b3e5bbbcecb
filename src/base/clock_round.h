// Base: round time. It starts as the wall clock and then advances with the time since boot, so that
// setting the machine's clock makes nothing look older, younger or frozen.

#pragma once

#include "base/time.h"

#include <functional>

namespace parley {

/// The wall clock and the time since boot, both read at the same moment. The latter counts suspend,
/// too.
struct ClockReading {
    TimePoint wall;
    Duration boot;
};
ClockReading read_clocks();

/// A smaller jump of the wall clock is not taken for a step; a leap second is such a jump.
inline constexpr Duration kStepLeast = seconds(2);
/// After the wall clock was set, round time approaches it by running faster or slower by one part
/// in this many.
inline constexpr std::int64_t kSlewOneIn = 20;
/// A wall clock this far ahead is adopted at once: a machine that booted in 1970 would never catch
/// up.
inline constexpr Duration kAdoptFrom = hours(1);

/// Never goes back. Not thread-safe. docs/decisions/0028.
class RoundClock {
public:
    using Read = std::function<ClockReading()>;
    explicit RoundClock(Read read = read_clocks);

    TimePoint now();
    /// Converts a time stamp of another program's wall clock to round time, so that its age is the
    /// same in both.
    TimePoint ours(TimePoint wall);
    /// Continues from `least` if that is later than now: a run that is resumed never goes back in
    /// time.
    void not_before(TimePoint least);
    /// How far the wall clock was set since the last call that returned a step: forward above zero,
    /// back below. Zero: it was not set.
    Duration step();

private:
    void move_on(const ClockReading& to);

    Read read_;
    ClockReading last_;
    TimePoint time_;   ///< Round time at `last_`.
    Duration offset_;  ///< How far the wall clock is ahead of the time since boot, as last seen.
};

}  // namespace parley
