#include "exercise/plan.h"

#include "fake/small_round.h"

#include <gtest/gtest.h>

namespace parley::exercise {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

struct PlanTest : testing::Test {
    fake::SmallRound round{3};  // 10 CPU, 32 GiB each; on node-01 500m of others twice, on 2 and 3.
    PlanOptions options{.space = "parley-exercise"};

    Result<Plan> plan(std::int64_t number) {
        return plan_phase(options, number, round.input.snapshot);
    }
};

TEST_F(PlanTest, idle_only_deletes) {
    const auto made = plan(0);
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->fillers.empty());
    EXPECT_EQ(made->stimulus.text, "deleted what the exerciser had in parley-exercise");
    EXPECT_EQ(made->stimulus.intent, "AgentB:power_state:sleep");
}

TEST_F(PlanTest, fills_the_emptiest_node_up_to_the_share_that_the_phase_means) {
    round.run(round.web, 3, 300, 100 * kMib);
    const auto made = plan(1);  // 2200m beside 100m of 10 CPU, 256Mi beside 50Mi of 8 GiB.
    ASSERT_TRUE(made && !made->fillers.empty());
    EXPECT_EQ(made->fillers.front().node, "node-02");
    EXPECT_EQ(made->fillers.front().cpu_m, 2'300 - round.node(2).cpu_requested_m);
    EXPECT_EQ(made->fillers.front().memory,
              (32LL * 1024 * 306 / 8192) * kMib - round.node(2).memory_requested);
    EXPECT_EQ(made->stimulus.before, round.node(1).cpu_requested_m + round.node(2).cpu_requested_m +
                                         round.node(3).cpu_requested_m);
    EXPECT_EQ(made->stimulus.text,
              "3 pods of 1300m to 1800m CPU and 712Mi to 968Mi on node-02, node-03 and node-01");
}

TEST_F(PlanTest, a_phase_that_means_the_fullest_node_fills_one) {
    const auto made = plan(3);
    ASSERT_TRUE(made);
    ASSERT_EQ(made->fillers.size(), 1U);
    EXPECT_EQ(made->fillers.front().node, "node-02");
    EXPECT_EQ(made->fillers.front().name, "safety-throttle");
}

TEST_F(PlanTest, a_phase_that_means_the_emptiest_node_leaves_none_below_its_share) {
    round.node(1).cpu_requested_m = 5'000;  // Fuller than intended.
    const auto made = plan(1);
    ASSERT_TRUE(made);
    ASSERT_EQ(made->fillers.size(), 2U);
    EXPECT_EQ(made->fillers[0].name, "light-dvfs");
    EXPECT_EQ(made->fillers[1].name, "light-dvfs-2");
    for (const cluster::Filler& filler : made->fillers) {
        EXPECT_NE(filler.node, "node-01");
        EXPECT_EQ(filler.cpu_m, 1'800);
    }
    EXPECT_EQ(made->stimulus.text, "2 pods of 1800m CPU and 968Mi on node-02 and node-03");
}

TEST_F(PlanTest, of_many_nodes_the_emptiest_are_filled_and_the_others_are_counted) {
    round = fake::SmallRound(20);
    const auto made = plan(1);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->fillers.size(), kNodesFilledMax);
    EXPECT_NE(made->stimulus.text.find(" on 16 nodes; 4 nodes stay emptier than is meant"),
              std::string::npos)
        << made->stimulus.text;
}

TEST_F(PlanTest, sizes_follow_what_a_node_can_allocate) {
    for (const int number : {1, 2, 3}) {
        round.node(number).cpu_allocatable_m = 2'000;
        round.node(number).memory_allocatable = 1'024 * kMib;
        round.node(number).cpu_requested_m = round.node(number).memory_requested = 0;
    }
    const auto made = plan(5);
    ASSERT_TRUE(made && !made->fillers.empty());
    EXPECT_EQ(made->fillers.front().cpu_m, 1'900);
    EXPECT_EQ(made->fillers.front().memory, 902 * kMib);
}

TEST_F(PlanTest, what_the_exerciser_has_there_already_is_no_ones_request) {
    const auto before = plan(1);
    const Slot own = round.add_workload(fake::workload_id("parley-exercise", "light-dvfs"), 1);
    round.run(own, 2, 1'800, 968 * kMib);
    const auto again = plan(1);
    ASSERT_TRUE(before && again && !again->fillers.empty());
    EXPECT_EQ(again->fillers.front().cpu_m, before->fillers.front().cpu_m);
    EXPECT_EQ(again->fillers.front().memory, before->fillers.front().memory);
    EXPECT_EQ(again->fillers.front().node, before->fillers.front().node);
    EXPECT_EQ(again->stimulus.before, before->stimulus.before);
}

TEST_F(PlanTest, pods_of_others_in_the_namespace_are_requests_of_others) {
    const Slot theirs = round.add_workload(fake::workload_id("parley-exercise", "theirs"), 1);
    round.run(theirs, 2, 1'000, 100 * kMib);
    const auto made = plan(1);
    ASSERT_TRUE(made);
    for (const cluster::Filler& filler : made->fillers) {
        if (filler.node == "node-02") EXPECT_EQ(filler.cpu_m, 800);
    }
    EXPECT_EQ(made->stimulus.before, round.node(1).cpu_requested_m + round.node(2).cpu_requested_m +
                                         round.node(3).cpu_requested_m);
}

TEST_F(PlanTest, own_pods_that_wait_are_not_in_the_queue_before) {
    const Slot own = round.add_workload(fake::workload_id("parley-exercise", "admission-queue"), 5);
    for (int pod = 0; pod < 5; ++pod) {
        round.input.snapshot.pods.insert({.uid = {9, static_cast<std::uint64_t>(pod)},
                                          .workload = own,
                                          .terminating = pod == 0});
    }
    round.input.snapshot.queue = round.reading<std::int64_t>(7, seconds(0));
    EXPECT_EQ(plan(7)->stimulus.before, 3);
    options.watched = false;  // Then they do not count in the queue.
    EXPECT_EQ(plan(7)->stimulus.before, 7);
}

TEST_F(PlanTest, nodes_that_take_no_pods_are_left_out) {
    struct Case {
        const char* what;
        void (*spoil)(model::NodeRow&);
    };
    const Case cases[] = {
        {"not ready", [](model::NodeRow& node) { node.ready = model::Readiness::no; }},
        {"cordoned", [](model::NodeRow& node) { node.cordoned = true; }},
        {"draining", [](model::NodeRow& node) { node.maintenance = true; }},
        {"tainted", [](model::NodeRow& node) { node.foreign_taint = true; }},
        {"ours", [](model::NodeRow& node) { node.quarantined = true; }},
        {"no memory", [](model::NodeRow& node) { node.memory_pressure = true; }},
        {"all pods", [](model::NodeRow& node) { node.pods_allocatable = node.pods; }},
        {"no CPU at all",
         [](model::NodeRow& node) { node.cpu_allocatable_m = node.cpu_requested_m = 0; }},
        {"no memory at all", [](model::NodeRow& node) { node.memory_allocatable = 0; }},
    };
    for (const Case& c : cases) {
        round = fake::SmallRound(3);
        c.spoil(round.node(2));
        ASSERT_TRUE(plan(1)) << c.what;
        EXPECT_EQ(plan(1)->fillers.front().node, "node-03") << c.what;
        for (const int number : {1, 2, 3}) c.spoil(round.node(number));
        const auto none = plan(1);
        ASSERT_FALSE(none) << c.what;
        EXPECT_EQ(none.error().message,
                  "light-dvfs: no node is ready and open for pods, so none was put");
    }
}

TEST_F(PlanTest, an_idle_node_that_is_full_of_memory_does_not_keep_others_from_being_filled) {
    round.node(2).memory_requested = round.node(2).memory_allocatable;
    for (const std::int64_t number : {3, 4, 5}) {  // Each concerns one node.
        const auto made = plan(number);
        ASSERT_TRUE(made) << made.error().message;
        EXPECT_EQ(made->fillers.front().node, "node-03");
    }
}

TEST_F(PlanTest, a_cluster_that_is_full_already_is_said) {
    for (const int number : {1, 2, 3}) round.node(number).cpu_requested_m = 4'000 + number;
    const auto made = plan(1);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message,
              "light-dvfs: others ask for 40 % of the CPU and 1 % of the memory of node-01, the "
              "emptiest node, so no pod fits the phase");
    EXPECT_TRUE(plan(3));  // 87 %.
}

TEST_F(PlanTest, pods_that_are_meant_to_wait) {
    round.node(2).cpu_allocatable_m = 16'000;
    auto made = plan(6);
    ASSERT_TRUE(made && !made->fillers.empty());
    EXPECT_EQ(made->fillers.front().pods, 12);
    EXPECT_GE(made->fillers.front().cpu_m, 4'800);
    EXPECT_FALSE(made->fillers.front().nowhere);
    EXPECT_EQ(made->fillers.front().node, "");
    options.choice.form = Form::selector;
    options.burn_cpu = true;  // They never run.
    made = plan(6);
    ASSERT_TRUE(made && !made->fillers.empty());
    EXPECT_EQ(made->fillers.front().cpu_m, 100);
    EXPECT_TRUE(made->fillers.front().nowhere);
    EXPECT_FALSE(made->fillers.front().burns_cpu);
    EXPECT_EQ(made->stimulus.text, "12 pods of 100m CPU and 64Mi, for a node that is not there");
}

TEST_F(PlanTest, pods_that_are_short_of_cpu_wait_on_several_nodes_too) {
    struct Case {
        int nodes;
        std::int64_t requested_m;  ///< By others, on each node.
        std::int64_t expected_m;
    };
    const Case cases[] = {
        {1, 100, 3'000},     // The size that the phases are written for: three find a place.
        {2, 100, 4'951},     // One on each node; with two on each it would be four.
        {3, 500, 4'751},     // Three again.
        {20, 2'000, 8'001},  // None, as all are alike; an empty node would take it.
        {20, 0, 10'000},     // Nothing is short, so all are placed, which the effect shows.
    };
    for (const Case& c : cases) {
        round = fake::SmallRound(c.nodes);
        for (int number = 1; number <= c.nodes; ++number) {
            round.node(number).cpu_requested_m = c.requested_m;
        }
        const auto made = plan(6);
        ASSERT_TRUE(made && !made->fillers.empty());
        EXPECT_EQ(made->fillers.front().cpu_m, c.expected_m) << c.nodes << " nodes";
    }
}

TEST_F(PlanTest, what_is_really_used_is_said) {
    options.burn_cpu = options.hold_memory = true;
    EXPECT_EQ(plan(1)->stimulus.text,
              "3 pods of 1300m to 1800m CPU and 712Mi to 968Mi on node-02, node-03 and node-01, "
              "which burn CPU and hold memory");
}

TEST_F(PlanTest, effects) {
    const auto run = *plan(3);
    const auto wait = *plan(6);
    const auto idle = *plan(0);
    options.choice.form = Form::selector;
    const auto nowhere = *plan(6);
    struct Case {
        const Plan& plan;
        cluster::Cast cast;
        bool reached;
        const char* text;
        bool gives_trouble = false;
    };
    const cluster::Trouble why{"Reason", "message"};
    const Case cases[] = {
        {run, {.pods = 1, .bound = 1, .ready = 1, .trouble = why}, true, "1 of 1 run"},
        {run, {.pods = 1, .bound = 1, .trouble = why}, false, "0 of 1 run", true},
        {run, {.pods = 1, .trouble = why}, false, "0 of 1 run, 1 wait for a place", true},
        {run, {.trouble = why}, false, "0 of 1 were created", true},
        {wait, {.pods = 12, .bound = 3, .ready = 3}, true, "9 of 12 wait"},
        {wait, {.pods = 12, .bound = 12, .trouble = why}, false, "0 of 12 wait"},
        {wait, {.pods = 11, .trouble = why}, false, "11 of 12 were created", true},
        {nowhere, {.pods = 12}, true, "12 of 12 wait"},
        {nowhere, {.pods = 12, .bound = 1}, false, "11 of 12 wait"},
        {idle, {}, true, "all pods are gone"},
        {idle, {.leaving = 1}, false, "1 pod is still there"},
    };
    for (const Case& c : cases) {
        const Effect effect = effect_of(c.plan, c.cast);
        EXPECT_EQ(effect.reached, c.reached) << c.text;
        EXPECT_EQ(effect.text, c.text);
        EXPECT_EQ(effect.trouble, c.gives_trouble ? std::optional(why) : std::nullopt) << c.text;
    }
}

}  // namespace
}  // namespace parley::exercise
