#include "prometheus/joined.h"

#include "base/quantity.h"
#include "cluster/usage.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::prometheus {
namespace {

constexpr std::array kNodeFigureNames = {"cpu", "memory", "disk", "network", "power"};

std::int64_t whole(double figure) { return static_cast<std::int64_t>(std::floor(figure + 0.5)); }

void add_remark(std::string& out, const std::string& remark) {
    out += (out.empty() ? "" : "; ") + remark;
}

}  // namespace

std::string Joined::remarks() const {
    std::string out;
    for (std::size_t i = 0; i < covered.size(); ++i) {
        const bool always = i <= static_cast<std::size_t>(Figure::node_memory);
        if (covered[i] == nodes_known || (covered[i] == 0 && !always)) continue;
        add_remark(out, std::string(kNodeFigureNames[i]) + " of " + std::to_string(covered[i]) +
                            " of " + std::to_string(nodes_known) + " nodes");
    }
    const auto tell = [&](const Tally& tally, const std::string& what) {
        if (tally.count == 0) return;
        add_remark(out, std::to_string(tally.count) + " " + what + ", such as " + tally.first);
    };
    tell(unmatched, "series match nothing");
    tell(doubtful, "figures come twice");
    tell(no_numbers, "values are no numbers");
    tell(undated, "series have no age");
    tell(partial, "workloads have pods that tell no requests");
    return out;
}

void put(cluster::NodeSample& sample, Figure figure, double value) {
    switch (figure) {
        case Figure::node_cpu:
            sample.cpu_m = value * kMillicoresPerCore;
            break;
        case Figure::node_memory:
            sample.memory_bytes = value;
            break;
        case Figure::node_disk:
            sample.disk_share = value;
            break;
        case Figure::node_network:
            sample.net_share = value;
            break;
        case Figure::node_power:
            sample.power_w = value;
            break;
        default:
            break;
    }
}

void put(cluster::WorkloadSample& sample, Figure figure, double value) {
    switch (figure) {
        case Figure::requests:
            sample.requests_per_s = value;
            break;
        case Figure::failing:
            sample.failing_per_s = value;
            break;
        case Figure::latency_p95:
            sample.latency_p95_s = value;
            break;
        case Figure::startup_p95:
            sample.startup_p95_s = value;
            break;
        case Figure::cpu:
            sample.cpu_m = cluster::usage_over({whole(value * kMillicoresPerCore)}, 0);
            break;
        case Figure::memory:
            sample.memory = cluster::usage_over({whole(value)}, 0);
            break;
        default:
            break;
    }
}

void put(cluster::WorkloadSample& sample, Figure figure, std::vector<double> of_pods,
         std::int32_t missing) {
    if (of_pods.empty()) return;
    if (figure == Figure::cpu || figure == Figure::memory) {
        std::vector<std::int64_t> figures;
        figures.reserve(of_pods.size());
        for (const double each : of_pods) {
            figures.push_back(whole(figure == Figure::cpu ? each * kMillicoresPerCore : each));
        }
        const model::Usage usage = cluster::usage_over(std::move(figures), missing);
        (figure == Figure::cpu ? sample.cpu_m : sample.memory) = usage;
        return;
    }
    std::ranges::sort(of_pods);
    double value = of_pods.back();
    if (figure == Figure::startup_p95) value = of_pods[(of_pods.size() * 95 + 99) / 100 - 1];
    if (adds_up(figure)) {
        value = 0;
        for (const double each : of_pods) value += each;
    }
    put(sample, figure, value);
}

}  // namespace parley::prometheus
