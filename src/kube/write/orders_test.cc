#include "kube/write/orders.h"

#include "kube/write/hand.h"
#include "kube/write/one_object_test.h"

#include <map>
#include <set>

namespace parley::kube {
namespace {

using namespace model;
using http::Reply;

const DecisionId kId{1, 2};
const TimePoint kNow{1'795'000'000'000'000};
const TimePoint kUntil{kNow.us + 600'000'000};
const cluster::Stamp kStamp{kId, 3, false};

/// An API server with the objects of orders in it.
struct Bench {
    Bench()
        : server(loop.executor(), [this](const http::Request& asked) { return answer(asked); }) {
        auto api = api_of(loop, server);
        hand = std::make_unique<Hand>(api);
        orders = std::make_unique<Orders>(
            api, "home", *hand, *hand, [this] { return term; }, [] { return kNow; });
    }

    Reply answer(const http::Request& asked) {
        const std::string path = asked.target.substr(0, asked.target.find('?'));
        const bool dry = is_dry(asked);
        if (asked.method == "GET") return look(path);
        if (!dry) said.push_back(asked.method + " " + path);
        if (!dry && lost) return {.manner = Reply::Manner::reset};
        const bool creates = asked.method == "POST";
        const std::string name =
            creates
                ? path + (path.ends_with("configmaps") ? "/parley-admission" : "/parley-batch-cap")
                : path;
        if (creates && objects.contains(name))
            return {.status = 409, .headers = kJsonType, .body = "{}"};
        if (!creates && !objects.contains(name)) {
            return {.status = 404, .headers = kJsonType, .body = "{}"};
        }
        if (dry) return {.headers = kJsonType, .body = "{}"};
        if (asked.method == "DELETE") {
            objects.erase(name);
        } else {
            std::string body = asked.body;
            if (body.find("resourceVersion") == std::string::npos) {
                body.replace(body.find(R"("metadata":{)"), 12,
                             R"("metadata":{"uid":"0af1c2d3-0000-4000-8000-0000000000aa",)"
                             R"("resourceVersion":"7",)");
            }
            objects[name] = body;
        }
        if (twice) reads = after_twice;
        return {.status = twice ? 409 : 200, .headers = kJsonType, .body = "{}"};
    }

    Reply look(const std::string& path) {
        if (reads != 200) return {.status = reads, .headers = kJsonType, .body = "{}"};
        if (path.ends_with("/jobs")) {
            return {.headers = kJsonType,
                    .body = R"({"metadata":{"remainingItemCount":4},"items":[{}]})"};
        }
        if (path == "/api/v1/resourcequotas") {
            std::string items;
            for (const auto& [name, body] : objects) {
                if (!name.ends_with("parley-batch-cap")) continue;
                items += (items.empty() ? "" : ",") + body;
            }
            return {.headers = kJsonType, .body = R"({"items":[)" + items + "]}"};
        }
        if (policies.contains(path)) return {.headers = kJsonType, .body = "{}"};
        const auto found = objects.find(path);
        if (found == objects.end()) return {.status = 404, .headers = kJsonType, .body = "{}"};
        return {.headers = kJsonType, .body = found->second};
    }

    /// As the action machine does it: looks, and asks for what is not there.
    Result<bool> carry_out(const Request& request, const cluster::Stamp& stamp = kStamp) {
        auto live = loop.ask(orders->read(request));
        if (!live) return tl::unexpected(live.error());
        if (live->applied) return false;
        auto done = loop.ask(orders->apply(request, {live->uid, live->version}, stamp));
        if (!done) return tl::unexpected(done.error());
        return true;
    }

    std::map<std::string, std::string> objects;
    std::set<std::string> policies = {
        "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies/parley-queue"};
    std::vector<std::string> said;  ///< Changes in earnest.
    bool lost = false;              ///< Changes are not carried out, and nobody answers.
    /// Changes are carried out, and then arrive once more: the answer is to the second.
    bool twice = false;
    int reads = 200;        ///< The status of every read.
    int after_twice = 200;  ///< What it is after such a change.
    Duration term = seconds(10);
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Hand> hand;
    std::unique_ptr<Orders> orders;
};

SetAdmission order(AdmissionWish mode) { return {mode, kId, kUntil, {Name::of("batch")}}; }

using Texts = std::vector<std::string>;
const std::string kMaps = "/api/v1/namespaces/home/configmaps";

TEST(Orders, are_given_once_and_lifted_once) {
    Bench bench;
    EXPECT_TRUE(*bench.carry_out(order(AdmissionWish::queue)));
    EXPECT_FALSE(*bench.carry_out(order(AdmissionWish::queue))) << "it stands";
    EXPECT_TRUE(*bench.carry_out(SetAdmission{AdmissionWish::admit, kId, kUntil, {}}));
    EXPECT_FALSE(*bench.carry_out(SetAdmission{AdmissionWish::admit, kId, kUntil, {}}));
    EXPECT_EQ(bench.said, (Texts{"POST " + kMaps, "PUT " + kMaps + "/parley-admission"}));
}

TEST(Orders, that_nothing_would_carry_out_are_refused_with_what_to_install) {
    Bench bench;
    const auto reject = bench.carry_out(order(AdmissionWish::reject));
    ASSERT_FALSE(reject);
    EXPECT_EQ(reject.error().code, ErrorCode::denied);
    EXPECT_EQ(reject.error().message,
              "nothing on this cluster carries out a reject order: apply "
              "deploy/admission/reject.yaml");
    const auto nowhere = bench.carry_out(SetAdmission{AdmissionWish::queue, kId, kUntil, {}});
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::denied);
    EXPECT_TRUE(bench.said.empty());
}

TEST(Orders, without_a_policy_are_for_a_webhook_that_is_asked) {
    Bench bench;
    bench.policies.clear();
    Result<void> asked = fail(ErrorCode::unavailable, "our webhook is not asked: x");
    std::vector<SetAdmission> told;
    bench.orders->carried_by([&] { return asked; },
                             [&](const SetAdmission& each) { told.push_back(each); });
    EXPECT_EQ(bench.carry_out(order(AdmissionWish::queue)).error().message,
              "nothing on this cluster carries out a queue order: apply "
              "deploy/admission/queue.yaml; our webhook is not asked: x");
    EXPECT_TRUE(told.empty());
    asked = {};
    EXPECT_TRUE(*bench.carry_out(order(AdmissionWish::queue)));
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0], order(AdmissionWish::queue));
    EXPECT_FALSE(bench.carry_out(order(AdmissionWish::reject))) << "a webhook refuses nobody";
}

TEST(Orders, send_nothing_without_a_term_or_without_having_looked) {
    Bench bench;
    bench.term = {};
    EXPECT_EQ(bench.carry_out(order(AdmissionWish::queue)).error().code, ErrorCode::unavailable);
    bench.term = seconds(10);
    const auto blind = bench.loop.ask(bench.orders->apply(order(AdmissionWish::queue), {}, kStamp));
    EXPECT_EQ(blind.error().code, ErrorCode::conflict);
    EXPECT_TRUE(bench.said.empty());
}

TEST(Orders, whose_answer_is_lost_are_of_unknown_outcome) {
    Bench bench;
    bench.lost = true;
    EXPECT_EQ(bench.carry_out(order(AdmissionWish::queue)).error().code,
              ErrorCode::unknown_outcome);
}

TEST(Orders, that_got_too_old_before_they_could_be_sent_are_not) {
    Bench bench;
    cluster::Stamp old = kStamp;
    old.fresh = {};
    const SetBatchCap cap{500'000, 500'000, kId, kUntil, {Name::of("a")}};
    for (const Request& request : {Request(order(AdmissionWish::queue)), Request(cap)}) {
        const auto late = bench.carry_out(request, old);
        ASSERT_FALSE(late) << text_of(request);
        EXPECT_EQ(late.error().code, ErrorCode::unavailable) << late.error().message;
        EXPECT_EQ(late.error().retry_after, Duration{}) << "the next round may ask again";
    }
    EXPECT_TRUE(bench.said.empty());
}

TEST(Orders, that_were_written_and_then_heard_as_a_conflict_were_given_by_us) {
    Bench bench;
    bench.twice = true;
    int told = 0;
    bench.orders->carried_by([] { return Result<void>{}; }, [&](const SetAdmission&) { ++told; });
    const auto ordered = bench.carry_out(order(AdmissionWish::queue));
    ASSERT_TRUE(ordered) << ordered.error().message;
    EXPECT_TRUE(*ordered);
    EXPECT_EQ(told, 1);
    const SetBatchCap cap{500'000, 500'000, kId, kUntil, {Name::of("a"), Name::of("b")}};
    const auto capped = bench.carry_out(cap);
    ASSERT_TRUE(capped) << capped.error().message;
    EXPECT_TRUE(*capped);
    EXPECT_EQ(bench.said, (Texts{"POST " + kMaps, "POST /api/v1/namespaces/a/resourcequotas",
                                 "POST /api/v1/namespaces/b/resourcequotas"}))
        << "each once";
}

TEST(Orders, that_meet_somebody_elses_are_a_conflict) {
    Bench bench;
    const SetAdmission ours = order(AdmissionWish::queue);
    SetAdmission other = ours;
    other.decision = {9, 9};
    ASSERT_TRUE(bench.loop.ask(bench.orders->read(ours)));
    bench.objects[kMaps + "/parley-admission"] = admission_body("home", other, nullptr);
    const auto late = bench.loop.ask(bench.orders->apply(ours, {}, kStamp));
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::conflict);
    const SetBatchCap cap{500'000, 500'000, kId, kUntil, {Name::of("a")}};
    ASSERT_TRUE(bench.loop.ask(bench.orders->read(cap)));
    SetBatchCap older = cap;
    older.decision = {9, 9};
    bench.objects["/api/v1/namespaces/a/resourcequotas/parley-batch-cap"] =
        quota_body("a", older, 1, nullptr);
    const auto capped = bench.loop.ask(bench.orders->apply(cap, {}, kStamp));
    ASSERT_FALSE(capped);
    EXPECT_EQ(capped.error().code, ErrorCode::conflict);
    EXPECT_TRUE(bench.said.empty());
}

TEST(Orders, whose_conflict_nobody_can_look_into_are_of_unknown_outcome) {
    Bench bench;
    bench.twice = true;
    bench.after_twice = 503;
    EXPECT_EQ(bench.carry_out(order(AdmissionWish::queue)).error().code,
              ErrorCode::unknown_outcome);
    bench.reads = 200;
    const SetBatchCap cap{500'000, 500'000, kId, kUntil, {Name::of("a")}};
    EXPECT_EQ(bench.carry_out(cap).error().code, ErrorCode::unknown_outcome);
}

/// Agent C lifts a cap by a decision of its own.
TEST(Orders, a_cap_is_lifted_by_another_decision_than_the_one_that_set_it) {
    Bench bench;
    EXPECT_TRUE(*bench.carry_out(SetBatchCap{500'000, 500'000, kId, kUntil, {Name::of("a")}}));
    const SetBatchCap lift{1'000'000, 1'000'000, {7, 8}, kUntil, {Name::of("a")}};
    EXPECT_TRUE(*bench.carry_out(lift)) << "it stands, whoever decided it";
    EXPECT_TRUE(bench.objects.empty());
    EXPECT_FALSE(*bench.carry_out(lift));
}

TEST(Orders, cap_every_namespace_that_is_not_capped_yet_and_lift_all) {
    Bench bench;
    const SetBatchCap cap{500'000, 500'000, kId, kUntil, {Name::of("a"), Name::of("b")}};
    EXPECT_TRUE(*bench.carry_out(cap));
    EXPECT_FALSE(*bench.carry_out(cap));
    bench.objects.erase("/api/v1/namespaces/a/resourcequotas/parley-batch-cap");
    EXPECT_TRUE(*bench.carry_out(cap)) << "one of the two is missing";
    EXPECT_EQ(bench.said, (Texts{"POST /api/v1/namespaces/a/resourcequotas",
                                 "POST /api/v1/namespaces/b/resourcequotas",
                                 "POST /api/v1/namespaces/a/resourcequotas"}));
    EXPECT_NE(bench.objects.begin()->second.find(R"("count/jobs.batch":"5")"), std::string::npos);
    const SetBatchCap lift{1'000'000, 1'000'000, kId, kUntil, {}};
    EXPECT_TRUE(*bench.carry_out(lift));
    EXPECT_TRUE(bench.objects.empty());
    EXPECT_FALSE(*bench.carry_out(lift));
}

}  // namespace
}  // namespace parley::kube
