#include "layers/observation/plausible.h"

#include <cmath>

namespace parley::observation {

using model::Gap;
using model::Reading;

std::optional<Reading<std::int64_t>> whole(std::optional<double> figure, double most,
                                           const model::Provenance& from) {
    if (!figure) return std::nullopt;
    // Written so that a NaN, which compares false with everything, is implausible.
    if (!(std::isfinite(*figure) && *figure >= 0 && *figure <= most)) {
        return Reading<std::int64_t>(Gap::implausible, from);
    }
    return Reading<std::int64_t>(static_cast<std::int64_t>(std::floor(*figure + 0.5)), from);
}

std::optional<Reading<std::int64_t>> share_ppm(std::optional<double> figure,
                                               const model::Provenance& from) {
    if (figure) *figure *= 1e6;
    return whole(figure, 1e6, from);
}

std::optional<Gap> wrong_time(TimePoint measured, TimePoint now) {
    if (measured.us < 0) return Gap::implausible;
    if (measured > now + kAhead) return Gap::from_future;
    return std::nullopt;
}

bool empty_sample(const cluster::NodeSample& sample) {
    return sample.cpu_m == 0.0 && sample.memory_bytes == 0.0;
}

bool plausible(const model::Usage& usage) {
    if (usage.count < 0 || usage.missing < 0) return false;
    return usage.p50 >= 0 && usage.p50 <= usage.p90 && usage.p90 <= usage.max &&
           usage.max <= usage.sum;
}

bool never_falls(const model::WorkCounters& before, const model::WorkCounters& after) {
    bool holds = true;
    for_each_pair(before, after, [&]<class T>(auto, const T& then, const T& now) {
        if constexpr (Integer<T>) holds = holds && then <= now;
    });
    return holds;
}

bool never_falls(const model::NodeCounters& before, const model::NodeCounters& after) {
    return before.energy_mj <= after.energy_mj && before.on_ms <= after.on_ms;
}

}  // namespace parley::observation
