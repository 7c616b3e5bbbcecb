#include "kube/watch/discovery.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

TEST(Discovery, reads_the_version_of_a_server) {
    EXPECT_EQ(*server_version(R"({"major":"1","minor":"35","gitVersion":"v1.35.4"})"), "1.35.4");
    EXPECT_EQ(*server_version(R"({"gitVersion":"v1.33.1-eks-abc"})"), "1.33.1-eks-abc");
    for (const char* body : {"", "{}", "[]", R"({"gitVersion":7})", "<html>"}) {
        EXPECT_FALSE(server_version(body)) << body;
    }
}

TEST(Discovery, reads_what_is_served) {
    const auto served = served_versions(
        R"({"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1",)"
        R"("version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1"}},{"name":"autoscaling",)"
        R"("versions":[{"groupVersion":"autoscaling/v2"},{"groupVersion":"autoscaling/v1"}]}]})");
    ASSERT_TRUE(served) << served.error().message;
    EXPECT_EQ(*served, (std::set<std::string>{"apps/v1", "autoscaling/v1", "autoscaling/v2"}));
    EXPECT_TRUE(served_versions(R"({"groups":[]})")->empty());
    for (const char* body : {"", "{}", "[]", "<html>", R"({"groups":)"}) {
        EXPECT_FALSE(served_versions(body)) << body;
    }
}

}  // namespace
}  // namespace parley::kube
