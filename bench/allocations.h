// Bench: counts what is allocated by `new` in this program, and reads how much memory it has had.

#pragma once

#include <cstdint>

namespace parley::bench {

/// Calls of any operator new so far.
std::uint64_t allocations();

/// The most memory that this process has had resident, and has now.
double peak_rss_mib();
double rss_mib();
/// Starts the peak anew, where the kernel allows it.
void reset_peak_rss();

}  // namespace parley::bench
