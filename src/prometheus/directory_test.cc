#include "prometheus/directory.h"

#include <gtest/gtest.h>

namespace parley::prometheus {
namespace {

using model::WorkloadKind;

/// `node=a, instance=b` as a series.
Series series(std::vector<Label> labels) { return {.labels = std::move(labels), .value = 1}; }

Answer names(std::vector<std::pair<const char*, const char*>> instances) {
    Answer out;
    for (const auto& [instance, name] : instances) {
        out.series.push_back(series({{"instance", instance}, {"nodename", name}}));
    }
    return out;
}

Directory cluster() {
    Directory out;
    out.nodes = {{{0, 1}, "worker", {"10.0.0.1", "worker"}},
                 {{0, 2}, "worker2", {"10.0.0.2", "fd00::2", "worker2.example.org"}},
                 {{0, 3}, "ip-10-0-0-3.ec2.internal", {"10.0.0.3", "ip-10-0-0-3.ec2.internal"}}};
    out.workloads = {{{1, 1}, {Name::of("shop"), WorkloadKind::deployment, Name::of("web")}},
                     {{1, 2}, {Name::of("shop"), WorkloadKind::stateful_set, Name::of("web")}},
                     {{1, 3}, {Name::of("shop"), WorkloadKind::stateful_set, Name::of("db")}},
                     {{1, 4}, {Name::of("bank"), WorkloadKind::deployment, Name::of("web")}}};
    out.pods = {{"shop", "web-1", {1, 1}}, {"shop", "web-11", {1, 1}}, {"bank", "web-1", {1, 4}}};
    return out;
}

TEST(Directory, takes_the_host_out_of_an_instance) {
    const std::pair<const char*, const char*> kCases[] = {
        {"10.0.0.1:9100", "10.0.0.1"},
        {"10.0.0.1", "10.0.0.1"},
        {"worker:9100", "worker"},
        {"worker", "worker"},
        {"[fd00::2]:9100", "fd00::2"},
        {"[fd00::2]", "fd00::2"},
        {"fd00::2", "fd00::2"},
        {"[FD00:0:0::0:2]:1", "fd00::2"},
        {"[fd00::2", ""},
        {"[fd00::2]9100", ""},
        {"[fd00::2]:", ""},
        {"worker:", ""},
        {"worker:http", ""},
        {"", ""},
        {"::ffff:10.0.0.1", "::ffff:10.0.0.1"},
    };
    for (const auto& [instance, host] : kCases) EXPECT_EQ(host_of(instance), host) << instance;
}

struct Case {
    const char* name;
    std::vector<Label> labels;
    int node = -1;  ///< Which of the directory's; none.
    std::vector<std::string> naming = {};
};

class NodeIsFound : public testing::TestWithParam<Case> {};

TEST_P(NodeIsFound, by_exact_identity) {
    const Directory known = cluster();
    Lookup lookup(known);
    lookup.learn(names({{"exporter-x:9100", "worker2"},
                        {"10.9.9.9:9100", "worker"},
                        {"two:9100", "worker"},
                        {"two:9100", "worker2"},
                        {"other:9100", "worker22"},
                        {"10.0.0.2:9100", "worker"}}));
    const Query query{.name = "x", .labels = GetParam().naming};
    const auto found = lookup.find(series(GetParam().labels), query);
    EXPECT_EQ(found ? static_cast<int>(*found) : -1, GetParam().node);
}

const Case kNodes[] = {
    // Kubelet and cAdvisor: a label names the node.
    {"kubelet", {{"node", "worker2"}, {"instance", "10.0.0.2:10250"}}, 1},
    {"kubelet_behind_another_address", {{"node", "worker"}, {"instance", "1.2.3.4:10250"}}, 0},
    // kube-prometheus-stack: node-exporter by address, and behind a proxy by node_uname_info.
    {"exporter_by_address", {{"instance", "10.0.0.1:9100"}}, 0},
    {"exporter_by_uname", {{"instance", "exporter-x:9100"}}, 1},
    {"exporter_in_its_own_network", {{"instance", "10.9.9.9:9100"}}, 0},
    {"exporter_whose_address_is_told_otherwise", {{"instance", "10.0.0.2:9100"}}, 1},
    {"exporter_with_two_names", {{"instance", "two:9100"}}},
    {"exporter_of_no_node", {{"instance", "other:9100"}}},
    {"exporter_on_another_port", {{"instance", "exporter-x:9101"}}},
    {"exporter_ipv6", {{"instance", "[fd00:0::2]:9100"}}, 1},
    {"exporter_ipv6_without_port", {{"instance", "fd00::2"}}, 1},
    // Written by hand: the instance is a name.
    {"by_name_and_port", {{"instance", "worker2:9100"}}, 1},
    {"by_name", {{"instance", "worker"}}, 0},
    {"by_full_name", {{"instance", "worker2.example.org:9100"}}, 1},
    // EKS and Datadog: labels of the node, mapped.
    {"hostname_label",
     {{"kubernetes_io_hostname", "ip-10-0-0-3.ec2.internal"}, {"instance", "kubernetes"}},
     2},
    {"kubernetes_node", {{"kubernetes_node", "worker"}}, 0},
    {"host", {{"host", "worker2"}}, 1},
    {"host_is_an_address", {{"host", "10.0.0.3"}}, 2},
    {"hostname", {{"hostname", "worker"}}, 0},
    {"nodename", {{"nodename", "worker"}}, 0},
    {"of_its_own", {{"machine", "worker2"}}, 1, {"machine"}},
    {"of_its_own_but_not_there", {{"instance", "10.0.0.1:9100"}}, 0, {"machine"}},
    {"of_its_own_in_order", {{"b", "worker2"}, {"a", "worker"}}, 0, {"a", "b"}},
    // Never by a part of a name.
    {"a_longer_name", {{"node", "worker22"}}},
    {"a_shorter_name", {{"node", "worke"}}},
    {"a_longer_instance", {{"instance", "worker22:9100"}}},
    {"a_longer_address", {{"instance", "10.0.0.11:9100"}}},
    {"a_short_name_of_a_long_one", {{"host", "ip-10-0-0-3"}}},
    {"another_case", {{"node", "Worker"}}},
    {"blank", {{"node", " worker"}}},
    // A node that went, whose address somebody else has now.
    {"a_name_goes_before_an_address", {{"node", "gone"}, {"instance", "10.0.0.1:10250"}}},
    {"no_labels", {}},
};
INSTANTIATE_TEST_SUITE_P(All, NodeIsFound, testing::ValuesIn(kNodes),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Lookup, what_two_nodes_have_in_common_names_nobody) {
    Directory known = cluster();
    known.nodes[0].addresses.emplace_back("10.0.0.2");
    known.nodes.push_back({{0, 9}, "worker2", {}});
    const Lookup lookup(known);
    const Query query{.name = "x"};
    EXPECT_FALSE(lookup.find(series({{"instance", "10.0.0.2:9100"}}), query));
    EXPECT_FALSE(lookup.find(series({{"node", "worker2"}}), query));
    EXPECT_TRUE(lookup.find(series({{"instance", "10.0.0.1:9100"}}), query));
}

TEST(Lookup, finds_workloads_by_namespace_name_and_kind) {
    const Directory known = cluster();
    const Lookup lookup(known);
    const auto find = [&](std::vector<Label> labels, std::vector<std::string> naming = {},
                          std::string space = "namespace") {
        const Query query{.name = "x",
                          .figure = Figure::requests,
                          .target = Target::workload,
                          .labels = std::move(naming),
                          .space = std::move(space)};
        const auto found = lookup.find(series(std::move(labels)), query);
        return found ? static_cast<int>(*found) : -1;
    };
    EXPECT_EQ(find({{"namespace", "shop"}, {"deployment", "web"}}), 0);
    EXPECT_EQ(find({{"namespace", "shop"}, {"statefulset", "web"}}), 1);
    EXPECT_EQ(find({{"namespace", "shop"}, {"statefulset", "db"}}), 2);
    EXPECT_EQ(find({{"namespace", "shop"}, {"app", "db"}}), 2);
    EXPECT_EQ(find({{"namespace", "bank"}, {"service", "web"}}), 3);
    EXPECT_EQ(find({{"ns", "bank"}, {"app", "web"}}, {"app"}, "ns"), 3);
    EXPECT_EQ(find({{"namespace", "shop"}, {"workload", "web"}}), -1) << "two have this name";
    EXPECT_EQ(find({{"namespace", "shop"}, {"deployment", "db"}}), -1) << "of another kind";
    EXPECT_EQ(find({{"namespace", "shop"}, {"daemonset", "web"}}), -1);
    EXPECT_EQ(find({{"namespace", "shop"}, {"app", "d"}}), -1);
    EXPECT_EQ(find({{"app", "db"}}), -1) << "of no namespace";
    EXPECT_EQ(find({{"namespace", "shop"}}), -1);
}

TEST(Lookup, finds_pods_by_namespace_and_name) {
    const Directory known = cluster();
    const Lookup lookup(known);
    const Query query{.name = "x", .figure = Figure::cpu, .target = Target::pod};
    EXPECT_EQ(lookup.find(series({{"namespace", "shop"}, {"pod", "web-1"}}), query), 0U);
    EXPECT_EQ(lookup.find(series({{"namespace", "shop"}, {"pod", "web-11"}}), query), 1U);
    EXPECT_EQ(lookup.find(series({{"namespace", "bank"}, {"pod", "web-1"}}), query), 2U);
    EXPECT_FALSE(lookup.find(series({{"namespace", "bank"}, {"pod", "web-11"}}), query));
    EXPECT_FALSE(lookup.find(series({{"pod", "web-1"}}), query));
    EXPECT_FALSE(lookup.find(series({{"namespace", "shop"}}), query));
}

}  // namespace
}  // namespace parley::prometheus
