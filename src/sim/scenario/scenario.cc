#include "sim/scenario/scenario.h"

#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace parley::sim {
namespace {

constexpr Duration kYear = hours(std::int64_t{24} * 366);

/// Collects the first thing that is wrong.
class Checker {
public:
    void require(bool holds, const std::string& where, const std::string& what) {
        if (!holds && !flaw_) flaw_ = {where, what};
    }
    /// Bounds are far beyond any cluster, yet small enough that no computation overflows.
    void within(double value, double lo, double hi, const std::string& where,
                const std::string& of = "") {
        require(value >= lo && value <= hi, where,
                of + "must be from " + plain(lo) + " to " + plain(hi));
    }
    void up_to(double value, double hi, const std::string& where) { within(value, 0.0, hi, where); }
    void share(double value, const std::string& where) {
        require(value >= 0.0 && value <= 1.0, where, "must be from 0 to 1");
    }
    void span(Duration value, const std::string& where) {
        require(value.us >= 0 && value.us <= kYear.us, where, "must be from 0 to a year");
    }
    void lasting(Duration value, Duration least, const std::string& where) {
        require(value >= least && value <= kYear, where,
                least.us < 1000 ? "must be over 0 and at most a year"
                                : "must be from a millisecond to a year");
    }
    void period(Duration value, const std::string& where) {
        require(value.us >= 1'000'000 && value.us <= hours(24).us, where,
                "must be from 1 s to a day");
    }
    tl::expected<void, Flaw> result() const {
        if (flaw_) return tl::unexpected(*flaw_);
        return {};
    }

private:
    /// A whole number as people write it.
    static std::string plain(double value) {
        const bool whole = value == std::floor(value) && value < 1e15;
        return whole ? std::to_string(static_cast<std::int64_t>(value)) : print_double(value);
    }

    std::optional<Flaw> flaw_;
};

std::string at(const std::string& list, std::size_t i, const std::string& field) {
    return list + "[" + std::to_string(i) + "]." + field;
}

/// Requests per second of a large service, ten times over.
constexpr double kSeriesMax = 1e7;

/// Kubernetes would reject these, and a terminal would interpret them.
void check_name(Checker& c, const std::string& name, const std::string& where) {
    c.require(!name.empty(), where, "must not be empty");
    const bool plain = std::ranges::none_of(
        name, [](char each) { return static_cast<unsigned char>(each) < 0x20 || each == 0x7f; });
    c.require(plain, where, "must not hold control characters");
}

void check_series(Checker& c, const Series& series, const std::string& where) {
    c.up_to(series.base, kSeriesMax, where + ".base");
    c.share(series.amplitude, where + ".amplitude");
    c.require(std::isfinite(series.peak_hour), where + ".peak_hour", "must be a number");
    c.require(series.noise >= 0.0 && series.noise <= 2.0, where + ".noise", "must be from 0 to 2");
    c.up_to(series.scale, kSeriesMax, where + ".scale");
    c.span(series.offset, where + ".offset");
    c.span(series.repeat, where + ".repeat");
    c.require(series.kind != SeriesKind::points || !series.points.empty(), where + ".points",
              "must not be empty when kind is points");
    double peak = series.base;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        c.up_to(series.points[i].value, kSeriesMax, at(where + ".points", i, "value"));
        peak = std::max(peak, series.points[i].value);
        c.span(series.points[i].at, at(where + ".points", i, "at"));
        c.require(i == 0 || series.points[i - 1].at < series.points[i].at,
                  at(where + ".points", i, "at"), "must come after the point before");
    }
    c.within(peak * series.scale, 0.0, kSeriesMax, where + ".scale", "times the highest value ");
}

void check_nodes(Checker& c, const Scenario& scenario) {
    std::int64_t total = 0;
    std::set<std::string> names;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const NodeGroup& g = scenario.nodes[i];
        const auto where = [&](const char* field) { return at("nodes", i, field); };
        check_name(c, g.name, where("name"));
        c.require(names.insert(g.name).second, where("name"), "is already another group's");
        c.require(g.count >= 1 && g.count <= 20'000, where("count"), "must be from 1 to 20000");
        c.require(g.zones >= 1 && g.zones <= 100, where("zones"), "must be from 1 to 100");
        c.require(g.racks >= 1 && g.racks <= 1000, where("racks"), "must be from 1 to 1000");
        c.require(g.cpu_m >= 100 && g.cpu_m <= 10'000'000, where("cpu_m"),
                  "must be from 100 to 10000000");
        c.require(g.memory_mib >= 64 && g.memory_mib <= 100'000'000, where("memory_mib"),
                  "must be from 64 to 100000000");
        c.require(g.pods_max >= 1 && g.pods_max <= 10'000, where("pods_max"),
                  "must be from 1 to 10000");
        c.require(g.speed >= 0.01 && g.speed <= 100.0, where("speed"), "must be from 0.01 to 100");
        c.within(g.disk_mb_s, 0.1, 1e6, where("disk_mb_s"));
        c.within(g.net_mb_s, 0.1, 1e6, where("net_mb_s"));
        c.span(g.boot, where("boot"));
        c.up_to(g.power_scale, 1000.0, where("power_scale"));
        c.up_to(g.hazard_scale, 1000.0, where("hazard_scale"));
        total += g.count;
    }
    c.require(!scenario.nodes.empty(), "nodes", "must have at least one group");
    c.require(total <= 20'000, "nodes", "must be at most 20000 together");
}

void check_pod(Checker& c, const PodSpec& pod, const std::string& where) {
    const auto amount = [&](std::int64_t value, const char* field) {
        c.require(value >= 0 && value <= 1'000'000'000, where + "." + field,
                  "must be from 0 to 1000000000");
    };
    amount(pod.cpu_request_m, "cpu_request_m");
    amount(pod.cpu_limit_m, "cpu_limit_m");
    amount(pod.memory_request_mib, "memory_request_mib");
    amount(pod.memory_limit_mib, "memory_limit_mib");
    c.require(pod.cpu_limit_m == 0 || pod.cpu_limit_m >= pod.cpu_request_m, where + ".cpu_limit_m",
              "must not be below cpu_request_m");
    c.require(pod.memory_limit_mib == 0 || pod.memory_limit_mib >= pod.memory_request_mib,
              where + ".memory_limit_mib", "must not be below memory_request_mib");
    c.up_to(pod.startup_core_s, 1e6, where + ".startup_core_s");
    c.up_to(pod.image_mb, 1e6, where + ".image_mb");
    c.span(pod.probe, where + ".probe");
    c.span(pod.grace, where + ".grace");
    c.require(pod.warmup_peak >= 1.0 && pod.warmup_peak <= 100.0, where + ".warmup_peak",
              "must be from 1 to 100");
    c.lasting(pod.warmup, microseconds(1), where + ".warmup");
    c.up_to(pod.memory_mib, 1e8, where + ".memory_mib");
    c.up_to(pod.memory_request_mb, 1000.0, where + ".memory_request_mb");
    c.up_to(pod.leak_mib_hour, 1e6, where + ".leak_mib_hour");
    c.require(pod.memory_noise >= 0.0 && pod.memory_noise <= 1.0, where + ".memory_noise",
              "must be from 0 to 1");
}

void check_service(Checker& c, const Service& service, const std::string& where) {
    check_series(c, service.rate, where + ".rate");
    check_series(c, service.payload, where + ".payload");
    c.within(service.demand_ms, 0.001, 1e6, where + ".demand_ms");
    c.up_to(service.demand_cv2, 1000.0, where + ".demand_cv2");
    c.require(service.arrival_cv2 >= 0.0 && service.arrival_cv2 <= 1000.0, where + ".arrival_cv2",
              "must be from 0 to 1000");
    c.within(service.parallelism, 0.01, 10'000.0, where + ".parallelism");
    c.up_to(service.fixed_latency_ms, 1e6, where + ".fixed_latency_ms");
    c.up_to(service.disk_kb, 1e9, where + ".disk_kb");
    c.up_to(service.net_kb, 1e9, where + ".net_kb");
    c.up_to(service.sensitivity, 100.0, where + ".sensitivity");
    c.up_to(service.memory_pressure_cost, 100.0, where + ".memory_pressure_cost");
    c.lasting(service.timeout, microseconds(1), where + ".timeout");
    c.up_to(service.queue_max, 1e6, where + ".queue_max");
    c.require(service.retry_ratio >= 0.0 && service.retry_ratio < 1.0, where + ".retry_ratio",
              "must be from 0 to below 1");
    c.lasting(service.objective, microseconds(1), where + ".objective");
}

void check_workloads(Checker& c, const Scenario& scenario) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < scenario.workloads.size(); ++i) {
        const WorkloadSpec& w = scenario.workloads[i];
        const auto where = [&](const char* field) { return at("workloads", i, field); };
        check_name(c, w.space, where("space"));
        check_name(c, w.name, where("name"));
        c.require(names.insert(w.space + "/" + w.name).second, where("name"), "is there twice");
        c.require(w.kind != model::WorkloadKind::job, where("kind"), "cannot be job; see jobs");
        c.require(w.replicas >= 0 && w.replicas <= 100'000, where("replicas"),
                  "must be from 0 to 100000");
        check_pod(c, w.pod, where("pod"));
        if (w.service) check_service(c, *w.service, where("service"));
        c.up_to(static_cast<double>(w.idle_cpu_m), 1e9, where("idle_cpu_m"));
        c.require(w.zone_skew_max >= 0, where("zone_skew_max"), "must not be negative");
    }
    for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
        const JobSpec& j = scenario.jobs[i];
        const auto where = [&](const char* field) { return at("jobs", i, field); };
        check_name(c, j.space, where("space"));
        check_name(c, j.name, where("name"));
        c.require(names.insert(j.space + "/" + j.name).second, where("name"), "is there twice");
        check_series(c, j.per_hour, where("per_hour"));
        c.require(j.parallel >= 1 && j.parallel <= 10'000, where("parallel"),
                  "must be from 1 to 10000");
        c.within(j.work_core_s, 0.001, 1e9, where("work_core_s"));
        c.require(j.work_spread >= 0.0 && j.work_spread <= 3.0, where("work_spread"),
                  "must be from 0 to 3");
        check_pod(c, j.pod, where("pod"));
        for (std::size_t k = 0; k < j.bursts.size(); ++k) {
            c.span(j.bursts[k].at, at(where("bursts"), k, "at"));
            c.require(j.bursts[k].jobs >= 0 && j.bursts[k].jobs <= 10'000,
                      at(where("bursts"), k, "jobs"), "must be from 0 to 10000");
        }
    }
}

void check_faults(Checker& c, const Scenario& scenario) {
    const FaultRules& f = scenario.faults;
    const std::pair<double, const char*> rates[] = {{f.failures, "failures"},
                                                    {f.gray, "gray"},
                                                    {f.rack_shocks, "rack_shocks"},
                                                    {f.nuisances, "nuisances"},
                                                    {f.crash_loops, "crash_loops"}};
    for (const auto& [rate, name] : rates) {
        c.require(rate >= 0.0 && rate <= 1000.0, std::string("faults.") + name,
                  "must be from 0 to 1000");
    }
    c.share(f.sudden_share, "faults.sudden_share");
    c.share(f.episode_fails, "faults.episode_fails");
    c.share(f.never_back, "faults.never_back");
    c.require(f.load_slope >= 0.0 && f.load_slope <= 100.0, "faults.load_slope",
              "must be from 0 to 100");
    c.require(f.lead_spread >= 0.0 && f.lead_spread <= 3.0, "faults.lead_spread",
              "must be from 0 to 3");
    c.require(f.repair_spread >= 0.0 && f.repair_spread <= 3.0, "faults.repair_spread",
              "must be from 0 to 3");
    c.lasting(f.lead, microseconds(1), "faults.lead");
    c.lasting(f.repair, microseconds(1), "faults.repair");
}

/// A fault of something that does not exist would never happen.
bool names_something(const Scenario& scenario, const ScriptedFault& entry) {
    if (about_workload(entry.kind)) {
        const auto named = [&](const auto& w) { return w.space + "/" + w.name == entry.target; };
        return std::ranges::any_of(scenario.workloads, named);
    }
    if (entry.target.empty()) return true;
    return std::ranges::any_of(scenario.nodes, [&](const NodeGroup& group) {
        // Parsed from the name instead of trying names: an invalid count may stand for millions.
        const std::string head = group.name + "-";
        if (!entry.target.starts_with(head)) return false;
        const auto number = parse_int64(entry.target.substr(head.size()), 1, group.count);
        return number && node_name(group, static_cast<std::int32_t>(*number - 1)) == entry.target;
    });
}

void check_script(Checker& c, const Scenario& scenario) {
    for (std::size_t i = 0; i < scenario.script.size(); ++i) {
        const ScriptedFault& s = scenario.script[i];
        const auto where = [&](const char* field) { return at("script", i, field); };
        c.span(s.at, where("at"));
        c.span(s.jitter, where("jitter"));
        c.lasting(s.lead, milliseconds(1), where("lead"));
        c.require(s.gamma > 0.0 && s.gamma <= 10.0, where("gamma"), "must be over 0, at most 10");
        c.span(s.lasts, where("lasts"));
        c.require(s.speed >= 0.01 && s.speed <= 1.0, where("speed"), "must be from 0.01 to 1");
        c.span(s.repair, where("repair"));
        c.require(s.replicas >= 0 && s.replicas <= 100'000, where("replicas"),
                  "must be from 0 to 100000");
        c.require(names_something(scenario, s), where("target"),
                  about_workload(s.kind) ? "must be a workload of the scenario, as space/name"
                                         : "must be a node of the scenario, such as " +
                                               node_name(scenario.nodes.front(), 0));
    }
}

void check_sources(Checker& c, const Scenario& scenario) {
    std::set<model::Source> seen;
    for (std::size_t i = 0; i < scenario.sources.size(); ++i) {
        const SourceSpec& s = scenario.sources[i];
        const auto where = [&](const char* field) { return at("sources", i, field); };
        const bool known =
            s.source == model::Source::metrics || s.source == model::Source::prometheus;
        c.require(known, where("source"), "must be metrics or prometheus");
        c.require(seen.insert(s.source).second, where("source"), "is there twice");
        c.period(s.period, where("period"));
        c.span(s.lag, where("lag"));
        c.require(s.noise >= 0.0 && s.noise <= 1.0, where("noise"), "must be from 0 to 1");
        c.share(s.loss, where("loss"));
        for (std::size_t k = 0; k < s.faults.size(); ++k) {
            c.span(s.faults[k].from, at(where("faults"), k, "from"));
            c.span(s.faults[k].lasts, at(where("faults"), k, "lasts"));
            c.share(s.faults[k].share, at(where("faults"), k, "share"));
            c.require(s.faults[k].late_by.us >= 0 && s.faults[k].late_by <= hours(24),
                      at(where("faults"), k, "late_by"), "must be from 0 to a day");
            c.require(s.faults[k].factor > 0.0 && s.faults[k].factor <= 1000.0,
                      at(where("faults"), k, "factor"), "must be over 0 and at most 1000");
        }
    }
}

}  // namespace

std::string node_name(const NodeGroup& group, std::int32_t i) {
    const std::size_t width = std::max<std::size_t>(2, std::to_string(group.count).size());
    const std::string digits = std::to_string(i + 1);
    return group.name + "-" + std::string(width > digits.size() ? width - digits.size() : 0, '0') +
           digits;
}

tl::expected<void, Flaw> validate(const Scenario& scenario) {
    Checker c;
    check_name(c, scenario.name, "name");
    check_nodes(c, scenario);
    check_workloads(c, scenario);
    check_faults(c, scenario);
    if (!scenario.nodes.empty()) check_script(c, scenario);
    check_sources(c, scenario);
    if (scenario.exercise) {
        c.require(!scenario.exercise->space.empty(), "exercise.space", "must not be empty");
        c.period(scenario.exercise->phase, "exercise.phase");
    }
    if (scenario.energy_price) check_series(c, *scenario.energy_price, "energy_price");
    c.period(scenario.step, "step");
    c.period(scenario.noise_step, "noise_step");
    return c.result();
}

Scenario sized(std::int32_t nodes, std::int32_t workloads, std::int32_t pods_per_workload) {
    Scenario scenario{.name = "sized"};
    scenario.description = std::to_string(nodes) + " nodes, " +
                           std::to_string(workloads * pods_per_workload) + " pods";
    // Room for all pods on average, plus half.
    const std::int64_t pods = std::int64_t{workloads} * pods_per_workload;
    const std::int64_t per_node = pods / nodes + 1;
    scenario.nodes.push_back({.name = "node",
                              .count = nodes,
                              .cpu_m = per_node * 300,
                              .memory_mib = per_node * 400,
                              .pods_max = static_cast<std::int32_t>(per_node * 2 + 10)});
    for (std::int32_t w = 0; w < workloads; ++w) {
        WorkloadSpec spec{
            .space = "load", .name = "work-" + std::to_string(w), .replicas = pods_per_workload};
        spec.pod.cpu_request_m = 200;
        spec.pod.memory_request_mib = 256;
        spec.service = Service{};
        spec.service->rate = {.kind = SeriesKind::daily,
                              .base = 4.0 * pods_per_workload,
                              .peak_hour = static_cast<double>(w % 24),
                              .noise = 0.1};
        scenario.workloads.push_back(spec);
    }
    return scenario;
}

}  // namespace parley::sim
