#include "sim/world/metrics_pipeline.h"

#include "base/math.h"
#include "base/quantity.h"
#include "sim/world/world_load.h"
#include "sim/world/world_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::sim {
namespace {

using model::Source;

bool within(const SourceFault& fault, Ms at) {
    const Ms from = ms_of(fault.from);
    return at >= from && at < from + ms_of(fault.lasts);
}

bool about(const SourceFault& fault, const NodeState& node) {
    return fault.node.empty() || fault.node == node.id.name.view();
}

bool out_at(const SourceSpec& spec, Ms at) {
    return std::ranges::any_of(spec.faults, [&](const SourceFault& fault) {
        return fault.kind == SourceTrouble::outage && within(fault, at);
    });
}

Ms late_by(const SourceSpec& spec, Ms at) {
    Ms late = 0;
    for (const SourceFault& fault : spec.faults) {
        if (fault.kind == SourceTrouble::late && within(fault, at)) {
            late = std::max(late, ms_of(fault.late_by));
        }
    }
    return late;
}

// Draws of one sample: by source, object, scrape and use.
std::uint64_t lot(const State& s, std::uint32_t feed, std::uint64_t entity, std::int64_t number,
                  std::uint64_t use) {
    const std::uint64_t index = (std::uint64_t{3} << 54) | (std::uint64_t{feed} << 48) |
                                (static_cast<std::uint64_t>(number) << 4) | use;
    return draw(s.seed, Stream::noise, entity, index);
}

bool lost(const State& s, std::uint32_t feed, const NodeState& node, Ms at, std::int64_t number) {
    const SourceSpec& spec = s.scenario->sources[feed];
    double keep = 1.0 - spec.loss;
    for (const SourceFault& fault : spec.faults) {
        if (fault.kind == SourceTrouble::loss && within(fault, at) && about(fault, node)) {
            keep *= 1.0 - fault.share;
        }
    }
    return keep < 1.0 && !random::bernoulli(lot(s, feed, node.entity, number, 0), keep);
}

// An impossible value: negative, not a number, absurd, or more than there is.
double lie(std::uint64_t bits, double true_value, double capacity) {
    switch (random::below(bits, 4)) {
        case 0:
            return -1.0 - true_value;
        case 1:
            return std::numeric_limits<double>::quiet_NaN();
        case 2:
            return 1e308;
        default:
            return capacity * 3.0 + 1.0;
    }
}

void lie_about(const State& s, std::uint32_t feed, const NodeState& node, const Frame& frame,
               NodePoint& point) {
    for (const SourceFault& fault : s.scenario->sources[feed].faults) {
        if (fault.kind != SourceTrouble::lie || !within(fault, frame.stamp) || !about(fault, node))
            continue;
        const auto bits = [&](std::uint64_t use) {
            return lot(s, feed, node.entity, frame.number, use);
        };
        if (!random::bernoulli(bits(6), fault.share)) continue;
        point.cpu_cores = lie(bits(7), point.cpu_cores, node.cores);
        point.memory_bytes = lie(bits(8), point.memory_bytes, static_cast<double>(node.memory));
        point.disk_share = lie(bits(9), point.disk_share, 1.0);
        point.net_share = lie(bits(10), point.net_share, 1.0);
        point.power_w = lie(bits(11), point.power_w, 1000.0);
    }
}

/// Wrong by a factor, yet possible: the figure itself does not show it.
void be_off(const State& s, std::uint32_t feed, const NodeState& node, const Frame& frame,
            NodePoint& point) {
    for (const SourceFault& fault : s.scenario->sources[feed].faults) {
        if (fault.kind != SourceTrouble::off || !within(fault, frame.stamp) || !about(fault, node))
            continue;
        if (!random::bernoulli(lot(s, feed, node.entity, frame.number, 12), fault.share)) continue;
        point.cpu_cores = std::min(node.cores, point.cpu_cores * fault.factor);
        point.memory_bytes =
            std::min(static_cast<double>(node.memory), point.memory_bytes * fault.factor);
    }
}

void measure_node(const State& s, SourceFeed& f, Index n, double span_ms, NodePoint& point) {
    const NodeState& node = s.nodes[n];
    // Totals are extrapolated, not updated: reading must not change how they are rounded.
    const auto ahead = static_cast<double>(s.now - node.accounted);
    const auto mean = [&](double total, double rate, std::vector<double>& before) {
        const double now = total + rate * ahead;
        const double grown = now - before[n];
        before[n] = now;
        return grown / span_ms;
    };
    point.cpu_cores = mean(node.cpu_total, node.cpu_used, f.node_cpu);
    point.disk_share = mean(node.io_total, node.io_used, f.node_io) / node.io_bytes_s;
    point.net_share = mean(node.net_total, node.net_used, f.node_net) / node.net_bytes_s;
    point.memory_bytes = node.memory_used;
    point.power_w = node.power_w;
    point.there = node.exists && node.runs() && !node.cut_off;
}

/// A figure as the source exports it.
double noisy(const State& s, std::uint32_t feed, std::uint64_t entity, const Frame& frame,
             double value, double sigma, std::uint64_t use) {
    if (sigma <= 0.0) return value;
    return exported(value, sigma, random::normal(lot(s, feed, entity, frame.number, use)));
}

/// What the source says of a node; it may not be there.
NodePoint as_exported(const State& s, std::uint32_t feed, const Frame& frame, Index n) {
    const SourceSpec& spec = s.scenario->sources[feed];
    const NodeState& node = s.nodes[n];
    NodePoint point = frame.nodes[n];
    if (point.there && lost(s, feed, node, frame.stamp, frame.number)) point.there = false;
    if (!point.there) return point;
    const auto noisy = [&](double value, std::uint64_t use) {
        return sim::noisy(s, feed, node.entity, frame, value, spec.noise, use);
    };
    point.cpu_cores = std::min(node.cores, noisy(point.cpu_cores, 1));
    point.memory_bytes = std::min(static_cast<double>(node.memory), noisy(point.memory_bytes, 2));
    point.disk_share = std::min(1.0, noisy(point.disk_share, 3));
    point.net_share = std::min(1.0, noisy(point.net_share, 4));
    point.power_w = noisy(point.power_w, 5);
    be_off(s, feed, node, frame, point);
    lie_about(s, feed, node, frame, point);
    return point;
}

void measure_work(const State& s, SourceFeed& f, Index w, bool up, double span_ms,
                  WorkPoint& point) {
    const WorkState& work = s.works[w];
    const Flow& flow = work.flow;
    const auto ahead = static_cast<double>(s.now - flow.since);
    const auto grown = [&](double total, double rate, std::vector<double>& before) {
        const double now = total + rate * ahead;
        const double by = now - before[w];
        before[w] = now;
        return by;
    };
    const double cpu = grown(flow.cpu_total, flow.cpu, f.work_cpu);
    const double offered = grown(flow.offered_total, flow.offered, f.work_offered);
    const double done = grown(flow.done_total, flow.done, f.work_done);
    const double latency = grown(flow.latency_total, flow.latency, f.work_latency);
    const double spread = grown(flow.spread_total, flow.spread, f.work_spread);
    point.there = work.exists && work.serving > 0 && up;
    if (!point.there) return;
    point.pods = work.serving;
    const double cores = work.service ? cpu * 1000.0 / span_ms / work.serving : s.uses[w].fixed;
    point.cpu_pod_m = cores * 1000.0;
    point.memory_pod = s.uses[w].memory;
    point.p90 = work.use_p90;
    point.max = work.use_max;
    point.requests_per_s = offered * 1000.0 / span_ms;
    point.latency_p95_s = -1.0;
    if (done > 0.0) {
        point.latency_p95_s = latency / done;
        point.latency_sigma = percentile_sigma(spread / done, done);
    }
    point.startup_p95_s = work.startup_p95_s;
}

/// What the source says of an existing workload.
WorkPoint as_exported_work(const State& s, std::uint32_t feed, const Frame& frame, Index w) {
    const double sigma = s.scenario->sources[feed].noise;
    WorkPoint point = frame.works[w];
    const auto noisy = [&](double value, double off, std::uint64_t use) {
        return sim::noisy(s, feed, s.works[w].entity, frame, value, off, use);
    };
    point.cpu_pod_m = noisy(point.cpu_pod_m, sigma, 1);
    point.memory_pod = noisy(point.memory_pod, sigma, 2);
    point.requests_per_s = noisy(point.requests_per_s, sigma, 3);
    if (point.latency_p95_s >= 0.0) {
        point.latency_p95_s = noisy(point.latency_p95_s, point.latency_sigma, 4);
    }
    return point;
}

model::Usage usage_of(double mean, double p90, double max, std::int32_t pods) {
    // A sum over many pods may exceed the range.
    const auto whole = [](double value) {
        return static_cast<std::int64_t>(std::floor(std::min(value, 9e18) + 0.5));
    };
    return {.sum = whole(mean * pods),
            .p50 = whole(mean),
            .p90 = whole(mean * p90),
            .max = whole(mean * std::max(p90, max)),
            .count = pods,
            .missing = 0};
}

void add_frame(const State& s, std::uint32_t feed, const Frame& frame, cluster::Batch& out) {
    const Source source = s.scenario->sources[feed].source;
    const bool full = source == Source::prometheus;
    for (Index n = 0; n < frame.nodes.size(); ++n) {
        const NodePoint point = as_exported(s, feed, frame, n);
        if (!point.there) continue;
        cluster::NodeSample sample{
            .node = s.nodes[n].uid, .source = source, .measured = time_of(frame.stamp)};
        sample.cpu_m = point.cpu_cores * kMillicoresPerCore;
        sample.memory_bytes = point.memory_bytes;
        if (full) {
            sample.disk_share = point.disk_share;
            sample.net_share = point.net_share;
            sample.power_w = point.power_w;
        }
        out.nodes.push_back(sample);
    }
    for (Index w = 0; w < frame.works.size(); ++w) {
        if (!frame.works[w].there || !s.works[w].exists) continue;
        const WorkPoint point = as_exported_work(s, feed, frame, w);
        cluster::WorkloadSample sample{
            .workload = s.works[w].uid, .source = source, .measured = time_of(frame.stamp)};
        sample.cpu_m = usage_of(point.cpu_pod_m, point.p90, point.max, point.pods);
        sample.memory = usage_of(point.memory_pod, 1.0, 1.0, point.pods);
        if (full) {
            if (s.works[w].service) sample.requests_per_s = point.requests_per_s;
            if (s.works[w].service && point.latency_p95_s >= 0.0) {
                sample.latency_p95_s = point.latency_p95_s;
            }
            if (point.startup_p95_s > 0.0) sample.startup_p95_s = point.startup_p95_s;
        }
        out.workloads.push_back(sample);
    }
}

// Counters are read off at once: they need no window.
void add_counters(const State& s, std::uint32_t feed, cluster::Batch& out) {
    const Source source = s.scenario->sources[feed].source;
    const auto number = static_cast<std::int64_t>(s.now / 1000) + (std::int64_t{1} << 36);
    for (Index n = 0; n < s.nodes.size(); ++n) {
        const NodeState& node = s.nodes[n];
        if (!node.exists || lost(s, feed, node, s.now, number)) continue;
        cluster::NodeSample sample{.node = node.uid, .source = source, .measured = time_of(s.now)};
        sample.counters = counters_of_node(s, n);
        out.nodes.push_back(sample);
    }
    for (Index w = 0; w < s.works.size(); ++w) {
        if (!s.works[w].exists) continue;
        cluster::WorkloadSample sample{
            .workload = s.works[w].uid, .source = source, .measured = time_of(s.now)};
        sample.counters = counters_of(s, w);
        out.workloads.push_back(sample);
    }
}

// The feed that delivers counters: Prometheus if it is on, else the other.
std::uint32_t counting_feed(const Scenario& scenario) {
    std::uint32_t best = kNone;
    for (std::uint32_t i = 0; i < scenario.sources.size(); ++i) {
        const SourceSpec& spec = scenario.sources[i];
        if (!spec.on) continue;
        if (best == kNone || spec.source == Source::prometheus) best = i;
    }
    return best;
}

}  // namespace

void scrape(State& s, std::uint32_t feed) {
    const SourceSpec& spec = s.scenario->sources[feed];
    SourceFeed& f = s.feeds[feed];
    s.queue.push(s.now + ms_of(spec.period), EventKind::scrape, feed);
    const auto span = static_cast<double>(s.now - f.before);
    f.before = s.now;
    ++f.scrapes;
    if (span <= 0.0 || !s.reporting) return;
    f.node_cpu.resize(s.nodes.size());
    f.node_io.resize(s.nodes.size());
    f.node_net.resize(s.nodes.size());
    for (auto* totals :
         {&f.work_cpu, &f.work_offered, &f.work_done, &f.work_latency, &f.work_spread}) {
        totals->resize(s.works.size());
    }
    Frame& frame = f.frames[f.next];
    f.next = (f.next + 1) % f.frames.size();
    const bool up = !out_at(spec, s.now);
    frame.number = f.scrapes;
    frame.stamp = s.now;
    frame.delivered = !up ? kNever : s.now + ms_of(spec.lag) + late_by(spec, s.now);
    frame.nodes.resize(s.nodes.size());
    frame.works.resize(s.works.size());
    for (Index n = 0; n < s.nodes.size(); ++n) {
        measure_node(s, f, n, span, frame.nodes[n]);
        happened(s, Happened::node_measured, n, feed);
    }
    for (Index w = 0; w < s.works.size(); ++w) {
        measure_work(s, f, w, up, span, frame.works[w]);
        happened(s, Happened::work_measured, w, feed);
    }
}

void deliver(State& s, cluster::Batch& out) {
    out.sources.push_back({.source = Source::api});
    const std::uint32_t counting = counting_feed(*s.scenario);
    for (std::uint32_t i = 0; i < s.feeds.size(); ++i) {
        const SourceSpec& spec = s.scenario->sources[i];
        SourceFeed& f = s.feeds[i];
        cluster::SourceReport report{.source = spec.source, .off = !spec.on};
        if (spec.on && out_at(spec, s.now)) {
            report.failed = true;
            report.reason = "connection refused";
        }
        out.sources.push_back(report);
        if (!spec.on || report.failed) continue;
        const Frame* newest = nullptr;
        for (const Frame& frame : f.frames) {
            const bool due =
                !frame.nodes.empty() && frame.delivered <= s.now && frame.stamp > f.told;
            if (due && (newest == nullptr || frame.stamp > newest->stamp)) newest = &frame;
        }
        if (newest != nullptr) {
            f.told = newest->stamp;
            add_frame(s, i, *newest, out);
        }
        if (i == counting && late_by(spec, s.now) == 0) add_counters(s, i, out);
    }
}

}  // namespace parley::sim
