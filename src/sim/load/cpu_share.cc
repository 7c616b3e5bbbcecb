#include "sim/load/cpu_share.h"

#include "base/check.h"
#include "base/math.h"

#include <algorithm>
#include <cstddef>

namespace parley::sim {
namespace {

constexpr double kWeightMin_cores = 0.002;
constexpr double kNoise = 0.05;  // Standard deviation of a node's speed, in logarithms.

double weight(const CpuWant& pod) { return std::max(pod.request_cores, kWeightMin_cores); }

}  // namespace

double node_phi(double speed, double sensitivity, double others_utilisation, double z) {
    const double crowding = std::max(0.0, others_utilisation - 0.5);
    return speed * math::exp(-sensitivity * crowding - kNoise * z);
}

void water_fill(double cores, std::span<const CpuWant> wants, std::span<double> shares) {
    PARLEY_CHECK(wants.size() == shares.size());
    double wanted = 0.0;
    for (const CpuWant& pod : wants) wanted += pod.want_cores;
    std::fill(shares.begin(), shares.end(), cores);
    if (wanted <= cores) return;

    // The level only rises from pass to pass, since pods that want less leave more to the others.
    // So a satisfied pod stays satisfied, and the level is final when their number no longer grows.
    double level = 0.0;
    std::size_t content = wants.size() + 1;
    for (std::size_t pass = 0; pass <= wants.size(); ++pass) {
        double left = cores;
        double weights = 0.0;
        std::size_t now_content = 0;
        for (const CpuWant& pod : wants) {
            if (pod.want_cores <= level * weight(pod)) {
                left -= pod.want_cores;
                ++now_content;
            } else {
                weights += weight(pod);
            }
        }
        if (now_content == content || weights == 0.0) break;
        content = now_content;
        level = left / weights;
    }
    for (std::size_t i = 0; i < wants.size(); ++i) {
        shares[i] = std::min(cores, level * weight(wants[i]));
    }
}

}  // namespace parley::sim
