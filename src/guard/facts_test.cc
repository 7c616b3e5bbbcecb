#include "guard/facts.h"

#include "fake/small_round.h"

#include <gtest/gtest.h>

namespace parley::guard {
namespace {

using namespace model;
using fake::node_id;
using fake::SmallRound;
using fake::workload_id;

TEST(Facts, find_nodes_and_workloads_by_name) {
    const SmallRound round;
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    for (int i = 1; i <= 12; ++i) EXPECT_EQ(facts.slot_of(node_id(i)), SmallRound::slot(i));
    EXPECT_EQ(facts.slot_of(node_id(13)), kNoSlot);
    EXPECT_EQ(facts.slot_of(NodeId{Name::of("aaaa")}), kNoSlot);
    EXPECT_EQ(facts.slot_of(NodeId{}), kNoSlot);
    EXPECT_EQ(facts.slot_of(workload_id("shop", "web")), round.web);
    EXPECT_EQ(facts.slot_of(workload_id("shop", "cart")), kNoSlot);
    EXPECT_EQ(facts.slot_of(workload_id("shop", "web", WorkloadKind::job)), kNoSlot);
}

TEST(Facts, find_nodes_whose_slots_have_holes) {
    SmallRound round;
    round.input.snapshot.nodes.erase(SmallRound::slot(3));
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    EXPECT_EQ(facts.slot_of(node_id(3)), kNoSlot);
    EXPECT_EQ(facts.slot_of(node_id(4)), SmallRound::slot(4));
    EXPECT_EQ(facts.census().nodes, 11);
}

TEST(Facts, know_an_empty_cluster) {
    const SmallRound round(0);
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    EXPECT_EQ(facts.slot_of(node_id(1)), kNoSlot);
    EXPECT_EQ(facts.census().nodes, 0);
    EXPECT_EQ(facts.fold_of(0), nullptr);
}

TEST(Facts, find_sources_and_windows) {
    SmallRound round;
    round.node(2).uid = Uid{7, 7};
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    ASSERT_NE(facts.source(Source::api), nullptr);
    EXPECT_EQ(facts.source(Source::api)->covered, 12);
    EXPECT_EQ(facts.source(Source::prometheus), nullptr);
    ASSERT_NE(facts.fold_of(0), nullptr);
    EXPECT_EQ(facts.fold_of(0)->over, 0b110);
    EXPECT_EQ(facts.fold_of(1), nullptr);  // Same name, new uid: another node.
    EXPECT_EQ(facts.fold_of(kNoSlot), nullptr);
}

TEST(Facts, replicas_are_those_of_what_can_be_scaled) {
    SmallRound round;
    const auto add = [&](const char* name, WorkloadKind kind, int replicas) {
        round.add_workload(fake::workload_id("shop", name, kind), replicas);
    };
    add("db", WorkloadKind::stateful_set, 30);
    add("agent", WorkloadKind::daemon_set, 500);
    add("report", WorkloadKind::job, 7'000);
    add("one", WorkloadKind::bare, 1);
    add("api", WorkloadKind::deployment, 60'000);
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    EXPECT_EQ(facts.replicas(), 60'034);
}

}  // namespace
}  // namespace parley::guard
