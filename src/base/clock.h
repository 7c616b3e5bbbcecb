// Base: the wall clock, for what is said to people and to others. Rounds have a time of their own
// (base/clock_round.h). Decisions take either as a value.

#pragma once

#include "base/time.h"

#include <chrono>
#include <thread>

namespace parley {

inline TimePoint wall_now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::microseconds>(since).count()};
}

/// Holds up its thread; loops pause instead (base/clock_wait.h).
inline void nap(Duration length) {
    std::this_thread::sleep_for(std::chrono::microseconds(length.us));
}

}  // namespace parley
