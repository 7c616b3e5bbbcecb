#include "kube/watch/metrics_server.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

TEST(MetricsServer, takes_the_version_that_the_group_prefers) {
    EXPECT_EQ(
        *preferred_version(
            R"({"kind":"APIGroup","name":"metrics.k8s.io","versions":[{"version":"v1"}],)"
            R"("preferredVersion":{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}})"),
        "v1beta1");
    for (const char* body : {"", "{}", "<html>", R"({"preferredVersion":{}})",
                             R"({"preferredVersion":{"version":"../../api/v1/secrets"}})",
                             R"({"preferredVersion":{"version":7}})"}) {
        EXPECT_FALSE(preferred_version(body)) << body;
    }
}

}  // namespace
}  // namespace parley::kube
