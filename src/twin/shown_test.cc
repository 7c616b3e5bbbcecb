#include "twin/shown.h"

#include "twin/kit_test.h"

#include <gtest/gtest.h>

namespace parley::twin {
namespace {

using namespace model;

struct Two : Kit {
    Slot a = add_node("a");
    Slot b = add_node("b");
    Slot web = add_work(work_id("web"), 2);
    Slot other = add_work(work_id("other"), 1);
    Uid first = add_pod(web, a);
    Uid second = add_pod(web, b);
    Uid third = add_pod(other, a);
    Following following{.works = {work(web).uid}};
    Shown now(bool pods = false) { return show(seen, following, seconds(30), pods); }
};

TEST(Shown, the_room_of_nodes_is_what_others_leave) {
    Two kit;
    const Shown shown = kit.now(true);
    EXPECT_EQ(shown.places[kit.a].room.cpu_m, 750) << "only the pod that is not followed is there";
    EXPECT_EQ(shown.places[kit.b].room.cpu_m, 1000);
    ASSERT_EQ(shown.pods.size(), 2U);
    EXPECT_EQ(shown.pods[0].uid, kit.first);
    EXPECT_EQ(shown.works[0].startup, seconds(30));
}

TEST(Shown, what_this_action_keeps_away_is_open_to_the_others) {
    Two kit;
    kit.node(kit.a).quarantined = true;
    kit.node(kit.b).quarantined = true;
    kit.following.target = kit.a;
    const Shown shown = kit.now();
    EXPECT_TRUE(shown.places[kit.a].open);
    EXPECT_FALSE(shown.places[kit.b].open) << "another action's";
}

TEST(Shown, jobs_that_come_later_are_followed_with_the_queue) {
    Two kit;
    const Slot late = kit.add_work(job_id("late"), 0);
    kit.work(late).held = 3;
    EXPECT_EQ(kit.now().works.size(), 1U);
    kit.following.queue = true;
    kit.following.action = {0, 7};
    const Shown shown = kit.now();
    ASSERT_EQ(shown.works.size(), 2U);
    EXPECT_EQ(shown.works[1].held, 3) << "by somebody else's order";
    EXPECT_EQ(shown.works[1].wanted, 0);
    kit.work(late).mark = Mark{.decision = {0, 7}};
    EXPECT_EQ(kit.now().works[1].wanted, 3) << "it would run but for this action";
    EXPECT_EQ(kit.now().works[1].held, 0);
}

TEST(Shown, a_workload_that_is_gone_wants_nothing) {
    Two kit;
    kit.seen.workloads.erase(kit.web);
    const Shown shown = kit.now();
    ASSERT_EQ(shown.works.size(), 1U);
    EXPECT_EQ(shown.works[0].wanted, 0);
}

TEST(Shown, disruptions_are_those_that_others_brought_about) {
    Two kit;
    kit.following.own_pods = {kit.first};
    kit.seen.disruptions = {{kit.first, kit.a, kit.web}, {kit.second, kit.b, kit.web}};
    kit.seen.restarts = {{.node = kit.a, .count = 2, .workload = kit.web}};
    EXPECT_EQ(kit.now().works[0].disrupted, 3);
    kit.node(kit.b).ready = Readiness::unknown;
    EXPECT_EQ(kit.now().works[0].disrupted, 2) << "what a node that is down costs is modelled";
}

TEST(Shown, a_resized_pod_asks_for_what_its_containers_ask_for_then) {
    Two kit;
    const Slot shape = kit.seen.shapes.insert(
        {{{.name = Name::of("main"), .memory_request = std::int64_t{200} << 20},
          {.name = Name::of("side"), .memory_request = std::int64_t{56} << 20}}});
    Slot at = kNoSlot;
    kit.seen.pods.for_each([&](Slot slot, const PodRow& row) {
        if (row.uid == kit.first) at = slot;
    });
    kit.seen.pods.edit(at).shape = shape;
    const Room room = resized({.pod = kit.first,
                               .containers = {{.container = Name::of("main"),
                                               .memory_request = std::int64_t{100} << 20}}},
                              kit.seen);
    EXPECT_EQ(room.memory, std::int64_t{156} << 20);
    EXPECT_EQ(room.cpu_m, 250);
}

}  // namespace
}  // namespace parley::twin
