#include "kube/webhook/admission_answer.h"

#include "base/base64.h"
#include "base/json_read.h"
#include "base/time_text.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;

const TimePoint kNow{1'795'000'000'000'000};
const TimePoint kUntil = kNow + minutes(10);
const SetAdmission kQueue{AdmissionWish::queue, {1, 2}, kUntil, {Name::of("a"), Name::of("batch")}};

SetAdmission with(AdmissionWish mode) {
    SetAdmission order = kQueue;
    order.mode = mode;
    return order;
}

constexpr const char* kPlainJob =
    R"({"metadata":{"name":"x"},"spec":{"template":{"spec":{"containers":[]}}}})";

/// A review as the API server sends it; `head` replaces what is said about the request.
std::string review(const std::string& job,
                   const std::string& head = R"("operation":"CREATE","namespace":"batch")") {
    return R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1",)"
           R"("kind":{"group":"batch","version":"v1","kind":"Job"},)"
           R"("resource":{"group":"batch","version":"v1","resource":"jobs"},)" +
           head + R"(,"object":)" + job + R"(,"dryRun":false}})";
}

/// The patch in an answer, "none" if it has none; a failure if the answer would not be taken.
std::string patch_in(const Result<std::string>& answer) {
    if (!answer) return "refused: " + answer.error().message;
    const auto json = parse_json(*answer);
    EXPECT_TRUE(json) << *answer;
    const Json* response = json->find("response");
    EXPECT_EQ(*json->find("apiVersion")->text(), "admission.k8s.io/v1");
    EXPECT_EQ(*json->find("kind")->text(), "AdmissionReview");
    EXPECT_EQ(*response->find("uid")->text(), "u-1");
    EXPECT_TRUE(*response->find("allowed")->boolean());
    const Json* patch = response->find("patch");
    EXPECT_EQ(patch == nullptr, response->find("patchType") == nullptr);
    if (patch == nullptr) return "none";
    const auto text = decode_base64(*patch->text());
    EXPECT_TRUE(text && parse_json(*text)) << *answer;
    return text.value_or("");
}

TEST(AdmissionAnswer, holds_a_new_job_of_a_namespace_that_the_order_names) {
    EXPECT_EQ(patch_in(admission_answer(review(kPlainJob), kQueue, kNow)),
              R"([{"op":"add","path":"/metadata/annotations","value":{)"
              R"("parley.dev/decision":"00000000000000010000000000000002",)"
              R"("parley.dev/expires":")" +
                  print_time(kUntil) +
                  R"(","parley.dev/kind":"admission","parley.dev/changes":"suspend: 0 > 1"}},)"
                  R"({"op":"add","path":"/spec/suspend","value":true}])");
}

TEST(AdmissionAnswer, keeps_the_annotations_of_others) {
    const std::string job =
        R"({"metadata":{"annotations":{"team":"blue"}},"spec":{"suspend":false}})";
    const std::string patch = patch_in(admission_answer(review(job), kQueue, kNow));
    EXPECT_NE(patch.find(R"({"op":"add","path":"/metadata/annotations/parley.dev~1kind",)"
                         R"("value":"admission"})"),
              std::string::npos)
        << patch;
    EXPECT_EQ(patch.find(R"("path":"/metadata/annotations")"), std::string::npos) << patch;
}

TEST(AdmissionAnswer, puts_a_job_last_and_has_nothing_to_give_back) {
    const auto put_last = with(AdmissionWish::deprioritize);
    EXPECT_EQ(patch_in(admission_answer(review(kPlainJob), put_last, kNow)),
              R"([{"op":"add","path":"/metadata/annotations","value":{)"
              R"("parley.dev/decision":"00000000000000010000000000000002",)"
              R"("parley.dev/expires":")" +
                  print_time(kUntil) +
                  R"(","parley.dev/kind":"admission"}},{"op":"add",)"
                  R"("path":"/spec/template/spec/priorityClassName","value":"parley-batch"}])");
    // Copied from a Job that was held: the mark would say that this one is.
    const std::string copied = R"({"metadata":{"annotations":{"parley.dev/changes":)"
                               R"("suspend: 0 > 1"}},"spec":{"template":{"spec":{}}}})";
    EXPECT_NE(patch_in(admission_answer(review(copied), put_last, kNow))
                  .find(R"({"op":"remove","path":"/metadata/annotations/parley.dev~1changes"})"),
              std::string::npos);
}

TEST(AdmissionAnswer, a_dry_run_is_answered_alike) {
    std::string dry = review(kPlainJob);
    dry.replace(dry.find(R"("dryRun":false)"), 14, R"("dryRun":true)");
    EXPECT_EQ(admission_answer(dry, kQueue, kNow),
              admission_answer(review(kPlainJob), kQueue, kNow));
}

struct Left {
    const char* name;
    std::string review;
    SetAdmission order = kQueue;
    TimePoint now = kNow;
};

class AdmissionAnswerLeaves : public testing::TestWithParam<Left> {};

TEST_P(AdmissionAnswerLeaves, alone) {
    EXPECT_EQ(patch_in(admission_answer(GetParam().review, GetParam().order, GetParam().now)),
              "none");
}

std::string job_with(const std::string& meta, const std::string& spec) {
    return review(R"({"metadata":{"name":"x")" + meta + R"(},"spec":{"template":{"spec":{}})" +
                  spec + "}}");
}

std::string pod_with(const std::string& pod) {
    return review(R"({"metadata":{},"spec":{"template":{"spec":{)" + pod + "}}}}");
}

const Left kLeft[] = {
    {"no_order", review(kPlainJob), {}},
    {"order_to_admit", review(kPlainJob), with(AdmissionWish::admit)},
    {"order_to_reject", review(kPlainJob), with(AdmissionWish::reject)},
    {"order_that_is_over", review(kPlainJob), kQueue, kUntil},
    {"order_of_nobody", review(kPlainJob), {AdmissionWish::queue, {}, kUntil, kQueue.spaces}},
    {"another_namespace", review(kPlainJob, R"("operation":"CREATE","namespace":"shop")")},
    {"a_part_of_a_name", review(kPlainJob, R"("operation":"CREATE","namespace":"bat")")},
    {"no_namespace", review(kPlainJob, R"("operation":"CREATE")")},
    {"kube_system",
     review(kPlainJob, R"("operation":"CREATE","namespace":"kube-system")"),
     {AdmissionWish::queue, {1, 2}, kUntil, {Name::of("kube-system")}}},
    {"an_update", review(kPlainJob, R"("operation":"UPDATE","namespace":"batch")")},
    {"a_subresource",
     review(kPlainJob, R"("operation":"CREATE","namespace":"batch","subResource":"status")")},
    {"kueue", job_with(R"(,"labels":{"kueue.x-k8s.io/queue-name":"q"})", "")},
    {"kueue_by_another_label", job_with(R"(,"labels":{"kueue.x-k8s.io/x":""})", "")},
    {"suspended", job_with("", R"(,"suspend":true)")},
    {"another_manager", job_with("", R"(,"managedBy":"kueue.x-k8s.io/multikueue")")},
    {"owned", job_with(R"(,"ownerReferences":[{"kind":"Workflow","controller":true}])", "")},
    {"odd_labels", job_with(R"(,"labels":[1])", "")},
    {"odd_annotations", job_with(R"(,"annotations":"x")", "")},
    {"odd_owners", job_with(R"(,"ownerReferences":[1,2])", "")},
    {"odd_suspend", job_with("", R"(,"suspend":"no")")},
    {"full_annotations",
     job_with(R"(,"annotations":{"x":")" + std::string(200'000, 'x') + R"("})", "")},
    {"no_object", review("null")},
    {"an_object_of_numbers", review("[1,2]")},
    {"no_spec", review(R"({"metadata":{}})")},
    {"no_metadata", review(R"({"spec":{}})")},
    {"a_class_of_its_own", pod_with(R"("priorityClassName":"high")"),
     with(AdmissionWish::deprioritize)},
    {"a_priority_of_its_own", pod_with(R"("priority":5)"), with(AdmissionWish::deprioritize)},
    {"an_odd_class", pod_with(R"("priorityClassName":7)"), with(AdmissionWish::deprioritize)},
    {"no_template", review(R"({"metadata":{},"spec":{}})"), with(AdmissionWish::deprioritize)},
    {"another_version",
     R"({"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","request":{"uid":"u-1"}})"},
    {"nothing_but_an_id", R"({"request":{"uid":"u-1"}})"},
};

INSTANTIATE_TEST_SUITE_P(Cases, AdmissionAnswerLeaves, testing::ValuesIn(kLeft),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(AdmissionAnswer, takes_what_is_absent_for_what_it_means) {
    for (const std::string& held :
         {job_with(R"(,"labels":null,"annotations":null,"ownerReferences":[])",
                   R"(,"suspend":null,"managedBy":"kubernetes.io/job-controller")"),
          job_with(R"(,"ownerReferences":[{"kind":"CronJob","controller":true}])", ""),
          job_with(R"(,"ownerReferences":[{"kind":"Thing","controller":false}])", ""),
          job_with(R"(,"labels":{"app":"kueue.x-k8s.io/"})", ""),
          review(kPlainJob, R"("operation":"CREATE","namespace":"a","subResource":"")")}) {
        EXPECT_NE(patch_in(admission_answer(held, kQueue, kNow)), "none") << held;
    }
    const auto put_last = with(AdmissionWish::deprioritize);
    EXPECT_NE(patch_in(admission_answer(pod_with(R"("priorityClassName":"")"), put_last, kNow)),
              "none");
}

TEST(AdmissionAnswer, what_is_no_review_gets_no_answer) {
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[]"), std::string("{}"),
          std::string(R"({"request":{}})"), std::string(R"({"request":{"uid":7}})"),
          std::string(R"({"request":{"uid":""}})"),
          R"({"request":{"uid":")" + std::string(300, 'x') + R"("}})",
          std::string(R"({"request":{"uid":"a","uid":"b"}})"), std::string(1000, '['),
          std::string(kReviewBytesMax + 1, ' ')}) {
        const auto answer = admission_answer(text, kQueue, kNow);
        ASSERT_FALSE(answer) << text.substr(0, 100);
        EXPECT_EQ(answer.error().code, ErrorCode::malformed);
    }
}

}  // namespace
}  // namespace parley::kube
