#include "kube/exercise/exercise_objects.h"

#include "kube/decode/decode.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

const cluster::Filler kFiller{.name = "light-dvfs-2",
                              .phase = "light-dvfs",
                              .pods = 1,
                              .cpu_m = 1'800,
                              .memory = std::int64_t{512} << 20,
                              .node = "node-02"};

/// The body as our own decoder reads it back from a list.
Work read_back(const cluster::Filler& filler) {
    std::string body = deployment_body(filler, "pause:1");
    const std::string uid = R"("uid":"11111111-1111-1111-1111-111111111111","name":)";
    body.replace(body.find(R"("name":)"), 7, uid);
    const auto page = decode_page(
        Kind::deployment,
        R"({"kind":"DeploymentList","metadata":{"resourceVersion":"1"},"items":[)" + body + "]}");
    EXPECT_TRUE(page) << page.error().message;
    EXPECT_TRUE(page->unreadable.empty());
    return std::get<Work>(page->items.at(0));
}

TEST(ExerciseObjects, a_deployment_asks_for_what_its_filler_says) {
    const Work work = read_back(kFiller);
    EXPECT_EQ(work.wanted, 1);
    ASSERT_TRUE(work.pod);
    EXPECT_EQ(work.pod->request.cpu_m, 1'800);
    EXPECT_EQ(work.pod->request.memory, std::int64_t{512} << 20);
    EXPECT_EQ(work.pod->limit, work.pod->request);
    ASSERT_TRUE(work.pod->node_terms);
    EXPECT_EQ(work.pod->node_terms->size(), 1U);
    EXPECT_TRUE(work.pod->node_selector.empty());
    EXPECT_EQ(deployment_body(kFiller, "pause:1").find("args"), std::string::npos);
}

TEST(ExerciseObjects, pods_that_are_to_wait_select_a_node_that_is_not_there) {
    cluster::Filler filler = kFiller;
    filler.node.clear();
    filler.nowhere = true;
    const Work work = read_back(filler);
    EXPECT_FALSE(work.pod->node_terms);
    EXPECT_EQ(work.pod->node_selector.size(), 1U);
}

TEST(ExerciseObjects, pods_that_use_what_they_ask_for_tell_it_to_parley) {
    cluster::Filler filler = kFiller;
    filler.burns_cpu = true;
    EXPECT_NE(deployment_body(filler, "parley:dev").find(R"("args":["load","--cpu","1800m"])"),
              std::string::npos);
    filler.holds_memory = true;
    EXPECT_NE(
        deployment_body(filler, "parley:dev").find(R"("load","--cpu","1800m","--memory","512Mi"])"),
        std::string::npos);
}

TEST(ExerciseObjects, a_namespace_says_who_made_it) {
    std::string body = namespace_body("parley-exercise");
    body.replace(body.find(R"("metadata":{)"), 12, R"("metadata":{"uid":"u-1",)");
    const auto seen = read_namespace(body);
    ASSERT_TRUE(seen) << seen.error().message;
    EXPECT_TRUE(seen->made_here);
    EXPECT_FALSE(seen->leaving);
    const auto other =
        read_namespace(R"({"metadata":{"uid":"u","deletionTimestamp":"2026-01-01T00:00:00Z"}})");
    ASSERT_TRUE(other);
    EXPECT_FALSE(other->made_here);
    EXPECT_TRUE(other->leaving);
    for (const char* broken : {"", "{}", "[]", "<html>", R"({"metadata":7})"}) {
        EXPECT_FALSE(read_namespace(broken)) << broken;
    }
}

TEST(ExerciseObjects, names_of_a_list) {
    EXPECT_EQ(*read_names(R"({"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]})", 1),
              std::vector<std::string>{"a"});
    EXPECT_TRUE(read_names(R"({"items":[]})", 9)->empty());
    EXPECT_FALSE(read_names(R"({"kind":"Status"})", 9));
    EXPECT_FALSE(read_names("<html>", 9));
}

}  // namespace
}  // namespace parley::kube
