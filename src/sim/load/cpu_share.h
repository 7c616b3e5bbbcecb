// Simulation, CPU of a node: speed and wants of its pods in, the cores that each may use out.

#pragma once

#include <span>

namespace parley::sim {

/// Speed of a node's cores for a workload: `speed` (clock and gray failure), reduced by what others
/// use of the node above one half, and by noise `z`.
double node_phi(double speed, double sensitivity, double others_utilisation, double z);

/// What a pod wants of its node's cores, and its weight, the CPU request.
struct CpuWant {
    double want_cores = 0.0;
    double request_cores = 0.0;
};

/// Cores that each pod may use: all of the node's while the wants fit. Otherwise the cores are
/// shared by weight (at least 2 millicores, as in Linux), and a pod that wants less leaves the rest
/// to the others. `shares` has the size of `wants`; the order of `wants` fixes the rounding.
void water_fill(double cores, std::span<const CpuWant> wants, std::span<double> shares);

}  // namespace parley::sim
