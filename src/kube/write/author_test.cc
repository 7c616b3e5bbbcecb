#include "kube/write/author.h"

#include "kube/write/mark_json.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::kube {
namespace {

using namespace model;

const Uid kPod{0x0af1c2d3'0000'4000, 0x8000'0000000000aa};
const DecisionId kId{1, 2};
const NodeId kNode{Name::of("node-1")};
const WorkloadId kWeb{Name::of("shop"), WorkloadKind::deployment, Name::of("web")};
const SetTaint kTaint{kNode, model::Taint::no_schedule};
const SetReplicas kFive{kWeb, 5};
const SetDeletionCost kCost{kPod, "web-1", -100, Name::of("shop")};
const ResizePod kResize{kPod,
                        Name::of("shop"),
                        "web-1",
                        {{.container = Name::of("a"), .cpu_limit_m = 850, .memory_request = 1024}}};

std::string marked(const DecisionId& id) {
    return R"("annotations":{)" + mark_members({id, {}, ActionKind::migrate, {}}) + "}";
}

std::string managed(const std::string& manager, const std::string& fields) {
    return R"("managedFields":[{"manager":"kubelet","fieldsV1":{"f:status":{}}},{"manager":")" +
           manager + R"(","operation":"Update","fieldsType":"FieldsV1","fieldsV1":{)" + fields +
           "}}]";
}

std::string object(const std::string& meta, const std::string& spec) {
    return R"({"metadata":{"uid":"0af1c2d3-0000-4000-8000-0000000000aa","resourceVersion":"42")" +
           (meta.empty() ? "" : "," + meta) + R"(},"spec":{)" + spec + "}}";
}

const std::string kTainted = R"("taints":[{"key":"parley.dev/quarantine","effect":"NoSchedule"}])";
const std::string kReplicas = R"("f:spec":{"f:replicas":{}})";
const std::string kCostly =
    R"("annotations":{"controller.kubernetes.io/pod-deletion-cost":"-100"},)";
const std::string kCostField =
    R"("f:metadata":{"f:annotations":{"f:controller.kubernetes.io/pod-deletion-cost":{}}})";
const std::string kSized =
    R"("containers":[{"name":"a","resources":{"limits":{"cpu":"850m"},"requests":{"memory":"1Ki"}}}])";

std::string sizes(const std::string& container, const std::string& resources) {
    return R"("f:spec":{"f:containers":{"k:{\"name\":\")" + container + R"(\"}":{"f:resources":{)" +
           resources + "}}}}";
}

TEST(Author, is_known_by_marks_and_by_what_the_api_server_keeps) {
    struct Case {
        const char* name;
        Request request;
        std::string body;
        bool ours;
    };
    const std::string both = R"("f:limits":{"f:cpu":{}},"f:requests":{"f:memory":{}})";
    const std::string half = R"("f:limits":{"f:cpu":{}})";
    const Case cases[] = {
        {"our mark", PutMark{.target = kNode, .decision = kId}, object(marked(kId), ""), true},
        {"another mark", PutMark{.target = kNode, .decision = kId}, object(marked({3, 4}), ""),
         false},
        {"no mark any more", PutMark{.target = kNode}, object("", ""), false},
        {"our mark on a pod", MarkPod{kPod, Name::of("shop"), "web-1", {kId, {}}},
         object(marked(kId), ""), true},
        {"our taint", kTaint, object(marked(kId), kTainted), true},
        {"our taint under another mark", kTaint, object(marked({3, 4}), kTainted), false},
        {"our taint under none", kTaint, object("", kTainted), false},
        {"no taint", kTaint, object(marked(kId), ""), false},
        {"no taint any more", SetTaint{kNode, model::Taint::none}, object(marked(kId), ""), false},
        {"our replicas", kFive, object(managed("parley", kReplicas), R"("replicas":5)"), true},
        {"another number", kFive, object(managed("parley", kReplicas), R"("replicas":4)"), false},
        {"an autoscaler's", kFive,
         object(managed("kube-controller-manager", kReplicas), R"("replicas":5)"), false},
        {"our mark alone", kFive, object(marked(kId), R"("replicas":5)"), false},
        {"another field of ours", kFive,
         object(managed("parley", R"("f:spec":{"f:paused":{}})"), R"("replicas":5)"), false},
        {"our cost", kCost, object(kCostly + managed("parley", kCostField), ""), true},
        {"another's cost", kCost, object(kCostly + managed("x", kCostField), ""), false},
        {"our sizes", kResize, object(managed("parley", sizes("a", both)), kSized), true},
        {"another's sizes", kResize, object(managed("x", sizes("a", both)), kSized), false},
        {"only some sizes", kResize, object(managed("parley", sizes("a", half)), kSized), false},
        {"another container", kResize, object(managed("parley", sizes("b", both)), kSized), false},
        {"a pod that is going", EvictPod{kPod, "web-1", Name::of("shop")},
         object(marked(kId) + R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")", ""), false},
        {"no object", kFive, "no json", false},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(made_by_us(each.body, each.request, kId), each.ours) << each.name;
    }
}

}  // namespace
}  // namespace parley::kube
