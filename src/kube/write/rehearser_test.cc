#include "kube/write/rehearser.h"

#include "kube/write/one_object_test.h"

#include <functional>

namespace parley::kube {
namespace {

using namespace model;
using cluster::Rehearsed;
using http::Reply;
using Texts = std::vector<std::string>;

const NodeId kNode{Name::of("node-1")};
const cluster::Stamp kStamp{{1, 2}, 3};
const Request kTaint = SetTaint{kNode, model::Taint::no_schedule};

std::string refusal(const std::string& message) {
    return R"({"kind":"Status","status":"Failure","message":")" + message + R"("})";
}

/// A rehearser before a server that shows a node and answers dry runs as told.
struct Bench {
    Bench()
        : server(loop.executor(), [this](const http::Request& asked) {
              if (asked.method != "GET") return dry_run;
              return Reply{.status = reads, .headers = kJsonType, .body = object};
          }) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        auto made =
            Api::make(loop.executor(), access, {.user_agent = "parley/test", .dry_run = true});
        EXPECT_TRUE(made);
        rehearser = std::make_unique<Rehearser>(*std::move(made), "parley-system",
                                                [] { return TimePoint{}; });
    }

    Result<Rehearsed> ask(const Request& request = kTaint) {
        return loop.ask(rehearser->rehearse(request, kStamp));
    }
    /// Everything but reads.
    std::vector<http::Request> changes() const {
        std::vector<http::Request> out;
        for (const http::Request& each : server.requests()) {
            if (each.method != "GET") out.push_back(each);
        }
        return out;
    }

    Reply dry_run{.headers = kJsonType, .body = "{}"};
    int reads = 200;
    std::string object =
        R"({"metadata":{"name":"node-1","uid":"0af1c2d3-0000-4000-8000-0000000000aa",)"
        R"("resourceVersion":"41"},"spec":{}})";
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Rehearser> rehearser;
};

TEST(Rehearser, asks_as_in_earnest_and_only_as_a_dry_run) {
    Bench bench;
    const auto tried = bench.ask();
    ASSERT_TRUE(tried) << tried.error().message;
    EXPECT_EQ(*tried, Rehearsed::accepted);
    ASSERT_TRUE(bench.ask(EvictPod{.name = "web-1", .space = Name::of("shop")}));
    const auto changes = bench.changes();
    ASSERT_EQ(changes.size(), 2U) << "one request each, whatever was tried before";
    EXPECT_EQ(changes[0].target, "/api/v1/nodes/node-1?fieldManager=parley&dryRun=All");
    EXPECT_EQ(header_of(changes[0], "Content-Type"), "application/json-patch+json");
    EXPECT_NE(changes[0].body.find(R"("value":"41")"), std::string::npos) << "the version it saw";
    EXPECT_EQ(changes[1].target,
              "/api/v1/namespaces/shop/pods/web-1/eviction?fieldManager=parley&dryRun=All");
}

TEST(Rehearser, orders_and_caps_are_only_tried_too) {
    Bench bench;
    bench.object = R"({"items":[],"metadata":{}})";
    const SetBatchCap cap{.cpu_ppm = 500'000,
                          .memory_ppm = 500'000,
                          .decision = {1, 2},
                          .until = {hours(1).us},
                          .spaces = {Name::of("shop")}};
    const auto tried = bench.ask(cap);
    EXPECT_TRUE(tried) << tried.error().message;
    ASSERT_FALSE(bench.changes().empty());
    for (const http::Request& each : bench.changes()) EXPECT_TRUE(is_dry(each)) << each.target;
}

TEST(Rehearser, what_is_there_already_is_not_asked_for) {
    Bench bench;
    bench.object.replace(bench.object.find(R"("spec":{})"), 9,
                         R"("spec":{"taints":[{"key":"parley.dev/quarantine",)"
                         R"("effect":"NoSchedule"}]})");
    const auto tried = bench.ask();
    ASSERT_TRUE(tried) << tried.error().message;
    EXPECT_EQ(*tried, Rehearsed::found_done);
    EXPECT_TRUE(bench.changes().empty());
}

TEST(Rehearser, a_missing_right_is_said_with_what_grants_it) {
    Bench bench;
    bench.dry_run = {.status = 403,
                     .headers = kJsonType,
                     .body = refusal(R"(nodes \"node-1\" is forbidden: User \"p\" cannot patch)")};
    const std::string said = bench.ask().error().message;
    EXPECT_NE(said.find("403"), std::string::npos) << said;
    EXPECT_TRUE(said.ends_with("; deploy/rbac/act.yaml grants it")) << said;
    bench.dry_run.body = refusal("nodes is forbidden: ValidatingAdmissionPolicy 'x' says no");
    EXPECT_TRUE(bench.ask().error().message.ends_with("says no")) << "a policy is no missing right";
}

TEST(Rehearser, an_answer_that_does_not_come_leaves_no_doubt) {
    Bench bench;
    bench.dry_run = {.manner = Reply::Manner::reset};
    EXPECT_EQ(bench.ask().error().code, ErrorCode::unavailable) << "nothing can have changed";
    bench.dry_run = {.headers = kJsonType, .body = "{}"};
    EXPECT_TRUE(bench.ask()) << "and nothing is to be settled first";
}

TEST(Rehearser, the_command_of_a_provider_is_not_tried) {
    Bench bench;
    const auto tried = bench.ask(SetPower{kNode, PowerWish::sleep});
    ASSERT_FALSE(tried);
    EXPECT_NE(tried.error().message.find("provider's command"), std::string::npos);
    EXPECT_TRUE(bench.server.requests().empty());
}

}  // namespace
}  // namespace parley::kube
