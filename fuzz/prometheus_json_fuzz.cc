// JSON from Prometheus: what is accepted is finite and bounded, the same bytes give the same
// result, truncated bytes are refused; joined to a small cluster, every figure comes from the
// answer.

#include "base/check.h"
#include "fuzz/input.h"
#include "prometheus/join.h"

#include <cmath>
#include <set>
#include <string>

namespace {

using namespace parley;
using namespace parley::prometheus;

Directory cluster() {
    Directory out;
    out.nodes = {{{0, 1}, "worker", {"10.0.0.1", "fd00::1"}}, {{0, 2}, "worker2", {"10.0.0.2"}}};
    out.workloads = {
        {{1, 1}, {Name::of("shop"), model::WorkloadKind::deployment, Name::of("web")}}};
    out.pods = {{"shop", "web-1", {1, 1}}, {"shop", "web-2", {1, 1}}};
    return out;
}

void check_figure(const std::optional<double>& figure) {
    PARLEY_CHECK(!figure || !std::isnan(*figure));
}

void check_usage(const std::optional<model::Usage>& usage) {
    if (!usage) return;
    PARLEY_CHECK(usage->count > 0 && usage->count + usage->missing <= 2);
    PARLEY_CHECK(usage->p50 >= 0 && usage->p50 <= usage->p90 && usage->p90 <= usage->max);
    PARLEY_CHECK(usage->max <= usage->sum);
}

void check_joined(const Query& query, const Answer& values, const Answer& ages) {
    const Directory known = cluster();
    Join join(known, seconds(60));
    join.learn_names(values);
    join.add(query, values, ages, {1'000'000});
    const bool covered = join.covered(query);
    const Joined joined = join.finish();
    const std::string remarks = joined.remarks();
    PARLEY_CHECK(remarks.empty() || fuzz::readable(remarks));
    PARLEY_CHECK(joined.nodes.size() <= known.nodes.size());
    PARLEY_CHECK(joined.workloads.size() <= known.workloads.size());
    PARLEY_CHECK(!covered || query.target != Target::node || joined.nodes.size() == 2);
    std::set<model::Uid> seen;
    for (const cluster::NodeSample& each : joined.nodes) {
        PARLEY_CHECK(seen.insert(each.node).second);
        PARLEY_CHECK(each.source == model::Source::prometheus);
        check_figure(each.cpu_cores);
    }
    for (const cluster::WorkloadSample& each : joined.workloads) {
        check_figure(each.requests_per_s);
        check_usage(each.cpu_m);
        check_usage(each.memory);
    }
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const std::vector<Query> kQueries = {
        {.name = "node", .figure = Figure::node_cpu},
        {.name = "requests",
         .figure = Figure::requests,
         .target = Target::workload,
         .unit = Unit::per_second},
        {.name = "cpu", .figure = Figure::cpu, .target = Target::pod},
        {.name = "pods",
         .figure = Figure::requests,
         .target = Target::pod,
         .unit = Unit::per_second},
    };
    const Query& query = kQueries[input.byte() % kQueries.size()];
    const std::string_view bytes = input.rest();
    const std::vector<std::string> labels = kept_labels(query);
    const auto answer = decode_answer(bytes, labels);
    if (!answer) {
        PARLEY_CHECK(readable(answer.error().message));
        return;
    }
    PARLEY_CHECK(answer->series.size() <= kSeriesMax);
    for (const Series& each : answer->series) {
        PARLEY_CHECK(!each.value || (std::isfinite(*each.value) && answer->at));
        PARLEY_CHECK(each.labels.size() <= labels.size());
        for (const Label& label : each.labels) PARLEY_CHECK(!label.value.empty());
    }
    const auto again = decode_answer(bytes, labels);
    PARLEY_CHECK(again && again->series.size() == answer->series.size());
    PARLEY_CHECK(!decode_answer(bytes.substr(0, bytes.find_last_of('}')), labels));
    // Once with itself as the ages, which concern the same series, and once with none.
    check_joined(query, *answer, *answer);
    check_joined(query, *answer, {});
}
