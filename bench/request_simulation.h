// Bench and tests: a simulation of single requests in a queue, the reference for the formulas of
// sim/load.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::bench {

/// How the demands of requests are distributed around their mean.
enum class Demand : std::uint8_t { gamma, lognormal };

/// Poisson arrivals and demands, both scaled to a sample mean of exactly 1, so that a run has
/// exactly the intended load. Drawn once for all cases, so that differences between cases are not
/// chance.
struct Requests {
    double cv2;
    std::vector<double> gaps;
    std::vector<double> demands;
};
Requests draw_requests(std::uint64_t seed, std::size_t count, double cv2, Demand demand);

/// Time from arrival to answer.
struct Sojourn {
    double mean;
    double p95;
    double p99;
};

/// M/G/m, first come first served. The time unit is the mean demand.
Sojourn simulate_servers(const Requests& requests, int servers, double load);

/// One server under a CFS quota: it may run `quota` of every period, in one go or in parts, and
/// stops when that is used up. `service` is the mean demand in periods, `load` the utilisation of
/// the quota. The time unit is the period.
struct Throttled {
    double service;
    double quota;
    double load;
};
Sojourn simulate_throttled(const Requests& requests, const Throttled& server);

}  // namespace parley::bench
