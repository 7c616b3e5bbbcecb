#include "layers/execution/tally.h"

#include "layers/execution/attribution.h"
#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::execution {
namespace {

using namespace model;

/// A real cluster: its API answers, and nothing counts anything.
struct Watched : Kit {
    Slot node = add_node("node-1");
    Slot web = add_workload(workload_id("web"), 2);
    Slot job = add_workload(job_id("report"), 3);
    Attributed last;

    Watched() {
        input.controls.simulated = false;
        memory.derived.rounds = 1;
        memory.derived.step = seconds(3);
        workload(web).cpu_reserved_m = 2000;
        workload(web).memory_reserved = std::int64_t{1} << 30;
        Kit::node(node).cpu_requested_m = 2000;
        hear();
        round(seconds(0));
        memory.derived.rounds = 50;
    }
    /// The API was heard in this round.
    void hear(SourceCondition condition = SourceCondition::ok) {
        input.snapshot.sources = {{.source = Source::api,
                                   .condition = condition,
                                   .last_success = input.now,
                                   .limit = seconds(15)}};
    }
    void round(Duration later = seconds(3), bool heard = true) {
        ++input.round;
        input.now = input.now + later;
        if (heard) hear();
        last = attribute(input, policy, {}, memory);
        input.snapshot.restarts.clear();
        input.snapshot.disruptions.clear();
        input.controls.started_anew = false;
    }
    const WorkCounters& counted(Slot slot) { return memory.derived.workloads.at(slot).last; }
    std::int64_t without(CostLine line) const {
        const auto gap = std::ranges::find(last.score.uncounted, line, &LineGap::line);
        return gap == last.score.uncounted.end() ? 0 : gap->without;
    }
};

TEST(Tally, what_pods_reserve_and_nodes_run_is_counted_by_the_time_between_rounds) {
    Watched world;
    world.round();
    EXPECT_EQ(world.counted(world.web).reserved_core_ms, 2 * 3000);
    EXPECT_EQ(world.counted(world.web).reserved_mib_ms, 1024 * 3000);
    EXPECT_EQ(world.counted(world.web).service_ms, 2 * 3000);
    EXPECT_EQ(world.memory.derived.nodes.at(world.node).last.on_ms, 3000);
    EXPECT_EQ(world.last.score.leaves, 3);
    EXPECT_EQ(world.last.score.missing, 0);
    // Two cores, a GiB and a node for three seconds, at their prices by the hour.
    EXPECT_EQ(world.last.score.cost[Role::scaling], 5000 + 250);
    EXPECT_EQ(world.last.score.cost[Role::efficiency], 2500);
}

TEST(Tally, pods_that_wait_for_room_and_jobs_that_we_hold_count_as_waiting) {
    Watched world;
    PendingGroup shortage{.workload = world.job, .count = 2};
    shortage.causes = shortage.causes.with(Cause::cpu);
    PendingGroup image{.workload = world.web, .count = 1};
    image.causes = image.causes.with(Cause::image);
    world.input.snapshot.pending = {shortage, image};
    world.workload(world.job).held = 1;
    world.round();
    EXPECT_EQ(world.counted(world.job).pending_ms, 3 * 3000);
    EXPECT_EQ(world.counted(world.web).pending_ms, 0) << "no room would help it";
}

TEST(Tally, restarts_and_what_the_API_server_calls_a_disruption_are_disruptions) {
    Watched world;
    world.input.snapshot.restarts = {{.node = world.node, .count = 2, .workload = world.web}};
    world.input.snapshot.disruptions = {{.node = world.node, .workload = world.web}};
    world.round();
    EXPECT_EQ(world.counted(world.web).disruptions, 3);
    EXPECT_EQ(world.last.score.cost[Role::safety], 1'500'000);
    world.round();
    EXPECT_EQ(world.counted(world.web).disruptions, 3);
}

TEST(Tally, what_no_source_gives_is_named_and_not_taken_for_zero) {
    Watched world;
    world.round();
    EXPECT_EQ(world.without(CostLine::lost_requests), 1) << "of web; a Job has no readers";
    EXPECT_EQ(world.without(CostLine::violating_requests), 1);
    EXPECT_EQ(world.without(CostLine::energy), 1);
    EXPECT_EQ(world.without(CostLine::disruptions), 0);
    EXPECT_TRUE(any_counted(world.last.score.uncounted, Role::safety));

    world.workload(world.web).failing_milli = measured(std::int64_t{2000});
    world.workload(world.web).requests_milli = measured(std::int64_t{50'000});
    world.Kit::node(world.node).power_mw = measured(std::int64_t{100'000});
    world.round();
    EXPECT_EQ(world.without(CostLine::lost_requests), 0);
    EXPECT_EQ(world.without(CostLine::energy), 0);
    EXPECT_EQ(world.counted(world.web).lost, 6000);
    EXPECT_EQ(world.counted(world.web).done, 144'000);
    EXPECT_EQ(world.memory.derived.nodes.at(world.node).last.energy_mj, 300'000);

    world.workload(world.web).failing_milli = {Gap::too_old, {}};
    world.round();
    EXPECT_EQ(world.without(CostLine::lost_requests), 1);
    EXPECT_EQ(world.counted(world.web).lost, 6000) << "it stands still";
    EXPECT_EQ(world.last.score.missing, 0) << "all else was counted";
}

TEST(Tally, an_estimated_power_is_no_measured_energy) {
    Watched world;
    world.Kit::node(world.node).power_mw = {100'000, {.origin = Origin::estimated}};
    world.round();
    EXPECT_EQ(world.without(CostLine::energy), 1);
}

TEST(Tally, rejections_are_unknown_while_an_order_of_ours_rejects) {
    Watched world;
    world.round();
    EXPECT_EQ(world.without(CostLine::rejections), 0) << "nobody rejects anything";
    world.memory.ledger.orders = {{.mode = AdmissionWish::reject, .spaces = {Name::of("night")}}};
    world.round();
    EXPECT_EQ(world.without(CostLine::rejections), 0) << "another namespace";
    world.memory.ledger.orders[0].spaces.push_back(Name::of("shop"));
    world.round();
    EXPECT_EQ(world.without(CostLine::rejections), 1);
}

TEST(Tally, time_in_which_the_API_was_silent_is_missing_for_good) {
    Watched world;
    world.round();
    const auto before = world.counted(world.web).reserved_core_ms;
    world.hear(SourceCondition::failed);
    for (int i = 0; i < 10; ++i) world.round(seconds(3), false);
    EXPECT_EQ(world.last.score.leaves, 0);
    EXPECT_EQ(world.last.score.missing, 3);
    world.round();
    EXPECT_EQ(world.last.score.missing, 3) << "nobody knows what happened before it";
    EXPECT_EQ(world.last.score.settled, 0) << "what nobody counted never becomes known";
    EXPECT_EQ(world.last.score.cost, Cost{});
    EXPECT_NE(world.counted(world.web).reserved_core_ms, before);
    world.round();
    EXPECT_EQ(world.last.score.leaves, 3);
    EXPECT_GT(world.last.score.cost.total(), 0);
}

TEST(Tally, a_short_silence_is_counted_when_it_is_over) {
    Watched world;
    world.round();
    world.hear(SourceCondition::failed);
    for (int i = 0; i < 3; ++i) world.round(seconds(3), false);
    EXPECT_EQ(world.last.score.missing, 3);
    world.round();
    EXPECT_EQ(world.last.score.leaves, 3);
    EXPECT_EQ(world.last.score.settled, 9);
    EXPECT_EQ(world.last.score.cost[Role::efficiency], 10'000) << "of twelve seconds";
}

TEST(Tally, a_new_process_counts_nothing_before_its_first_round) {
    Watched world;
    world.round();
    world.input.controls.started_anew = true;
    world.round();
    EXPECT_EQ(world.last.score.missing, 3);
    EXPECT_EQ(world.last.score.cost, Cost{});
    world.round();
    EXPECT_EQ(world.last.score.missing, 0);
}

TEST(Tally, a_job_that_comes_while_we_watch_is_counted_from_its_first_round) {
    Watched world;
    world.round();
    const Slot late = world.add_workload(job_id("late"), 1);
    world.workload(late).held = 4;
    world.round();
    EXPECT_EQ(world.last.score.missing, 0);
    EXPECT_EQ(world.counted(late).pending_ms, 12'000);
    EXPECT_EQ(world.last.score.cost[Role::admission], 200'000);
}

TEST(Tally, a_source_that_counts_by_itself_is_believed) {
    Watched world;
    world.workload(world.web).counters = measured(WorkCounters{.lost = 5}, world.input.now);
    world.round();
    world.workload(world.web).counters = measured(WorkCounters{.lost = 1005}, world.input.now);
    world.round();
    EXPECT_EQ(world.counted(world.web).lost, 1005);
    EXPECT_EQ(world.without(CostLine::lost_requests), 0);
}

TEST(Tally, a_silent_simulated_cluster_stays_silent) {
    Watched world;
    world.input.controls.simulated = true;
    world.round();
    EXPECT_EQ(world.last.score.leaves, 0);
}

}  // namespace
}  // namespace parley::execution
