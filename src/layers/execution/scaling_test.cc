// Execution of scalings: many at once, with no place in the ledger, kept by their marks.

#include "layers/execution/begin.h"
#include "layers/execution/kit_test.h"
#include "layers/execution/ledger_fold.h"
#include "model/coded.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

constexpr int kMany = 2'000;

WorkloadId id_of(int number) { return workload_id("web-" + std::to_string(number)); }

/// A round that has accepted to scale each of so many workloads.
Verdict accepts_scaling(Kit& kit, int count, std::int64_t from, std::int64_t to) {
    Verdict verdict;
    for (int i = 0; i < count; ++i) {
        kit.add_workload(id_of(i), static_cast<std::int32_t>(from));
        verdict.accepted.push_back(proposes(Role::scaling, Scale{{from, to}}, id_of(i)));
    }
    return verdict;
}

std::vector<Step> begun(Kit& kit, const Verdict& verdict) {
    std::vector<Step> steps;
    begin(verdict, kit.forecast, kit.input, kit.policy, kit.memory, steps);
    return steps;
}

/// What happens to an action whose every read and request is answered well.
void answer_all(Kit& kit, const OpenAction& action) {
    const auto seen = [&](const Live& live) {
        kit.input.events.push_back({action.id, kNow, Seen{live, ""}});
        kit.input.events.push_back({action.id, kNow, Answered{}});
    };
    seen({.exists = true, .uid = action.uid, .version = 1});
    seen({.exists = true, .uid = action.uid, .version = 2, .mark = action.id});
}

TEST(Scaling, thousands_begin_in_one_round_and_leave_the_ledger_as_it_is) {
    Kit kit;
    kit.input.run = 1;
    const std::size_t before = encode(kit.memory.ledger).size();
    const auto steps = begun(kit, accepts_scaling(kit, kMany, 4, 5));
    EXPECT_EQ(steps.size(), static_cast<std::size_t>(kMany));
    EXPECT_EQ(kit.memory.scaling.size(), static_cast<std::size_t>(kMany));
    EXPECT_EQ(encode(kit.memory.ledger).size(), before);
    EXPECT_TRUE(kit.memory.ledger.cool_downs.empty());
    for (const Step& step : steps) {
        EXPECT_TRUE(std::holds_alternative<Read>(step.next)) << step.action.note;
    }
}

TEST(Scaling, is_over_when_it_is_done_and_its_size_stays) {
    Kit kit;
    const auto steps = begun(kit, accepts_scaling(kit, 3, 4, 5));
    for (const Step& step : steps) answer_all(kit, step.action);
    const Remembered remembered = remember(kit.input, kit.memory);
    EXPECT_TRUE(kit.memory.scaling.empty());
    EXPECT_TRUE(remembered.steps.empty());
    EXPECT_TRUE(remembered.alarms.empty());
    ASSERT_EQ(remembered.ended.size(), 3U);
    for (const OpenAction& ended : remembered.ended) {
        EXPECT_EQ(ended.state, ActionState::confirmed);
        EXPECT_FALSE(ended.undoing);
        EXPECT_EQ(ended.confirmed, kNow);
    }
}

TEST(Scaling, what_fails_half_way_is_undone) {
    Kit kit;
    const OpenAction action = begun(kit, accepts_scaling(kit, 1, 4, 5))[0].action;
    answer_all(kit, action);
    std::get<Answered>(kit.input.events.back().what) = {
        .ok = false, .code = ErrorCode::denied, .message = "a webhook says no"};
    const Remembered remembered = remember(kit.input, kit.memory);
    ASSERT_EQ(remembered.steps.size(), 1U);
    EXPECT_TRUE(remembered.steps[0].action.undoing);
    EXPECT_EQ(remembered.steps[0].action.undo, std::vector<Request>{PutMark{.target = id_of(0)}})
        << "the replicas were never set";
}

TEST(Scaling, cools_down_by_workload) {
    Kit kit;
    begun(kit, accepts_scaling(kit, 1, 4, 5));
    const WorkFold* fold = kit.memory.derived.workloads.find(0);
    ASSERT_NE(fold, nullptr);
    EXPECT_EQ(fold->scaled, kNow);
    EXPECT_EQ(fold->uid, kit.workload(0).uid);
}

TEST(Scaling, what_it_takes_away_is_one_row_a_round) {
    Kit kit;
    begun(kit, accepts_scaling(kit, 5, 4, 2));
    EXPECT_EQ(kit.memory.ledger.scaled_down, (std::vector<ScaledDown>{{kNow, 10}}));
    kit.input.now = kNow + hours(24);
    remember(kit.input, kit.memory);
    EXPECT_TRUE(kit.memory.ledger.scaled_down.empty());
}

TEST(Scaling, in_observe_nothing_is_on_its_way) {
    Kit kit;
    kit.input.controls.mode = Mode::observe;
    const auto steps = begun(kit, accepts_scaling(kit, 2, 4, 5));
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].action.state, ActionState::would_send);
    EXPECT_TRUE(kit.memory.scaling.empty());
}

}  // namespace
}  // namespace parley::execution
