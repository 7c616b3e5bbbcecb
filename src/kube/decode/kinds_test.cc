#include "kube/decode/kinds.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::kube {
namespace {

struct Case {
    const char* name;
    Kind kind;
    const char* space;
    const char* path;
};

const Case kCases[] = {
    {"core_everywhere", Kind::pod, "", "/api/v1/pods"},
    {"core_in_one", Kind::pod, "shop", "/api/v1/namespaces/shop/pods"},
    {"cluster_scoped", Kind::node, "", "/api/v1/nodes"},
    {"cluster_scoped_in_one", Kind::node, "shop", "/api/v1/nodes"},
    {"namespaces", Kind::space, "shop", "/api/v1/namespaces"},
    {"group", Kind::deployment, "", "/apis/apps/v1/deployments"},
    {"group_in_one", Kind::hpa, "shop",
     "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers"},
    {"leases", Kind::lease, "", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"},
    {"leases_in_one", Kind::lease, "shop",
     "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"},
    {"of_others", Kind::scaled_object, "", "/apis/keda.sh/v1alpha1/scaledobjects"},
    {"of_karpenter", Kind::node_claim, "shop", "/apis/karpenter.sh/v1/nodeclaims"},
};

class ListPath : public testing::TestWithParam<Case> {};

TEST_P(ListPath, names_where_it_is_served) {
    EXPECT_EQ(list_path(GetParam().kind, GetParam().space), GetParam().path);
}
INSTANTIATE_TEST_SUITE_P(, ListPath, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(Kinds, stand_in_the_order_of_their_enumeration) {
    std::set<std::string> paths;
    std::size_t at = 0;
    for (const KindFacts& facts : all_kinds()) {
        EXPECT_EQ(static_cast<std::size_t>(facts.kind), at++);
        EXPECT_EQ(&facts_of(facts.kind), &facts);
        EXPECT_TRUE(paths.insert(list_path(facts.kind)).second);
    }
    EXPECT_EQ(at, kKindCount);
}

TEST(Kinds, leases_and_what_has_no_namespace_are_listed_once) {
    for (const KindFacts& facts : all_kinds()) {
        const bool once = list_path(facts.kind, "shop") == list_path(facts.kind);
        EXPECT_EQ(listed_by_namespace(facts), !once) << facts.plural;
    }
}

TEST(Kinds, decisions_rest_on_nodes_pods_and_leases_alone) {
    for (const KindFacts& facts : all_kinds()) {
        const bool expected =
            facts.kind == Kind::node || facts.kind == Kind::pod || facts.kind == Kind::lease;
        EXPECT_EQ(facts.decisive, expected) << facts.plural;
        EXPECT_FALSE(facts.decisive && facts.optional) << facts.plural;
    }
}

TEST(Kinds, of_events_only_warnings_are_asked_for) {
    EXPECT_EQ(list_query(Kind::event), "fieldSelector=type%3DWarning");
    EXPECT_EQ(list_query(Kind::pod), "");
}

}  // namespace
}  // namespace parley::kube
