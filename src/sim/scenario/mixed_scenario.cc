#include "sim/scenario/mixed_scenario.h"

#include "base/random.h"
#include "sim/scenario/scenario_parts.h"

#include <algorithm>

namespace parley::sim {
namespace {

/// Draws in the order of the calls, which is part of the scenario.
class Lots {
public:
    explicit Lots(std::uint64_t seed) : seed_(seed) {}
    double from(double low, double high) { return random::uniform(next(), low, high); }
    double log_from(double low, double high) { return random::log_uniform(next(), low, high); }
    std::int32_t whole(std::int32_t low, std::int32_t high) {
        return static_cast<std::int32_t>(random::between(next(), low, high));
    }

private:
    std::uint64_t next() { return draw(seed_, Stream::policy, entity_of("mixed"), index_++); }
    std::uint64_t seed_;
    std::uint64_t index_ = 0;
};

NodeGroup nodes_of(Lots& lots) {
    NodeGroup g{.name = "node",
                .count = lots.whole(12, 36),
                .zones = lots.whole(2, 4),
                .racks = lots.whole(1, 3)};
    g.cpu_m = 1'000 * lots.whole(6, 16);
    g.memory_mib = g.cpu_m / 1'000 * lots.whole(2, 4) * 1'024;
    g.boot = seconds(lots.whole(60, 240));
    g.power_scale = lots.from(0.7, 1.5);
    g.can_power = g.can_clock = true;
    return g;
}

// A service that requests about `cores` of CPU in all, at a utilisation that leaves room for a
// peak.
WorkloadSpec service_of(Lots& lots, std::int32_t number, double cores) {
    WorkloadSpec w{.space = "app", .name = "svc-" + std::to_string(number)};
    const double request = lots.from(0.25, 1.0);
    w.replicas = std::max(2, static_cast<std::int32_t>(cores / request));
    w.pod.cpu_request_m = static_cast<std::int64_t>(request * 1000.0);
    w.pod.cpu_limit_m = 2 * w.pod.cpu_request_m;
    w.pod.memory_mib = lots.log_from(64.0, 512.0);
    w.pod.memory_request_mib = static_cast<std::int64_t>(w.pod.memory_mib * 1.5) + 32;
    w.pod.memory_limit_mib = 2 * w.pod.memory_request_mib;
    w.pod.startup_core_s = lots.log_from(0.5, 20.0);
    w.service = Service{};
    w.service->demand_ms = lots.log_from(2.0, 100.0);
    w.service->demand_cv2 = lots.from(0.25, 2.0);
    w.service->arrival_cv2 = lots.from(1.0, 3.0);
    w.service->parallelism = lots.from(1.0, 2.0);
    w.service->sensitivity = lots.from(0.0, 0.6);
    w.service->disk_kb = lots.from(0.0, 1.0) < 0.3 ? lots.log_from(8.0, 256.0) : 0.0;
    w.service->objective =
        milliseconds(static_cast<std::int64_t>(w.service->demand_ms * 10.0) + 100);
    const double busy = lots.from(0.25, 0.6);
    const double rate = cores * busy * 1000.0 / w.service->demand_ms;
    w.service->rate = {.kind = SeriesKind::daily,
                       .base = rate,
                       .amplitude = lots.from(0.1, 0.6),
                       .peak_hour = lots.from(0.0, 24.0),
                       .noise = lots.from(0.02, 0.2)};
    w.budget_max_unavailable = std::max(1, w.replicas / 5);
    return w;
}

FaultRules faults_of(Lots& lots) {
    FaultRules f;
    f.failures = lots.log_from(0.03, 0.15);
    f.lead = minutes(20);
    f.load_slope = lots.from(0.0, 15.0);
    f.repair = minutes(lots.whole(10, 40));
    f.never_back = lots.from(0.0, 0.1);
    f.gray = lots.log_from(0.005, 0.05);
    f.rack_shocks = lots.log_from(0.001, 0.01);
    f.nuisances = lots.log_from(0.05, 0.5);
    f.crash_loops = lots.log_from(0.01, 0.1);
    return f;
}

}  // namespace

Scenario mixed_scenario(std::uint64_t seed) {
    Lots lots(seed);
    Scenario s{.name = "mixed",
               .description =
                   "12 to 36 nodes, 3 to 9 services, Jobs and faults of all kinds, all "
                   "drawn from the seed"};
    s.nodes.push_back(nodes_of(lots));
    const double cluster = static_cast<double>(s.nodes[0].cpu_m) / 1000.0 * s.nodes[0].count;
    s.workloads = system_daemons();
    const std::int32_t services = lots.whole(3, 9);
    const double requested = cluster * lots.from(0.35, 0.6);
    for (std::int32_t i = 0; i < services; ++i) {
        s.workloads.push_back(service_of(lots, i, requested / services));
    }
    const std::int32_t kinds = lots.whole(1, 3);
    for (std::int32_t i = 0; i < kinds; ++i) {
        // One statement each, since the order of evaluation of arguments is unspecified.
        const double per_hour = lots.log_from(2.0, 40.0);
        const std::int32_t parallel = lots.whole(1, 6);
        const double work_core_s = lots.log_from(30.0, 600.0);
        JobSpec job = batch("job-" + std::to_string(i), per_hour, parallel, work_core_s);
        job.work_spread = lots.from(0.2, 1.0);
        s.jobs.push_back(job);
    }
    s.faults = faults_of(lots);
    for (SourceSpec& source : s.sources) {
        source.lag = seconds(lots.whole(0, 10));
        source.noise = lots.from(0.0, 0.06);
        source.loss = lots.from(0.0, 0.01);
    }
    return s;
}

}  // namespace parley::sim
