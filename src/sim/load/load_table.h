// Simulation, load: how much a CPU limit below one core delays a request, tabulated.
//
// The numbers in load_table.cc come from bench/make_load_table, a request-by-request simulation of
// a server that may run `quota` of every CFS period.

#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::sim::table {

inline constexpr std::size_t kServices = 12;  ///< Nodes of the axis of service time over period.
inline constexpr std::size_t kQuotas = 8;     ///< Nodes below 1; at 1 there is no delay.
inline constexpr std::size_t kLoads = 8;      ///< Nodes of utilisation of the quota.
inline constexpr std::size_t kSpreads = 4;    ///< Nodes of the squared variation of service.

inline constexpr double kServicePeriods[kServices] = {0.01, 0.018, 0.03, 0.05, 0.08, 0.13,
                                                      0.2,  0.35,  0.6,  1.0,  2.0,  5.0};
inline constexpr double kQuota[kQuotas] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9};
inline constexpr double kLoad[kLoads] = {0.0, 0.2, 0.4, 0.6, 0.75, 0.85, 0.92, 0.96};
inline constexpr double kSpread[kSpreads] = {0.25, 0.5, 1.0, 2.0};

/// The same axes as interpolation sees them: logarithms of the service time and of the quota (the
/// last node is a quota of 1), -log(1 - load).
extern const double kServiceAxis[kServices];
extern const double kQuotaAxis[kQuotas + 1];
extern const double kLoadAxis[kLoads];

/// log(1 + excess) of a request's sojourn time over that of the same server without a limit, in
/// units of the service time and steps of kStep. All fall along the quota and rise along the load.
struct Entry {
    std::uint16_t mean;
    std::uint16_t p95;
    std::uint16_t p99;
};
inline constexpr double kStep = 0.001;

/// By service, quota, load, spread; the last varies fastest. One more entry follows, so that each
/// can be read as four figures.
inline constexpr std::size_t kEntries = kServices * kQuotas * kLoads * kSpreads;
extern const Entry kThrottle[kEntries + 1];

}  // namespace parley::sim::table
