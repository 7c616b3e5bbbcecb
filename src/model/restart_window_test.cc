#include "model/restart_window.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

constexpr Duration kWindow = minutes(10);

Uid uid(std::uint64_t number) { return Uid{0, number}; }

/// A round at a minute, with nodes of these numbers from slot 0 on.
RoundInput round_at(std::int64_t minute, const std::vector<std::uint64_t>& nodes) {
    RoundInput input;
    input.now = TimePoint{} + minutes(minute);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        NodeRow row;
        row.uid = uid(nodes[i]);
        input.snapshot.nodes.put(static_cast<Slot>(i), row);
    }
    return input;
}

void restarts(RoundInput& input, Slot node, std::int32_t count) {
    input.snapshot.restarts.push_back(
        {.node = node, .pod = uid(100 + node), .at = input.now, .count = count});
}

std::int32_t counted(const std::vector<RestartAt>& seen, Slot node) {
    std::int32_t count = 0;
    for (const RestartAt& each : seen) count += each.node == node ? each.seen.count : 0;
    return count;
}

TEST(RestartWindow, keeps_the_restarts_of_its_time) {
    RestartWindow window(kWindow);
    RoundInput first = round_at(1, {1, 2});
    restarts(first, 0, 3);
    restarts(first, 1, 0);  // None.
    restarts(first, 9, 5);  // On a node that nobody knows.
    window.take(first);
    RoundInput second = round_at(11, {1, 2});
    restarts(second, 1, 2);
    window.take(second);
    EXPECT_EQ(counted(window.on_nodes_of(second.snapshot), 0), 3);  // Ten minutes old.
    EXPECT_EQ(counted(window.on_nodes_of(second.snapshot), 1), 2);
    EXPECT_EQ(window.seen().size(), 2U);
    RoundInput third = round_at(12, {1, 2});
    window.take(third);
    EXPECT_EQ(counted(window.on_nodes_of(third.snapshot), 0), 0);
    EXPECT_EQ(counted(window.on_nodes_of(third.snapshot), 1), 2);
}

TEST(RestartWindow, follows_a_node_to_another_slot_and_gives_its_own_to_nobody) {
    RestartWindow window(kWindow);
    RoundInput first = round_at(1, {1, 2});
    restarts(first, 0, 3);
    window.take(first);
    const RoundInput moved = round_at(2, {2, 3, 1});
    EXPECT_EQ(counted(window.on_nodes_of(moved.snapshot), 2), 3);
    EXPECT_EQ(counted(window.on_nodes_of(moved.snapshot), 0), 0);
    EXPECT_TRUE(window.on_nodes_of(round_at(2, {2, 3}).snapshot).empty());
}

TEST(RestartWindow, begins_with_what_the_run_remembers) {
    RestartWindow window(kWindow);
    RoundInput earlier = round_at(1, {1});
    restarts(earlier, 0, 9);
    window.take(earlier);
    Table<NodeFold> folds;
    NodeFold fold;
    fold.uid = uid(1);
    fold.restarts[0] = {.at = TimePoint{} + minutes(8), .pod = uid(7), .count = 2, .workload = {}};
    fold.restarts[3] = {.at = TimePoint{} + minutes(4), .pod = uid(8), .count = 1, .workload = {}};
    folds.put(0, fold);
    window.meet(folds);
    ASSERT_EQ(window.seen().size(), 2U);
    EXPECT_EQ(window.seen().front().at.seen.pod, uid(8));  // The older one.
    const RoundInput next = round_at(15, {1});
    window.take(next);
    EXPECT_EQ(counted(window.on_nodes_of(next.snapshot), 0), 2);
}

}  // namespace
}  // namespace parley::model
