#include "layers/prediction/demand.h"

namespace parley::prediction {

void set_demand(const model::NodeRow& node, const model::Utilisation& use,
                model::NodeForecast& forecast) {
    if (node.power != model::Power::on) return;
    if (!use.cpu_measured) forecast.missing.add(model::Signal::cpu);
    if (!use.memory_measured) forecast.missing.add(model::Signal::memory);
    forecast.demand = use.blend();
}

std::optional<double> workload_demand(const model::WorkloadRow& workload, TimePoint now,
                                      Duration age_max) {
    const model::Usage* used = workload.cpu_used_m.fresh(now, age_max);
    if (used == nullptr || used->count <= 0) return std::nullopt;
    const auto sum = static_cast<double>(used->sum);
    const auto seen = static_cast<double>(used->count);
    return sum * (seen + static_cast<double>(used->missing)) / seen;
}

std::vector<model::WorkloadForecast> workload_demands(const model::Snapshot& snapshot,
                                                      TimePoint now, Duration age_max) {
    std::vector<model::WorkloadForecast> all;
    all.reserve(snapshot.workloads.size());
    snapshot.workloads.for_each([&](Slot slot, const model::WorkloadRow& workload) {
        all.push_back({.workload = slot, .demand_m = workload_demand(workload, now, age_max)});
    });
    return all;
}

}  // namespace parley::prediction
