// Bench: counts what is allocated by `new` in this program, and reads how much memory it has had.

#pragma once

#include <cstdint>

namespace parley::bench {

/// Calls of any operator new so far.
std::uint64_t allocations();

/// The peak of this process's resident memory, and its present value.
double peak_rss_mib();
double rss_mib();
/// Resets the peak, if the kernel allows it.
void reset_peak_rss();

}  // namespace parley::bench
