#include "twin/future.h"

#include "twin/kit_test.h"

#include <gtest/gtest.h>

namespace parley::twin {
namespace {

using namespace model;

/// web has two pods on node a, which others leave alone; node b has room for three.
struct Stage : Kit {
    Slot a = add_node("a");
    Slot b = add_node("b");
    Slot web = add_work(work_id("web"), 2);
    Slot other = add_work(work_id("other"), 1);
    Uid first = add_pod(web, a);
    Uid second = add_pod(web, a);
    Uid third = add_pod(other, b);
    Following following{.works = {work(web).uid}, .target = a};
    TimePoint now = kNow;

    Shown shown(bool pods = false) { return show(seen, following, seconds(30), pods); }
    Future begin(std::vector<Wish> plan = {}) {
        return {shown(true), std::move(plan), minutes(5), now};
    }
    void pass(Future& future, Duration span, Duration each = seconds(3)) {
        for (const TimePoint end = now + span; now < end;) {
            now = now + each;
            const Shown present = shown();
            future.advance(present, now);
            future.carry_on(present, now);
        }
    }
    Wish evict(Uid pod, std::int32_t ready = 0) const {
        return {.request = EvictPod{.pod = pod, .name = "web-1"}, .await = 0, .ready = ready};
    }
    Wish close() const {
        return {.request = SetTaint{node_id("a"), Taint::no_schedule}, .node = a};
    }
};

TEST(Future, where_nothing_happens_pods_only_reserve_what_they_ask_for) {
    Stage stage;
    Future future = stage.begin();
    stage.pass(future, seconds(60));
    EXPECT_EQ(future.work(0).reserved_core_ms, 2 * 15'000);
    EXPECT_EQ(future.work(0).service_ms, 2 * 60'000);
    EXPECT_EQ(future.work(0).pending_ms, 0);
    EXPECT_EQ(future.work(0).disruptions, 0);
    EXPECT_EQ(future.node(stage.a).on_ms, 60'000);
}

TEST(Future, a_migration_disrupts_each_pod_once_and_finds_room_elsewhere) {
    Stage stage;
    Future future =
        stage.begin({stage.close(), stage.evict(stage.first, 2), stage.evict(stage.second, 2)});
    stage.pass(future, seconds(3));
    EXPECT_EQ(future.work(0).disruptions, 1) << "the second waits until the first is ready again";
    stage.pass(future, seconds(90));
    EXPECT_EQ(future.work(0).disruptions, 2);
    EXPECT_EQ(future.work(0).pending_ms, 0) << "there was room";
}

TEST(Future, what_is_evicted_and_finds_no_room_waits) {
    Stage stage;
    stage.node(stage.b).cordoned = true;
    Future future = stage.begin({stage.close(), stage.evict(stage.first)});
    stage.pass(future, seconds(3));
    stage.pass(future, seconds(30));
    EXPECT_EQ(future.work(0).pending_ms, 30'000);
}

TEST(Future, a_budget_holds_up_an_eviction) {
    Stage stage;
    stage.work(stage.web).has_budget = true;
    stage.work(stage.web).disruptions_allowed = 0;
    Future future = stage.begin({stage.close(), stage.evict(stage.first)});
    stage.pass(future, seconds(60));
    EXPECT_EQ(future.work(0).disruptions, 0);
}

TEST(Future, a_node_that_really_goes_down_takes_its_pods_with_it_where_they_still_are) {
    Stage stage;
    Future stays = stage.begin();
    Future moves =
        stage.begin({stage.close(), stage.evict(stage.first), stage.evict(stage.second)});
    const auto both = [&](Duration span) {
        const TimePoint from = stage.now;
        stage.pass(stays, span);
        stage.now = from;
        stage.pass(moves, span);
    };
    both(seconds(60));
    stage.node(stage.a).ready = Readiness::unknown;
    both(minutes(4));
    EXPECT_EQ(stays.work(0).disruptions, 0) << "they are tolerated for five minutes";
    EXPECT_LT(stays.work(0).service_ms, moves.work(0).service_ms);
    both(minutes(2));
    EXPECT_EQ(stays.work(0).disruptions, 2);
    EXPECT_EQ(moves.work(0).disruptions, 2) << "its own; the node was empty when it went";
}

TEST(Future, replicas_grow_where_there_is_room_and_shrink_where_none_should_be) {
    Stage stage;
    const Wish more{.request = SetReplicas{work_id("web"), 4}, .work = 0, .await = 0, .ready = 4};
    const Wish back{.request = SetReplicas{work_id("web"), 2}, .work = 0};
    Future future = stage.begin({stage.close(), more, back});
    stage.pass(future, seconds(30));
    EXPECT_EQ(future.work(0).reserved_core_ms, 2 * 750 + 9 * 4 * 750) << "a round after it began";
    stage.pass(future, seconds(6));
    stage.node(stage.a).ready = Readiness::no;
    stage.pass(future, minutes(6));
    EXPECT_EQ(future.work(0).disruptions, 0) << "those on the closed node had left";
}

TEST(Future, what_others_want_of_a_workload_happens_in_every_future) {
    Stage stage;
    Future future = stage.begin();
    stage.work(stage.web).wanted = 3;
    stage.pass(future, seconds(3));
    EXPECT_EQ(future.work(0).reserved_core_ms, 3 * 750);
    stage.work(stage.web).wanted = 1;
    stage.pass(future, seconds(3));
    EXPECT_EQ(future.work(0).reserved_core_ms, 4 * 750);
}

TEST(Future, a_job_that_comes_runs_without_the_order_and_waits_with_it) {
    Stage stage;
    stage.following.queue = true;
    stage.following.action = {0, 7};
    const Wish order{.request = SetAdmission{.mode = AdmissionWish::queue,
                                             .decision = {0, 7},
                                             .until = kNow + seconds(60)}};
    Future free = stage.begin();
    Future held = stage.begin({order});
    stage.pass(held, seconds(3));
    stage.now = kNow;
    stage.pass(free, seconds(3));
    const Slot late = stage.add_work(job_id("late"), 0);
    stage.work(late).held = 1;
    stage.work(late).mark = Mark{.decision = {0, 7}};
    const TimePoint from = stage.now;
    stage.pass(free, seconds(30));
    stage.now = from;
    stage.pass(held, seconds(30));
    EXPECT_EQ(free.work(1).pending_ms, 0);
    EXPECT_EQ(held.work(1).pending_ms, 30'000);
    stage.pass(held, seconds(60));
    EXPECT_EQ(held.work(1).pending_ms, 54'000) << "until the order ends";
}

TEST(Future, a_resized_pod_reserves_less) {
    Stage stage;
    const Wish smaller{.request = ResizePod{.pod = stage.first},
                       .asks = {.cpu_m = 250, .memory = std::int64_t{128} << 20, .pods = 1}};
    Future future = stage.begin({smaller});
    stage.pass(future, seconds(3));
    stage.pass(future, seconds(3));
    EXPECT_EQ(future.work(0).reserved_mib_ms, 2 * 256 * 3000 + 384 * 3000);
}

TEST(Future, a_node_that_the_plan_switches_off_costs_no_hours) {
    Stage stage;
    Future future =
        stage.begin({{.request = SetPower{node_id("b"), PowerWish::sleep}, .node = stage.b}});
    stage.pass(future, seconds(3));
    stage.pass(future, seconds(30));
    EXPECT_EQ(future.node(stage.b).on_ms, 3000);
    EXPECT_EQ(future.node(stage.a).on_ms, 33'000);
}

}  // namespace
}  // namespace parley::twin
