#include "prometheus/queries.h"

#include "base/number.h"
#include "base/time_text.h"

#include <algorithm>
#include <utility>

namespace parley::prometheus {
namespace {

// Rates are `irate`, over the last two samples: `rate` divides by the whole window even if there is
// data for a part only, so that a pod that started half a minute ago would show a quarter of its
// load.

// One series for each node-exporter, without labels besides those of its target: gives the age of
// all its series.
constexpr const char* kExporterAge = "timestamp(node_memory_MemAvailable_bytes)";
constexpr std::size_t kTextMax = 2000;  // It is sent in the address of a GET.

bool of_node(Figure figure) { return static_cast<int>(figure) < kNodeFigures; }

std::vector<Unit> units_of(Figure figure) {
    switch (figure) {
        case Figure::node_cpu:
        case Figure::cpu:
            return {Unit::cores, Unit::millicores};
        case Figure::node_memory:
        case Figure::memory:
            return {Unit::bytes};
        case Figure::node_disk:
            return {Unit::share, Unit::percent};
        case Figure::node_network:
            return {Unit::share, Unit::percent, Unit::bytes_per_second};
        case Figure::node_power:
            return {Unit::watts};
        case Figure::requests:
        case Figure::failing:
            return {Unit::per_second};
        case Figure::latency_p95:
        case Figure::startup_p95:
            break;
    }
    return {Unit::seconds, Unit::milliseconds};
}

void add_cpu_and_memory(std::vector<Query>& out) {
    out.push_back({.name = "node_cpu",
                   .figure = Figure::node_cpu,
                   .unit = Unit::cores,
                   .expression = "irate(node_cpu_usage_seconds_total[$window])",
                   .age = "timestamp(node_cpu_usage_seconds_total)"});
    out.push_back(
        {.name = "node_cpu_cadvisor",
         .figure = Figure::node_cpu,
         .unit = Unit::cores,
         .expression =
             "sum without (cpu) (irate(container_cpu_usage_seconds_total{id=\"/\"}[$window]))",
         .age = "max without (cpu) (timestamp(container_cpu_usage_seconds_total{id=\"/\"}))"});
    out.push_back({.name = "node_cpu_exporter",
                   .figure = Figure::node_cpu,
                   .unit = Unit::cores,
                   .expression = "sum without (cpu, mode) "
                                 "(irate(node_cpu_seconds_total{mode!~\"idle|iowait|steal\"}"
                                 "[$window]))",
                   .age = kExporterAge});
    out.push_back({.name = "node_memory",
                   .figure = Figure::node_memory,
                   .unit = Unit::bytes,
                   .expression = "node_memory_working_set_bytes"});
    out.push_back({.name = "node_memory_cadvisor",
                   .figure = Figure::node_memory,
                   .unit = Unit::bytes,
                   .expression = "container_memory_working_set_bytes{id=\"/\"}"});
    out.push_back({.name = "node_memory_exporter",
                   .figure = Figure::node_memory,
                   .unit = Unit::bytes,
                   .expression = "node_memory_MemTotal_bytes - node_memory_MemAvailable_bytes",
                   .age = kExporterAge});
}

void add_rest_of_nodes(std::vector<Query>& out) {
    // The kernel rounds busy time, so the share may slightly exceed 1.
    out.push_back({.name = "node_disk",
                   .figure = Figure::node_disk,
                   .unit = Unit::share,
                   .expression = "clamp_max(max without (device) (irate("
                                 "node_disk_io_time_seconds_total"
                                 "{device!~\"(loop|ram|zram|dm-|md|sr|fd).*\"}[$window])) <= 1.1, "
                                 "1)",
                   .age = kExporterAge});
    const auto direction = [](const std::string& way) {
        return "label_replace(irate(node_network_" + way +
               "_bytes_total{device!~\"(lo|veth|cali|lxc|cni|docker|br-|flannel|tun).*\"}"
               "[$window]) / (node_network_speed_bytes > 0), \"way\", \"" +
               way + "\", \"\", \"\")";
    };
    out.push_back({.name = "node_network",
                   .figure = Figure::node_network,
                   .unit = Unit::share,
                   .expression = "max without (device, way) (" + direction("receive") + " or " +
                                 direction("transmit") + ")",
                   .age = kExporterAge});
    out.push_back({.name = "node_power",
                   .figure = Figure::node_power,
                   .unit = Unit::watts,
                   .expression = "sum without (mode, source, path) "
                                 "(irate(kepler_node_platform_joules_total[$window]))",
                   .age = "max without (mode, source, path) "
                          "(timestamp(kepler_node_platform_joules_total))",
                   .labels = {"node", "exported_instance"}});
    out.push_back({.name = "node_power_exporter",
                   .figure = Figure::node_power,
                   .unit = Unit::watts,
                   .expression = "sum without (index, path) "
                                 "(irate(node_rapl_package_joules_total[$window]))",
                   .age = kExporterAge});
}

const char* const kIstio = "(destination_workload, destination_workload_namespace)";

Query istio(std::string name, Figure figure, Unit unit) {
    return {.name = std::move(name),
            .figure = figure,
            .target = Target::workload,
            .unit = unit,
            .expression = {},
            .age = std::string("max by ") + kIstio +
                   " (timestamp(istio_requests_total{reporter=\"destination\"}))",
            .labels = {"destination_workload"},
            .space = "destination_workload_namespace"};
}

/// All requests less those that went well: a workload without a single failure has no series of
/// failures, and yet it is known that there are none.
std::string rest(const std::string& by, const std::string& metric, const std::string& all,
                 const std::string& good) {
    const auto rate = [&](const std::string& which) {
        return "sum by " + by + " (irate(" + metric + "{" + which + "}[$window]))";
    };
    // What two sums differ by, though nothing failed, may be a little below 0.
    return "clamp_min(" + rate(all) + " - (" + rate(all + "," + good) + " or " + rate(all) +
           " * 0), 0)";
}

/// A request failed if its answer is of the 5xx, or by what a mesh calls a failure.
void add_failing(std::vector<Query>& out) {
    Query mesh = istio("failing_istio", Figure::failing, Unit::per_second);
    mesh.expression = rest(kIstio, "istio_requests_total", "reporter=\"destination\"",
                           "response_code!~\"5..|0\"");
    out.push_back(mesh);
    const std::string owners = "(namespace, deployment, statefulset, daemonset)";
    out.push_back(
        {.name = "failing_linkerd",
         .figure = Figure::failing,
         .target = Target::workload,
         .unit = Unit::per_second,
         .expression =
             rest(owners, "response_total", "direction=\"inbound\"", "classification=\"success\""),
         .age = "max by " + owners + " (timestamp(response_total{direction=\"inbound\"}))"});
}

void add_requests(std::vector<Query>& out) {
    Query rate = istio("requests_istio", Figure::requests, Unit::per_second);
    rate.expression = std::string("sum by ") + kIstio +
                      " (irate(istio_requests_total{reporter=\"destination\"}[$window]))";
    out.push_back(rate);
    out.push_back({.name = "requests_linkerd",
                   .figure = Figure::requests,
                   .target = Target::workload,
                   .unit = Unit::per_second,
                   .expression = "sum by (namespace, deployment, statefulset, daemonset) "
                                 "(irate(response_total{direction=\"inbound\"}[$window]))",
                   .age = "max by (namespace, deployment, statefulset, daemonset) "
                          "(timestamp(response_total{direction=\"inbound\"}))"});
    out.push_back({.name = "requests",
                   .figure = Figure::requests,
                   .target = Target::pod,
                   .unit = Unit::per_second,
                   .expression = "sum by (namespace, pod, instance, job) "
                                 "(irate(http_requests_total{pod!=\"\"}[$window]))",
                   .age = "max by (namespace, pod, instance, job) "
                          "(timestamp(http_requests_total{pod!=\"\"}))"});
    add_failing(out);
    Query latency = istio("latency_p95_istio", Figure::latency_p95, Unit::milliseconds);
    latency.expression =
        "histogram_quantile(0.95, sum by (le, destination_workload, "
        "destination_workload_namespace) (rate(istio_request_duration_milliseconds_bucket"
        "{reporter=\"destination\"}[$window])))";
    out.push_back(latency);
    out.push_back({.name = "latency_p95",
                   .figure = Figure::latency_p95,
                   .target = Target::pod,
                   .unit = Unit::seconds,
                   .expression = "histogram_quantile(0.95, sum by (le, namespace, pod, instance, "
                                 "job) (rate(http_request_duration_seconds_bucket{pod!=\"\"}"
                                 "[$window])))",
                   .age = "max by (namespace, pod, instance, job) "
                          "(timestamp(http_request_duration_seconds_count{pod!=\"\"}))"});
    // No common metric provides it: kube-state-metrics has when a pod was last ready, which changes
    // whenever a probe fails.
    out.push_back({.name = "startup_p95",
                   .figure = Figure::startup_p95,
                   .target = Target::workload,
                   .unit = Unit::seconds});
}

void add_use_of_workloads(std::vector<Query>& out) {
    out.push_back({.name = "cpu",
                   .figure = Figure::cpu,
                   .target = Target::pod,
                   .unit = Unit::cores,
                   .expression = "irate(pod_cpu_usage_seconds_total[$window])",
                   .age = "timestamp(pod_cpu_usage_seconds_total)"});
    // Series of cAdvisor carry their own time stamps, so those of an ended container stay for five
    // minutes and must not be summed up.
    const std::string inside = "{container!=\"\",image!=\"\"}";
    const auto live = [&](const std::string& name, const std::string& figure) {
        return "sum without (cpu, container, id, image, name) (" + figure + " and (timestamp(" +
               name + inside + ") > time() - 60))";
    };
    const std::string seconds_total = "container_cpu_usage_seconds_total";
    const std::string working_set = "container_memory_working_set_bytes";
    const auto age = [&](const std::string& name) {
        return "max without (cpu, container, id, image, name) (timestamp(" + name + inside + "))";
    };
    out.push_back(
        {.name = "cpu_cadvisor",
         .figure = Figure::cpu,
         .target = Target::pod,
         .unit = Unit::cores,
         .expression = live(seconds_total, "irate(" + seconds_total + inside + "[$window])"),
         .age = age(seconds_total)});
    out.push_back({.name = "memory",
                   .figure = Figure::memory,
                   .target = Target::pod,
                   .unit = Unit::bytes,
                   .expression = "pod_memory_working_set_bytes"});
    out.push_back({.name = "memory_cadvisor",
                   .figure = Figure::memory,
                   .target = Target::pod,
                   .unit = Unit::bytes,
                   .expression = live(working_set, working_set + inside),
                   .age = age(working_set)});
}

bool printable(std::string_view text) {
    return std::ranges::none_of(
        text, [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 127; });
}

}  // namespace

std::vector<Query> default_queries() {
    std::vector<Query> out;
    add_cpu_and_memory(out);
    add_rest_of_nodes(out);
    add_requests(out);
    add_use_of_workloads(out);
    return out;
}

Result<void> check(const Query& query) {
    const auto no = [&](const std::string& why) {
        return fail(ErrorCode::denied, "the query " + in_quotes(query.name) + " " + why);
    };
    if (query.name.empty()) return no("has no name");
    if (query.expression.empty()) return {};
    if (of_node(query.figure) != (query.target == Target::node)) {
        return no(of_node(query.figure) ? "is for nodes: its target must be node"
                                        : "is for workloads: its target must be workload or pod");
    }
    const std::vector<Unit> units = units_of(query.figure);
    if (std::ranges::find(units, query.unit) == units.end()) {
        return no("has a unit that its figure does not come in");
    }
    if (query.unit == Unit::bytes_per_second && !(query.full > 0)) {
        return no("is in bytes per second: say with `full` how many the link can carry");
    }
    if (query.expression.size() > kTextMax || query.age.size() > kTextMax) {
        return no("is over " + std::to_string(kTextMax) + " characters; use a recording rule");
    }
    if (!printable(query.expression) || !printable(query.age)) {
        return no("holds characters that cannot be printed");
    }
    return {};
}

bool adds_up(Figure figure) { return figure == Figure::requests || figure == Figure::failing; }

double factor(const Query& query) {
    switch (query.unit) {
        case Unit::millicores:
        case Unit::milliseconds:
            return 0.001;
        case Unit::percent:
            return 0.01;
        case Unit::bytes_per_second:
            return query.full > 0 ? 1 / query.full : 0;
        default:
            return 1;
    }
}

std::vector<std::string> naming_labels(const Query& query) {
    if (!query.labels.empty()) return query.labels;
    switch (query.target) {
        case Target::node:
            return {"node"};
        case Target::workload:
            return {"deployment", "statefulset", "daemonset", "workload", "app", "service"};
        case Target::pod:
            break;
    }
    return {"pod"};
}

std::vector<std::string> kept_labels(const Query& query) {
    std::vector<std::string> out = naming_labels(query);
    if (query.target == Target::node) {
        for (const char* more : {"instance", "kubernetes_node", "kubernetes_io_hostname", "host",
                                 "hostname", "nodename"}) {
            if (std::ranges::find(out, more) == out.end()) out.emplace_back(more);
        }
    } else {
        out.push_back(query.space);
    }
    return out;
}

std::string expanded(std::string_view text, Duration window) {
    constexpr std::string_view kPlace = "$window";
    std::string out;
    for (std::size_t at = text.find(kPlace); at != std::string_view::npos; at = text.find(kPlace)) {
        out += text.substr(0, at);
        out += print_duration(window);
        text.remove_prefix(at + kPlace.size());
    }
    return out += text;
}

std::string age_of(const Query& query, Duration window) {
    return query.age.empty() ? "timestamp(" + expanded(query.expression, window) + ")"
                             : expanded(query.age, window);
}

}  // namespace parley::prometheus
