// Against a Prometheus that runs: PARLEY_TEST_PROMETHEUS=http://127.0.0.1:9090 and
// PARLEY_TEST_NODES=node-a=10.0.0.1,node-b=10.0.0.2 (names and addresses). Skipped without.

#include "base/clock.h"
#include "base/number.h"
#include "http/test_loop.h"
#include "prometheus/source.h"

#include <boost/asio/executor_work_guard.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>

namespace parley::prometheus {
namespace {

std::string from_environment(const char* name) {
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread.
    return text == nullptr ? "" : text;
}

Directory given_nodes() {
    Directory out;
    std::stringstream list(from_environment("PARLEY_TEST_NODES"));
    for (std::string each; std::getline(list, each, ',');) {
        const std::size_t split = each.find('=');
        out.nodes.push_back(
            {{0, out.nodes.size() + 1}, each.substr(0, split), {each.substr(split + 1)}});
    }
    // The pods that tests/cluster makes, if it does.
    std::stringstream pods(from_environment("PARLEY_TEST_PODS"));
    for (std::string each; std::getline(pods, each, ',');) {
        const std::size_t split = each.find('/');
        out.pods.push_back({each.substr(0, split), each.substr(split + 1), {1, 1}});
    }
    return out;
}

void show(const News& news, TimePoint now) {
    const auto put = [](const char* name, const auto& figure) {
        if (figure) std::cout << " " << name << " " << print_double(*figure);
    };
    for (const cluster::NodeSample& each : news.nodes) {
        std::cout << "node " << each.node.low << ":";
        put("millicores", each.cpu_m);
        put("memory", each.memory_bytes);
        put("disk", each.disk_share);
        put("network", each.net_share);
        put("power", each.power_w);
        std::cout << " age " << fixed(in_seconds(now - each.measured), 2) << "\n";
    }
    for (const cluster::WorkloadSample& each : news.workloads) {
        std::cout << "workload " << each.workload.low << ":";
        put("requests", each.requests_per_s);
        put("p95", each.latency_p95_s);
        if (each.cpu_m) std::cout << " cpu_m " << each.cpu_m->sum << " of " << each.cpu_m->count;
        if (each.memory) std::cout << " memory " << each.memory->sum;
        std::cout << " age " << fixed(in_seconds(now - each.measured), 2) << "\n";
    }
    std::cout << (news.report.failed ? "failed: " : "ok: ") << news.report.reason << "\n";
}

TEST(SourceLive, every_node_has_its_figures_by_every_default_query) {
    const std::string url = from_environment("PARLEY_TEST_PROMETHEUS");
    if (url.empty()) GTEST_SKIP() << "PARLEY_TEST_PROMETHEUS names no Prometheus";
    const Directory known = given_nodes();
    http::TestLoop loop;
    const auto stays = boost::asio::make_work_guard(loop.context());  // Between two questions.
    const auto figures = [&](const std::vector<Query>& queries, Figure figure) {
        auto source = Source::make(loop.executor(), {.access = {.url = url}, .queries = queries},
                                   [&] { return known; });
        EXPECT_TRUE(loop.ask((*source)->ask()));
        const News news = (*source)->take();
        show(news, wall_now());
        std::set<model::Uid> have;
        for (const cluster::NodeSample& each : news.nodes) {
            EXPECT_LE(in_seconds(wall_now() - each.measured), 60);
            const bool has = figure == Figure::node_cpu       ? each.cpu_m.has_value()
                             : figure == Figure::node_memory  ? each.memory_bytes.has_value()
                             : figure == Figure::node_disk    ? each.disk_share.has_value()
                             : figure == Figure::node_network ? each.net_share.has_value()
                                                              : true;
            if (has) have.insert(each.node);
        }
        return have.size();
    };
    for (const Query& each : default_queries()) {
        if (each.target != Target::node || each.figure == Figure::node_power) continue;
        std::cout << each.name << "\n";
        EXPECT_EQ(figures({each}, each.figure), known.nodes.size()) << each.name;
    }
    std::cout << "all\n";
    EXPECT_EQ(figures(default_queries(), Figure::node_cpu), known.nodes.size());
}

}  // namespace
}  // namespace parley::prometheus
