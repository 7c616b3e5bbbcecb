#include "kube/exercise/exercise_stage.h"

#include "http/imposter.h"
#include "http/test_loop.h"

#include <gtest/gtest.h>

#include <map>

namespace parley::kube {
namespace {

using http::Reply;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};
constexpr const char* kOwnSpace =
    R"({"metadata":{"uid":"u-1","annotations":{"parley.dev/made-by":"exerciser"}}})";
constexpr const char* kTheirSpace = R"({"metadata":{"uid":"u-2"}})";
constexpr const char* kNothing =
    R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[]})";

/// Answers by method and path, without what stands behind a `?`; what is not scripted is empty.
struct StageTest : testing::Test {
    std::map<std::string, Reply> script;
    http::TestLoop loop;
    http::Imposter server{loop.executor(), [this](const http::Request& request) {
                              const std::string path =
                                  request.target.substr(0, request.target.find('?'));
                              const auto found = script.find(request.method + " " + path);
                              if (found != script.end()) return found->second;
                              return Reply{.headers = kJson, .body = kNothing};
                          }};
    std::shared_ptr<Api> api;
    std::unique_ptr<ExerciseStage> stage;

    StageTest() {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        api = *Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        stage = std::make_unique<ExerciseStage>(
            api, StageOptions{.space = "ex", .image = "pause:1", .events = {}});
    }

    void answer(const std::string& what, std::string body, int status = 200) {
        script[what] = Reply{.status = status, .headers = kJson, .body = std::move(body)};
    }
    std::vector<std::string> asked() const {
        std::vector<std::string> out;
        for (const http::Request& request : server.requests()) {
            out.push_back(request.method + " " + request.target);
        }
        return out;
    }
};

const std::string kDeployments = "/apis/apps/v1/namespaces/ex/deployments";
const std::string kOursOnly = "?labelSelector=app.kubernetes.io%2Fpart-of%3Dparley-exerciser";

TEST_F(StageTest, makes_its_namespace_if_it_is_not_there) {
    answer("GET /api/v1/namespaces/ex", "{}", 404);
    const auto opened = loop.ask(stage->open());
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_TRUE(opened->made);
    EXPECT_EQ(asked(),
              (std::vector<std::string>{"GET /api/v1/namespaces/ex", "POST /api/v1/namespaces"}));
}

TEST_F(StageTest, deletes_what_an_exerciser_before_left_and_nothing_else) {
    answer("GET /api/v1/namespaces/ex", kTheirSpace);
    answer("GET " + kDeployments, R"({"items":[{"metadata":{"name":"light-dvfs"}}]})");
    const auto opened = loop.ask(stage->open());
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_FALSE(opened->made);
    EXPECT_EQ(opened->leftovers, 1);
    EXPECT_EQ(asked().back(),
              "DELETE " + kDeployments + kOursOnly + "&propagationPolicy=Background");
}

TEST_F(StageTest, a_namespace_that_is_being_deleted_is_left_alone) {
    answer("GET /api/v1/namespaces/ex",
           R"({"metadata":{"uid":"u","deletionTimestamp":"2026-01-01T00:00:00Z"}})");
    const auto opened = loop.ask(stage->open());
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_TRUE(opened->going);
    EXPECT_EQ(asked(), std::vector<std::string>{"GET /api/v1/namespaces/ex"});
}

TEST_F(StageTest, a_namespace_that_somebody_else_made_meanwhile_is_used) {
    answer("GET /api/v1/namespaces/ex", "{}", 404);
    answer("POST /api/v1/namespaces",
           R"({"kind":"Status","code":409,"message":"namespaces ex already exists"})", 409);
    const auto opened = loop.ask(stage->open());
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_FALSE(opened->made);
    EXPECT_FALSE(opened->going);
}

TEST_F(StageTest, says_what_it_may_not) {
    answer("GET /api/v1/namespaces/ex", "{}", 404);
    answer("POST /api/v1/namespaces",
           R"({"kind":"Status","code":403,"message":"namespaces is forbidden"})", 403);
    const auto opened = loop.ask(stage->open());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::denied);
    EXPECT_EQ(opened.error().message, "making namespace ex: 403, namespaces is forbidden");
}

TEST_F(StageTest, a_write_without_an_answer_has_an_unknown_outcome) {
    script["POST " + kDeployments] = Reply{.manner = Reply::Manner::reset};
    const auto put =
        loop.ask(stage->put({{.name = "light-dvfs", .phase = "light-dvfs", .pods = 1}}));
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code, ErrorCode::unknown_outcome);
}

TEST_F(StageTest, says_why_pods_were_not_created) {
    answer("GET " + kDeployments,
           R"({"items":[{"status":{"conditions":[)"
           R"({"type":"ReplicaFailure","status":"True","reason":"FailedCreate",)"
           R"("message":"quota"}]}}]})");
    ASSERT_TRUE(loop.ask(stage->put({{.name = "light-dvfs", .phase = "light-dvfs", .pods = 1}})));
    const auto cast = loop.ask(stage->look());
    ASSERT_TRUE(cast) << cast.error().message;
    EXPECT_EQ(cast->pods, 0);
    EXPECT_EQ(cast->trouble, (cluster::Trouble{"FailedCreate", "quota"}));
}

const std::string kPods = "/api/v1/namespaces/ex/pods";

/// A list of one pod that is on a node, with that state of its container.
std::string one_pod(const std::string& state) {
    return R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[{"metadata":)"
           R"({"name":"p","namespace":"ex","uid":"11111111-1111-1111-1111-111111111111",)"
           R"("resourceVersion":"1"},"spec":{"nodeName":"node-a","containers":[]},"status":)"
           R"({"phase":"Pending","containerStatuses":[{"name":"filler","state":)" +
           state + "}]}}]}";
}

TEST_F(StageTest, says_why_a_pod_does_not_run_and_asks_for_no_events_then) {
    ASSERT_TRUE(loop.ask(stage->put({{.name = "light-dvfs", .phase = "light-dvfs", .pods = 1}})));
    answer("GET " + kPods, one_pod(R"({"waiting":{"reason":"ErrImagePull","message":"no"}})"));
    const auto cast = loop.ask(stage->look());
    ASSERT_TRUE(cast) << cast.error().message;
    EXPECT_EQ(cast->bound, 1);
    EXPECT_EQ(cast->trouble, (cluster::Trouble{"ErrImagePull", "no"}));
    EXPECT_TRUE(asked().back().starts_with("GET " + kPods));
}

TEST_F(StageTest, of_a_silent_pod_the_events_are_asked_for) {
    ASSERT_TRUE(loop.ask(stage->put({{.name = "light-dvfs", .phase = "light-dvfs", .pods = 1}})));
    answer("GET " + kPods, one_pod(R"({"waiting":{"reason":"ContainerCreating"}})"));
    const std::string events = "GET /api/v1/namespaces/ex/events";
    answer(events,
           R"({"items":[{"type":"Warning","reason":"FailedCreatePodSandBox","message":"cni"}]})");
    const auto cast = loop.ask(stage->look());
    ASSERT_TRUE(cast) << cast.error().message;
    EXPECT_EQ(cast->trouble, (cluster::Trouble{"FailedCreatePodSandBox", "cni"}));
    EXPECT_EQ(asked().back(), events +
                                  "?fieldSelector=involvedObject.uid%3D11111111-1111-1111-1111-"
                                  "111111111111&limit=500");
    answer(events, R"({"kind":"Status","code":403,"message":"events is forbidden"})", 403);
    const auto without = loop.ask(stage->look());
    ASSERT_TRUE(without) << without.error().message;
    EXPECT_FALSE(without->trouble.known());
}

TEST_F(StageTest, asks_for_events_only_so_often) {
    stage = std::make_unique<ExerciseStage>(
        api, StageOptions{.space = "ex", .image = "pause:1", .events = seconds(3600)});
    ASSERT_TRUE(loop.ask(stage->put({{.name = "light-dvfs", .phase = "light-dvfs", .pods = 1}})));
    answer("GET " + kPods, one_pod(R"({"waiting":{"reason":"ContainerCreating"}})"));
    ASSERT_TRUE(loop.ask(stage->look()));
    EXPECT_TRUE(asked().back().starts_with("GET " + kPods));
}

TEST_F(StageTest, deletes_a_namespace_that_an_exerciser_made_by_its_uid) {
    answer("GET /api/v1/namespaces/ex", kOwnSpace);
    const auto closed = loop.ask(stage->close());
    ASSERT_TRUE(closed) << closed.error().message;
    EXPECT_EQ(*closed, "");
    EXPECT_EQ(asked().back(), "DELETE /api/v1/namespaces/ex");
    EXPECT_NE(server.requests().back().body.find(R"("uid":"u-1")"), std::string::npos);
}

TEST_F(StageTest, never_deletes_a_namespace_of_somebody_else) {
    answer("GET /api/v1/namespaces/ex", kTheirSpace);
    const auto closed = loop.ask(stage->close());
    ASSERT_TRUE(closed);
    for (const std::string& each : asked()) {
        EXPECT_NE(each, "DELETE /api/v1/namespaces/ex");
    }
}

TEST_F(StageTest, never_deletes_a_namespace_that_somebody_else_uses) {
    answer("GET /api/v1/namespaces/ex", kOwnSpace);
    answer("GET /api/v1/namespaces/ex/configmaps", R"({"items":[{"metadata":{"name":"theirs"}}]})");
    const auto closed = loop.ask(stage->close());
    ASSERT_TRUE(closed);
    EXPECT_EQ(*closed, "namespace ex stays, as configmaps theirs in it is not ours");
    for (const std::string& each : asked()) {
        EXPECT_NE(each, "DELETE /api/v1/namespaces/ex");
    }
}

TEST_F(StageTest, never_deletes_a_namespace_with_a_workload_that_has_no_pods) {
    answer("GET /api/v1/namespaces/ex", kOwnSpace);
    const std::string groups[] = {
        "/apis/apps/v1/namespaces/ex/statefulsets", "/apis/apps/v1/namespaces/ex/daemonsets",
        "/apis/batch/v1/namespaces/ex/jobs", "/apis/batch/v1/namespaces/ex/cronjobs"};
    for (const std::string& path : groups) {
        answer("GET " + path, R"({"items":[{"metadata":{"name":"theirs"}}]})");
        const auto closed = loop.ask(stage->close());
        ASSERT_TRUE(closed) << closed.error().message;
        EXPECT_TRUE(closed->ends_with(" theirs in it is not ours")) << path << ": " << *closed;
        script.erase("GET " + path);
    }
    for (const std::string& each : asked()) EXPECT_NE(each, "DELETE /api/v1/namespaces/ex");
}

TEST_F(StageTest, a_namespace_that_is_not_there_is_clean_and_is_not_made) {
    answer("GET /api/v1/namespaces/ex", "{}", 404);
    const auto closed = loop.ask(stage->close());
    ASSERT_TRUE(closed) << closed.error().message;
    EXPECT_EQ(*closed, "");
    EXPECT_EQ(asked(), std::vector<std::string>{"GET /api/v1/namespaces/ex"});
}

TEST(UsableSpace, refuses_what_is_not_for_exercises) {
    EXPECT_TRUE(usable_space("parley-exercise"));
    for (const char* bad :
         {"", "kube-system", "kube-node-lease", "default", "a/b", "../x", "Upper", "-x", "x-"}) {
        EXPECT_FALSE(usable_space(bad)) << bad;
    }
}

}  // namespace
}  // namespace parley::kube
