#include "kube/write/order_objects.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;

const DecisionId kId{0x1234, 0x5678};
const TimePoint kUntil{1'795'000'000'000'000};

SetAdmission queue() {
    return {AdmissionWish::queue, kId, kUntil, {Name::of("batch"), Name::of("night")}};
}

SetBatchCap cap(std::int64_t share) { return {share, share, kId, kUntil, {Name::of("batch")}}; }

TEST(OrderObjects, an_order_is_read_as_it_was_written) {
    const std::string body = admission_body("home", queue(), nullptr);
    const auto seen = read_admission(body);
    ASSERT_TRUE(seen) << seen.error().message;
    EXPECT_EQ(seen->order, queue());
    EXPECT_NE(body.find(R"("spaces":"batch,night")"), std::string::npos) << body;
    EXPECT_NE(body.find(R"("name":"parley-admission","namespace":"home")"), std::string::npos);
    EXPECT_EQ(body.find("resourceVersion"), std::string::npos) << "it is not there yet";
    const AdmissionSeen before{{"u-1", "41"}, {}};
    EXPECT_NE(
        admission_body("home", queue(), &before).find(R"("uid":"u-1","resourceVersion":"41")"),
        std::string::npos);
}

TEST(OrderObjects, a_config_map_without_our_label_is_somebody_elses) {
    const auto seen = read_admission(R"({"metadata":{"name":"parley-admission"},"data":{}})");
    ASSERT_FALSE(seen);
    EXPECT_EQ(seen.error().code, ErrorCode::denied);
}

TEST(OrderObjects, one_that_cannot_be_read_admits_as_the_policies_do_by_it) {
    const std::string ours = R"({"metadata":{"labels":{"app.kubernetes.io/managed-by":"parley"}},)";
    for (const char* data :
         {R"("data":{}})", R"("data":{"mode":"halt"}})", R"("data":null})",
          R"("data":{"mode":"queue","decision":"00000000000012340000000000005678","until":"x"}})",
          R"("data":{"mode":"queue","decision":"x","until":"2026-01-01T00:00:00Z"}})"}) {
        const auto seen = read_admission(ours + data);
        ASSERT_TRUE(seen) << data;
        EXPECT_EQ(seen->order.mode, AdmissionWish::admit) << data;
    }
}

TEST(OrderObjects, an_order_is_in_force_until_its_time_and_admitting_is_when_none_is) {
    const SetAdmission wanted = queue();
    const SetAdmission admit{AdmissionWish::admit, kId, kUntil, {}};
    SetAdmission other = wanted;
    other.decision = {9, 9};
    const TimePoint before{kUntil.us - 1};
    EXPECT_TRUE(in_force(wanted, &wanted, before));
    EXPECT_FALSE(in_force(wanted, &wanted, kUntil));
    EXPECT_FALSE(in_force(wanted, &other, before));
    EXPECT_FALSE(in_force(wanted, nullptr, before));
    EXPECT_FALSE(in_force(admit, &wanted, before));
    EXPECT_TRUE(in_force(admit, &wanted, kUntil));
    EXPECT_TRUE(in_force(admit, &admit, before));
    EXPECT_TRUE(in_force(admit, nullptr, before));
}

TEST(OrderObjects, quotas_are_found_by_name_label_and_mark) {
    const std::string ours = quota_body("batch", cap(500'000), 7, nullptr);
    EXPECT_NE(ours.find(R"("hard":{"count/jobs.batch":"7"})"), std::string::npos) << ours;
    const std::string foreign =
        R"({"metadata":{"name":"parley-batch-cap","namespace":"theirs"},"spec":{}})";
    const auto found = read_quotas(R"({"items":[)" + ours + "," + foreign + "]}");
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 1U);
    EXPECT_EQ(found->front().space, "batch");
    EXPECT_EQ(found->front().decision, kId);
    EXPECT_EQ(found->front().expires, kUntil);
    EXPECT_TRUE(read_quotas(R"({"items":[]})")->empty());
}

TEST(OrderObjects, jobs_are_counted_over_all_pages) {
    EXPECT_EQ(*count_of(R"({"metadata":{},"items":[]})"), 0);
    EXPECT_EQ(*count_of(R"({"metadata":{},"items":[{}]})"), 1);
    EXPECT_EQ(*count_of(R"({"metadata":{"remainingItemCount":41},"items":[{}]})"), 42);
    EXPECT_FALSE(count_of(R"({"metadata":{"remainingItemCount":-1},"items":[{}]})"));
    EXPECT_FALSE(count_of("no json"));
}

TEST(OrderObjects, a_cap_lifts_only_where_it_leaves_everything) {
    EXPECT_TRUE(lifts(cap(1'000'000)));
    EXPECT_FALSE(lifts(cap(999'999)));
    EXPECT_FALSE(lifts({1'000'000, 500'000, kId, kUntil, {}}));
}

}  // namespace
}  // namespace parley::kube
