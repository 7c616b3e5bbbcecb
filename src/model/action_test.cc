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

}  // namespace
}  // namespace parley::model
