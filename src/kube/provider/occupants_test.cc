#include "kube/provider/occupants.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

std::string pod(const std::string& name, const std::string& more = "",
                const std::string& phase = "Running") {
    return R"({"metadata":{"namespace":"shop","name":")" + name + "\"" + more +
           R"(},"status":{"phase":")" + phase + R"("}})";
}

std::string list(const std::string& items, const std::string& meta = "") {
    return R"({"kind":"PodList","metadata":{)" + meta + R"(},"items":[)" + items + "]}";
}

TEST(Occupants, are_pods_that_have_not_ended_and_are_not_everywhere) {
    const std::string owned = R"(,"ownerReferences":[{"kind":")";
    struct Case {
        std::string items;
        const char* there;
    };
    for (const Case& each : std::initializer_list<Case>{
             {"", ""},
             {pod("web-1"), "shop/web-1"},
             {pod("web-1") + "," + pod("web-2") + "," + pod("web-3"), "shop/web-1 and 2 more"},
             {pod("web-1", "", "Pending"), "shop/web-1"},
             {pod("web-1", R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")"), "shop/web-1"},
             {pod("job-1", "", "Succeeded") + "," + pod("job-2", "", "Failed"), ""},
             {pod("log-1", owned + R"(DaemonSet"}])"), ""},
             {pod("web-1", owned + R"(ReplicaSet"}])"), "shop/web-1"},
             {pod("etcd", R"(,"annotations":{"kubernetes.io/config.mirror":"x"})"), ""}}) {
        const auto there = occupants_in(list(each.items));
        ASSERT_TRUE(there) << there.error().message;
        EXPECT_EQ(*there, each.there);
    }
}

TEST(Occupants, are_not_taken_to_be_none_where_the_list_is_not_whole) {
    EXPECT_FALSE(occupants_in("{}"));
    EXPECT_FALSE(occupants_in("<p>"));
    EXPECT_FALSE(occupants_in(R"({"items":[1]})"));
    EXPECT_FALSE(occupants_in(list("", R"("continue":"abc")")));
}

TEST(Occupants, are_listed_by_their_node) {
    EXPECT_EQ(occupants_path("node-1"),
              "/api/v1/pods?limit=1000&fieldSelector=spec.nodeName%3Dnode-1");
}

}  // namespace
}  // namespace parley::kube
