#include "sim/world/metrics_pipeline.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::sim {
namespace {

using model::Source;

Scenario plain() {
    Scenario s = shop("plain", "");
    s.jobs.clear();
    for (SourceSpec& source : s.sources) source.noise = 0.0;
    return s;
}

std::vector<cluster::NodeSample> figures(const cluster::Batch& batch, Source source) {
    std::vector<cluster::NodeSample> found;
    for (const auto& sample : batch.nodes) {
        if (sample.source == source && sample.cpu_m) found.push_back(sample);
    }
    return found;
}

const cluster::SourceReport& report(const cluster::Batch& batch, Source source) {
    for (const auto& r : batch.sources) {
        if (r.source == source) return r;
    }
    std::abort();
}

TEST(MetricsPipeline, samples_are_stamped_at_the_window_end_and_come_after_the_lag_once) {
    Scenario s = plain();
    s.sources[0].lag = seconds(4);
    World world = world_of(s);
    cluster::Batch batch;
    world.advance(at_s(18));
    world.collect(batch);
    EXPECT_TRUE(figures(batch, Source::metrics).empty());
    EXPECT_EQ(figures(batch, Source::prometheus).size(), 12U);
    world.advance(at_s(19));
    world.collect(batch);
    ASSERT_EQ(figures(batch, Source::metrics).size(), 12U);
    EXPECT_EQ(figures(batch, Source::metrics)[0].measured, at_s(15));
    EXPECT_TRUE(figures(batch, Source::prometheus).empty());
    world.advance(at_s(200));
    world.collect(batch);
    ASSERT_EQ(figures(batch, Source::metrics).size(), 12U);
    EXPECT_EQ(figures(batch, Source::metrics)[0].measured, at_s(195));
}

TEST(MetricsPipeline, without_noise_workload_figures_are_the_truth) {
    World world = world_of(plain());
    cluster::Batch batch;
    world.advance(at_s(16));
    world.collect(batch);
    double offered = 0.0;
    for (const auto& w : world.truth().workloads) {
        if (w.id.name.view() == "web") offered = w.offered_per_s;
    }
    // At 16 s the second step runs; the sample is about the first.
    const auto counters = world.work_counters(deployment("web", "shop"));
    const double first = (static_cast<double>(counters->offered) / 1000.0 - offered) / 15.0;
    bool seen = false;
    for (const auto& sample : batch.workloads) {
        if (!sample.requests_per_s || sample.cpu_m->count != 12) continue;
        EXPECT_NEAR(*sample.requests_per_s, first, 0.01);
        EXPECT_NEAR(static_cast<double>(sample.cpu_m->sum), first * 20.0, first * 2.0);
        EXPECT_GE(sample.cpu_m->max, sample.cpu_m->p50);
        ASSERT_TRUE(sample.latency_p95_s);
        EXPECT_GT(*sample.latency_p95_s, 0.02);
        EXPECT_TRUE(sample.startup_p95_s);
        seen = true;
    }
    EXPECT_TRUE(seen);
}

TEST(MetricsPipeline, noise_has_its_spread) {
    Scenario s = plain();
    s.sources[1].noise = 0.1;
    World world = world_of(s);
    cluster::Batch batch;
    double squares = 0.0;
    int count = 0;
    for (std::int64_t t = 16; t < 3000; t += 15) {
        world.advance(at_s(t));
        world.collect(batch);
        const auto exact = figures(batch, Source::metrics);
        const auto noisy = figures(batch, Source::prometheus);
        ASSERT_EQ(exact.size(), noisy.size());
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double off = std::log(*noisy[i].cpu_m / *exact[i].cpu_m);
            squares += off * off;
            ++count;
        }
    }
    EXPECT_NEAR(std::sqrt(squares / count), 0.1, 0.01);
}

TEST(MetricsPipeline, an_outage_is_reported_and_brings_nothing) {
    Scenario s = plain();
    s.sources[0].faults.push_back(
        {.kind = SourceTrouble::outage, .from = seconds(60), .lasts = seconds(60)});
    World world = world_of(s);
    cluster::Batch batch;
    for (std::int64_t t = 0; t < 200; t += 3) {
        world.advance(at_s(t));
        world.collect(batch);
        const bool out = t >= 60 && t < 120;
        EXPECT_EQ(report(batch, Source::metrics).failed, out) << t;
        EXPECT_EQ(report(batch, Source::prometheus).failed, false);
        if (out) {
            EXPECT_TRUE(figures(batch, Source::metrics).empty());
        }
        for (const auto& sample : figures(batch, Source::metrics)) {
            EXPECT_FALSE(sample.measured >= at_s(60) && sample.measured < at_s(120));
        }
    }
}

TEST(MetricsPipeline, a_late_source_delivers_old_samples) {
    Scenario s = plain();
    s.sources[0].faults.push_back({.kind = SourceTrouble::late,
                                   .from = seconds(60),
                                   .lasts = minutes(20),
                                   .late_by = minutes(3)});
    World world = world_of(s);
    cluster::Batch batch;
    std::size_t got = 0;
    for (std::int64_t t = 0; t < 900; t += 3) {
        world.advance(at_s(t));
        world.collect(batch);
        for (const auto& sample : figures(batch, Source::metrics)) {
            if (sample.measured < at_s(60)) continue;
            EXPECT_GE(in_seconds(world.now() - sample.measured), 180.0);
            ++got;
        }
    }
    EXPECT_GT(got, 12U * 30U);
}

TEST(MetricsPipeline, a_lost_node_has_no_sample_while_the_source_is_ok) {
    Scenario s = plain();
    s.sources[0].faults.push_back({.kind = SourceTrouble::loss, .node = "node-12"});
    World world = world_of(s);
    Watched seen;
    world.advance(at_s(31));
    seen.look(world);
    const auto samples = figures(seen.batch, Source::metrics);
    EXPECT_EQ(samples.size(), 11U);
    for (const auto& sample : samples) EXPECT_NE(sample.node, seen.node("node-12").uid);
    EXPECT_FALSE(report(seen.batch, Source::metrics).failed);
}

TEST(MetricsPipeline, lies_are_impossible_values_of_every_kind) {
    Scenario s = plain();
    s.sources[0].faults.push_back({.kind = SourceTrouble::lie});
    World world = world_of(s);
    cluster::Batch batch;
    int negative = 0, nan = 0, absurd = 0, over = 0, all = 0;
    for (std::int64_t t = 16; t < 600; t += 15) {
        world.advance(at_s(t));
        world.collect(batch);
        for (const auto& sample : figures(batch, Source::metrics)) {
            const double cpu = *sample.cpu_m;
            ++all;
            negative += cpu < 0.0 ? 1 : 0;
            nan += std::isnan(cpu) ? 1 : 0;
            absurd += cpu > 1e308 ? 1 : 0;
            over += cpu > 8e3 && cpu < 1e9 ? 1 : 0;
        }
    }
    EXPECT_EQ(negative + nan + absurd + over, all);
    for (const int kind : {negative, nan, absurd, over}) EXPECT_GT(kind, all / 8);
}

TEST(MetricsPipeline, a_source_that_is_off_by_a_factor_says_what_could_be) {
    Scenario s = plain();
    s.sources[0].faults.push_back({.kind = SourceTrouble::off, .from = seconds(60), .factor = 0.5});
    World world = world_of(s);
    cluster::Batch batch;
    for (const std::int64_t at : {31, 91}) {
        world.advance(at_s(at));
        world.collect(batch);
        const auto off = figures(batch, Source::metrics);
        const auto clean = figures(batch, Source::prometheus);
        ASSERT_EQ(off.size(), 12U);
        ASSERT_EQ(clean.size(), 12U);
        const double factor = at > 60 ? 0.5 : 1.0;
        for (std::size_t i = 0; i < off.size(); ++i) {
            EXPECT_DOUBLE_EQ(*off[i].cpu_m, *clean[i].cpu_m * factor);
            EXPECT_DOUBLE_EQ(*off[i].memory_bytes, *clean[i].memory_bytes * factor);
        }
    }
}

TEST(MetricsPipeline, a_source_that_is_off_says_so_and_counters_come_from_the_other) {
    Scenario s = plain();
    s.sources[1].on = false;
    World world = world_of(s);
    cluster::Batch batch;
    world.advance(at_s(31));
    world.collect(batch);
    EXPECT_TRUE(report(batch, Source::prometheus).off);
    EXPECT_TRUE(figures(batch, Source::prometheus).empty());
    int counted = 0;
    for (const auto& sample : batch.nodes) {
        if (!sample.counters) continue;
        EXPECT_EQ(sample.source, Source::metrics);
        EXPECT_EQ(sample.measured, world.now());
        ++counted;
    }
    EXPECT_EQ(counted, 12);
}

TEST(MetricsPipeline, a_failed_node_has_no_samples) {
    Scenario s = plain();
    s.script.push_back({.kind = ScriptedKind::fail, .at = seconds(10), .target = "node-03"});
    World world = world_of(s);
    cluster::Batch batch;
    world.advance(at_s(31));
    world.collect(batch);
    EXPECT_EQ(figures(batch, Source::metrics).size(), 11U);
}

}  // namespace
}  // namespace parley::sim
