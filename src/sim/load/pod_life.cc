#include "sim/load/pod_life.h"

#include "base/math.h"

#include <algorithm>

namespace parley::sim {
namespace {

constexpr double kPauseFirst_s = 10.0;
constexpr double kPauseMax_s = 300.0;
constexpr double kForgivenAfter_s = 600.0;
constexpr double kResizeMin_s = 1.0;
constexpr double kResizeMax_s = 5.0;

}  // namespace

double startup_s(const PodNature& nature, const StartPlace& place) {
    const double pull = place.image_cached ? 0.0 : nature.image_bytes / place.bandwidth_bytes_per_s;
    const double work = nature.startup_core_s / std::min(place.cpu_cores, 1.0);
    return place.bind_s + pull + work + nature.probe_period_s;
}

double warmup_factor(const PodNature& nature, double age_s) {
    return 1.0 + (nature.warmup_peak - 1.0) * math::exp(-age_s / nature.warmup_s);
}

double memory_bytes(const PodNature& nature, double in_flight, double age_s, double z) {
    const double held = nature.memory_base_bytes + nature.memory_per_request_bytes * in_flight +
                        nature.memory_leak_bytes_per_s * age_s;
    return held * math::exp(nature.memory_sigma * z);
}

double memory_pressure_factor(double cost, double memory_ratio) {
    return 1.0 + cost * std::max(0.0, memory_ratio - kPressureFrom) / (1.0 - kPressureFrom);
}

bool out_of_memory(double memory_bytes, double limit_bytes) {
    return limit_bytes > 0.0 && memory_bytes > limit_bytes;
}

int kills_in_a_row(int before, double ran_s) { return ran_s >= kForgivenAfter_s ? 1 : before + 1; }

double restart_pause_s(int kills) {
    double pause = kPauseFirst_s;
    for (int i = 1; i < kills && pause < kPauseMax_s; ++i) pause *= 2.0;
    return std::min(pause, kPauseMax_s);
}

double resize_s(double u) { return kResizeMin_s + (kResizeMax_s - kResizeMin_s) * u; }

}  // namespace parley::sim
