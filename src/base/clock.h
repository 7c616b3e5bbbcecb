// Base: the wall clock, for times that are shown to people or sent to other programs. Rounds have a
// time of their own (base/clock_round.h). Decisions are given either one as a value.

#pragma once

#include "base/time.h"

#include <chrono>
#include <thread>

namespace parley {

inline TimePoint wall_now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::microseconds>(since).count()};
}

/// Blocks its thread. Coroutines use pause() of base/clock_wait.h instead.
inline void nap(Duration length) {
    std::this_thread::sleep_for(std::chrono::microseconds(length.us));
}

}  // namespace parley
