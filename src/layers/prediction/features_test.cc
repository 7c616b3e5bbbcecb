#include "layers/prediction/features.h"

#include "layers/prediction/prediction_kit.h"
#include "model/differences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace parley::prediction {
namespace {

using namespace kit;
using model::Derived;
using model::NodeFold;
using model::Readiness;

const model::Policy kPolicy;

model::NodeRow sampled(const std::string& name, std::uint64_t uid) {
    model::NodeRow row = node(name, uid);
    row.cpu_used_m = read<std::int64_t>(1'000);
    row.memory_used = read<std::int64_t>(10);
    return row;
}

/// The same input at another time, with readings of the same age.
void run(model::RoundInput& in, Derived& derived, TimePoint at) {
    const Duration by = at - in.now;
    in.now = at;
    for (model::SourceState& state : in.snapshot.sources) {
        state.last_success = state.last_success + by;
    }
    fold(in, kPolicy, derived);
}

/// A node with these figures from the two sources, both measured at the usual time.
model::NodeRow twice_sampled(std::uint64_t uid, std::int64_t metrics, std::int64_t prometheus) {
    model::NodeRow row = sampled("node-" + std::to_string(uid), uid);
    model::Provenance by = row.cpu_used_m.from();
    by.source = model::Source::metrics;
    row.cpu_used_m = {metrics, by};
    by.source = model::Source::prometheus;
    row.cpu_second_m = {prometheus, by};
    return row;
}

TEST(Features, two_sources_that_differ_over_all_nodes_are_remembered) {
    Derived derived;
    model::RoundInput in = input();
    const auto say = [&](std::int64_t metrics, std::int64_t prometheus) {
        in.snapshot.nodes = {};
        for (std::uint64_t n = 1; n <= 3; ++n) {
            in.snapshot.nodes.insert(twice_sampled(n, metrics, prometheus));
        }
        fold(in, kPolicy, derived);
        return derived.contradictions.empty() ? 0 : derived.contradictions.front().rounds;
    };
    EXPECT_EQ(say(1'000, 2'000), 0);
    EXPECT_EQ(say(1'000, 2'718), 1);
    EXPECT_EQ(derived.contradictions.front().ratio, 2.718);
    EXPECT_EQ(derived.contradictions.front().since, in.now);
    EXPECT_EQ(say(1'000, 2'718), 2);
    EXPECT_EQ(say(1'000, 1'000), 0) << "they agree, and had not differed for long";
    EXPECT_EQ(say(2'718, 1'000), 1);
    const TimePoint began = in.now;
    const auto at = [&](Duration after, std::int64_t metrics, std::int64_t prometheus) {
        in.now = began + after;
        return say(metrics, prometheus) > 0;
    };
    EXPECT_TRUE(at(seconds(30), 2'718, 1'000));
    EXPECT_TRUE(at(seconds(40), 1'000, 1'000)) << "it had lasted: once is not enough";
    EXPECT_TRUE(at(seconds(60), 2'718, 1'000)) << "and it comes again";
    EXPECT_EQ(derived.contradictions.front().since, began);
    EXPECT_TRUE(at(seconds(70), 1'000, 1'000));
    EXPECT_TRUE(at(seconds(99), 1'000, 1'000));
    EXPECT_FALSE(at(seconds(100), 1'000, 1'000)) << "they have agreed for 30 s";
}

TEST(Features, sources_that_can_no_longer_be_compared_were_not_corrected) {
    Derived derived;
    model::RoundInput in = input();
    const TimePoint began = in.now;
    const auto at = [&](Duration after, std::int64_t metrics, std::int64_t prometheus) {
        in.now = began + after;
        in.snapshot.nodes = {};
        for (std::uint64_t n = 1; n <= 3; ++n) {
            in.snapshot.nodes.insert(twice_sampled(n, metrics, prometheus));
        }
        fold(in, kPolicy, derived);
        return !derived.contradictions.empty();
    };
    EXPECT_TRUE(at({}, 1'000, 2'718));
    EXPECT_TRUE(at(model::kSilentLasts - microseconds(1), 1, 2)) << "next to nothing says nothing";
    EXPECT_FALSE(at(model::kSilentLasts, 1, 2));
}

TEST(Features, a_step_of_our_clock_is_remembered) {
    Derived derived;
    model::RoundInput in = input();
    fold(in, kPolicy, derived);
    EXPECT_EQ(derived.stepped, TimePoint{});
    in.stepped = seconds(-600);
    in.now = in.now + seconds(3);
    const TimePoint then = in.now;
    fold(in, kPolicy, derived);
    EXPECT_EQ(derived.stepped, then);
    in.stepped = {};
    in.now = in.now + seconds(3);
    fold(in, kPolicy, derived);
    EXPECT_EQ(derived.stepped, then);
}

struct StepCase {
    const char* name;
    std::vector<std::int64_t> seconds;  // Of each round.
    std::vector<bool> jumped;
};

class Clock : public testing::TestWithParam<StepCase> {};

TEST_P(Clock, says_which_rounds_jumped) {
    Derived derived;
    model::RoundInput in = input();
    std::vector<bool> jumped;
    for (const std::int64_t at : GetParam().seconds) {
        in.now = {seconds(at).us};
        fold(in, kPolicy, derived);
        jumped.push_back(derived.jumped);
    }
    EXPECT_EQ(jumped, GetParam().jumped);
    EXPECT_EQ(derived.rounds, GetParam().seconds.size());
    EXPECT_EQ(derived.last_now.us, seconds(GetParam().seconds.back()).us);
}

const StepCase kSteps[] = {
    {"the_first_round_is_none", {1'000'000}, {false}},
    {"steady", {0, 3, 6, 9}, {false, false, false, false}},
    {"thirty_seconds_late_is_none", {0, 3, 36}, {false, false, false}},
    {"a_second_more_is_one", {0, 3, 37}, {false, false, true}},
    {"slow_rounds_are_usual", {0, 60, 120, 180}, {false, false, false, false}},
    {"back_is_one", {0, 3, 2, 5}, {false, false, true, false}},
    {"back_in_the_second_round", {5, 3}, {false, true}},
    {"standing_still_is_none", {0, 3, 3, 6}, {false, false, false, false}},
    {"standing_still_is_not_the_new_pace", {0, 3, 3, 40}, {false, false, false, true}},
    {"a_jump_is_not_the_new_pace", {0, 3, 103, 106, 206}, {false, false, true, false, true}},
    {"two_in_a_row_are_the_new_pace", {0, 3, 63, 123, 183}, {false, false, true, true, false}},
};
INSTANTIATE_TEST_SUITE_P(Rows, Clock, testing::ValuesIn(kSteps),
                         [](const auto& row) { return std::string(row.param.name); });

int restarts_kept(const Derived& derived) {
    int count = 0;
    for (const model::RestartSeen& each : derived.nodes.at(0).restarts) count += each.count;
    return count;
}

TEST(Fold, keeps_the_last_four_violations_and_forgets_them_with_a_gap) {
    Derived derived;
    model::RoundInput in = input();
    for (std::int64_t n = 1; n <= 5; ++n) {
        in.snapshot.violations = read(n, {}, model::Source::api);
        fold(in, kPolicy, derived);
    }
    EXPECT_EQ(derived.violations, (std::vector<std::int64_t>{2, 3, 4, 5}));
    in.snapshot.violations = read<std::int64_t>(6, seconds(15), model::Source::api);
    fold(in, kPolicy, derived);
    EXPECT_EQ(derived.violations.back(), 6);
    in.snapshot.violations = read<std::int64_t>(7, seconds(16), model::Source::api);
    fold(in, kPolicy, derived);
    EXPECT_TRUE(derived.violations.empty());
}

TEST(Fold, starts_a_history_when_a_node_appears_and_drops_it_when_it_is_gone) {
    Derived derived;
    model::RoundInput in = input();
    in.snapshot.nodes.put(3, sampled("node-03", 33));
    fold(in, kPolicy, derived);
    ASSERT_TRUE(derived.nodes.has(3));
    EXPECT_EQ(derived.nodes.at(3).uid, (model::Uid{0, 33}));
    EXPECT_EQ(derived.nodes.at(3).first_seen, kNow);
    in.snapshot.nodes.erase(3);
    in.snapshot.nodes.put(1, sampled("node-01", 11));
    fold(in, kPolicy, derived);
    EXPECT_FALSE(derived.nodes.has(3));
    EXPECT_TRUE(derived.nodes.has(1));
}

TEST(Fold, starts_anew_for_the_same_name_with_a_new_uid) {
    Derived derived;
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, sampled("node-01", 1));
    in.snapshot.restarts = {{.node = 0, .pod = {0, 7}, .at = kNow}};
    fold(in, kPolicy, derived);
    EXPECT_EQ(restarts_kept(derived), 1);
    in.snapshot.restarts.clear();
    in.snapshot.nodes.put(0, sampled("node-01", 2));
    run(in, derived, kNow + seconds(3));
    EXPECT_EQ(restarts_kept(derived), 0);
    EXPECT_EQ(derived.nodes.at(0).first_seen, kNow + seconds(3));
}

TEST(Fold, counts_a_flap_when_a_node_stops_being_ready_and_only_then) {
    Derived derived;
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, sampled("node-01", 1));
    const auto flaps = [&](Readiness ready, bool maintenance = false) {
        model::NodeRow& row = in.snapshot.nodes.edit(0);
        row.ready = ready;
        row.maintenance = maintenance;
        run(in, derived, in.now + seconds(3));
        return flaps_within(derived.nodes.at(0), in.now, hours(1));
    };
    EXPECT_EQ(flaps(Readiness::yes), 0);
    EXPECT_EQ(flaps(Readiness::no), 1);
    EXPECT_EQ(flaps(Readiness::unknown), 1);
    EXPECT_EQ(flaps(Readiness::yes), 1);
    EXPECT_EQ(flaps(Readiness::unknown), 2);
    EXPECT_EQ(flaps(Readiness::yes), 2);
    EXPECT_EQ(flaps(Readiness::no, true), 2);
    EXPECT_EQ(flaps(Readiness::yes), 2);
    const TimePoint first = kNow + seconds(6);
    EXPECT_EQ(flaps_within(derived.nodes.at(0), first + hours(1), hours(1)), 2);
    EXPECT_EQ(flaps_within(derived.nodes.at(0), first + hours(1) + microseconds(1), hours(1)), 1);
}

TEST(Fold, keeps_the_newest_four_flaps) {
    Derived derived;
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, sampled("node-01", 1));
    for (int i = 0; i < 6; ++i) {
        for (const Readiness ready : {Readiness::yes, Readiness::no}) {
            in.snapshot.nodes.edit(0).ready = ready;
            run(in, derived, in.now + seconds(3));
        }
    }
    EXPECT_EQ(flaps_within(derived.nodes.at(0), in.now, hours(1)), 4);
    EXPECT_EQ(flaps_within(derived.nodes.at(0), in.now, seconds(12)), 3);
}

TEST(Fold, a_node_that_was_never_ready_has_no_flap) {
    Derived derived;
    model::RoundInput in = input();
    model::NodeRow row = sampled("node-01", 1);
    row.ready = Readiness::no;
    in.snapshot.nodes.put(0, row);
    fold(in, kPolicy, derived);
    EXPECT_EQ(flaps_within(derived.nodes.at(0), kNow, hours(1)), 0);
}

/// Restarts of pods `first`, `first + 1`, ... of one workload, a second apart.
void crash(model::RoundInput& in, Slot workload, std::uint64_t first, int count) {
    for (int i = 0; i < count; ++i) {
        in.snapshot.restarts.push_back({.node = 0,
                                        .pod = {0, first + static_cast<std::uint64_t>(i)},
                                        .at = in.now - seconds(count - i),
                                        .workload = workload});
    }
}

model::RoundInput three_workloads() {
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, sampled("node-01", 1));
    for (Slot w = 0; w < 3; ++w) {
        model::WorkloadRow row = workload("w" + std::to_string(w), 3);
        row.uid = {2, w + 1};
        in.snapshot.workloads.put(w, row);
    }
    return in;
}

TEST(Fold, one_crash_loop_leaves_room_for_the_restarts_of_others) {
    Derived derived;
    model::RoundInput in = three_workloads();
    crash(in, 1, 100, 1);
    crash(in, 2, 200, 2);
    crash(in, 0, 300, 30);
    fold(in, kPolicy, derived);
    const auto& ring = derived.nodes.at(0).restarts;
    std::map<model::Uid, int> counts;
    for (const auto& each : ring) counts[each.workload] += each.count;
    EXPECT_EQ(counts, (std::map<model::Uid, int>{{{2, 1}, 30}, {{2, 2}, 1}, {{2, 3}, 2}}));
    // The newest restarts of the loop are kept with their pods, older ones as a count.
    EXPECT_TRUE(std::ranges::any_of(ring, [](const auto& r) { return r.pod.low == 329; }));
    EXPECT_TRUE(std::ranges::none_of(ring, [](const auto& r) { return r.pod.low == 300; }));
}

TEST(Fold, of_more_workloads_than_places_the_oldest_goes) {
    Derived derived;
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, sampled("node-01", 1));
    for (Slot w = 0; w < 9; ++w) {
        model::WorkloadRow row = workload("w" + std::to_string(w), 3);
        row.uid = {2, w + 1};
        in.snapshot.workloads.put(w, row);
        in.snapshot.restarts.push_back(
            {.node = 0, .pod = {0, w + 1}, .at = kNow - minutes(5) + seconds(w), .workload = w});
    }
    in.snapshot.restarts.push_back({.node = 5, .pod = {0, 99}, .at = kNow});
    in.snapshot.restarts.push_back({.node = kNoSlot, .pod = {0, 99}, .at = kNow});
    in.snapshot.restarts.push_back({.node = 0, .pod = {0, 98}, .at = kNow, .count = 0});
    fold(in, kPolicy, derived);
    const auto& ring = derived.nodes.at(0).restarts;
    EXPECT_EQ(restarts_kept(derived), 8);
    EXPECT_TRUE(std::ranges::none_of(ring, [](const auto& r) { return r.pod.low == 1; }));
    EXPECT_TRUE(std::ranges::any_of(ring, [](const auto& r) { return r.pod.low == 9; }));
}

TEST(Fold, a_place_whose_restart_left_the_window_is_free) {
    Derived derived;
    model::RoundInput in = three_workloads();
    crash(in, 0, 1, 8);
    fold(in, kPolicy, derived);
    in.snapshot.restarts.clear();
    in.now = kNow + minutes(10);
    crash(in, 1, 50, 1);
    fold(in, kPolicy, derived);
    EXPECT_EQ(restarts_kept(derived), 8);  // One of the eight was replaced; none were added up.
    EXPECT_TRUE(std::ranges::all_of(derived.nodes.at(0).restarts,
                                    [](const auto& r) { return r.count == 1; }));
}

struct SilenceCase {
    const char* name;
    bool cpu;
    bool memory;
    model::SourceCondition metrics;
    model::Power power;
    std::int32_t expected;  // The value after it was 4.
};

class Silence : public testing::TestWithParam<SilenceCase> {};

TEST_P(Silence, counts_rounds_without_a_sample_from_a_source_that_reads_ok) {
    const SilenceCase& c = GetParam();
    Derived derived;
    model::RoundInput in = input();
    model::NodeRow row = node("node-01", 1);
    row.power = c.power;
    if (c.cpu) row.cpu_used_m = read<std::int64_t>(1);
    if (c.memory) row.memory_used = read<std::int64_t>(1);
    source(in, model::Source::metrics).condition = c.metrics;
    in.snapshot.nodes.put(0, row);
    NodeFold before;
    before.uid = row.uid;
    before.was_ready = true;
    before.silent = 4;
    derived.nodes.put(0, before);
    fold(in, kPolicy, derived);
    EXPECT_EQ(derived.nodes.at(0).silent, c.expected);
}

using Condition = model::SourceCondition;
const SilenceCase kSilences[] = {
    {"sampled", true, true, Condition::ok, model::Power::on, 0},
    {"no_cpu", false, true, Condition::ok, model::Power::on, 5},
    {"no_memory", true, false, Condition::ok, model::Power::on, 5},
    {"late_source_is_to_blame", false, false, Condition::late, model::Power::on, 4},
    {"failed_source_is_to_blame", false, false, Condition::failed, model::Power::on, 4},
    {"asleep", false, false, Condition::ok, model::Power::sleep, 0},
};
INSTANTIATE_TEST_SUITE_P(Rows, Silence, testing::ValuesIn(kSilences),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Fold, copies_no_chunk_in_which_nothing_changed) {
    Derived derived;
    model::RoundInput in = input();
    for (Slot slot = 0; slot < 600; ++slot) {
        in.snapshot.nodes.put(slot, sampled("node-" + std::to_string(slot), slot + 1));
    }
    fold(in, kPolicy, derived);
    const Derived before = derived;
    in.snapshot.nodes.edit(300).ready = Readiness::no;
    fold(in, kPolicy, derived);
    EXPECT_TRUE(derived.nodes.shares_chunk(before.nodes, 0));
    EXPECT_FALSE(derived.nodes.shares_chunk(before.nodes, 1));
    EXPECT_TRUE(derived.nodes.shares_chunk(before.nodes, 2));
}

}  // namespace
}  // namespace parley::prediction
