#include "kube/picture/pending.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace parley::kube {
namespace {

using model::Cause;
using model::CauseSet;

std::string shown(CauseSet causes) {
    std::string out;
    for (const Cause cause :
         {Cause::selector, Cause::cpu, Cause::memory, Cause::pods, Cause::taint, Cause::affinity,
          Cause::volume, Cause::image, Cause::our_hold, Cause::other_gate, Cause::other_scheduler,
          Cause::unknown, Cause::resource, Cause::port, Cause::claim, Cause::impossible}) {
        if (causes.has(cause)) out += (out.empty() ? "" : " ") + std::string(enum_name(cause));
    }
    return out;
}

Node node_named(const std::string& name, const std::string& zone) {
    Node node;
    node.meta.name = name;
    node.labels = {{"kubernetes.io/hostname", name}, {"size", "8"}, {"zone", zone}};
    node.allocatable = {10'000, std::int64_t{10} << 30};
    node.pods_allocatable = 110;
    return node;
}

/// Three nodes in two zones; a and b have room for 1 CPU, 1 GiB and a pod, c has none.
struct Nodes {
    Node a = node_named("a", "z1");
    Node b = node_named("b", "z2");
    Node c = node_named("c", "z2");
    std::vector<NodeRoom> rooms = {
        {&a, {1000, 1 << 30}, 1}, {&b, {1000, 1 << 30}, 1}, {&c, {0, 0}, 0}};
};

struct Case {
    const char* name;
    std::function<void(PodTemplate&, Evidence&, Surroundings&, Nodes&)> change;
    const char* expected;
};

const Case kCases[] = {
    {"not_tried_yet", [](auto&, auto&, auto&, auto&) {}, ""},
    {"room_but_unschedulable", [](auto&, Evidence& e, auto&, auto&) { e.unschedulable = true; },
     "unknown"},
    {"cpu", [](PodTemplate& p, auto&, auto&, auto&) { p.request.cpu_m = 1001; }, "cpu pods"},
    {"just_fits", [](PodTemplate& p, auto&, auto&, auto&) { p.request = {1000, 1 << 30}; }, ""},
    {"memory", [](PodTemplate& p, auto&, auto&, auto&) { p.request.memory = (1 << 30) + 1; },
     "memory pods"},
    {"each_node_short_of_another",
     [](PodTemplate& p, auto&, auto&, Nodes& n) {
         p.request = {900, 900};
         n.rooms = {{&n.a, {0, 1000}, 1}, {&n.b, {1000, 0}, 1}};
     },
     "cpu memory"},
    {"pods", [](auto&, auto&, auto&, Nodes& n) { n.rooms[0].pods_free = n.rooms[1].pods_free = 0; },
     "pods"},
    {"asks_for_nothing_of_a_full_node",
     [](auto&, auto&, auto&, Nodes& n) { n.rooms = {{&n.a, {-5, -5}, 1}}; }, ""},
    {"selector", [](PodTemplate& p, auto&, auto&, auto&) { p.node_selector = {{"disk", "ssd"}}; },
     "selector impossible"},
    {"selector_by_value",
     [](PodTemplate& p, auto&, auto&, auto&) { p.node_selector = {{"zone", "z3"}}; },
     "selector impossible"},
    {"selector_that_matches",
     [](PodTemplate& p, auto&, auto&, auto&) { p.node_selector = {{"zone", "z1"}}; }, ""},
    {"shortage_only_where_it_may_go",
     [](PodTemplate& p, auto&, auto&, Nodes& n) {
         p.node_selector = {{"zone", "z1"}};
         n.rooms[0].free.cpu_m = 0;
         p.request.cpu_m = 1;
     },
     "cpu"},
    {"node_affinity",
     [](PodTemplate& p, auto&, auto&, auto&) {
         p.node_terms = {{{{{"arch", Operator::in, {"arm64"}}}, {}}}};
     },
     "affinity impossible"},
    {"one_term_is_enough",
     [](PodTemplate& p, auto&, auto&, auto&) {
         p.node_terms = {
             {{{{"arch", Operator::exists, {}}}, {}}, {{{"zone", Operator::exists, {}}}, {}}}};
     },
     ""},
    {"a_term_of_nothing_matches_nothing",
     [](PodTemplate& p, auto&, auto&, auto&) { p.node_terms = {{{}}}; }, "affinity impossible"},
    {"a_daemons_full_node",
     [](PodTemplate& p, auto&, auto&, auto&) {
         p.request.cpu_m = 1;
         p.node_terms = {{{{}, {{"metadata.name", Operator::in, {"c"}}}}}};
     },
     "cpu pods"},
    {"greater",
     [](PodTemplate& p, auto&, auto&, auto&) {
         p.node_terms = {{{{{"size", Operator::greater, {"7"}}}, {}}}};
     },
     ""},
    {"not_greater",
     [](PodTemplate& p, auto&, auto&, auto&) {
         p.node_terms = {{{{{"size", Operator::greater, {"8"}}}, {}}}};
     },
     "affinity impossible"},
    {"unknown_operator",
     [](PodTemplate& p, auto&, auto&, auto&) {
         p.node_terms = {{{{{"size", Operator::unknown, {"8"}}}, {}}}};
     },
     "affinity impossible"},
    {"taint",
     [](auto&, auto&, auto&, Nodes& n) {
         for (Node* node : {&n.a, &n.b, &n.c})
             node->taints = {{"gpu", "", TaintEffect::no_schedule}};
     },
     "taint"},
    {"tainted_but_for_the_full_one",
     [](PodTemplate& p, auto&, auto&, Nodes& n) {
         p.request.cpu_m = 1;
         for (Node* node : {&n.a, &n.b}) node->taints = {{"gpu", "", TaintEffect::no_execute}};
     },
     "cpu pods"},
    {"cordoned",
     [](auto&, auto&, auto&, Nodes& n) {
         n.a.unschedulable = n.b.unschedulable = n.c.unschedulable = true;
     },
     "taint"},
    {"gates_come_first",
     [](PodTemplate& p, auto&, auto&, auto&) {
         p.gates = {"parley.dev/hold", "kueue.x-k8s.io/admission"};
         p.request.cpu_m = 9000;
     },
     "our_hold other_gate"},
    {"our_hold_alone", [](PodTemplate& p, auto&, auto&, auto&) { p.gates = {"parley.dev/hold"}; },
     "our_hold"},
    {"other_scheduler",
     [](PodTemplate& p, auto&, auto&, auto&) {
         p.scheduler = "volcano";
         p.request.cpu_m = 9000;
     },
     "other_scheduler"},
    {"volume", [](auto&, auto&, Surroundings& s, auto&) { s.volume_trouble = true; }, "volume"},
    {"volume_and_cpu",
     [](PodTemplate& p, auto&, Surroundings& s, auto&) {
         s.volume_trouble = true;
         p.request.cpu_m = 9000;
     },
     "cpu pods volume"},
    {"apart_from_all",
     [](PodTemplate& p, auto&, Surroundings& s, auto&) {
         p.apart = {{.selector = Selector(), .topology = "zone"}};
         s.apart = {{"z1", "z2"}};
     },
     "affinity"},
    {"apart_from_some",
     [](PodTemplate& p, auto&, Surroundings& s, auto&) {
         p.apart = {{.selector = Selector(), .topology = "zone"}};
         s.apart = {{"z2"}};
     },
     ""},
    {"apart_and_the_rest_is_full",
     [](PodTemplate& p, auto&, Surroundings& s, auto&) {
         p.request.cpu_m = 1;
         p.apart = {{.selector = Selector(), .topology = "kubernetes.io/hostname"}};
         s.apart = {{"a", "b"}};
     },
     "cpu pods"},
    {"near_nobody",
     [](PodTemplate& p, auto&, Surroundings& s, auto&) {
         p.near = {{.selector = Selector{{"app", Operator::in, {"cache"}}}, .topology = "zone"}};
         s.near = {{}};
     },
     "affinity"},
    {"near_itself_as_the_first",
     [](PodTemplate& p, auto&, Surroundings& s, auto&) {
         p.labels = {{"app", "web"}};
         p.near = {{.selector = Selector{{"app", Operator::in, {"web"}}}, .topology = "zone"}};
         s.near = {{}};
     },
     ""},
    {"near_where_no_node_has_the_label",
     [](PodTemplate& p, auto&, Surroundings& s, auto&) {
         p.near = {{.selector = Selector(), .topology = "rack"}};
         s.near = {{"r1"}};
     },
     "affinity"},
    {"spread_by_the_message",
     [](PodTemplate& p, Evidence& e, auto&, auto&) {
         p.spread = {{.selector = Selector(), .topology = "zone"}};
         e = {.unschedulable = true, .affinity = true};
     },
     "affinity"},
    {"a_volume_it_does_not_have_is_no_cause",
     [](auto&, Evidence& e, auto&, auto&) { e = {.unschedulable = true, .volume = true}; },
     "unknown"},
    {"others_keep_it_apart_by_the_message",
     [](auto&, Evidence& e, auto&, auto&) { e = {.unschedulable = true, .affinity = true}; },
     "affinity"},
    {"volume_by_the_message",
     [](PodTemplate& p, Evidence& e, auto&, auto&) {
         p.claims = {"data"};
         e = {.unschedulable = true, .volume = true};
     },
     "volume"},
    {"a_device_by_the_message",
     [](auto&, Evidence& e, auto&, auto&) { e = {.unschedulable = true, .resource = true}; },
     "resource"},
    {"a_port_by_the_message",
     [](auto&, Evidence& e, auto&, auto&) { e = {.unschedulable = true, .port = true}; }, "port"},
    {"as_large_as_the_largest",
     [](PodTemplate& p, auto&, auto&, auto&) { p.request.cpu_m = 10'000; }, "cpu pods"},
    {"larger_than_any", [](PodTemplate& p, auto&, auto&, auto&) { p.request.cpu_m = 10'001; },
     "cpu impossible"},
    {"more_memory_than_any",
     [](PodTemplate& p, auto&, auto&, auto&) { p.request.memory = (std::int64_t{10} << 30) + 1; },
     "memory impossible"},
    {"larger_than_any_that_it_selects",
     [](PodTemplate& p, auto&, auto&, Nodes& n) {
         n.a.allocatable.cpu_m = 900;
         p.node_selector = {{"zone", "z1"}};
         p.request.cpu_m = 901;
     },
     "cpu impossible"},
    {"large_enough_but_tainted",
     [](PodTemplate& p, auto&, auto&, Nodes& n) {
         p.request.cpu_m = 9000;
         for (Node* node : {&n.a, &n.b, &n.c}) node->unschedulable = true;
     },
     "taint"},
    {"a_claimed_device_by_the_message",
     [](PodTemplate& p, Evidence& e, auto&, auto&) {
         p.devices = true;
         e = {.unschedulable = true, .claim = true};
     },
     "claim"},
    {"claims_a_device_and_nobody_speaks_of_it",
     [](PodTemplate& p, auto&, auto&, auto&) { p.devices = true; }, "claim"},
    {"a_claim_it_does_not_have_is_no_cause",
     [](auto&, Evidence& e, auto&, auto&) { e = {.unschedulable = true, .claim = true}; },
     "unknown"},
    {"no_nodes_at_all", [](auto&, auto&, auto&, Nodes& n) { n.rooms.clear(); }, "unknown"},
};

class Causes : public testing::TestWithParam<Case> {};

TEST_P(Causes, are_a_set) {
    PodTemplate pod;
    Evidence evidence;
    Surroundings around;
    Nodes nodes;
    GetParam().change(pod, evidence, around, nodes);
    EXPECT_EQ(shown(causes_of(pod, evidence, around, nodes.rooms)), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(, Causes, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(Tolerates, as_kubernetes_does) {
    Node node;
    node.taints = {{"gpu", "a100", TaintEffect::no_schedule}};
    const auto with = [&](const Toleration& toleration) { return tolerates({toleration}, node); };
    EXPECT_FALSE(tolerates({}, node));
    EXPECT_TRUE(with({.key = "gpu", .exists = true, .value = ""}));
    EXPECT_TRUE(with({.key = "gpu", .value = "a100"}));
    EXPECT_FALSE(with({.key = "gpu", .value = "h100"}));
    EXPECT_TRUE(with({.key = "", .exists = true, .value = ""}));
    EXPECT_FALSE(with({.key = "", .value = "a100"}));
    EXPECT_FALSE(
        with({.key = "gpu", .exists = true, .value = "", .effect = TaintEffect::no_execute}));
    EXPECT_TRUE(
        with({.key = "gpu", .exists = true, .value = "", .effect = TaintEffect::no_schedule}));
    node.taints = {{"gpu", "", TaintEffect::prefer_no_schedule}};
    EXPECT_TRUE(tolerates({}, node));
    node.taints = {{"gpu", "", TaintEffect::unknown}};
    EXPECT_FALSE(tolerates({}, node));
    node.taints = {};
    node.unschedulable = true;
    EXPECT_FALSE(tolerates({}, node));
    EXPECT_TRUE(with({.key = "node.kubernetes.io/unschedulable", .exists = true, .value = ""}));
}

TEST(Matches, selectors_as_kubernetes_does) {
    const Labels labels = {{"app", "web"}, {"tier", "front"}};
    const auto one = [&](const char* key, Operator op, std::vector<std::string> values = {}) {
        return matches(Selector{{key, op, std::move(values)}}, labels);
    };
    EXPECT_TRUE(matches(Selector(), labels));
    EXPECT_TRUE(one("app", Operator::in, {"api", "web"}));
    EXPECT_FALSE(one("app", Operator::in, {"api"}));
    EXPECT_FALSE(one("none", Operator::in, {"web"}));
    EXPECT_TRUE(one("app", Operator::not_in, {"api"}));
    EXPECT_FALSE(one("app", Operator::not_in, {"web"}));
    EXPECT_TRUE(one("none", Operator::not_in, {"web"}));
    EXPECT_TRUE(one("app", Operator::exists));
    EXPECT_FALSE(one("ap", Operator::exists));
    EXPECT_TRUE(one("none", Operator::absent));
    EXPECT_FALSE(one("tier", Operator::absent));
    EXPECT_FALSE(one("app", Operator::less, {"5"}));
    EXPECT_FALSE(
        matches(Selector{{"app", Operator::exists, {}}, {"none", Operator::exists, {}}}, labels));
}

}  // namespace
}  // namespace parley::kube
