#include "layers/execution/windows.h"

#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

Window window(std::uint64_t number, Action action, std::vector<Target> leaves) {
    return {.id = {0, number},
            .round = number,
            .action = std::move(action),
            .leaves = std::move(leaves)};
}

const Target kNode = node_id("node-1");
const Target kWeb = workload_id("web");
const Target kApi = workload_id("api");
const Target kJob = job_id("report");
const Target kQueue = WholeCluster{};

TEST(Windows, last_by_kind) {
    Kit kit;
    const auto length = [&](Action action) {
        return window_length(window(1, std::move(action), {}), kit.input, kit.policy);
    };
    EXPECT_EQ(length(Throttle{}), minutes(10));
    EXPECT_EQ(length(Dvfs{}), minutes(10));
    EXPECT_EQ(length(Scale{}), minutes(10));
    EXPECT_EQ(length(MemoryBalloon{}), minutes(30));
    EXPECT_EQ(length(Replicate{}), minutes(32));
    EXPECT_EQ(length(Migrate{}), minutes(32));
    EXPECT_EQ(length(PowerState{}), minutes(60));
    EXPECT_EQ(length(Admission{}), minutes(30));
    EXPECT_EQ(length(ResourceCap{}), minutes(30));
}

TEST(Windows, are_never_under_three_start_ups_plus_the_lag) {
    Kit kit;
    const Slot web = kit.add_workload(workload_id("web"), 2);
    const auto length = [&] {
        return window_length(window(1, Throttle{}, {kWeb}), kit.input, kit.policy);
    };
    kit.workload(web).startup_p95 = measured(seconds(180));
    kit.workload(web).counters = measured(WorkCounters{}, kNow - seconds(60));
    EXPECT_EQ(length(), minutes(10));
    kit.workload(web).startup_p95 = measured(seconds(181));
    EXPECT_EQ(length(), minutes(10) + seconds(3));
    kit.workload(web).counters = Reading<WorkCounters>::never();
    EXPECT_EQ(length(), seconds(181) * 3 + kit.policy.guard.metrics_age_max);
}

TEST(Windows, of_an_order_end_ten_minutes_after_it) {
    std::vector<Window> windows{window(1, Admission{AdmissionWish::queue}, {kQueue}),
                                window(2, Throttle{}, {kNode})};
    confirm(0, kNow, kNow + minutes(10), minutes(30), windows);
    EXPECT_EQ(windows[0].closes, kNow + minutes(20));
    confirm(0, kNow, kNow + minutes(45), minutes(30), windows);
    EXPECT_EQ(windows[0].closes, kNow + minutes(30)) << "at most thirty";
    confirm(1, kNow, kNow, minutes(10), windows);
    EXPECT_EQ(windows[1].closes, kNow + minutes(10));
}

TEST(Ownership, is_the_last_confirmed_actions) {
    std::vector<Window> windows{window(1, Throttle{}, {kNode, kWeb}),
                                window(2, Scale{}, {kWeb, kApi})};
    EXPECT_EQ(Ownership(windows, 9).owner_of(kWeb), 1) << "both are begun: the later one";
    confirm(0, kNow, {}, minutes(10), windows);
    EXPECT_EQ(Ownership(windows, 9).owner_of(kWeb), 0) << "one is confirmed";
    EXPECT_EQ(Ownership(windows, 9).owner_of(kApi), 1);
    EXPECT_FALSE(windows[0].cut);
    confirm(1, kNow, {}, minutes(10), windows);
    EXPECT_EQ(Ownership(windows, 9).owner_of(kWeb), 1) << "both are: the later one";
    EXPECT_EQ(Ownership(windows, 9).owner_of(kNode), 0);
    EXPECT_TRUE(windows[0].cut);
    EXPECT_FALSE(windows[1].cut);
    EXPECT_EQ(windows[0].leaves, std::vector<Target>{kNode});
    EXPECT_EQ(Ownership(windows, 9).owner_of(node_id("node-2")), -1);
}

TEST(Ownership, begins_in_the_round_after) {
    const std::vector<Window> windows{window(5, Throttle{}, {kNode})};
    EXPECT_EQ(Ownership(windows, 5).owner_of(kNode), -1);
    EXPECT_EQ(Ownership(windows, 6).owner_of(kNode), 0);
}

TEST(Ownership, of_the_queue_covers_every_job) {
    std::vector<Window> windows{window(1, Admission{AdmissionWish::queue}, {kQueue}),
                                window(2, Migrate{}, {kNode, kJob})};
    confirm(0, kNow, kNow, minutes(30), windows);
    EXPECT_EQ(Ownership(windows, 9).owner_of(kJob), 1) << "begun, and by name";
    EXPECT_EQ(Ownership(windows, 9).owner_of(job_id("later")), 0);
    EXPECT_EQ(Ownership(windows, 9).owner_of(kWeb), -1);
    confirm(1, kNow, kNow, minutes(32), windows);
    EXPECT_TRUE(windows[0].cut);
    windows[1].leaves.clear();
    EXPECT_EQ(Ownership(windows, 9).owner_of(kJob), -1) << "what was ceded does not come back";
    EXPECT_EQ(Ownership(windows, 9).owner_of(job_id("later")), 0);
}

TEST(Ownership, of_a_job_passes_to_a_later_order) {
    std::vector<Window> windows{window(1, Migrate{}, {kNode, kJob}),
                                window(2, Admission{AdmissionWish::queue}, {kQueue})};
    confirm(0, kNow, kNow, minutes(32), windows);
    confirm(1, kNow, kNow, minutes(30), windows);
    EXPECT_EQ(Ownership(windows, 9).owner_of(kJob), 1);
    EXPECT_TRUE(windows[0].cut);
}

TEST(Ownership, would_and_done_do_not_mix) {
    std::vector<Window> windows{window(1, Throttle{}, {kNode}), window(2, Throttle{}, {kNode})};
    windows[1].would = true;
    confirm(0, kNow, {}, minutes(10), windows);
    confirm(1, kNow, {}, minutes(10), windows);
    EXPECT_FALSE(windows[0].cut);
    EXPECT_EQ(windows[0].leaves.size(), 1U);
}

/// A window that was followed to its end.
Window whole() {
    Window w = window(1, Throttle{}, {kNode});
    w.samples = 100;
    w.observed = {Role::safety, 70};
    w.noop = {Role::safety, 100};
    w.acted = {Role::safety, 60};
    w.lost = {Role::safety, 45};
    w.twins = {{Branch::noop, {}}, {Branch::acted, {}}, {Branch::loser, {}}};
    return w;
}

TEST(Closed, compares_with_what_would_have_been) {
    Kit kit;
    const ClosedScore score = close(whole(), "", kit.input);
    EXPECT_EQ(score.state, ScoreState::measured);
    EXPECT_EQ(score.advantage[Role::safety], 30);
    EXPECT_EQ((*score.twin_error)[Role::safety], 10);
    EXPECT_EQ((*score.regret)[Role::safety], 15);
    kit.input.controls.simulated = false;
    EXPECT_EQ(close(whole(), "", kit.input).state, ScoreState::estimated);
}

TEST(Closed, would_compares_twins_only) {
    Kit kit;
    Window w = whole();
    w.would = true;
    const ClosedScore score = close(w, "", kit.input);
    EXPECT_EQ(score.state, ScoreState::would);
    EXPECT_EQ(score.advantage[Role::safety], 40);
    EXPECT_FALSE(score.twin_error);
    w.twins.erase(w.twins.begin() + 1);
    EXPECT_EQ(close(w, "", kit.input).state, ScoreState::missing);
}

TEST(Closed, is_missing_below_four_fifths_of_its_readings) {
    Kit kit;
    Window w = whole();
    w.samples = 80;
    w.gaps = 20;
    EXPECT_EQ(close(w, "", kit.input).state, ScoreState::measured);
    w.samples = 79;
    w.gaps = 21;
    const ClosedScore score = close(w, "", kit.input);
    EXPECT_EQ(score.state, ScoreState::missing);
    EXPECT_EQ(score.because, "only 79% of its readings were there, 80% are needed");
    EXPECT_FALSE(score.twin_error);
}

TEST(Closed, is_missing_without_a_twin_or_an_effect) {
    Kit kit;
    Window w = whole();
    w.twins.clear();
    EXPECT_EQ(close(w, "", kit.input).because, "no twin followed it");
    EXPECT_EQ(close(whole(), "it never took effect: no", kit.input).state, ScoreState::missing);
    w = whole();
    w.samples = 0;
    EXPECT_EQ(close(w, "", kit.input).because, "there was nothing to read");
    w = whole();
    w.twins.resize(1);
    const ClosedScore score = close(w, "", kit.input);
    EXPECT_EQ(score.state, ScoreState::measured);
    EXPECT_FALSE(score.twin_error);
    EXPECT_FALSE(score.regret);
}

TEST(Windows, past_errors_of_its_kind_say_where_an_estimate_is) {
    std::vector<TwinMiss> misses;
    ClosedScore score{.action = Migrate{}, .state = ScoreState::estimated};
    score.advantage = {Role::safety, 1000};
    for (std::int64_t i = 1; i <= 8; ++i) keep_miss(misses, {ActionKind::migrate, i * 10 - 50});
    keep_miss(misses, {ActionKind::throttle, 1'000'000});
    add_likely(misses, score);
    EXPECT_FALSE(score.likely) << "too few to say";
    EXPECT_EQ(score.past_errors, 8);
    keep_miss(misses, {ActionKind::migrate, 40});
    add_likely(misses, score);
    ASSERT_TRUE(score.likely);
    EXPECT_EQ(*score.likely, (Likely{1000 - 40, 1000 + 40})) << "the smallest and greatest of nine";
    for (std::int64_t i = 1; i <= 10; ++i)
        keep_miss(misses, {ActionKind::migrate, i % 2 == 0 ? 5 : -5});
    add_likely(misses, score);
    EXPECT_EQ(*score.likely, (Likely{1000 - 30, 1000 + 30})) << "the second on either side of 19";
    score.state = ScoreState::measured;
    score.likely.reset();
    add_likely(misses, score);
    EXPECT_FALSE(score.likely) << "a measured score needs none";
}

TEST(Windows, only_the_last_errors_of_each_kind_are_kept) {
    std::vector<TwinMiss> misses;
    keep_miss(misses, {ActionKind::throttle, 7});
    for (std::int64_t i = 0; i < 300; ++i) keep_miss(misses, {ActionKind::migrate, i});
    EXPECT_EQ(misses.size(), 201U);
    EXPECT_EQ(misses[0].by, 7) << "of another kind";
    EXPECT_EQ(misses[1].by, 100) << "the oldest that is left";
}

}  // namespace
}  // namespace parley::execution
