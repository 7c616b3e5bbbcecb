#include "model/action.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

TEST(Action, has_the_label_of_its_agent_and_kind) {
    const struct {
        Role role;
        Action action;
        const char* label;
        bool disrupts;
        bool nothing;
    } cases[] = {
        {Role::safety, Noop{}, "AgentA:noop", false, true},
        {Role::safety, Replicate{}, "AgentA:replicate", true, false},
        {Role::safety, Migrate{}, "AgentA:migrate", true, false},
        {Role::safety, Throttle{}, "AgentA:throttle", false, false},
        {Role::efficiency, PowerState{PowerWish::sleep}, "AgentB:power_state:sleep", true, false},
        {Role::efficiency, PowerState{PowerWish::off}, "AgentB:power_state:off", true, false},
        {Role::efficiency, PowerState{PowerWish::on}, "AgentB:power_state:on", false, false},
        {Role::efficiency, Dvfs{}, "AgentB:dvfs", false, false},
        {Role::efficiency, MemoryBalloon{}, "AgentB:memory_balloon", false, false},
        {Role::admission, Admission{AdmissionWish::admit}, "AgentC:admission:admit", false, true},
        {Role::admission, Admission{AdmissionWish::queue}, "AgentC:admission:queue", false, false},
        {Role::admission, ResourceCap{}, "AgentC:resource_cap", false, false},
        {Role::scaling, Scale{{2, 3}}, "AgentD:scale", false, false},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(label_of(c.role, c.action), c.label);
        EXPECT_EQ(disruptive(c.action), c.disrupts) << c.label;
        EXPECT_EQ(changes_nothing(c.action), c.nothing) << c.label;
    }
}

TEST(Action, kinds_stand_in_the_order_of_the_variant) {
    EXPECT_EQ(kind_of(Noop{}), ActionKind::noop);
    EXPECT_EQ(kind_of(Throttle{}), ActionKind::throttle);
    EXPECT_EQ(kind_of(ResourceCap{}), ActionKind::resource_cap);
    EXPECT_EQ(kind_of(Scale{}), ActionKind::scale);
    EXPECT_EQ(std::variant_size_v<Action>, 10U);
}

TEST(Request, says_what_it_asks_for) {
    const NodeId node{Name::of("node-07")};
    const WorkloadId web{Name::of("shop"), WorkloadKind::deployment, Name::of("web")};
    EXPECT_EQ(text_of(Request(PutMark{node, {1, 2}})), "mark node-07");
    EXPECT_EQ(text_of(Request(PutMark{.target = node})), "unmark node-07");
    EXPECT_EQ(text_of(Request(MarkPod{{1, 2}, {}, "web-1", {{1, 2}}})), "mark web-1");
    EXPECT_EQ(text_of(Request(MarkPod{{1, 2}, {}, "web-1", {}})), "unmark web-1");
    EXPECT_EQ(text_of(Request(SetTaint{node, Taint::no_schedule})), "quarantine node-07");
    EXPECT_EQ(text_of(Request(SetTaint{node, Taint::none})), "lift quarantine of node-07");
    EXPECT_EQ(text_of(Request(SetReplicas{web, 7})), "shop/web to 7");
    EXPECT_EQ(text_of(Request(SetClock{node, 650'000})), "clock of node-07 to 65%");
}

TEST(ActionState, final_ones_are_left_no_more) {
    using enum ActionState;
    for (const ActionState state : {confirmed, moot, expired, failed, would_send}) {
        EXPECT_TRUE(is_final(state));
    }
    for (const ActionState state : {planned, marked, sent, blocked, unknown, held}) {
        EXPECT_FALSE(is_final(state));
    }
}

}  // namespace
}  // namespace parley::model
