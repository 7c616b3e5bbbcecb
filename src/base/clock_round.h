// Base: round time. It starts as the wall clock and then advances with the time since boot, so that
// setting the machine's clock makes nothing look older, younger or frozen, by however much it is
// set.

#pragma once

#include "base/time.h"

#include <functional>
#include <optional>

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

/// Advances with the time since boot and with nothing else, however far the wall clock is set.
/// Times that others wrote are put on its scale by ours(), the only place where the wall clock
/// counts after the start. Not thread-safe. docs/decisions/0032.
class RoundClock {
public:
    using Read = std::function<ClockReading()>;
    explicit RoundClock(Read read = read_clocks);

    TimePoint now();
    /// A time stamp of another program's clock as round time.
    TimePoint ours(TimePoint theirs) { return theirs - others(); }
    /// How far the clocks of others are ahead of round time, as far as is known. After a step this
    /// is as before until heard() says which of the two was right.
    Duration others();
    /// How far the wall clock is ahead of round time.
    Duration wall();
    /// Another clock is this far ahead of round time, to the second; nothing: it does not say. Of
    /// our wall clock before a step and after it, the one that is nearer to it is right.
    void heard(std::optional<Duration> ahead);
    /// Continues from `least` if that is later than now: a run that is resumed never goes back in
    /// time.
    void not_before(TimePoint least);
    /// How far the wall clock was set since the last call that returned a step: forward above zero,
    /// back below. Zero: it was not set.
    Duration step();

private:
    void move_on();

    Read read_;
    ClockReading last_;
    TimePoint time_;   ///< Round time at `last_`.
    Duration offset_;  ///< How far the wall clock is ahead of the time since boot, as last seen.
    Duration others_;  ///< How far others are ahead of round time.
};

}  // namespace parley
