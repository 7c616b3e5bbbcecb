#include "model/containers.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

ContainerSpec spec(const char* name) { return {.name = Name::of(name)}; }

/// A pod of three containers on node 5, of which the third restarted; another pod elsewhere.
Snapshot two_pods() {
    Snapshot snapshot;
    const Slot shape = snapshot.shapes.insert({{spec("app"), spec("log"), spec("mesh")}});
    PodRow pod{.uid = {3, 1}, .node = 5, .restarts = 9};
    pod.shape = shape;
    pod.first.ending = Ending::oom_killed;
    const Slot here = snapshot.pods.insert(pod);
    pod.uid = {3, 2};
    pod.node = 6;
    const Slot there = snapshot.pods.insert(pod);
    snapshot.containers.insert({.pod = there, .at = 1, .restarts = 8, .state = {}});
    snapshot.containers.insert({.pod = here, .at = 2, .restarts = 4, .state = {.exit_code = 7}});
    return snapshot;
}

TEST(Containers, are_joined_in_the_order_of_the_shape) {
    const Snapshot snapshot = two_pods();
    const auto seen = Containers(snapshot, 5).of(snapshot.pods.at(0));
    ASSERT_EQ(seen.size(), 3U);
    EXPECT_EQ(seen[0].spec->name, Name::of("app"));
    EXPECT_EQ(seen[0].restarts, 5) << "all, less those of the others";
    EXPECT_EQ(seen[0].state.ending, Ending::oom_killed);
    EXPECT_EQ(seen[1].restarts, 0);
    EXPECT_EQ(seen[2].restarts, 4);
    EXPECT_EQ(seen[2].state.exit_code, 7);
}

TEST(Containers, of_a_pod_whose_shape_is_not_known_are_none) {
    Snapshot snapshot = two_pods();
    snapshot.pods.edit(0).shape = kNoSlot;
    EXPECT_TRUE(Containers(snapshot, 5).of(snapshot.pods.at(0)).empty());
}

}  // namespace
}  // namespace parley::model
