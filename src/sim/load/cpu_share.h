// Simulation, CPU of a node: speed and wants of its pods in, the cores that each may use out.

#pragma once

#include <span>

namespace parley::sim {

/// Speed of a node's cores for a workload: `speed` by clock and gray failure, slowed by what others
/// use of the node beyond one half, and by noise `z`.
double node_phi(double speed, double sensitivity, double others_utilisation, double z);

/// What a pod wants of its node's cores, and its weight, the CPU request.
struct CpuWant {
    double want_cores = 0.0;
    double request_cores = 0.0;
};

/// Cores that each pod may use: all of the node's while the wants fit. Otherwise the level at which
/// the cores are used up, times each pod's weight (at least 2 millicores, as in Linux): who wants
/// less leaves the rest to the others. `shares` has the size of `wants`; the order of `wants` fixes
/// the rounding.
void water_fill(double cores, std::span<const CpuWant> wants, std::span<double> shares);

}  // namespace parley::sim
