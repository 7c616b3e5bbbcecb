#include "prometheus/queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace parley::prometheus {
namespace {

TEST(Queries, defaults_can_all_be_asked) {
    std::set<std::string> names;
    for (const Query& each : default_queries()) {
        const auto fine = check(each);
        EXPECT_TRUE(fine) << each.name << ": " << fine.error().message;
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        const std::string text = expanded(each.expression, minutes(2));
        EXPECT_EQ(text.find('$'), std::string::npos) << text;
        EXPECT_EQ(std::ranges::count(text, '('), std::ranges::count(text, ')')) << text;
        EXPECT_EQ(std::ranges::count(each.age, '('), std::ranges::count(each.age, ')')) << each.age;
        // An expression that is not a plain selector hides its age, so it must have one.
        const bool selector = text.find_first_of("(-+*") == std::string::npos;
        EXPECT_TRUE(selector || text.empty() || !each.age.empty()) << each.name;
    }
}

TEST(Queries, every_figure_has_one) {
    std::set<Figure> figures;
    for (const Query& each : default_queries()) figures.insert(each.figure);
    EXPECT_EQ(figures.size(), static_cast<std::size_t>(kFigures));
}

TEST(Queries, who_never_failed_is_known_to_fail_at_no_rate) {
    const auto queries = default_queries();
    const auto mesh = std::ranges::find(queries, "failing_linkerd", &Query::name);
    ASSERT_NE(mesh, queries.end());
    EXPECT_EQ(expanded(mesh->expression, minutes(2)),
              "clamp_min(sum by (namespace, deployment, statefulset, daemonset) "
              "(irate(response_total{direction=\"inbound\"}[2m])) - "
              "(sum by (namespace, deployment, statefulset, daemonset) "
              "(irate(response_total{direction=\"inbound\",classification=\"success\"}[2m])) or "
              "sum by (namespace, deployment, statefulset, daemonset) "
              "(irate(response_total{direction=\"inbound\"}[2m])) * 0), 0)");
}

TEST(Queries, what_cannot_be_asked_is_refused_with_what_to_change) {
    struct Case {
        Query query;
        std::string why;
    };
    const Query fine{.name = "q", .expression = "up"};
    const auto with = [&](auto change) {
        Query out = fine;
        change(out);
        return out;
    };
    const Case kCases[] = {
        {fine, ""},
        {{.name = "q", .figure = Figure::requests}, ""},
        {{.expression = "up"}, "the query \"\" has no name"},
        {with([](Query& q) { q.target = Target::pod; }),
         "the query \"q\" is for nodes: its target must be node"},
        {with([](Query& q) { q.figure = Figure::cpu; }),
         "the query \"q\" is for workloads: its target must be workload or pod"},
        {with([](Query& q) { q.unit = Unit::bytes; }),
         "the query \"q\" has a unit that its figure does not come in"},
        {with([](Query& q) {
             q.figure = Figure::node_network;
             q.unit = Unit::bytes_per_second;
         }),
         "the query \"q\" is in bytes per second: say with `full` how many the link can carry"},
        {with([](Query& q) { q.expression = std::string(2000, 'a'); }), ""},
        {with([](Query& q) { q.expression = std::string(2001, 'a'); }),
         "the query \"q\" is over 2000 characters; use a recording rule"},
        {with([](Query& q) { q.age = std::string(2001, 'a'); }),
         "the query \"q\" is over 2000 characters; use a recording rule"},
        {with([](Query& q) { q.age = std::string("a\0b", 3); }),
         "the query \"q\" holds characters that cannot be printed"},
        {with([](Query& q) { q.expression = "sum(\n\tup)"; }), ""},
    };
    for (const Case& c : kCases) {
        const auto checked = check(c.query);
        EXPECT_EQ(checked ? "" : checked.error().message, c.why);
    }
}

TEST(Queries, units_become_ours) {
    EXPECT_EQ(factor({.unit = Unit::cores}), 1);
    EXPECT_EQ(factor({.unit = Unit::millicores}), 0.001);
    EXPECT_EQ(factor({.unit = Unit::percent}), 0.01);
    EXPECT_EQ(factor({.unit = Unit::milliseconds}), 0.001);
    EXPECT_EQ(factor({.unit = Unit::bytes_per_second, .full = 4}), 0.25);
}

TEST(Queries, the_window_and_the_age_are_filled_in) {
    EXPECT_EQ(expanded("rate(a[$window]) / rate(b[$window])", seconds(90)),
              "rate(a[1m30s]) / rate(b[1m30s])");
    EXPECT_EQ(expanded("a", seconds(90)), "a");
    EXPECT_EQ(age_of({.expression = "a{b=\"c\"}"}, minutes(2)), "timestamp(a{b=\"c\"})");
    EXPECT_EQ(age_of({.expression = "a", .age = "max(b[$window])"}, minutes(2)), "max(b[2m])");
}

TEST(Queries, keep_the_labels_that_name_their_target) {
    const auto text = [](const Query& query) {
        std::string out;
        for (const std::string& each : kept_labels(query)) out += each + " ";
        return out;
    };
    EXPECT_EQ(text({}),
              "node instance kubernetes_node kubernetes_io_hostname host hostname nodename ");
    EXPECT_EQ(text({.labels = {"host"}}),
              "host instance kubernetes_node kubernetes_io_hostname hostname nodename ");
    EXPECT_EQ(text({.target = Target::pod}), "pod namespace ");
    EXPECT_EQ(text({.target = Target::workload, .labels = {"w"}, .space = "ns"}), "w ns ");
}

}  // namespace
}  // namespace parley::prometheus
