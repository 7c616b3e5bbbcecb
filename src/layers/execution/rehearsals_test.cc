#include "layers/execution/rehearsals.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

const TimePoint kThen{};

Decision round_with(std::vector<OpenAction> actions) {
    Decision decision{.round = 7};
    for (OpenAction& action : actions) decision.first_steps.push_back({std::move(action), Done{}});
    return decision;
}

OpenAction would(std::uint64_t id, const std::string& node, std::size_t requests = 2) {
    OpenAction action{.id = {1, id},
                      .round = 7,
                      .action = Migrate{},
                      .target = NodeId{Name::of(node)},
                      .state = ActionState::would_send};
    for (std::size_t i = 0; i < requests; ++i) {
        action.plan.push_back({EvictPod{.name = "pod-" + std::to_string(i)}});
    }
    return action;
}

TEST(Rehearsals, every_request_of_every_action_in_order) {
    Rehearsals book;
    const auto all = book.of(round_with({would(1, "node-1"), would(2, "node-2")}), kThen);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[1].action, (DecisionId{1, 1}));
    EXPECT_EQ(all[1].step, 1U);
    EXPECT_EQ(std::get<EvictPod>(all[1].request).name, "pod-1");
    EXPECT_EQ(all[2].action, (DecisionId{1, 2}));
    EXPECT_EQ(all[2].step, 0U);
}

TEST(Rehearsals, only_of_actions_that_would_begin_now) {
    Rehearsals book;
    OpenAction held = would(1, "node-1");
    held.state = ActionState::held;
    OpenAction older = would(2, "node-2");
    older.round = 6;
    EXPECT_TRUE(book.of(round_with({held, older}), kThen).empty());
}

TEST(Rehearsals, the_same_plan_only_again_after_ten_minutes) {
    Rehearsals book;
    EXPECT_EQ(book.of(round_with({would(1, "node-1")}), kThen).size(), 2U);
    const auto again = [&](Duration later, OpenAction action) {
        return book.of(round_with({std::move(action)}), kThen + later).size();
    };
    EXPECT_EQ(again(minutes(9), would(2, "node-1")), 0U);
    EXPECT_EQ(again(minutes(9), would(3, "node-2")), 2U) << "another target";
    OpenAction other = would(4, "node-1");
    other.action = PowerState{};
    EXPECT_EQ(again(minutes(9), other), 2U) << "another kind";
    EXPECT_EQ(again(minutes(10), would(5, "node-1")), 2U);
}

TEST(Rehearsals, no_more_than_a_round_has_room_for) {
    Rehearsals book;
    const auto all = book.of(
        round_with({would(1, "node-1", 100), would(2, "node-2", 100), would(3, "node-3")}), kThen);
    ASSERT_EQ(all.size(), kRehearsedPerRoundMax);
    EXPECT_EQ(all.back().step, 27U);
    EXPECT_EQ(book.of(round_with({would(4, "node-3")}), kThen + seconds(3)).size(), 2U)
        << "what was not begun is not forgotten";
}

}  // namespace
}  // namespace parley::execution
