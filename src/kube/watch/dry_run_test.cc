#include "kube/watch/dry_run.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

TEST(DryRun, it_is_said_in_the_query) {
    const auto patch = as_dry_run({.method = "PATCH", .target = "/api/v1/nodes/n?fieldManager=p"});
    EXPECT_EQ(patch.target, "/api/v1/nodes/n?fieldManager=p&dryRun=All");
    const auto post = as_dry_run({.method = "POST", .target = "/a", .body = R"({"kind":"A"})"});
    EXPECT_EQ(post.target, "/a?dryRun=All");
    EXPECT_EQ(post.body, R"({"kind":"A"})");
}

TEST(DryRun, of_a_deletion_it_is_said_in_the_body_too) {
    const auto with = [](std::string body) {
        return as_dry_run({.method = "DELETE", .target = "/a", .body = std::move(body)});
    };
    EXPECT_EQ(with(R"({"preconditions":{"uid":"u"}})").body,
              R"({"dryRun":["All"],"preconditions":{"uid":"u"}})");
    EXPECT_EQ(with("{}").body, R"({"dryRun":["All"]})");
    EXPECT_EQ(with("").body, "");
    EXPECT_EQ(with("").target, "/a?dryRun=All");
}

}  // namespace
}  // namespace parley::kube
