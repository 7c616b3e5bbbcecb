#include "layers/execution/attribution.h"

#include "base/random.h"
#include "layers/execution/account.h"
#include "layers/execution/begin.h"
#include "layers/execution/kit_test.h"
#include "model/coded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace parley::execution {
namespace {

using namespace model;

/// A cluster whose counters move by themselves: every leaf at its own pace, drawn from the seed.
struct Moving : Kit {
    Slot node = add_node("node-1");
    Slot web = add_workload(workload_id("web"), 2);
    Slot api = add_workload(workload_id("api"), 2);
    std::map<Slot, WorkCounters> work;
    std::map<Slot, NodeCounters> power;
    Cost total;  // Computed separately.
    std::vector<ClosedScore> closed;
    Attributed last;

    Moving() {
        add_pod(web, node);
        work[web].lost = work[api].lost = 12'345;  // Before we began to watch.
        power[node].on_ms = 678'910;
        show();
        memory.derived.rounds = 1;
        step();
        memory.derived.rounds = 50;
    }

    void show() {
        for (const Slot slot : {web, api}) {
            workload(slot).counters = measured(work[slot], input.now);
        }
        Kit::node(node).counters = measured(power[node], input.now);
    }

    void move() {
        for (const Slot slot : {web, api}) {
            const std::uint64_t bits = draw(7, Stream::noise, slot, input.round);
            const Cost before = price(work[slot], policy.cost);
            work[slot].lost += static_cast<std::int64_t>(bits % 977);
            work[slot].pending_ms += static_cast<std::int64_t>(bits % 499);
            work[slot].reserved_core_ms += static_cast<std::int64_t>(bits % 3001);
            total = total + price(work[slot], policy.cost) - before;
        }
        const Cost before = price(power[node], policy.cost);
        power[node].energy_mj += 123'457;
        total = total + price(power[node], policy.cost) - before;
    }

    /// Sources fail: nothing can be read of web and the node.
    void hide() {
        workload(web).counters = {Gap::too_old, {}};
        Kit::node(node).counters = {Gap::too_old, {}};
    }

    void step() { last = attribute(input, policy, {}, memory); }

    /// A round three seconds later, in which every leaf is read.
    void next_round() {
        ++input.round;
        input.now = input.now + seconds(3);
        move();
        show();
        step();
        std::ranges::copy(last.closed, std::back_inserter(closed));
    }

    /// Opens a window as `begin` does; its action is confirmed by `confirm_now`.
    DecisionId open(Action action, Target target, std::uint64_t number) {
        OpenAction open;
        open.id = {0, number};
        open.action = std::move(action);
        open.target = std::move(target);
        open.round = input.round;
        open.expires = input.now + minutes(10);
        open.state = ActionState::marked;
        memory.ledger.open.push_back(open);
        open_window(open, "", input, policy, memory.derived);
        return open.id;
    }

    void confirm_now(DecisionId id) {
        const auto action = std::ranges::find(memory.ledger.open, id, &OpenAction::id);
        action->confirmed = input.now;
        action->state = ActionState::confirmed;
    }

    /// A twin that shows exactly what the cluster shows.
    TwinSample mirror(DecisionId id, Branch branch) {
        TwinSample sample{id, branch, {}};
        for (const Slot slot : {web, api}) {
            sample.leaves.push_back({input.snapshot.workloads.at(slot).id, work[slot], {}});
        }
        sample.leaves.push_back({node_id("node-1"), {}, power[node]});
        return sample;
    }
};

TEST(Attribution, prices_what_moved_and_nothing_before_it) {
    Moving world;
    EXPECT_EQ(world.last.score.cost, Cost{}) << "where it began is not known";
    EXPECT_EQ(world.last.score.leaves, 3);
    world.next_round();
    EXPECT_EQ(world.last.score.cost, world.total);
    EXPECT_EQ(world.last.score.score, score_of(world.total, world.policy.weights));
    EXPECT_TRUE(world.last.score.ours);
    world.input.controls.mode = Mode::observe;
    world.next_round();
    EXPECT_FALSE(world.last.score.ours);
}

TEST(Attribution, owned_and_unowned_are_the_whole_account_exactly) {
    Moving world;
    Cost owned;
    for (int i = 0; i < 700; ++i) {
        world.next_round();
        owned = owned + world.last.score.owned;
        if (i == 10) world.open(Throttle{}, node_id("node-1"), 1);
        if (i == 12) world.confirm_now({0, 1});
        if (i == 50) world.open(Scale{{2, 3}}, workload_id("web"), 2);
        if (i == 60) world.confirm_now({0, 2});
        if (i == 80) world.open(Scale{{2, 3}}, workload_id("api"), 3);
    }
    EXPECT_EQ(world.memory.derived.account, world.total);
    EXPECT_EQ(world.memory.derived.owned, owned);
    Cost windows;
    for (const ClosedScore& score : world.closed) windows = windows + score.observed;
    for (const Window& window : world.memory.derived.windows) windows = windows + window.observed;
    EXPECT_EQ(windows, owned) << "each owned line has exactly one owner";
    EXPECT_GT(owned.total(), 0);
    EXPECT_LT(owned.total(), world.total.total());
    ASSERT_EQ(world.closed.size(), 2U);
    EXPECT_TRUE(world.closed[0].cut) << "web was taken from the throttle by the scaling";
    EXPECT_FALSE(world.closed[1].cut);
}

TEST(Attribution, a_noop_has_no_advantage) {
    Moving world;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    for (int i = 0; i < 300; ++i) {
        if (i == 2) world.confirm_now(id);
        ++world.input.round;
        world.input.now = world.input.now + seconds(3);
        world.move();
        // Metrics come every fifth round only; twins are there in every round.
        if (i % 5 == 0) world.show();
        world.input.twins = {world.mirror(id, Branch::noop), world.mirror(id, Branch::acted)};
        world.step();
        std::ranges::copy(world.last.closed, std::back_inserter(world.closed));
    }
    ASSERT_EQ(world.closed.size(), 1U);
    const ClosedScore& score = world.closed[0];
    EXPECT_EQ(score.state, ScoreState::measured);
    EXPECT_GT(score.observed.total(), 0);
    EXPECT_EQ(score.advantage, Cost{});
    EXPECT_EQ(score.twin_error, Cost{});
    EXPECT_EQ(world.memory.derived.twin_errors, std::vector<std::int64_t>{0});
    EXPECT_EQ(score.ended - score.opened, minutes(10));
}

TEST(Attribution, a_needless_action_scores_below_zero) {
    Moving world;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    // Without the action, nothing would have happened.
    const TwinSample calm = world.mirror(id, Branch::noop);
    for (int i = 0; i < 300; ++i) {
        if (i == 1) world.confirm_now(id);
        world.input.twins = {calm};
        world.next_round();
    }
    ASSERT_EQ(world.closed.size(), 1U);
    EXPECT_LT(world.closed[0].advantage.total(), 0);
    EXPECT_EQ(world.closed[0].advantage, Cost{} - world.closed[0].observed);
}

TEST(Attribution, lines_that_a_twin_does_not_model_are_not_compared) {
    Moving world;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    const auto partly = [&](Branch branch) {
        TwinSample sample = world.mirror(id, branch);
        for (LeafCounters& leaf : sample.leaves) {
            if (leaf.work) leaf.work->lost = 12'345;  // As when it began.
            if (leaf.work) leaf.work->uncounted = LineSet{}.with(CostLine::lost_requests);
        }
        return sample;
    };
    for (int i = 0; i < 300; ++i) {
        if (i == 1) world.confirm_now(id);
        ++world.input.round;
        world.input.now = world.input.now + seconds(3);
        world.move();
        world.show();
        world.input.twins = {partly(Branch::noop), partly(Branch::acted)};
        world.step();
        std::ranges::copy(world.last.closed, std::back_inserter(world.closed));
    }
    ASSERT_EQ(world.closed.size(), 1U);
    EXPECT_GT(world.closed[0].observed[Role::safety], 0) << "it was counted, ";
    EXPECT_EQ(world.closed[0].advantage, Cost{}) << "and yet there is nothing to compare it with";
    EXPECT_TRUE(world.closed[0].unmodelled.has(CostLine::lost_requests));
}

TEST(Attribution, the_order_of_agents_changes_nothing) {
    const auto run = [](bool swapped) {
        Moving world;
        if (swapped) world.open(Scale{{2, 3}}, workload_id("api"), 2);
        world.open(Throttle{}, node_id("node-1"), 1);
        if (!swapped) world.open(Scale{{2, 3}}, workload_id("api"), 2);
        for (int i = 0; i < 300; ++i) {
            if (i == 3) world.confirm_now({0, 2});
            if (i == 3) world.confirm_now({0, 1});
            world.next_round();
        }
        std::ranges::sort(world.closed, {}, &ClosedScore::id);
        return std::pair(world.closed, world.memory.derived.owned);
    };
    EXPECT_EQ(run(false), run(true));
}

TEST(Attribution, the_time_until_the_effect_is_owned_too) {
    Moving world;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    EXPECT_EQ(world.last.score.owned, Cost{}) << "not the round in which it was decided";
    world.next_round();
    EXPECT_GT(world.last.score.owned.total(), 0);
    EXPECT_EQ(world.memory.derived.windows[0].observed, world.last.score.owned);
    world.confirm_now(id);
    const TimePoint at = world.input.now;
    world.next_round();
    EXPECT_EQ(world.memory.derived.windows[0].opened, at);
    EXPECT_EQ(world.memory.derived.windows[0].closes, at + minutes(10));
}

TEST(Attribution, an_action_without_effect_has_no_score) {
    Moving world;
    world.open(Throttle{}, node_id("node-1"), 1);
    world.next_round();
    OpenAction ended = world.memory.ledger.open[0];
    ended.state = ActionState::failed;
    ended.note = "denied";
    world.memory.ledger.open.clear();
    const Attributed result = attribute(world.input, world.policy, {ended}, world.memory);
    ASSERT_EQ(result.closed.size(), 1U);
    EXPECT_EQ(result.closed[0].state, ScoreState::missing);
    EXPECT_EQ(result.closed[0].because, "it never took effect: denied");
    EXPECT_TRUE(world.memory.derived.windows.empty());
}

TEST(Attribution, what_is_read_after_a_gap_covers_it) {
    Moving world;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    world.confirm_now(id);
    for (int i = 0; i < 300; ++i) {
        ++world.input.round;
        world.input.now = world.input.now + seconds(3);
        world.move();
        world.show();
        if (i % 10 < 3) world.hide();
        world.input.twins = {world.mirror(id, Branch::noop)};
        world.step();
        const RoundScore& score = world.last.score;
        EXPECT_EQ(score.missing, i % 10 < 3 ? 2 : 0) << i;
        EXPECT_EQ(score.leaves, i % 10 < 3 ? 1 : 3) << i;
        EXPECT_EQ(score.settled, i % 10 == 3 ? 6 : 0) << i;
        if (i % 10 == 2) {
            EXPECT_LT(world.memory.derived.account.total(), world.total.total());
            EXPECT_EQ(world.memory.derived.missing, 6);
        }
        std::ranges::copy(world.last.closed, std::back_inserter(world.closed));
    }
    EXPECT_EQ(world.memory.derived.account, world.total) << "nothing is lost in a gap, or doubled";
    EXPECT_EQ(world.memory.derived.missing, 0) << "counters only grow: all of it is known now";
    EXPECT_EQ(world.memory.derived.leaves, 3 * 301);
    ASSERT_EQ(world.closed.size(), 1U);
    EXPECT_EQ(world.closed[0].state, ScoreState::measured);
    EXPECT_EQ(world.closed[0].advantage, Cost{});
}

TEST(Attribution, a_gap_that_no_reading_ends_stays_missing) {
    Moving world;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    world.confirm_now(id);
    for (int i = 0; i < 300; ++i) {
        ++world.input.round;
        world.input.now = world.input.now + seconds(3);
        world.move();
        if (i < 100) world.show();
        if (i == 100) world.hide();
        world.input.twins = {world.mirror(id, Branch::noop)};
        world.step();
        std::ranges::copy(world.last.closed, std::back_inserter(world.closed));
    }
    EXPECT_LT(world.memory.derived.account.total(), world.total.total());
    EXPECT_EQ(world.memory.derived.missing, 3 * 200);
    ASSERT_EQ(world.closed.size(), 1U);
    EXPECT_EQ(world.closed[0].state, ScoreState::missing);
    EXPECT_EQ(world.closed[0].because, "only 50% of its readings were there, 80% are needed");
}

TEST(Attribution, where_a_counter_began_is_not_known) {
    Moving world;
    struct Row {
        const char* name;
        bool counted;
        std::int32_t behind;
        std::int64_t last;
        bool read;
        std::int32_t settled;
        std::int64_t cost;
    };
    // The counter shows 5 rejections, at 1 pod-minute each.
    const Row rows[] = {
        {"its first round", false, 0, 0, true, 0, 0},
        {"it was there before it could be read", false, 4, 0, false, 0, 0},
        {"it goes on", true, 0, 3, true, 0, 2'000'000},
        {"it goes on after a gap", true, 4, 3, true, 4, 2'000'000},
        {"it began anew", true, 0, 9, false, 0, 0},
        {"it began anew in a gap", true, 4, 9, false, 0, 0},
    };
    for (const Row& row : rows) {
        Moving one = world;
        WorkFold& fold = one.memory.derived.workloads.edit(one.web);
        fold.counted = row.counted;
        fold.behind = row.behind;
        fold.last = {.rejections = row.last};
        one.input.now = one.input.now + seconds(3);
        one.show();
        one.workload(one.web).counters = measured(WorkCounters{.rejections = 5}, one.input.now);
        one.step();
        EXPECT_EQ(one.last.score.missing, row.read ? 0 : 1) << row.name;
        EXPECT_EQ(one.last.score.settled, row.settled) << row.name;
        EXPECT_EQ(one.last.score.cost, (Cost{Role::admission, row.cost})) << row.name;
        const WorkFold& after = *one.memory.derived.workloads.find(one.web);
        EXPECT_EQ(after.behind, 0) << row.name;
        EXPECT_EQ(after.last.rejections, 5) << "it counts from here: " << row.name;
    }
}

TEST(Attribution, a_twin_that_falls_silent_is_no_twin) {
    Moving world;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    world.confirm_now(id);
    for (int i = 0; i < 300; ++i) {
        world.input.twins.clear();
        if (i < 100) world.input.twins.push_back(world.mirror(id, Branch::noop));
        world.next_round();
    }
    ASSERT_EQ(world.closed.size(), 1U);
    EXPECT_EQ(world.closed[0].because, "no twin followed it");
}

TEST(Attribution, a_new_workload_counts_from_zero_and_a_known_slot_anew) {
    Moving world;
    const Slot late = world.add_workload(job_id("late"), 1);
    ++world.input.round;
    world.input.now = world.input.now + seconds(3);
    world.workload(late).counters = measured(WorkCounters{.rejections = 2}, world.input.now);
    world.step();
    EXPECT_EQ(world.last.score.cost, (Cost{Role::admission, 2'000'000}));
    // Another object in the same slot.
    ++world.input.round;
    world.workload(late).uid = {2, 99};
    world.workload(late).counters = measured(WorkCounters{.rejections = 1}, world.input.now);
    world.step();
    EXPECT_EQ(world.last.score.cost, (Cost{Role::admission, 1'000'000}));
    world.input.snapshot.workloads.erase(late);
    world.step();
    EXPECT_FALSE(world.memory.derived.workloads.has(late));
}

TEST(Attribution, jobs_that_come_later_belong_to_the_order) {
    Moving world;
    const DecisionId id = world.open(Admission{AdmissionWish::queue}, WholeCluster{}, 1);
    world.confirm_now(id);
    world.next_round();
    const Slot late = world.add_workload(job_id("late"), 1);
    const WorkCounters waits{.pending_ms = 60'000};
    const WorkCounters fewer{.pending_ms = 30'000};
    world.workload(late).counters = measured(waits, world.input.now + seconds(3));
    world.input.twins = {{id, Branch::noop, {{job_id("late"), fewer, {}}}}};
    world.next_round();
    EXPECT_EQ(world.memory.derived.windows[0].observed, (Cost{Role::admission, 1'000'000}));
    EXPECT_EQ(world.memory.derived.windows[0].noop, (Cost{Role::admission, 500'000}));
}

TEST(Attribution, what_would_have_been_done_owns_nothing_of_the_account) {
    Moving world;
    world.input.controls.mode = Mode::observe;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    world.memory.ledger.open.clear();
    for (int i = 0; i < 300; ++i) {
        world.input.twins = {world.mirror(id, Branch::noop), world.mirror(id, Branch::acted)};
        world.next_round();
    }
    EXPECT_EQ(world.memory.derived.owned, Cost{});
    ASSERT_EQ(world.closed.size(), 1U);
    EXPECT_EQ(world.closed[0].state, ScoreState::would);
    EXPECT_EQ(world.closed[0].advantage, Cost{});
}

TEST(Attribution, before_it_is_due_it_says_what_is_known) {
    Moving world;
    const DecisionId id = world.open(Throttle{}, node_id("node-1"), 1);
    world.next_round();
    auto open = open_scores(world.memory.derived);
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].due, TimePoint{}) << "its effect is not confirmed";
    world.confirm_now(id);
    const TimePoint at = world.input.now;
    world.Kit::node(world.node).ready = Readiness::no;
    world.next_round();
    open = open_scores(world.memory.derived);
    EXPECT_EQ(open[0].id, id);
    EXPECT_EQ(open[0].due, at + minutes(10));
    EXPECT_EQ(open[0].observed, world.memory.derived.windows[0].observed);
    EXPECT_EQ(open[0].samples, 4);
    ASSERT_EQ(open[0].notes.size(), 1U);
    EXPECT_EQ(open[0].notes[0].text, "failed");
    // A later action takes over its leaves.
    const DecisionId later = world.open(Migrate{}, node_id("node-1"), 2);
    world.confirm_now(later);
    world.next_round();
    ASSERT_EQ(world.closed.size(), 1U) << "nothing is left to be scored";
    EXPECT_TRUE(world.closed[0].cut);
    EXPECT_EQ(world.closed[0].notes.back().text, "taken over by A migrate of round 102 on node-1");
    EXPECT_EQ(world.closed[0].samples, 4);
    open = open_scores(world.memory.derived);
    ASSERT_EQ(open.size(), 1U);
    EXPECT_TRUE(open[0].notes.empty());
}

TEST(Attribution, leaves_are_the_node_and_who_lives_there) {
    Moving world;
    EXPECT_EQ(leaves_of(node_id("node-1"), world.input.snapshot),
              (std::vector<Target>{node_id("node-1"), workload_id("web")}));
    EXPECT_EQ(leaves_of(workload_id("api"), world.input.snapshot),
              std::vector<Target>{workload_id("api")});
    EXPECT_EQ(leaves_of(WholeCluster{}, world.input.snapshot), std::vector<Target>{WholeCluster{}});
    EXPECT_EQ(leaves_of(node_id("node-9"), world.input.snapshot),
              std::vector<Target>{node_id("node-9")});
}

}  // namespace
}  // namespace parley::execution
