// Base: the wall clock, the one place where the time is read. Decisions take it as a value.

#pragma once

#include "base/time.h"

#include <chrono>

namespace parley {

inline TimePoint wall_now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::microseconds>(since).count()};
}

}  // namespace parley
