// Prometheus, queries: what is asked, and what the answers mean. Settings may override them.

#pragma once

#include "base/describe.h"
#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::prometheus {

/// What a number measures. The first five are about nodes, the rest about workloads.
enum class Figure : std::uint8_t {
    node_cpu,
    node_memory,
    node_disk,     ///< Share of time that the busiest disk is busy.
    node_network,  ///< How full the fullest link is, in its busier direction.
    node_power,
    requests,
    latency_p95,
    startup_p95,
    cpu,
    memory,
    failing,  ///< Requests that failed.
};
BOOST_DESCRIBE_ENUM(Figure, node_cpu, node_memory, node_disk, node_network, node_power, requests,
                    latency_p95, startup_p95, cpu, memory, failing)
inline constexpr int kNodeFigures = 5;
inline constexpr int kFigures = 11;

/// What a series is about. If about pods, requests are summed up and the slowest pod gives the
/// latency.
enum class Target : std::uint8_t { node, workload, pod };
BOOST_DESCRIBE_ENUM(Target, node, workload, pod)

enum class Unit : std::uint8_t {
    cores,
    millicores,
    bytes,
    share,  ///< 0 to 1.
    percent,
    bytes_per_second,  ///< Of a link that is full at `full`.
    watts,
    per_second,
    seconds,
    milliseconds,
};
BOOST_DESCRIBE_ENUM(Unit, cores, millicores, bytes, share, percent, bytes_per_second, watts,
                    per_second, seconds, milliseconds)

/// There may be several for one figure: for each target the first that knows it wins, and the rest
/// are asked only if some target is left. (An `or` in one expression cannot do that: it keeps both
/// sides where their labels differ.)
struct Query {
    std::string name;  ///< What it is shown as.
    Figure figure = Figure::node_cpu;
    Target target = Target::node;
    Unit unit = Unit::cores;
    std::string expression;  ///< `$window` is replaced by how far rates look back. Empty: off.
    /// An expression for when each series was last measured, in seconds, with the same labels: an
    /// instant query may return values up to five minutes old. Empty: `timestamp(expression)`,
    /// which is right only for a plain selector.
    std::string age = {};
    std::vector<std::string> labels = {};  ///< Those that name the target; empty: the usual ones.
    std::string space = "namespace";       ///< The label that names the namespace.
    double full = 0;                       ///< Bytes per second.
};
BOOST_DESCRIBE_STRUCT(Query, (), (name, figure, target, unit, expression, age, labels, space, full))

/// For kubelets (/metrics/resource, /metrics/cadvisor), node-exporter, Istio, Linkerd and the usual
/// names of HTTP servers.
std::vector<Query> default_queries();

/// `denied` with what to change: a unit or target that does not fit, a text that is too long.
[[nodiscard]] Result<void> check(const Query& query);

/// Whether the figures of a workload's pods add up to that of the workload.
bool adds_up(Figure figure);

/// The factor that gives cores, bytes, shares, watts, per second or seconds.
double factor(const Query& query);

/// The labels that name its target, in the order in which they are tried.
std::vector<std::string> naming_labels(const Query& query);
/// The labels that its answer must keep.
std::vector<std::string> kept_labels(const Query& query);

std::string expanded(std::string_view text, Duration window);
/// The expression that tells the ages.
std::string age_of(const Query& query, Duration window);

}  // namespace parley::prometheus
