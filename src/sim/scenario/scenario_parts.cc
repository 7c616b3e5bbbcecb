#include "sim/scenario/scenario_parts.h"

namespace parley::sim {

NodeGroup twelve_nodes() {
    return {.name = "node",
            .count = 12,
            .zones = 3,
            .racks = 2,
            .cpu_m = 8'000,
            .memory_mib = 16'384,
            .can_clock = true};
}

std::vector<WorkloadSpec> system_daemons() {
    WorkloadSpec proxy{.space = "kube-system",
                       .kind = model::WorkloadKind::daemon_set,
                       .name = "kube-proxy",
                       .priority = 2'000'000};
    proxy.pod = {.cpu_request_m = 100,
                 .memory_request_mib = 64,
                 .startup_core_s = 0.5,
                 .image_mb = 50.0,
                 .memory_mib = 40.0};
    proxy.idle_cpu_m = 20;
    proxy.protect = true;
    WorkloadSpec dns{
        .space = "kube-system", .name = "coredns", .replicas = 2, .priority = 2'000'000};
    dns.pod = {.cpu_request_m = 100,
               .memory_request_mib = 70,
               .startup_core_s = 0.5,
               .image_mb = 60.0,
               .memory_mib = 30.0};
    dns.protect = true;
    dns.budget_max_unavailable = 1;
    return {proxy, dns};
}

WorkloadSpec served(const std::string& space, const std::string& name, std::int32_t replicas,
                    double rate) {
    WorkloadSpec w{.space = space, .name = name, .replicas = replicas};
    w.pod = {.cpu_request_m = 500,
             .cpu_limit_m = 1'000,
             .memory_request_mib = 512,
             .memory_limit_mib = 1'024,
             .startup_core_s = 6.0,
             .memory_mib = 260.0};
    w.service = Service{};
    w.service->rate = {.kind = SeriesKind::daily, .base = rate, .amplitude = 0.2, .noise = 0.05};
    w.budget_max_unavailable = 1;
    return w;
}

JobSpec batch(const std::string& name, double per_hour, std::int32_t parallel, double work_core_s) {
    JobSpec job{.space = "batch", .name = name};
    job.per_hour = {.base = per_hour};
    job.parallel = parallel;
    job.work_core_s = work_core_s;
    job.pod.memory_mib = 300.0;
    return job;
}

Scenario shop(const std::string& name, const std::string& description) {
    Scenario s{.name = name, .description = description};
    s.nodes.push_back(twelve_nodes());
    s.workloads = system_daemons();
    s.workloads.push_back(served("shop", "web", 12, 240.0));
    s.workloads.push_back(served("shop", "cart", 6, 90.0));
    s.workloads.push_back(served("shop", "search", 8, 120.0));
    WorkloadSpec db{
        .space = "shop", .kind = model::WorkloadKind::stateful_set, .name = "db", .replicas = 3};
    db.pod = {.cpu_request_m = 1'000,
              .cpu_limit_m = 2'000,
              .memory_request_mib = 2'048,
              .memory_limit_mib = 2'048,
              .startup_core_s = 20.0,
              .image_mb = 400.0,
              .grace = seconds(30),
              .memory_mib = 1'200.0};
    db.service = Service{};
    db.service->rate = {.kind = SeriesKind::daily, .base = 150.0, .amplitude = 0.2, .noise = 0.05};
    db.service->demand_ms = 6.0;
    db.service->disk_kb = 64.0;
    db.service->parallelism = 2.0;
    db.rwo_volume = true;
    db.quorum = true;
    db.budget_min_available = 2;
    db.zone_skew_max = 1;
    s.workloads.push_back(db);
    s.jobs.push_back(batch("report", 12.0, 2, 180.0));
    return s;
}

}  // namespace parley::sim
