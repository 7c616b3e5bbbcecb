// Base: invariants that hold in every build. A failed check is our own mistake and ends the
// process.

#pragma once

#include <cstdio>
#include <cstdlib>

namespace parley {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "parley: broken invariant: %s (%s:%d)\n", condition, file, line);
    std::abort();
}

}  // namespace parley

/// Active in all builds, and never caught: a controller whose state is inconsistent must not go on
/// acting.
#define PARLEY_CHECK(condition)                          \
    (static_cast<bool>(condition) ? static_cast<void>(0) \
                                  : ::parley::check_failed(#condition, __FILE__, __LINE__))
