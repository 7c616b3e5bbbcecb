#include "sim/world/world_jobs.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

using model::AdmissionWish;

/// Two nodes of 4 CPU; at the given seconds one Job of two pods of 1 CPU and 30 core-seconds each.
Scenario with_jobs(std::vector<std::int64_t> at) {
    Scenario s = bare_nodes(2);
    JobSpec job{.space = "batch", .name = "report", .work_core_s = 30.0, .work_spread = 0.0};
    for (const std::int64_t t : at) job.bursts.push_back({.at = seconds(t)});
    s.jobs.push_back(job);
    return s;
}

const model::WorkloadId kReport{Name::of("batch"), model::WorkloadKind::job, Name::of("report")};

TEST(Jobs, run_for_their_work_complete_and_go) {
    World world = world_of(with_jobs({10}));
    Watched seen;
    world.advance(at_s(9));
    seen.look(world);
    EXPECT_TRUE(seen.of("report").empty());
    world.advance(at_s(20));
    seen.look(world);
    EXPECT_EQ(seen.ready("report"), 2);
    EXPECT_EQ(seen.work("report")->wanted, 2);
    EXPECT_TRUE(seen.work("report")->batch);
    world.advance(at_s(75));
    seen.look(world);
    EXPECT_EQ(world.work_counters(kReport)->completions, 2);
    EXPECT_EQ(seen.work("report")->wanted, 0);
    for (const auto& pod : seen.of("report")) {
        EXPECT_EQ(pod.row.phase, model::PodPhase::succeeded);
    }
    world.advance(at_s(200));
    seen.look(world);
    EXPECT_TRUE(seen.of("report").empty());
}

TEST(Jobs, take_longer_at_a_lower_clock_so_that_work_is_conserved) {
    World fast = world_of(with_jobs({10}));
    World slow = fast;
    for (const char* node : {"node-01", "node-02"}) {
        ASSERT_TRUE(slow.apply(model::SetClock{node_id(node), 500'000}, {}));
    }
    fast.advance(at_s(60));
    slow.advance(at_s(60));
    EXPECT_EQ(fast.work_counters(kReport)->completions, 2);
    EXPECT_EQ(slow.work_counters(kReport)->completions, 0);
    slow.advance(at_s(120));
    EXPECT_EQ(slow.work_counters(kReport)->completions, 2);
}

struct Case {
    const char* name;
    AdmissionWish mode;
    std::size_t pods;
    std::int64_t rejections;
    bool held;
    std::int32_t priority;
};

const Case kCases[] = {
    {"admit", AdmissionWish::admit, 2, 0, false, 0},
    {"queue", AdmissionWish::queue, 2, 0, true, 0},
    {"reject", AdmissionWish::reject, 0, 1, false, 0},
    {"deprioritize", AdmissionWish::deprioritize, 2, 0, false, -10},
};

TEST(Jobs, are_admitted_as_the_standing_order_says) {
    for (const Case& c : kCases) {
        World world = world_of(with_jobs({10}));
        ASSERT_TRUE(world.apply(model::SetAdmission{c.mode, {1, 2}, at_s(600)}, {}));
        Watched seen;
        world.advance(at_s(15));
        seen.look(world);
        EXPECT_EQ(seen.of("report").size(), c.pods) << c.name;
        EXPECT_EQ(world.work_counters(kReport)->rejections, c.rejections) << c.name;
        for (const auto& pod : seen.of("report")) {
            EXPECT_EQ(pod.row.pending.has(model::Cause::our_hold), c.held) << c.name;
        }
    }
}

TEST(Jobs, held_ones_are_released_oldest_first_when_the_order_expires_or_is_lifted) {
    for (const bool lifted : {false, true}) {
        // Each Job fills a node, so that order shows.
        Scenario s = with_jobs({10, 20, 30});
        s.nodes[0].count = 1;
        s.nodes[0].zones = 1;
        s.jobs[0].parallel = 1;
        s.jobs[0].pod.cpu_request_m = s.jobs[0].pod.cpu_limit_m = 3'000;
        World world = world_of(s);
        ASSERT_TRUE(world.apply(model::SetAdmission{AdmissionWish::queue, {1, 2}, at_s(100)}, {}));
        Watched seen;
        world.advance(at_s(50));
        seen.look(world);
        ASSERT_EQ(seen.of("report").size(), 3U);
        EXPECT_EQ(seen.ready("report"), 0);
        std::vector<std::pair<TimePoint, UidKey>> by_age;
        for (const auto& pod : seen.of("report")) {
            by_age.push_back({pod.row.created, key(pod.row.uid)});
        }
        std::ranges::sort(by_age);
        if (lifted) {
            ASSERT_TRUE(world.apply(model::SetAdmission{AdmissionWish::admit, {}, at_s(0)}, {}));
            world.advance(at_s(60));
        } else {
            world.advance(at_s(99));
            seen.look(world);
            EXPECT_EQ(seen.ready("report"), 0);
            world.advance(at_s(110));
        }
        seen.look(world);
        EXPECT_EQ(seen.ready("report"), 1);
        EXPECT_TRUE(seen.pods.at(by_age[0].second).row.ready);
    }
}

TEST(Jobs, waiting_for_our_gate_is_counted_in_pod_milliseconds) {
    World world = world_of(with_jobs({10}));
    ASSERT_TRUE(world.apply(model::SetAdmission{AdmissionWish::queue, {1, 2}, at_s(110)}, {}));
    world.advance(at_s(60));
    EXPECT_EQ(world.work_counters(kReport)->pending_ms, 2 * 50'000);
    world.advance(at_s(300));
    EXPECT_EQ(world.work_counters(kReport)->pending_ms, 2 * 100'000);
}

TEST(Jobs, a_cap_keeps_their_requests_under_a_share_of_the_cluster_until_it_ends) {
    Scenario s = with_jobs({10, 10, 10});
    s.jobs[0].work_core_s = 600.0;
    World world = world_of(s);
    // A quarter of 8 CPU is 2 pods.
    ASSERT_TRUE(world.apply(model::SetBatchCap{250'000, 1'000'000, {1, 2}, at_s(100)}, {}));
    Watched seen;
    world.advance(at_s(30));
    seen.look(world);
    EXPECT_EQ(seen.ready("report"), 2);
    for (const auto& pod : seen.of("report")) {
        EXPECT_EQ(pod.row.pending.has(model::Cause::our_hold), !pod.row.ready);
    }
    world.advance(at_s(130));
    seen.look(world);
    EXPECT_EQ(seen.ready("report"), 6);
}

TEST(Jobs, an_evicted_pod_is_made_anew_and_the_job_still_completes) {
    World world = world_of(with_jobs({10}));
    Watched seen;
    world.advance(at_s(25));
    seen.look(world);
    const auto pods = seen.of("report");
    ASSERT_EQ(pods.size(), 2U);
    ASSERT_TRUE(world.apply(model::EvictPod{pods[0].row.uid, "x"}, {}));
    world.advance(at_s(300));
    EXPECT_EQ(world.work_counters(kReport)->completions, 2);
    EXPECT_EQ(world.work_counters(kReport)->disruptions, 1);
}

TEST(Jobs, arrive_at_their_rate_whatever_is_done_with_them) {
    Scenario s = bare_nodes(4);
    JobSpec job{.name = "steady", .work_core_s = 5.0};
    job.per_hour = {.base = 30.0};
    s.jobs.push_back(job);
    World free = world_of(s);
    World refused = free;
    ASSERT_TRUE(
        refused.apply(model::SetAdmission{AdmissionWish::reject, {1, 2}, at_s(1'000'000)}, {}));
    free.advance(at_s(20 * 3600));
    refused.advance(at_s(20 * 3600));
    const model::WorkloadId id{Name::of("batch"), model::WorkloadKind::job, Name::of("steady")};
    const std::int64_t rejected = refused.work_counters(id)->rejections;
    EXPECT_NEAR(static_cast<double>(rejected), 600.0, 75.0);
    EXPECT_NEAR(static_cast<double>(free.work_counters(id)->completions),
                2.0 * static_cast<double>(rejected), 8.0);
}

}  // namespace
}  // namespace parley::sim
