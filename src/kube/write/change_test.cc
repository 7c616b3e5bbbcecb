#include "kube/write/change.h"

#include "base/json_read.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::kube {
namespace {

using namespace model;

const Uid kUid{0x0af1c2d3'0000'4000, 0x8000'0000000000aa};
const DecisionId kId{0x0123456789abcdef, 0x0000000100000007};
const cluster::Stamp kStamp{kId, 3, false};
const NodeId kNode{Name::of("node-1")};
const WorkloadId kWeb{Name::of("shop"), WorkloadKind::deployment, Name::of("web")};

Seen seen() { return {.uid = kUid, .uid_text = kUid.text(), .version = 41}; }

http::Request sent(const Request& request, const Seen& of) {
    const auto place = place_of(request);
    EXPECT_TRUE(place) << place.error().message;
    return change_of(request, *place, of, kStamp);
}

std::string header(const http::Request& request, std::string_view name) {
    for (const http::Header& each : request.headers) {
        if (each.name == name) return each.value;
    }
    return "";
}

const std::string kSame = R"("uid":"0af1c2d3-0000-4000-8000-0000000000aa","resourceVersion":"41")";

TEST(Change, a_mark_is_a_merge_patch_of_annotations) {
    const PutMark mark{kNode,
                       kId,
                       TimePoint{1'740'834'000'000'000},
                       ActionKind::migrate,
                       {{MarkedField::taint, {}, 0, 2}}};
    const http::Request out = sent(mark, seen());
    EXPECT_EQ(out.method, "PATCH");
    EXPECT_EQ(out.target, "/api/v1/nodes/node-1");
    EXPECT_EQ(header(out, "Content-Type"), "application/merge-patch+json");
    EXPECT_EQ(out.body,
              R"({"metadata":{)" + kSame +
                  R"(,"annotations":{"parley.dev/decision":"0123456789abcdef0000000100000007",)"
                  R"("parley.dev/expires":"2025-03-01T13:00:00Z","parley.dev/kind":"migrate",)"
                  R"("parley.dev/changes":"taint: none > no_schedule"}}})");
    const http::Request away = sent(PutMark{.target = kWeb}, seen());
    EXPECT_EQ(away.target, "/apis/apps/v1/namespaces/shop/deployments/web");
    EXPECT_NE(away.body.find(R"("parley.dev/decision":null,"parley.dev/expires":null)"),
              std::string::npos);
}

TEST(Change, a_job_is_resumed_and_loses_our_mark_in_one_patch) {
    const WorkloadId job{Name::of("batch"), WorkloadKind::job, Name::of("night")};
    const http::Request out = sent(ResumeJob{job}, seen());
    EXPECT_EQ(out.method, "PATCH");
    EXPECT_EQ(out.target, "/apis/batch/v1/namespaces/batch/jobs/night");
    EXPECT_EQ(header(out, "Content-Type"), "application/merge-patch+json");
    EXPECT_EQ(out.body, R"({"metadata":{)" + kSame +
                            R"(,"annotations":{"parley.dev/decision":null,)"
                            R"("parley.dev/expires":null,"parley.dev/kind":null,)"
                            R"("parley.dev/changes":null}},"spec":{"suspend":false}})");
    Seen held = seen();
    held.suspended = true;
    EXPECT_FALSE(live_of(ResumeJob{job}, held).applied);
    EXPECT_TRUE(live_of(ResumeJob{job}, seen()).applied);
}

TEST(Change, says_in_the_audit_log_which_step_it_is) {
    EXPECT_EQ(audit_id(kStamp), "parley-0123456789abcdef0000000100000007-3");
    EXPECT_EQ(audit_id({kId, 2, true}), "parley-0123456789abcdef0000000100000007-undo-2");
}

TEST(Change, our_taint_is_added_and_taken_away_and_no_other_is_touched) {
    const std::string version =
        R"([{"op":"replace","path":"/metadata/resourceVersion","value":"41"})";
    Seen bare = seen();
    EXPECT_EQ(sent(SetTaint{kNode, Taint::no_schedule}, bare).body,
              version + R"(,{"op":"add","path":"/spec/taints","value":)"
                        R"([{"key":"parley.dev/quarantine","effect":"NoSchedule"}]}])");
    Seen others = seen();
    others.has_taints = true;
    EXPECT_EQ(sent(SetTaint{kNode, Taint::prefer_no_schedule}, others).body,
              version + R"(,{"op":"add","path":"/spec/taints/-","value":)"
                        R"({"key":"parley.dev/quarantine","effect":"PreferNoSchedule"}}])");
    Seen twice = others;
    twice.ours = {1, 3};
    EXPECT_EQ(sent(SetTaint{kNode, Taint::none}, twice).body,
              version + R"(,{"op":"remove","path":"/spec/taints/3"})"
                        R"(,{"op":"remove","path":"/spec/taints/1"}])");
}

TEST(Change, replicas_are_put_through_scale) {
    const http::Request out = sent(SetReplicas{kWeb, 7}, seen());
    EXPECT_EQ(out.method, "PUT");
    EXPECT_EQ(out.target, "/apis/apps/v1/namespaces/shop/deployments/web/scale");
    EXPECT_EQ(out.body, R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web",)"
                        R"("namespace":"shop",)" +
                            kSame + R"(},"spec":{"replicas":7}})");
}

TEST(Change, an_eviction_carries_both_preconditions_and_its_decision) {
    const http::Request out = sent(EvictPod{kUid, "web-1", Name::of("shop")}, seen());
    EXPECT_EQ(out.method, "POST");
    EXPECT_EQ(out.target, "/api/v1/namespaces/shop/pods/web-1/eviction");
    EXPECT_EQ(out.body,
              R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web-1",)"
              R"("namespace":"shop","annotations":{"parley.dev/decision":)"
              R"("0123456789abcdef0000000100000007"}},"deleteOptions":{"preconditions":{)" +
                  kSame + "}}}");
}

TEST(Change, a_resize_names_containers_and_only_what_changes) {
    const ResizePod resize{
        kUid,
        Name::of("shop"),
        "web-1",
        {{.container = Name::of("a"), .cpu_limit_m = 850},
         {Name::of("b"), 100, {}, std::int64_t{3} << 29, std::int64_t{2} << 30}}};
    const http::Request out = sent(resize, seen());
    EXPECT_EQ(out.target, "/api/v1/namespaces/shop/pods/web-1/resize");
    EXPECT_EQ(header(out, "Content-Type"), "application/strategic-merge-patch+json");
    EXPECT_EQ(out.body,
              R"({"metadata":{)" + kSame +
                  R"(},"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"850m"}}},)"
                  R"({"name":"b","resources":{"requests":{"cpu":"100m","memory":"1536Mi"},)"
                  R"("limits":{"memory":"2Gi"}}}]}})");
}

TEST(Change, a_deletion_cost_of_zero_is_none) {
    const auto body = [](std::int32_t cost) {
        return sent(SetDeletionCost{kUid, "web-1", cost, Name::of("shop")}, seen()).body;
    };
    EXPECT_NE(body(-100).find(R"("controller.kubernetes.io/pod-deletion-cost":"-100")"),
              std::string::npos);
    EXPECT_NE(body(0).find(R"("controller.kubernetes.io/pod-deletion-cost":null)"),
              std::string::npos);
}

TEST(Change, every_body_is_json) {
    Seen of = seen();
    of.has_taints = true;
    of.ours = {0};
    const std::vector<Request> all{
        PutMark{kNode, kId, {}, ActionKind::migrate, {}},
        SetTaint{kNode, Taint::no_schedule},
        SetReplicas{kWeb, 1},
        EvictPod{kUid, "web-1", Name::of("shop")},
        SetDeletionCost{kUid, "web-1", 1, Name::of("shop")},
        ResizePod{kUid, Name::of("shop"), "web-1", {{.container = Name::of("a\"b")}}},
        MarkPod{kUid, Name::of("shop"), "web-1", {kId}}};
    for (const Request& each : all) {
        EXPECT_TRUE(parse_json(sent(each, of).body)) << text_of(each);
    }
}

TEST(LiveOf, says_whether_what_is_wanted_is_there) {
    struct Case {
        const char* name;
        Request request;
        std::function<void(Seen&)> change;
        bool applied;
    };
    const EvictPod evict{kUid, "web-1", Name::of("shop")};
    const ResizePod resize{
        kUid, Name::of("shop"), "web-1", {{.container = Name::of("a"), .cpu_limit_m = 850}}};
    const auto sized = [](std::int64_t limit) {
        return [limit](Seen& s) { s.containers = {{Name::of("a"), 100, limit, {}, {}}}; };
    };
    const auto nothing = [](Seen&) {};
    for (const Case& each : std::initializer_list<Case>{
             {"taint", SetTaint{kNode, Taint::no_schedule},
              [](Seen& s) { s.taint = Taint::no_schedule, s.ours = {0}; }, true},
             {"taint twice", SetTaint{kNode, Taint::no_schedule},
              [](Seen& s) { s.taint = Taint::no_schedule, s.ours = {0, 1}; }, false},
             {"no taint", SetTaint{kNode, Taint::no_schedule}, nothing, false},
             {"lifted", SetTaint{kNode, Taint::none}, nothing, true},
             {"replicas", SetReplicas{kWeb, 5}, [](Seen& s) { s.replicas = 5; }, true},
             {"fewer", SetReplicas{kWeb, 5}, [](Seen& s) { s.replicas = 4; }, false},
             {"going", evict, [](Seen& s) { s.terminating = true; }, true},
             {"ended", evict, [](Seen& s) { s.ended = true; }, true},
             {"runs", evict, nothing, false},
             {"marked", PutMark{kNode, kId, {}}, [](Seen& s) { s.mark = Mark{kId}; }, true},
             {"another's", PutMark{kNode, kId, {}}, [](Seen& s) { s.mark = Mark{{1, 2}}; }, false},
             {"unmarked", PutMark{.target = kNode}, nothing, true},
             {"still marked", PutMark{.target = kNode}, [](Seen& s) { s.mark = Mark{kId}; }, false},
             {"sized", resize, sized(850), true},
             {"not sized", resize, sized(900), false},
             {"no such container", resize, nothing, false},
             {"cost", SetDeletionCost{kUid, "web-1", -100, Name::of("shop")},
              [](Seen& s) { s.deletion_cost = -100; }, true},
             {"no cost", SetDeletionCost{kUid, "web-1", 0, Name::of("shop")}, nothing, true}}) {
        Seen of = seen();
        of.available = 3;
        each.change(of);
        const Live live = live_of(each.request, of);
        EXPECT_EQ(live.applied, each.applied) << each.name;
        EXPECT_TRUE(live.exists);
        EXPECT_EQ(live.uid, kUid);
        EXPECT_EQ(live.version, 41U);
        EXPECT_EQ(live.ready, 3);
    }
}

}  // namespace
}  // namespace parley::kube
