#include "kube/write/renewal.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;

const Uid kUid{0x0af1c2d3'0000'4000, 0x8000'0000000000aa};
const DecisionId kId{0x0123456789abcdef, 0x0000000100000007};
const cluster::Stamp kStamp{kId, 3, false};
constexpr TimePoint kNow{1'740'834'000'000'000};  // 2025-03-01T13:00:00Z
const NodeId kNode{Name::of("node-1")};
const EvictPod kEvict{kUid, "web-1", Name::of("shop")};

const std::string kSame = R"("uid":"0af1c2d3-0000-4000-8000-0000000000aa","resourceVersion":"41")";

Seen seen(const std::optional<Mark>& mark = {}) {
    return {.uid = kUid,
            .uid_text = kUid.text(),
            .version = 41,
            .mark = mark,
            .has_annotations = mark.has_value()};
}

http::Request renewal(const Request& request, const Seen& of) {
    const auto place = place_of(request);
    EXPECT_TRUE(place);
    auto made = renewal_of(request, *place, of, kStamp, kNow);
    EXPECT_TRUE(made);
    return made.value_or(http::Request{});
}

TEST(Renewal, a_mark_that_is_there_expires_a_moment_later_and_nothing_else_changes) {
    const Seen marked = seen(Mark{kId, kNow, ActionKind::migrate, {}});
    const http::Request out = renewal(SetTaint{kNode, Taint::no_schedule}, marked);
    EXPECT_EQ(out.method, "PATCH");
    EXPECT_EQ(out.target, "/api/v1/nodes/node-1");
    EXPECT_EQ(out.body, R"({"metadata":{)" + kSame +
                            R"(,"annotations":{"parley.dev/expires":)"
                            R"("2025-03-01T13:00:00.000001Z"}}})");
    EXPECT_EQ(renewal(PutMark{.target = kNode}, marked).body, out.body) << "one to be taken away";
}

TEST(Renewal, a_pod_that_was_to_be_evicted_gets_a_mark_that_names_no_changes) {
    const http::Request out = renewal(kEvict, seen());
    EXPECT_EQ(out.method, "PATCH");
    EXPECT_EQ(out.target, "/api/v1/namespaces/shop/pods/web-1");
    EXPECT_EQ(out.body,
              R"({"metadata":{)" + kSame +
                  R"(,"annotations":{"parley.dev/decision":"0123456789abcdef0000000100000007",)"
                  R"("parley.dev/expires":"2025-03-01T14:00:00Z","parley.dev/kind":"noop",)"
                  R"("parley.dev/changes":""}}})");
}

TEST(Renewal, a_mark_that_did_not_come_is_put_as_it_was_meant) {
    const PutMark put{kNode, kId, kNow, ActionKind::migrate, {{MarkedField::taint, {}, 0, 2}}};
    const auto place = place_of(Request(put));
    ASSERT_TRUE(place);
    EXPECT_EQ(renewal(put, seen()).body, change_of(put, *place, seen(), kStamp).body);
    const MarkPod pod{kUid,
                      Name::of("shop"),
                      "web-1",
                      {kId, kNow, ActionKind::throttle, {{MarkedField::deletion_cost, {}, 0, 1}}}};
    EXPECT_NE(renewal(pod, seen()).body.find("deletion_cost: 0 > 1"), std::string::npos);
}

TEST(Renewal, a_mark_that_somebody_edited_is_left_to_them) {
    Seen edited = seen();
    edited.has_annotations = true;
    const auto place = place_of(Request(kEvict));
    ASSERT_TRUE(place);
    const auto made = renewal_of(kEvict, *place, edited, kStamp, kNow);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::denied);
}

}  // namespace
}  // namespace parley::kube
