#include "layers/execution/marks.h"

#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;
using Changes = std::vector<MarkedChange>;

constexpr DecisionId kOlder{0, 0xd1};
constexpr DecisionId kNewer{0, 0xd2};
constexpr Uid kPod{3, 1};

Mark mark(DecisionId id, Changes changes) {
    return {id, kNow + minutes(10), ActionKind::throttle, std::move(changes)};
}

MarkPod mark_pod(DecisionId id, Changes changes, Uid pod = kPod) {
    return {pod, Name::of("shop"), "web-1", mark(id, std::move(changes))};
}

/// An action that marks a pod and gives back nothing but the mark.
OpenAction marks_a_pod(DecisionId id, Changes changes, bool ours) {
    OpenAction action;
    action.id = id;
    action.plan = {{mark_pod(id, std::move(changes)), {}, ours}};
    action.undo = {MarkPod{kPod, Name::of("shop"), "web-1", {}}};
    action.at = 1;
    return action;
}

const MarkedChange kLimit{MarkedField::cpu_limit_m, Name::of("main"), 1000, 850};
const MarkedChange kMemory{MarkedField::memory, Name::of("main"), 400, 300};

TEST(Marks, are_of_targets_and_of_pods) {
    EXPECT_EQ(*marks(PutMark{node_id("node-1"), kOlder, {}}), kOlder);
    EXPECT_EQ(*marks(mark_pod(kNewer, {})), kNewer);
    EXPECT_EQ(marks(SetTaint{node_id("node-1"), Taint::none}), nullptr);
}

TEST(Marks, carry_the_value_before_the_first_change_and_what_only_the_first_changed) {
    const MarkedChange later{MarkedField::cpu_limit_m, Name::of("main"), 850, 700};
    const MarkedChange other{MarkedField::cpu_limit_m, Name::of("side"), 500, 400};
    const Changes before{kLimit, kMemory};
    const MarkedChange both{MarkedField::cpu_limit_m, Name::of("main"), 1000, 700};
    EXPECT_EQ(carried({later}, &before), (Changes{both, kMemory}));
    EXPECT_EQ(carried({other}, &before), (Changes{other, kLimit, kMemory}));
    EXPECT_EQ(carried({later}, nullptr), Changes{later});
}

TEST(Marks, name_every_figure_that_a_resize_changes) {
    const Name main = Name::of("main");
    const ResizePod there{kPod, {}, "web-1", {{main, 10, 20, 30, 40}, {Name::of("b"), {}, 5}}};
    const ResizePod back{kPod, {}, "web-1", {{main, 11, 21, 31, 41}, {Name::of("b"), {}, 6}}};
    EXPECT_EQ(changes_of(there, back), (Changes{{MarkedField::cpu_m, main, 11, 10},
                                                {MarkedField::cpu_limit_m, main, 21, 20},
                                                {MarkedField::memory, main, 31, 30},
                                                {MarkedField::memory_limit, main, 41, 40},
                                                {MarkedField::cpu_limit_m, Name::of("b"), 6, 5}}));
}

TEST(Marks, of_a_pod_that_another_action_marked_name_the_changes_of_both) {
    Ledger ledger;
    ledger.open = {marks_a_pod(kOlder, {kMemory}, true)};
    OpenAction newer = marks_a_pod(kNewer, {kLimit}, false);
    carry_marks(newer, ledger);
    EXPECT_EQ(newer.plan[0].request, Request(mark_pod(kNewer, {kLimit, kMemory})));
    EXPECT_EQ(newer.undo[0], Request(mark_pod(kOlder, {kMemory})))
        << "the other has its mark again";
}

TEST(Marks, of_a_pod_are_alone_where_no_other_stands) {
    const auto alone = [](OpenAction other) {
        Ledger ledger;
        ledger.open = {std::move(other)};
        OpenAction newer = marks_a_pod(kNewer, {kLimit}, false);
        const OpenAction before = newer;
        carry_marks(newer, ledger);
        return newer == before;
    };
    EXPECT_FALSE(alone(marks_a_pod(kOlder, {kMemory}, true)));
    EXPECT_TRUE(alone(marks_a_pod(kOlder, {kMemory}, false))) << "it never came so far";
    OpenAction ending = marks_a_pod(kOlder, {kMemory}, true);
    ending.undoing = true;
    EXPECT_TRUE(alone(ending));
    OpenAction elsewhere = marks_a_pod(kOlder, {kMemory}, true);
    std::get<MarkPod>(elsewhere.plan[0].request).pod = {3, 2};
    EXPECT_TRUE(alone(elsewhere));
    OpenAction on_its_way = marks_a_pod(kOlder, {kMemory}, false);
    on_its_way.at = 0;
    EXPECT_FALSE(alone(on_its_way)) << "it may be there already";
}

}  // namespace
}  // namespace parley::execution
