#include "sim/scenario/scenario.h"

#include "sim/scenario/scenario_parts.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

namespace parley::sim {
namespace {

struct Case {
    const char* name;
    std::function<void(Scenario&)> spoil;
    const char* error;
};

const Case kCases[] = {
    {"as_it_is", [](Scenario&) {}, ""},
    {"no_name", [](Scenario& s) { s.name = ""; }, "name must not be empty"},
    {"no_nodes", [](Scenario& s) { s.nodes.clear(); }, "nodes must have at least one group"},
    {"a_node", [](Scenario& s) { s.nodes[0].count = 1; }, ""},
    {"zero_nodes", [](Scenario& s) { s.nodes[0].count = 0; },
     "nodes[0].count must be from 1 to 20000"},
    {"most_nodes", [](Scenario& s) { s.nodes[0].count = 20'000; }, ""},
    {"too_many_nodes", [](Scenario& s) { s.nodes[0].count = 20'001; },
     "nodes[0].count must be from 1 to 20000"},
    {"a_huge_count_is_refused_at_once_also_where_a_script_names_a_node",
     [](Scenario& s) {
         s.nodes[0].count = std::numeric_limits<std::int32_t>::max();
         s.script.assign(1000, {.kind = ScriptedKind::fail, .target = "node-02"});
     },
     "nodes[0].count must be from 1 to 20000"},
    {"two_groups_of_a_name", [](Scenario& s) { s.nodes.push_back(s.nodes[0]); },
     "nodes[1].name is already another group's"},
    {"nan_speed", [](Scenario& s) { s.nodes[0].speed = std::numeric_limits<double>::quiet_NaN(); },
     "nodes[0].speed must be from 0.01 to 100"},
    {"limit_equal_to_request", [](Scenario& s) { s.workloads[2].pod.cpu_limit_m = 500; }, ""},
    {"limit_below_request", [](Scenario& s) { s.workloads[2].pod.cpu_limit_m = 499; },
     "workloads[2].pod.cpu_limit_m must not be below cpu_request_m"},
    {"a_job_as_workload", [](Scenario& s) { s.workloads[2].kind = model::WorkloadKind::job; },
     "workloads[2].kind cannot be job; see jobs"},
    {"twice", [](Scenario& s) { s.workloads[3].name = s.workloads[2].name; },
     "workloads[3].name is there twice"},
    {"job_named_as_workload", [](Scenario& s) { s.jobs[0].space = "shop", s.jobs[0].name = "web"; },
     "jobs[0].name is there twice"},
    {"points_without_points",
     [](Scenario& s) { s.workloads[2].service->rate.kind = SeriesKind::points; },
     "workloads[2].service.rate.points must not be empty when kind is points"},
    {"points_out_of_order",
     [](Scenario& s) {
         s.workloads[2].service->rate.points = {{seconds(2), 1.0}, {seconds(2), 1.0}};
     },
     "workloads[2].service.rate.points[1].at must come after the point before"},
    {"retries_for_ever", [](Scenario& s) { s.workloads[2].service->retry_ratio = 1.0; },
     "workloads[2].service.retry_ratio must be from 0 to below 1"},
    {"source_twice", [](Scenario& s) { s.sources[1] = s.sources[0]; },
     "sources[1].source is there twice"},
    {"api_as_source", [](Scenario& s) { s.sources[1].source = model::Source::api; },
     "sources[1].source must be metrics or prometheus"},
    {"shortest_step", [](Scenario& s) { s.step = seconds(1); }, ""},
    {"step_too_short", [](Scenario& s) { s.step = milliseconds(999); },
     "step must be from 1 s to a day"},
    {"negative_rate", [](Scenario& s) { s.faults.gray = -0.1; },
     "faults.gray must be from 0 to 1000"},
    {"chance_over_one", [](Scenario& s) { s.faults.episode_fails = 1.1; },
     "faults.episode_fails must be from 0 to 1"},
};

TEST(Scenario, validate_names_the_first_thing_that_is_wrong) {
    for (const Case& c : kCases) {
        Scenario s = shop("test", "");
        c.spoil(s);
        const auto result = validate(s);
        EXPECT_EQ(result ? "" : result.error().text(), c.error) << c.name;
    }
}

/// A field at its highest value and just beyond; nothing computed from the highest overflows
/// (fuzz/scenario_fuzz.cc runs such worlds).
struct Highest {
    const char* name;
    double most;
    std::function<void(Scenario&, double)> set;
};

const Highest kHighest[] = {
    {"nodes[0].power_scale", 1e3, [](Scenario& s, double v) { s.nodes[0].power_scale = v; }},
    {"nodes[0].hazard_scale", 1e3, [](Scenario& s, double v) { s.nodes[0].hazard_scale = v; }},
    {"nodes[0].disk_mb_s", 1e6, [](Scenario& s, double v) { s.nodes[0].disk_mb_s = v; }},
    {"nodes[0].net_mb_s", 1e6, [](Scenario& s, double v) { s.nodes[0].net_mb_s = v; }},
    {"workloads[2].pod.startup_core_s", 1e6,
     [](Scenario& s, double v) { s.workloads[2].pod.startup_core_s = v; }},
    {"workloads[2].pod.image_mb", 1e6,
     [](Scenario& s, double v) { s.workloads[2].pod.image_mb = v; }},
    {"workloads[2].pod.memory_mib", 1e8,
     [](Scenario& s, double v) { s.workloads[2].pod.memory_mib = v; }},
    {"workloads[2].pod.memory_request_mb", 1e3,
     [](Scenario& s, double v) { s.workloads[2].pod.memory_request_mb = v; }},
    {"workloads[2].pod.leak_mib_hour", 1e6,
     [](Scenario& s, double v) { s.workloads[2].pod.leak_mib_hour = v; }},
    {"workloads[2].service.rate.base", 1e7,
     [](Scenario& s, double v) { s.workloads[2].service->rate.base = v; }},
    {"workloads[2].service.payload.scale", 1e7,
     [](Scenario& s, double v) { s.workloads[2].service->payload.scale = v; }},
    {"workloads[2].service.demand_ms", 1e6,
     [](Scenario& s, double v) { s.workloads[2].service->demand_ms = v; }},
    {"workloads[2].service.demand_cv2", 1e3,
     [](Scenario& s, double v) { s.workloads[2].service->demand_cv2 = v; }},
    {"workloads[2].service.parallelism", 1e4,
     [](Scenario& s, double v) { s.workloads[2].service->parallelism = v; }},
    {"workloads[2].service.fixed_latency_ms", 1e6,
     [](Scenario& s, double v) { s.workloads[2].service->fixed_latency_ms = v; }},
    {"workloads[2].service.disk_kb", 1e9,
     [](Scenario& s, double v) { s.workloads[2].service->disk_kb = v; }},
    {"workloads[2].service.net_kb", 1e9,
     [](Scenario& s, double v) { s.workloads[2].service->net_kb = v; }},
    {"workloads[2].service.sensitivity", 1e2,
     [](Scenario& s, double v) { s.workloads[2].service->sensitivity = v; }},
    {"workloads[2].service.memory_pressure_cost", 1e2,
     [](Scenario& s, double v) { s.workloads[2].service->memory_pressure_cost = v; }},
    {"workloads[2].service.queue_max", 1e6,
     [](Scenario& s, double v) { s.workloads[2].service->queue_max = v; }},
    {"jobs[0].work_core_s", 1e9, [](Scenario& s, double v) { s.jobs[0].work_core_s = v; }},
};

TEST(Scenario, no_number_is_so_high_that_a_world_cannot_hold_it) {
    for (const Highest& each : kHighest) {
        Scenario s = shop("test", "");
        each.set(s, each.most);
        EXPECT_TRUE(validate(s)) << each.name << ": " << validate(s).error().text();
        for (const double beyond :
             {each.most * 1.001, 1e300, std::numeric_limits<double>::infinity(),
              std::numeric_limits<double>::quiet_NaN(), -0.1}) {
            each.set(s, beyond);
            const auto result = validate(s);
            ASSERT_FALSE(result) << each.name << " " << beyond;
            EXPECT_EQ(result.error().path, each.name);
            EXPECT_TRUE(result.error().sentence.starts_with("must be from"))
                << result.error().text();
        }
    }
}

TEST(Scenario, a_scale_may_not_lift_a_series_beyond_what_its_values_may_be) {
    Scenario s = shop("test", "");
    Series& rate = s.workloads[2].service->rate;
    rate = {.base = 1e4, .scale = 1e3};
    EXPECT_TRUE(validate(s));
    rate.points = {{seconds(1), 1e4 + 1}};
    EXPECT_EQ(validate(s).error(), (Flaw{"workloads[2].service.rate.scale",
                                         "times the highest value must be from 0 to 10000000"}));
}

TEST(Scenario, spans_end_within_a_year) {
    const Duration year = hours(24 * 366);
    Scenario s = shop("test", "");
    s.faults.lead = year;
    s.workloads[2].service->timeout = year;
    EXPECT_TRUE(validate(s));
    s.workloads[2].service->timeout = year + microseconds(1);
    EXPECT_EQ(validate(s).error().text(),
              "workloads[2].service.timeout must be over 0 and at most a year");
    s.workloads[2].service->timeout = {};
    EXPECT_EQ(validate(s).error().text(),
              "workloads[2].service.timeout must be over 0 and at most a year");
    s = shop("test", "");
    s.script.push_back({.lead = microseconds(999)});
    EXPECT_EQ(validate(s).error().text(), "script[0].lead must be from a millisecond to a year");
    s.script[0].lead = milliseconds(1);
    EXPECT_TRUE(validate(s));
}

TEST(Scenario, a_scripted_fault_of_something_that_is_not_there_is_refused) {
    const auto refused = [](ScriptedKind kind, const char* target) {
        Scenario s = shop("test", "");
        s.script.push_back({.kind = kind, .target = target});
        const auto valid = validate(s);
        return valid ? std::string() : valid.error().text();
    };
    const std::string node = "script[0].target must be a node of the scenario, such as node-01";
    const std::string workload =
        "script[0].target must be a workload of the scenario, as space/name";
    EXPECT_EQ(refused(ScriptedKind::fail, ""), "");
    EXPECT_EQ(refused(ScriptedKind::fail, "node-12"), "");
    EXPECT_EQ(refused(ScriptedKind::fail, "node-13"), node);
    EXPECT_EQ(refused(ScriptedKind::unmark, "node-1"), node);
    EXPECT_EQ(refused(ScriptedKind::crash_loop, "shop/web"), "");
    EXPECT_EQ(refused(ScriptedKind::crash_loop, "web"), workload);
    EXPECT_EQ(refused(ScriptedKind::crash_loop, ""), workload);
    EXPECT_EQ(refused(ScriptedKind::scale, "shop/wep"), workload);
}

TEST(Scenario, sized_has_the_size_it_was_asked_for_and_room_for_all) {
    const Scenario s = sized(50, 20, 10);
    EXPECT_TRUE(validate(s));
    EXPECT_EQ(s.nodes[0].count, 50);
    EXPECT_EQ(s.workloads.size(), 20U);
    EXPECT_EQ(s.workloads[19].replicas, 10);
    const std::int64_t cpu = s.nodes[0].cpu_m * 50;
    EXPECT_GT(cpu, s.workloads[0].pod.cpu_request_m * 200);
}

}  // namespace
}  // namespace parley::sim
