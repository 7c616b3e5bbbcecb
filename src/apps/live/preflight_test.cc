#include "apps/live/preflight.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(Preflight, a_page_without_trouble_says_so) {
    Preflight page{.title = "staging, Kubernetes 1.35.4, for mode observe"};
    page.findings = {{"access", Verdict::ok, "answers in 18 ms"},
                     {"sources", Verdict::ok, "api"},
                     {"sources", Verdict::off, "prometheus, by choice"}};
    add_permissions(page, 14, {});
    EXPECT_EQ(print(page),
              "staging, Kubernetes 1.35.4, for mode observe\n\n"
              "access        ok       answers in 18 ms\n"
              "sources       ok       api\n"
              "              off      prometheus, by choice\n"
              "permissions   ok       all 14 that observing needs\n"
              "\nIt would run.\nAll is well. Exit status 0.\n");
    EXPECT_EQ(exit_status(page), 0);
}

TEST(Preflight, what_is_missing_comes_with_its_loss_and_its_rule) {
    Preflight page{.title = "staging"};
    add_permissions(page, 14,
                    {{.group = "coordination.k8s.io",
                      .resource = "leases",
                      .verb = "list",
                      .space = "kube-node-lease",
                      .why = "a lost node is noticed up to 40s later"}});
    EXPECT_EQ(print(page),
              "staging\n\n"
              "permissions   missing  1 of 14: list leases in kube-node-lease\n"
              "\nIt would run.\nWithout leases: a lost node is noticed up to 40s later.\n"
              "The missing rules, for a ClusterRole:\n"
              "  - apiGroups: [coordination.k8s.io]\n"
              "    resources: [leases]\n"
              "    verbs: [list]\n"
              "1 missing. Exit status 1.\n");
    EXPECT_TRUE(page.runs);
}

TEST(Preflight, without_pods_it_does_not_run) {
    Preflight page;
    add_permissions(page, 14,
                    {{.resource = "pods", .verb = "list", .why = "x"},
                     {.resource = "pods", .verb = "watch", .why = "x"}});
    EXPECT_FALSE(page.runs);
    EXPECT_EQ(page.losses.size(), 1U);
    EXPECT_NE(print(page).find("would not see enough"), std::string::npos);
}

}  // namespace
}  // namespace parley::app
