// Simulation, life of a pod: start-up, memory, kills and resizes, from what the pod is made of and
// where it runs. Pure functions of values; draws and times come from the caller.

#pragma once

#include <cstdint>

namespace parley::sim {

/// What starting and holding a pod takes.
struct PodNature {
    double startup_core_s = 2.0;  ///< CPU work before the first probe can succeed.
    double image_bytes = 200e6;
    double probe_period_s = 1.0;
    double warmup_peak = 1.0;  ///< Demand of a fresh pod over that of an old one, >= 1.
    double warmup_s = 60.0;    ///< Time constant of warming up, > 0.
    double memory_base_bytes = 128.0 * 1024 * 1024;
    double memory_per_request_bytes = 1024.0 * 1024;  ///< Of a request in flight.
    double memory_leak_bytes_per_s = 0.0;
    double memory_sigma = 0.0;  ///< Of the lognormal noise on memory.
    bool operator==(const PodNature&) const = default;
};

/// Where a pod starts.
struct StartPlace {
    double bind_s = 0.0;  ///< Scheduler and sandbox.
    bool image_cached = false;
    double bandwidth_bytes_per_s = 0.0;  ///< Of the node, > 0.
    double cpu_cores = 1.0;  ///< min(limit, share), > 0; start-up uses at most one core.
};

/// From creation to ready.
double startup_s(const PodNature& nature, const StartPlace& place);

/// Factor on CPU demand at this age since ready.
double warmup_factor(const PodNature& nature, double age_s);

/// Memory that a pod holds; `z` is its standard normal noise.
double memory_bytes(const PodNature& nature, double in_flight, double age_s, double z);

/// The share of the memory limit from which demand grows.
inline constexpr double kPressureFrom = 0.8;
/// Factor by which demand grows between that share and the limit, where it is 1 + cost.
double memory_pressure_factor(double cost, double memory_ratio);

/// The kernel kills a container over its limit; a limit of 0 is none.
bool out_of_memory(double memory_bytes, double limit_bytes);

/// Kills in a row, this one included, of a container that had run for `ran_s` before it: ten
/// minutes of running clear the count.
int kills_in_a_row(int before, double ran_s);
/// Pause before the restart after the n-th kill in a row (n >= 1): 10 s, doubling up to 5 min.
double restart_pause_s(int kills);

/// Time until an in-place resize takes effect, by a draw `u` in [0, 1): 1 to 5 s.
double resize_s(double u);

}  // namespace parley::sim
