#include "sim/scenario/builtin_scenarios.h"

#include "sim/scenario/mixed_scenario.h"
#include "sim/scenario/scenario_parts.h"

namespace parley::sim {
namespace {

ScriptedFault degrading(Duration at, Duration lead) {
    return {.kind = ScriptedKind::degrade_fail,
            .at = at,
            .jitter = seconds(60),
            .lead = lead,
            .gamma = 0.7,
            .repair = minutes(20)};
}

void trouble_all(Scenario& s, const SourceFault& fault) {
    for (SourceSpec& source : s.sources) source.faults.push_back(fault);
}

Scenario calm(std::uint64_t) {
    return shop("calm", "12 nodes in 3 zones, 43 pods and a few Jobs; nothing goes wrong");
}

Scenario failing_node(std::uint64_t) {
    Scenario s = shop("failing-node",
                      "12 nodes, 43 pods; one node degrades (late leases, restarts, pressure) and "
                      "fails; the seed says which and when");
    // It shows at once, while efficiency still finds memory to save: the two aims conflict.
    s.script.push_back(degrading(seconds(3), minutes(8)));
    s.script.back().jitter = seconds(6);
    s.script.back().gamma = 0.2;
    return s;
}

Scenario tour(std::uint64_t) {
    Scenario s = shop("tour",
                      "12 nodes in 3 zones, 43 pods; in three minutes idle nodes, a burst of Jobs, "
                      "a source that goes late and a node that fails");
    JobSpec crunch = batch("crunch", 0.0, 8, 60.0);
    crunch.pod.cpu_request_m = crunch.pod.cpu_limit_m = 2'600;
    crunch.work_spread = 0.2;
    const std::string intent = "AgentC:admission:queue";
    // The first burst fits, so the queue does not move as intended.
    crunch.bursts = {{.at = seconds(21), .jobs = 1, .phase = "batch-burst", .intent = intent},
                     {.at = seconds(45), .jobs = 5, .phase = "batch-burst", .intent = intent},
                     {.at = seconds(126), .jobs = 5, .phase = "batch-burst", .intent = intent}};
    s.jobs.push_back(crunch);
    s.script.push_back({.kind = ScriptedKind::degrade_fail,
                        .at = seconds(18),  // While efficiency still finds memory to save.
                        .target = "node-07",
                        .lead = seconds(150),
                        .gamma = 0.4,
                        .repair = minutes(10)});
    s.sources[1].faults.push_back({.kind = SourceTrouble::late,
                                   .from = seconds(20),
                                   .lasts = seconds(100),
                                   .late_by = minutes(4)});
    s.sources[0].faults.push_back({.kind = SourceTrouble::loss,
                                   .from = seconds(40),
                                   .lasts = seconds(75),
                                   .node = "node-12"});
    return s;
}

Scenario day(std::uint64_t) {
    Scenario s = shop("day", "12 nodes, 43 pods; a day with a busy afternoon, and Jobs at night");
    s.nodes[0].can_power = true;
    for (WorkloadSpec& w : s.workloads) {
        if (!w.service) continue;
        w.service->rate.amplitude = 0.7;
        w.service->rate.noise = 0.1;
    }
    JobSpec nightly = batch("nightly", 0.0, 4, 900.0);
    nightly.per_hour = {
        .kind = SeriesKind::daily, .base = 10.0, .amplitude = 1.0, .peak_hour = 2.0};
    s.jobs.push_back(nightly);
    s.energy_price = {.kind = SeriesKind::daily, .base = 0.10, .amplitude = 0.4, .peak_hour = 18.0};
    return s;
}

Scenario flash_crowd(std::uint64_t) {
    Scenario s = shop("flash-crowd",
                      "12 nodes, 43 pods; after 5 minutes shop/web is asked four times as much, "
                      "for 10 minutes");
    for (WorkloadSpec& w : s.workloads) {
        if (w.name != "web") continue;
        w.service->rate = {.kind = SeriesKind::points,
                           .ramp = true,
                           .points = {{seconds(0), 240.0},
                                      {minutes(5), 240.0},
                                      {seconds(330), 960.0},
                                      {minutes(15), 960.0},
                                      {minutes(18), 240.0}}};
    }
    return s;
}

ScriptedFault crash_loop(const std::string& workload) {
    return {.kind = ScriptedKind::crash_loop,
            .at = seconds(20),
            .jitter = seconds(60),
            .target = workload,
            .lasts = minutes(30)};
}

Scenario bad_release(std::uint64_t) {
    Scenario s = shop("bad-release",
                      "12 nodes, 57 pods; releases keep restarting, of three Deployments "
                      "everywhere and of three more on one node; no node is at fault");
    s.nodes[0].count = 11;
    NodeGroup edge = twelve_nodes();
    edge.name = edge.pool = "edge";
    edge.count = edge.zones = edge.racks = 1;
    s.nodes.push_back(edge);
    for (const char* name : {"till", "stock", "print"}) {
        WorkloadSpec w = served("edge", name, name == std::string("print") ? 1 : 2, 20.0);
        w.pod.cpu_request_m = 250;
        w.selector = "pool=edge";
        s.workloads.push_back(w);
    }
    for (const char* name :
         {"shop/web", "shop/cart", "shop/search", "edge/till", "edge/stock", "edge/print"}) {
        s.script.push_back(crash_loop(name));
    }
    return s;
}

Scenario gray_failure(std::uint64_t) {
    Scenario s = shop("gray-failure",
                      "12 nodes, 43 pods; one node stays Ready but runs at 0.35 of its speed for "
                      "half an hour");
    s.script.push_back({.kind = ScriptedKind::gray,
                        .at = minutes(2),
                        .jitter = seconds(60),
                        .lasts = minutes(30),
                        .speed = 0.35});
    return s;
}

Scenario rack_down(std::uint64_t) {
    Scenario s = shop("rack-down", "18 nodes in 6 racks, 49 pods; a rack of three fails at once");
    s.nodes[0].count = 18;
    s.script.push_back({.kind = ScriptedKind::rack,
                        .at = minutes(4),
                        .jitter = seconds(60),
                        .repair = minutes(20)});
    return s;
}

Scenario batch_queue(std::uint64_t) {
    Scenario s =
        shop("batch-queue", "12 nodes, 43 pods; bursts of Jobs ask for more CPU than there is");
    JobSpec render = batch("render", 20.0, 4, 400.0);
    render.pod.cpu_request_m = render.pod.cpu_limit_m = 2'000;
    for (int i = 0; i < 20; ++i) {
        const auto jobs = static_cast<std::int32_t>(10 + 8 * (i % 4));
        render.bursts.push_back({.at = minutes(2) + minutes(12) * i,
                                 .jobs = jobs,
                                 .phase = "batch-burst",
                                 .intent = "AgentC:admission:queue"});
    }
    s.jobs.push_back(render);
    return s;
}

Scenario blind(std::uint64_t) {
    Scenario s = shop("blind",
                      "12 nodes, 43 pods; after a minute no metrics come any more, and a node "
                      "degrades unseen by them");
    trouble_all(s, {.kind = SourceTrouble::outage, .from = seconds(60)});
    s.script.push_back(degrading(minutes(4), minutes(10)));
    return s;
}

Scenario stale(std::uint64_t) {
    Scenario s = shop("stale",
                      "12 nodes, 43 pods; after a minute metrics come five minutes late, and a "
                      "node degrades");
    trouble_all(s, {.kind = SourceTrouble::late, .from = seconds(60), .late_by = minutes(5)});
    s.script.push_back(degrading(minutes(4), minutes(10)));
    return s;
}

Scenario lying(std::uint64_t) {
    Scenario s = shop("lying",
                      "12 nodes, 43 pods; after a minute metrics give impossible values, and a "
                      "node degrades");
    trouble_all(s, {.kind = SourceTrouble::lie, .from = seconds(60)});
    s.script.push_back(degrading(minutes(4), minutes(10)));
    return s;
}

Scenario contradict(std::uint64_t) {
    Scenario s = shop("contradict",
                      "12 nodes, 43 pods; after a minute Metrics Server says a third of what "
                      "Prometheus does, and a node degrades");
    s.sources[0].faults.push_back(
        {.kind = SourceTrouble::off, .from = seconds(60), .factor = 1 / 2.718});
    s.script.push_back(degrading(minutes(4), minutes(10)));
    return s;
}

Scenario exercise_of(const char* name, const char* description, bool randomize) {
    Scenario s{.name = name, .description = description};
    s.nodes.push_back({.count = 1,
                       .zones = 1,
                       .racks = 1,
                       .cpu_m = 10'000,
                       .memory_mib = 8'192,
                       .can_power = true,
                       .can_clock = true});
    WorkloadSpec system{
        .space = "kube-system", .name = "system", .replicas = 1, .priority = 2'000'000};
    system.pod = {.cpu_request_m = 100, .memory_request_mib = 50, .memory_mib = 40.0};
    system.protect = true;
    s.workloads.push_back(system);
    // Only reservations count here, and pause pods use nothing.
    s.sources[1].on = false;
    s.exercise = ExerciseSpec{.randomize = randomize};
    return s;
}

Scenario exercise(std::uint64_t) {
    return exercise_of("exercise", "1 node with 10 CPU and 8 GiB; nine phases in order, 18 s each",
                       false);
}

Scenario exercise_random(std::uint64_t) {
    return exercise_of("exercise-random",
                       "1 node with 10 CPU and 8 GiB; phases and sizes are drawn, 18 s each", true);
}

struct Entry {
    std::string_view name;
    Scenario (*make)(std::uint64_t seed);
};

constexpr Entry kEntries[] = {
    {"tour", tour},
    {"calm", calm},
    {"day", day},
    {"flash-crowd", flash_crowd},
    {"failing-node", failing_node},
    {"bad-release", bad_release},
    {"gray-failure", gray_failure},
    {"rack-down", rack_down},
    {"batch-queue", batch_queue},
    {"blind", blind},
    {"stale", stale},
    {"lying", lying},
    {"contradict", contradict},
    {"mixed", mixed_scenario},
    {"exercise", exercise},
    {"exercise-random", exercise_random},
};

}  // namespace

std::vector<BuiltinScenario> builtin_scenarios() {
    std::vector<BuiltinScenario> all;
    for (const Entry& entry : kEntries) {
        all.push_back({std::string(entry.name), entry.make(0).description});
    }
    return all;
}

std::optional<Scenario> builtin_scenario(std::string_view name, std::uint64_t seed) {
    for (const Entry& entry : kEntries) {
        if (entry.name == name) return entry.make(seed);
    }
    return std::nullopt;
}

}  // namespace parley::sim
