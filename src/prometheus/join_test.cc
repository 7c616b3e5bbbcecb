#include "prometheus/join.h"

#include "base/number.h"
#include "base/quantity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::prometheus {
namespace {

using model::WorkloadKind;

constexpr TimePoint kAsked = {1'000'000'000'000};  // By our clock.
constexpr double kNow = 5000;                      // By theirs, far off.

Directory cluster() {
    Directory out;
    out.nodes = {{{0, 1}, "a", {"10.0.0.1"}}, {{0, 2}, "b", {"10.0.0.2"}}};
    out.workloads = {{{1, 1}, {Name::of("shop"), WorkloadKind::deployment, Name::of("web")}},
                     {{1, 2}, {Name::of("shop"), WorkloadKind::stateful_set, Name::of("db")}}};
    out.pods = {{"shop", "web-1", {1, 1}}, {"shop", "web-2", {1, 1}}, {"shop", "db-0", {1, 2}}};
    return out;
}

/// A series of the answer, with its age in the other; below zero: no age.
struct Point {
    std::vector<Label> labels;
    double value = 0;
    double age = 1;
    std::uint64_t print = 0;  ///< Of its other labels.
};

Point node(const char* name, double value, double age = 1, std::uint64_t print = 0) {
    return {{{"node", name}}, value, age, print};
}
Point pod(const char* name, double value, double age = 1, std::uint64_t print = 0) {
    return {{{"namespace", "shop"}, {"pod", name}}, value, age, print};
}

Query query(Figure figure, Target target = Target::node, Unit unit = Unit::cores) {
    return {.name = "q", .figure = figure, .target = target, .unit = unit, .expression = "x"};
}

void add(Join& join, const Query& what, const std::vector<Point>& points) {
    const TimePoint at{static_cast<std::int64_t>(kNow * 1e6)};
    Answer values{.at = at};
    Answer ages{.at = at};
    std::uint64_t count = 0;
    for (const Point& each : points) {
        const std::uint64_t print = 100 * ++count + each.print;
        Series series{.labels = each.labels, .fingerprint = print};
        if (std::isfinite(each.value)) series.value = each.value;
        values.series.push_back(series);
        if (each.age >= 0) ages.series.push_back({.fingerprint = print, .value = kNow - each.age});
    }
    join.add(what, values, ages, kAsked);
}

std::string seconds_old(TimePoint measured) {
    return " @" + print_double(in_seconds(kAsked - measured));
}

std::string text_of(const Joined& joined) {
    std::string out;
    const auto put = [&](const char* name, const auto& figure) {
        if (figure) out += std::string(" ") + name + " " + print_double(*figure);
    };
    for (const cluster::NodeSample& each : joined.nodes) {
        EXPECT_EQ(each.source, model::Source::prometheus);
        out += (out.empty() ? "" : "; ") + std::string(each.node.low == 1 ? "a" : "b");
        if (each.cpu_m) put("cpu", std::optional(*each.cpu_m / kMillicoresPerCore));
        put("memory", each.memory_bytes);
        put("disk", each.disk_share);
        put("net", each.net_share);
        put("power", each.power_w);
        out += seconds_old(each.measured);
    }
    for (const cluster::WorkloadSample& each : joined.workloads) {
        EXPECT_EQ(each.source, model::Source::prometheus);
        out += (out.empty() ? "" : "; ") + std::string(each.workload.low == 1 ? "web" : "db");
        put("requests", each.requests_per_s);
        put("p95", each.latency_p95_s);
        put("startup", each.startup_p95_s);
        const auto usage = [&](const char* name, const std::optional<model::Usage>& u) {
            if (!u) return;
            out += std::string(" ") + name + " " + std::to_string(u->sum) + " over " +
                   std::to_string(u->count) + " without " + std::to_string(u->missing);
        };
        usage("cpu", each.cpu_m);
        usage("memory", each.memory);
        out += seconds_old(each.measured);
    }
    return out;
}

struct Case {
    const char* name;
    std::vector<std::pair<Query, std::vector<Point>>> answers;
    std::string samples;
    std::string remarks = {};
};

const Query kCpu = query(Figure::node_cpu);
const Query kMemory = query(Figure::node_memory, Target::node, Unit::bytes);
const std::vector<Point> kMemoryOfBoth = {node("a", 5), node("b", 6)};

class JoinMakes : public testing::TestWithParam<Case> {};

TEST_P(JoinMakes, samples_of_answers) {
    const Directory known = cluster();
    Join join(known, seconds(60));
    for (const auto& [what, points] : GetParam().answers) add(join, what, points);
    const Joined joined = join.finish();
    EXPECT_EQ(text_of(joined), GetParam().samples);
    EXPECT_EQ(joined.remarks(), GetParam().remarks);
}

const Case kNodes[] = {
    {"nothing_asked", {}, "", "cpu of 0 of 2 nodes; memory of 0 of 2 nodes"},
    {"empty_answer", {{kCpu, {}}}, "", "cpu of 0 of 2 nodes; memory of 0 of 2 nodes"},
    {"both",
     {{kCpu, {node("a", 1), node("b", 2)}}, {kMemory, kMemoryOfBoth}},
     "a cpu 1 memory 5 @1; b cpu 2 memory 6 @1"},
    {"figures_of_different_ages_come_apart",
     {{kCpu, {node("a", 1, 3), node("b", 2)}}, {kMemory, kMemoryOfBoth}},
     "a cpu 1 @3; a memory 5 @1; b cpu 2 memory 6 @1"},
    {"one_is_missing",
     {{kCpu, {node("b", 2)}}, {kMemory, kMemoryOfBoth}},
     "a memory 5 @1; b cpu 2 memory 6 @1",
     "cpu of 1 of 2 nodes"},
    {"not_a_number_is_missing_and_never_zero",
     {{kCpu, {node("a", NAN), node("b", INFINITY)}}, {kMemory, kMemoryOfBoth}},
     "a memory 5 @1; b memory 6 @1",
     "cpu of 0 of 2 nodes; 2 values are no numbers, such as q of a"},
    {"impossible_figures_are_for_the_snapshot_to_judge",
     {{kCpu, {node("a", -1), node("b", 1e308)}}, {kMemory, kMemoryOfBoth}},
     "a cpu -1 memory 5 @1; b cpu inf memory 6 @1"},
    {"unmatched_is_counted_and_one_named",
     {{kCpu, {node("a", 1), node("b", 2), node("b2", 3), {{{"instance", "x:1"}}, 4}}},
      {kMemory, kMemoryOfBoth}},
     "a cpu 1 memory 5 @1; b cpu 2 memory 6 @1",
     "2 series match nothing, such as q{node=b2}"},
    {"two_series_of_one_node_are_both_doubtful",
     {{kCpu, {node("a", 1, 1), node("b", 2), node("a", 1, 1)}}, {kMemory, kMemoryOfBoth}},
     "a memory 5 @1; b cpu 2 memory 6 @1",
     "cpu of 1 of 2 nodes; 1 figures come twice, such as q of a"},
    {"also_by_different_labels",
     {{kCpu, {node("a", 1), node("b", 2), {{{"instance", "10.0.0.1:9100"}}, 3}}},
      {kMemory, kMemoryOfBoth}},
     "a memory 5 @1; b cpu 2 memory 6 @1",
     "cpu of 1 of 2 nodes; 1 figures come twice, such as q of a"},
    {"also_where_one_is_no_number",
     {{kCpu, {node("a", 1), node("b", 2), node("a", NAN)}}, {kMemory, kMemoryOfBoth}},
     "a memory 5 @1; b cpu 2 memory 6 @1",
     "cpu of 1 of 2 nodes; 1 figures come twice, such as q of a; 1 values are no numbers, such as "
     "q of a"},
    {"an_old_series_left_behind_is_not_doubtful",
     {{kCpu, {node("a", 1, 200), node("b", 2), node("a", 3, 2)}}, {kMemory, kMemoryOfBoth}},
     "a cpu 3 @2; a memory 5 @1; b cpu 2 memory 6 @1"},
    {"two_old_ones_are",
     {{kCpu, {node("a", 1, 200), node("b", 2), node("a", 3, 300)}}, {kMemory, kMemoryOfBoth}},
     "a memory 5 @1; b cpu 2 memory 6 @1",
     "cpu of 1 of 2 nodes; 1 figures come twice, such as q of a"},
    // F15d: a rate lives on for its window after the exporter was stopped.
    {"without_an_age_it_is_missing",
     {{kCpu, {node("a", 1, -1), node("b", 2)}}, {kMemory, kMemoryOfBoth}},
     "a memory 5 @1; b cpu 2 memory 6 @1",
     "cpu of 1 of 2 nodes; 1 series have no age, such as q of a"},
    {"an_old_one_is_shown_as_old",
     {{kCpu, {node("a", 1, 61), node("b", 2, 60)}}, {kMemory, kMemoryOfBoth}},
     "a cpu 1 @61; a memory 5 @1; b cpu 2 @60; b memory 6 @1",
     "cpu of 1 of 2 nodes"},
};
INSTANTIATE_TEST_SUITE_P(Nodes, JoinMakes, testing::ValuesIn(kNodes),
                         [](const auto& info) { return std::string(info.param.name); });

const Case kAlternatives[] = {
    {"the_first_that_knows_it_wins",
     {{kCpu, {node("a", 1)}}, {kCpu, {node("a", 8), node("b", 9)}}, {kMemory, kMemoryOfBoth}},
     "a cpu 1 memory 5 @1; b cpu 9 memory 6 @1"},
    {"also_if_another_is_newer",
     {{kCpu, {node("a", 1, 9), node("b", 2, 60)}},
      {kCpu, {node("a", 8), node("b", 9)}},
      {kMemory, kMemoryOfBoth}},
     "a cpu 1 @9; a memory 5 @1; b cpu 2 @60; b memory 6 @1"},
    {"unless_it_is_old",
     {{kCpu, {node("a", 1, 100), node("b", 2, 100)}},
      {kCpu, {node("a", 8), node("b", 9, 200)}},
      {kMemory, kMemoryOfBoth}},
     "a cpu 8 memory 5 @1; b cpu 2 @100; b memory 6 @1",
     "cpu of 1 of 2 nodes"},
    {"or_doubtful_or_no_number",
     {{kCpu, {node("a", 1), node("a", 1), node("b", NAN)}},
      {kCpu, {node("a", 8), node("b", 9)}},
      {kMemory, kMemoryOfBoth}},
     "a cpu 8 memory 5 @1; b cpu 9 memory 6 @1",
     "1 figures come twice, such as q of a; 1 values are no numbers, such as q of b"},
    {"an_old_one_is_kept_before_nothing",
     {{kCpu, {node("a", 1, 100), node("b", 2)}},
      {kCpu, {node("a", NAN)}},
      {kMemory, kMemoryOfBoth}},
     "a cpu 1 @100; a memory 5 @1; b cpu 2 memory 6 @1",
     "cpu of 1 of 2 nodes; 1 values are no numbers, such as q of a"},
};
INSTANTIATE_TEST_SUITE_P(Alternatives, JoinMakes, testing::ValuesIn(kAlternatives),
                         [](const auto& info) { return std::string(info.param.name); });

const Query kPodCpu = query(Figure::cpu, Target::pod);
const Query kPodMemory = query(Figure::memory, Target::pod, Unit::bytes);
const Query kRequests = query(Figure::requests, Target::workload, Unit::per_second);
const Query kPodRequests = query(Figure::requests, Target::pod, Unit::per_second);
const Query kPodLatency = query(Figure::latency_p95, Target::pod, Unit::milliseconds);
const char* const kNoNodes = "cpu of 0 of 2 nodes; memory of 0 of 2 nodes";

Point web(double value, double age = 1) {
    return {{{"namespace", "shop"}, {"deployment", "web"}}, value, age};
}

const Case kWorkloads[] = {
    {"use_of_pods",
     {{kPodCpu, {pod("web-1", 0.1), pod("web-2", 0.2005), pod("db-0", 1)}},
      {kPodMemory, {pod("web-1", 1000), pod("db-0", 2000.4)}}},
     "web cpu 301 over 2 without 0 memory 1000 over 1 without 1 @1; db cpu 1000 over 1 without 0 "
     "memory 2000 over 1 without 0 @1",
     kNoNodes},
    {"an_old_pod_counts_as_missing",
     {{kPodCpu, {pod("web-1", 0.1, 3), pod("web-2", 0.2, 100), pod("db-0", 1, 90)}}},
     "web cpu 100 over 1 without 1 @3; db cpu 1000 over 1 without 0 @90",
     kNoNodes},
    {"as_old_as_the_oldest",
     {{kPodCpu, {pod("web-1", 0.1, 3), pod("web-2", 0.2, 7)}}},
     "web cpu 300 over 2 without 0 @7",
     kNoNodes},
    {"what_no_whole_number_holds_is_missing",
     {{kPodMemory, {pod("web-1", 1e300), pod("web-2", -1), pod("db-0", 5)}}},
     "db memory 5 over 1 without 0 @1",
     "cpu of 0 of 2 nodes; memory of 0 of 2 nodes; 2 values are no numbers, such as q of "
     "shop/web-1"},
    {"requests_of_pods_are_added_up",
     {{kPodRequests, {pod("web-1", 3), pod("web-2", 4)}}},
     "web requests 7 @1",
     kNoNodes},
    {"but_a_part_of_them_is_not_all",
     {{kPodRequests, {pod("web-1", 3), pod("db-0", 4)}}},
     "db requests 4 @1",
     "cpu of 0 of 2 nodes; memory of 0 of 2 nodes; 1 workloads have pods that tell no requests, "
     "such as shop/web"},
    {"nor_with_one_that_is_old_or_no_number",
     {{kPodRequests, {pod("web-1", 3), pod("web-2", 4, 100), pod("db-0", NAN)}}},
     "",
     "cpu of 0 of 2 nodes; memory of 0 of 2 nodes; 1 values are no numbers, such as q of "
     "shop/db-0; 1 workloads have pods that tell no requests, such as shop/web"},
    {"the_slowest_pod_is_the_latency",
     {{kPodLatency, {pod("web-1", 250), pod("web-2", 400), pod("db-0", NAN)}}},
     "web p95 0.4 @1",
     "cpu of 0 of 2 nodes; memory of 0 of 2 nodes; 1 values are no numbers, such as q of "
     "shop/db-0"},
    {"a_workloads_own_figure_goes_first",
     {{kPodRequests, {pod("web-1", 3), pod("web-2", 4), pod("db-0", 5)}}, {kRequests, {web(9, 2)}}},
     "web requests 9 @2; db requests 5 @1",
     kNoNodes},
    {"doubtful",
     {{kRequests, {web(9), web(9)}}},
     "",
     "cpu of 0 of 2 nodes; memory of 0 of 2 nodes; 1 figures come twice, such as q of shop/web"},
    {"units",
     {{query(Figure::cpu, Target::workload, Unit::millicores), {web(1500)}}},
     "web cpu 1500 over 1 without 0 @1",
     kNoNodes},
};
INSTANTIATE_TEST_SUITE_P(Workloads, JoinMakes, testing::ValuesIn(kWorkloads),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Join, knows_when_nobody_is_left_to_ask_for) {
    const Directory known = cluster();
    Join join(known, seconds(60));
    EXPECT_FALSE(join.covered(kCpu));
    add(join, kCpu, {node("a", 1)});
    EXPECT_FALSE(join.covered(kCpu));
    add(join, kCpu, {node("b", 1, 61)});
    EXPECT_FALSE(join.covered(kCpu)) << "b is old";
    add(join, kCpu, {node("b", 1, 60)});
    EXPECT_TRUE(join.covered(kCpu));
    EXPECT_FALSE(join.covered(kMemory));
}

TEST(Join, nobody_at_all_is_not_covered_by_nothing) {
    const Directory nobody;
    Join join(nobody, seconds(60));
    EXPECT_TRUE(join.covered(kCpu)) << "there is nobody to ask for";
    EXPECT_EQ(join.finish().remarks(), "");
}

TEST(Join, asks_for_names_only_where_they_could_help) {
    const Directory known = cluster();
    Join join(known, seconds(60));
    const auto needs = [&](std::vector<Label> labels, const Query& what) {
        return join.needs_names(what, {.at = {}, .series = {{.labels = std::move(labels)}}});
    };
    EXPECT_TRUE(needs({{"instance", "x:9100"}}, kCpu));
    EXPECT_FALSE(needs({{"instance", "10.0.0.1:9100"}}, kCpu));
    EXPECT_FALSE(needs({{"job", "x"}}, kCpu));
    EXPECT_FALSE(needs({{"instance", "x:9100"}}, kPodCpu));
    join.learn_names(
        {.at = {}, .series = {{.labels = {{"instance", "x:9100"}, {"nodename", "b"}}}}});
    EXPECT_FALSE(needs({{"instance", "x:9100"}}, kCpu));
}

// A clock that is an hour off on their side changes nothing: ages are computed by their clock
// alone.
TEST(Join, counts_ages_back_from_when_it_asked) {
    for (const double now : {10.0, 5000.0, 1e10}) {
        const Directory known = cluster();
        Join join(known, seconds(60));
        const TimePoint at{static_cast<std::int64_t>(now * 1e6)};
        join.add(kCpu, {.at = at, .series = {{.labels = {{"node", "a"}}, .value = 1}}},
                 {.at = at, .series = {{.value = now - 4}}}, kAsked);
        const Joined joined = join.finish();
        ASSERT_EQ(joined.nodes.size(), 1U);
        EXPECT_NEAR(in_seconds(kAsked - joined.nodes[0].measured), 4, 1e-5);
    }
}

TEST(Join, figures_of_one_scrape_are_one_sample_however_long_asking_takes) {
    const Directory known = cluster();
    Join join(known, seconds(60));
    for (const double later : {0.0, 1.5}) {
        const TimePoint at{static_cast<std::int64_t>((kNow + later) * 1e6)};
        const TimePoint asked = kAsked + milliseconds(static_cast<std::int64_t>(later * 1000) + 7);
        join.add(later > 0 ? kCpu : kMemory,
                 {.at = at, .series = {{.labels = {{"node", "a"}}, .value = 1}}},
                 {.at = at, .series = {{.value = kNow - 4}}}, asked);
    }
    EXPECT_EQ(text_of(join.finish()), "a cpu 1 memory 1 @3.993");
}

TEST(Join, an_age_must_be_a_time) {
    for (const double stamp : {-1.0, 1e12, 1e300}) {
        const Directory known = cluster();
        Join join(known, seconds(60));
        join.add(kCpu, {.at = TimePoint{}, .series = {{.labels = {{"node", "a"}}, .value = 1}}},
                 {.at = TimePoint{}, .series = {{.value = stamp}}}, kAsked);
        EXPECT_EQ(join.finish().undated.count, 1U) << stamp;
    }
}

}  // namespace
}  // namespace parley::prometheus
