#include "layers/proposal/balloons.h"

#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

namespace parley::proposal {
namespace {

using namespace kit;

/// A node whose pods ask for 400 bytes, as their template does, and of which so many are used.
Round asking(std::int64_t used) {
    Round round;
    model::NodeRow& node = round.node(0, "node-05");
    node.memory_requested = 400;
    node.memory_used = read(used);
    model::WorkloadRow work;
    work.id = {Name::of("shop"), model::WorkloadKind::deployment, Name::of("web")};
    work.memory_request = 400;
    work.memory_used = read(model::Usage{.sum = 100, .max = 100, .count = 1});
    round.input.snapshot.workloads.put(0, work);
    model::PodRow pod;
    pod.workload = 0;
    pod.node = 0;
    pod.phase = model::PodPhase::running;
    pod.memory_request = 400;
    round.input.snapshot.pods.put(0, pod);
    return round;
}

std::optional<double> scale(const Round& round) {
    return balloon_scale(round.view(), round.input.snapshot.nodes.at(0));
}

TEST(Balloons, go_towards_what_is_used_in_steps_that_are_worth_it) {
    EXPECT_EQ(scale(asking(100)), 0.75) << "by a quarter at most";
    EXPECT_EQ(scale(asking(300)), 0.87) << "300 x 1.15 of 400 is 0.8625";
    EXPECT_EQ(scale(asking(331)), std::nullopt) << "over 0.95 nothing is gained";
    Round round = asking(100);
    round.input.snapshot.nodes.edit(0).memory_requested = 0;
    EXPECT_EQ(scale(round), std::nullopt);
    round = asking(100);
    round.input.snapshot.nodes.edit(0).memory_used =
        read<std::int64_t>(100, round.policy.guard.metrics_age_max + seconds(1));
    EXPECT_EQ(scale(round), std::nullopt) << "nobody knows what is used now";
}

TEST(Balloons, are_for_pods_that_ask_for_more_than_they_would_be_left) {
    Round round = asking(100);
    EXPECT_TRUE(lowers_any(round.view(), 0));
    EXPECT_EQ(lowered_nodes(round.view()), std::vector<char>{1});
    round.input.snapshot.pods.edit(0).memory_request = 115;  // 100 are used, with the margin.
    EXPECT_FALSE(lowers_any(round.view(), 0)) << "it stands already";
    EXPECT_EQ(lowered_nodes(round.view()), std::vector<char>{0});
    round = asking(100);
    round.input.snapshot.workloads.edit(0).protect = true;
    EXPECT_FALSE(lowers_any(round.view(), 0));
    round = asking(100);
    round.input.snapshot.pods.edit(0).terminating = true;
    EXPECT_FALSE(lowers_any(round.view(), 0));
}

}  // namespace
}  // namespace parley::proposal
