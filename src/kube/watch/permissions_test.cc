#include "kube/watch/permissions.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::kube {
namespace {

TEST(Permissions, observing_reads_every_kind_and_nothing_else) {
    const auto needs = needs_of_observing();
    for (const Need& need : needs) {
        EXPECT_TRUE(need.verb == "list" || need.verb == "watch" || need.verb == "get") << need.verb;
        EXPECT_NE(need.resource, "secrets");
        EXPECT_NE(need.resource, "*");
        EXPECT_FALSE(need.why.empty());
    }
    EXPECT_EQ(needs.size(), kKindCount * 2 + 3);
    const auto leases = std::ranges::find(needs, "leases", &Need::resource);
    EXPECT_EQ(leases->space, "kube-node-lease");
    const auto needed =
        std::ranges::count_if(needs, [](const Need& need) { return !need.optional; });
    EXPECT_GE(needed, 4);
}

TEST(Permissions, in_one_namespace_only_what_has_one_is_asked_there) {
    for (const Need& need : needs_of_observing({"shop"})) {
        if (need.resource == "nodes") EXPECT_EQ(need.space, "");
        if (need.resource == "deployments") EXPECT_EQ(need.space, "shop");
        if (need.resource == "leases") EXPECT_EQ(need.space, "kube-node-lease");
    }
}

TEST(Permissions, a_question_names_all_that_it_is_about) {
    EXPECT_EQ(review_of({.group = "apps", .resource = "deployments", .verb = "list", .space = "a"}),
              R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":)"
              R"({"resourceAttributes":{"namespace":"a","verb":"list","group":"apps",)"
              R"("resource":"deployments"}}})");
}

TEST(Permissions, an_answer_is_yes_no_or_none) {
    EXPECT_TRUE(*allowed_by(R"({"kind":"SelfSubjectAccessReview","status":{"allowed":true}})"));
    EXPECT_FALSE(*allowed_by(R"({"status":{"allowed":false,"reason":"x"}})"));
    for (const char* body : {"", "{}", R"({"status":{}})", R"({"status":{"allowed":"yes"}})"}) {
        EXPECT_FALSE(allowed_by(body)) << body;
    }
}

TEST(Permissions, missing_rules_are_ready_to_paste) {
    const std::vector<Need> needs = {
        {.group = "coordination.k8s.io", .resource = "leases", .verb = "list"},
        {.group = "coordination.k8s.io", .resource = "leases", .verb = "watch"},
        {.resource = "pods", .verb = "watch"},
        {.resource = "nodes", .verb = "watch"},
        {.resource = "namespaces", .verb = "get", .name = "kube-system"},
    };
    EXPECT_EQ(
        rules_yaml(needs),
        "- apiGroups: [\"\"]\n  resources: [nodes, pods]\n  verbs: [watch]\n"
        "- apiGroups: [\"\"]\n  resources: [namespaces]\n  resourceNames: [kube-system]\n"
        "  verbs: [get]\n"
        "- apiGroups: [coordination.k8s.io]\n  resources: [leases]\n  verbs: [list, watch]\n");
    EXPECT_EQ(rules_yaml({}), "");
}

TEST(Permissions, acting_needs_a_rule_for_each_kind_and_the_rest_is_not_carried_out) {
    using model::ActionKind;
    const auto has = [](ActionKind kind, const char* resource, const char* verb) {
        const auto needs = needs_of_acting(kind, "shop", "home");
        return needs && std::ranges::any_of(*needs, [&](const Need& need) {
                   return need.resource == resource && need.verb == verb;
               });
    };
    EXPECT_TRUE(has(ActionKind::migrate, "pods/eviction", "create"));
    EXPECT_FALSE(has(ActionKind::migrate, "pods/resize", "patch"));
    EXPECT_TRUE(has(ActionKind::replicate, "deployments/scale", "update"));
    EXPECT_TRUE(has(ActionKind::throttle, "pods/resize", "patch"));
    EXPECT_FALSE(has(ActionKind::throttle, "pods/eviction", "create"));
    EXPECT_TRUE(has(ActionKind::admission, "jobs", "patch"));
    EXPECT_TRUE(has(ActionKind::admission, "configmaps", "update"));
    EXPECT_FALSE(has(ActionKind::admission, "nodes", "patch"));
    EXPECT_TRUE(has(ActionKind::resource_cap, "resourcequotas", "delete"));
    EXPECT_TRUE(has(ActionKind::power_state, "pods/eviction", "create"));
    EXPECT_TRUE(has(ActionKind::power_state, "pods", "list")) << "to see that a node is empty";
    EXPECT_TRUE(has(ActionKind::dvfs, "nodes", "patch")) << "our mark";
    EXPECT_FALSE(has(ActionKind::dvfs, "pods", "patch"));
    EXPECT_FALSE(needs_of_acting(ActionKind::scale, "shop", "home"));
    const auto anywhere = *needs_of_acting(ActionKind::migrate, "sh*", "home");
    for (const Need& need : anywhere) {
        EXPECT_EQ(need.space, "") << "a pattern is asked for everywhere";
    }
    EXPECT_EQ(needs_of_leading("home").size(), 9U);
}

TEST(Permissions, what_is_lacking_is_said_in_one_sentence) {
    EXPECT_EQ(lacking_text({{.resource = "pods/eviction", .verb = "create", .space = "shop"},
                            {.resource = "nodes", .verb = "patch"}}),
              "may not create pods/eviction in shop nor patch nodes");
    EXPECT_EQ(lacking_text({}), "");
}

TEST(Permissions, telling_and_the_webhook_have_rights_of_their_own) {
    for (const Need& need : needs_of_telling("shop")) {
        EXPECT_EQ(need.group + "/" + need.resource, "events.k8s.io/events");
        EXPECT_EQ(need.space, "shop");
        EXPECT_TRUE(need.optional) << "what is not told is done all the same";
    }
    EXPECT_EQ(needs_of_telling("sh*").front().space, "") << "a pattern is asked for everywhere";
    for (const Need& need : needs_of_webhook()) {
        EXPECT_EQ(need.name.empty(), need.verb == "create") << "a name cannot bound that";
    }
}

TEST(Permissions, a_subresource_is_asked_for_as_such) {
    const std::string review = review_of({.resource = "pods/eviction", .verb = "create"});
    EXPECT_NE(review.find(R"("resource":"pods","subresource":"eviction")"), std::string::npos);
}

}  // namespace
}  // namespace parley::kube
