#include "layers/observation/snapshot_builder.h"

#include "base/diff.h"
#include "base/random.h"
#include "model/sources.h"

#include <gtest/gtest.h>

#include <limits>

namespace parley::observation {
namespace {

using model::Cause;
using model::CauseSet;
using model::Gap;
using model::PodPhase;
using model::Source;
using model::SourceCondition;
using model::Uid;

constexpr TimePoint at(std::int64_t s) { return {seconds(s).us}; }
constexpr Uid uid(std::uint64_t kind, std::uint64_t n) { return {kind, n}; }

cluster::NodeChange node(std::uint64_t n) {
    model::NodeRow row;
    row.id = {Name::of("node-" + std::to_string(n))};
    row.uid = uid(1, n);
    row.ready = model::Readiness::yes;
    row.cpu_allocatable_m = 4000;
    row.memory_allocatable = 1'000'000;
    return {row};
}

cluster::WorkloadChange workload(std::uint64_t n, const char* space = "shop") {
    model::WorkloadRow row;
    row.id = {Name::of(space), model::WorkloadKind::deployment, Name::of("w" + std::to_string(n))};
    row.uid = uid(2, n);
    return {row};
}

struct PodWish {
    std::uint64_t n = 1;
    std::uint64_t workload = 1;
    std::uint64_t node = 0;  // 0: not bound
    PodPhase phase = PodPhase::running;
    bool ready = true;
    CauseSet causes = {};
    std::int32_t restarts = 0;
    bool terminating = false;
};

cluster::PodChange pod(PodWish wish) {
    model::PodRow row;
    row.uid = uid(3, wish.n);
    row.phase = wish.phase;
    row.ready = wish.ready;
    row.pending = wish.causes;
    row.restarts = wish.restarts;
    row.terminating = wish.terminating;
    row.created = at(static_cast<std::int64_t>(wish.n));
    row.cpu_request_m = 100;
    row.memory_request = 1000;
    return {row, uid(2, wish.workload), wish.node == 0 ? Uid{} : uid(1, wish.node)};
}

cluster::Batch batch(std::vector<cluster::Change> changes) {
    cluster::Batch out;
    out.changes = std::move(changes);
    out.sources = {{.source = Source::api}, {.source = Source::metrics}};
    return out;
}

cluster::NodeSample sample(std::uint64_t n, std::int64_t measured, double cores) {
    return {.node = uid(1, n), .measured = at(measured), .cpu_m = cores * 1000};
}

SourceCondition condition(const model::Snapshot& snapshot, Source source) {
    for (const auto& state : snapshot.sources) {
        if (state.source == source) return state.condition;
    }
    ADD_FAILURE() << "no such source";
    return SourceCondition::off;
}

TEST(SnapshotBuilder, moves_all_times_of_others_at_once) {
    SnapshotBuilder builder({});
    cluster::NodeChange of_node = node(1);
    of_node.row.ready_since = at(50);
    cluster::WorkloadChange rolled = workload(1);
    rolled.row.rolled_out = at(60);
    const CauseSet cpu = CauseSet().with(Cause::cpu);
    cluster::PodChange waits =
        pod({.n = 70, .phase = PodPhase::pending, .ready = false, .causes = cpu});
    waits.says = "no room";
    cluster::PodChange runs = pod({.n = 80, .node = 1});
    runs.row.started = model::After::of(at(80), at(83));
    builder.take(batch({of_node, node(2), rolled, workload(2), waits, runs}), at(100));

    cluster::PodChange later = pod({.n = 90, .node = 1});
    cluster::Batch more = batch({later});
    more.moved = seconds(-40);
    builder.take(more, at(101));
    const model::Snapshot seen = builder.finish(1, at(101));
    EXPECT_EQ(seen.nodes.at(0).ready_since, at(10));
    EXPECT_EQ(seen.nodes.at(1).ready_since, TimePoint{}) << "not known";
    EXPECT_EQ(seen.workloads.at(0).rolled_out, at(20));
    EXPECT_EQ(seen.workloads.at(1).rolled_out, TimePoint{}) << "not known";
    EXPECT_EQ(seen.pods.at(0).created, at(30));
    EXPECT_EQ(seen.pods.at(1).created, at(40));
    EXPECT_EQ(seen.pods.at(1).started.from(at(40)), at(43));
    EXPECT_EQ(seen.pods.at(2).created, at(90)) << "told by the new difference already";
    ASSERT_EQ(seen.pending.size(), 1U);
    EXPECT_EQ(seen.pending[0].oldest, at(30));
    EXPECT_EQ(seen.pending[0].says, "no room");

    builder.take(batch({cluster::PodGone{uid(3, 70)}}), at(102));
    EXPECT_TRUE(builder.finish(2, at(102)).pending.empty()) << "its group knows it again";
}

TEST(SnapshotBuilder, keeps_sums_as_pods_come_change_and_go) {
    SnapshotBuilder builder({});
    builder.take(batch({node(1), workload(1), pod({.n = 1, .node = 1}),
                        pod({.n = 2, .node = 1, .phase = PodPhase::pending, .ready = false}),
                        pod({.n = 3, .node = 1, .ready = false, .restarts = 2}),
                        pod({.n = 4, .node = 1, .phase = PodPhase::succeeded, .ready = false})}),
                 at(1));
    model::Snapshot seen = builder.finish(1, at(1));
    const model::NodeRow& row = seen.nodes.at(0);
    EXPECT_EQ(row.cpu_requested_m, 300) << "a finished pod holds nothing";
    EXPECT_EQ(row.memory_requested, 3000);
    EXPECT_EQ(row.pods, 3);
    EXPECT_EQ(row.pods_unhealthy, 2);
    EXPECT_EQ(row.pods_restarted, 1);
    EXPECT_EQ(seen.workloads.at(0).ready, 1);
    EXPECT_EQ(seen.workloads.at(0).pending, 1);

    builder.take(batch({cluster::PodGone{uid(3, 3)}, pod({.n = 2, .node = 1})}), at(2));
    seen = builder.finish(2, at(2));
    EXPECT_EQ(seen.nodes.at(0).cpu_requested_m, 200);
    EXPECT_EQ(seen.nodes.at(0).pods_unhealthy, 0);
    EXPECT_EQ(seen.nodes.at(0).pods_restarted, 0);
    EXPECT_EQ(seen.workloads.at(0).ready, 2);
}

TEST(SnapshotBuilder, pods_that_crash_are_a_group_and_no_queue) {
    const CauseSet crash = CauseSet{}.with(Cause::restart);
    SnapshotBuilder builder({});
    builder.take(batch({workload(1), pod({.n = 5, .ready = false, .causes = crash})}), at(9));
    model::Snapshot seen = builder.finish(1, at(9));
    ASSERT_EQ(seen.pending.size(), 1U);
    EXPECT_EQ(seen.pending[0], (model::PendingGroup{0, crash, 1, at(5)}));
    EXPECT_EQ(*seen.queue.value(), 0);
    EXPECT_EQ(seen.workloads.at(0).pending, 0);
    builder.take(batch({pod({.n = 5})}), at(10));
    EXPECT_TRUE(builder.finish(2, at(10)).pending.empty());
}

TEST(SnapshotBuilder, groups_pending_pods_by_workload_and_causes) {
    const CauseSet cpu = CauseSet{}.with(Cause::cpu);
    const CauseSet both = cpu.with(Cause::taint);
    const auto waiting = [](std::uint64_t n, CauseSet causes) {
        return pod({.n = n, .phase = PodPhase::pending, .ready = false, .causes = causes});
    };
    SnapshotBuilder builder({});
    builder.take(batch({workload(1), waiting(5, cpu), waiting(3, cpu), waiting(4, both)}), at(9));
    model::Snapshot seen = builder.finish(1, at(9));
    ASSERT_EQ(seen.pending.size(), 2U);
    EXPECT_EQ(seen.pending[0], (model::PendingGroup{0, cpu, 2, at(3)}));
    EXPECT_EQ(seen.pending[1], (model::PendingGroup{0, both, 1, at(4)}));
    EXPECT_EQ(*seen.queue.value(), 3);

    builder.take(batch({cluster::PodGone{uid(3, 3)}, cluster::PodGone{uid(3, 4)}}), at(10));
    seen = builder.finish(2, at(10));
    ASSERT_EQ(seen.pending.size(), 1U);
    EXPECT_EQ(seen.pending[0], (model::PendingGroup{0, cpu, 1, at(5)}));
}

TEST(SnapshotBuilder, counts_queue_and_violations_in_watched_namespaces_only) {
    ObservationLimits limits;
    limits.watched = Watched({"shop"});
    SnapshotBuilder builder(limits);
    const auto waits = [](std::uint64_t n, std::uint64_t w) {
        return pod({.n = n, .workload = w, .phase = PodPhase::pending, .ready = false});
    };
    builder.take(batch({workload(1, "shop"), workload(2, "other"), waits(1, 1), waits(2, 2),
                        pod({.n = 3, .workload = 1, .ready = false}),
                        pod({.n = 4, .workload = 1, .ready = false, .terminating = true})}),
                 at(1));
    const model::Snapshot seen = builder.finish(1, at(1));
    EXPECT_EQ(*seen.queue.value(), 1);
    EXPECT_EQ(*seen.violations.value(), 2) << "an orderly deletion is no violation";
}

TEST(SnapshotBuilder, same_name_and_new_uid_is_another_node) {
    SnapshotBuilder builder({});
    builder.take(batch({node(1), workload(1), pod({.n = 1, .node = 1})}), at(1));
    auto again = node(1);
    again.row.uid = uid(1, 99);
    builder.take(batch({cluster::NodeGone{uid(1, 1)}, again}), at(2));
    const model::Snapshot seen = builder.finish(1, at(2));
    ASSERT_EQ(seen.nodes.size(), 1U);
    EXPECT_EQ(seen.nodes.at(0).uid, uid(1, 99));
    EXPECT_EQ(seen.nodes.at(0).cpu_requested_m, 0) << "the old node's pods are not its own";
    EXPECT_EQ(seen.pods.at(0).node, kNoSlot);
}

TEST(SnapshotBuilder, a_complete_batch_says_what_is_gone) {
    SnapshotBuilder builder({});
    builder.take(batch({node(1), node(2), workload(1), workload(2), pod({.n = 1, .node = 1}),
                        pod({.n = 2, .workload = 2, .node = 2})}),
                 at(1));
    cluster::Batch all = batch({node(2), workload(2), pod({.n = 2, .workload = 2, .node = 2})});
    all.complete = true;
    builder.take(all, at(2));
    const model::Snapshot seen = builder.finish(1, at(2));
    EXPECT_EQ(seen.nodes.size(), 1U);
    EXPECT_EQ(seen.workloads.size(), 1U);
    EXPECT_EQ(seen.pods.size(), 1U);
    EXPECT_EQ(seen.pods.at(1).node, 1U);
}

TEST(SnapshotBuilder, a_source_without_new_samples_is_late_and_its_readings_become_gaps) {
    SnapshotBuilder builder({});
    cluster::Batch first = batch({node(1)});
    first.nodes = {sample(1, 0, 2.0)};
    builder.take(first, at(1));
    model::Snapshot seen = builder.finish(1, at(60));
    EXPECT_EQ(*seen.nodes.at(0).cpu_used_m.value(), 2000);
    EXPECT_EQ(condition(seen, Source::metrics), SourceCondition::ok);

    builder.take(batch({}), at(61));
    seen = builder.finish(2, at(61));
    EXPECT_EQ(*seen.nodes.at(0).cpu_used_m.gap(), Gap::too_old);
    EXPECT_EQ(condition(seen, Source::metrics), SourceCondition::late);
    EXPECT_EQ(seen.sources[1].covered, 0);

    cluster::Batch again = batch({});
    again.nodes = {sample(1, 62, 1.0)};
    builder.take(again, at(63));
    seen = builder.finish(3, at(63));
    EXPECT_EQ(*seen.nodes.at(0).cpu_used_m.value(), 1000);
    EXPECT_EQ(condition(seen, Source::metrics), SourceCondition::ok);
    EXPECT_EQ(seen.sources[1].since, at(63));
}

TEST(SnapshotBuilder, a_failed_source_says_so_and_makes_nothing_fresh) {
    SnapshotBuilder builder({});
    cluster::Batch first = batch({node(1)});
    first.nodes = {sample(1, 0, 2.0)};
    builder.take(first, at(1));
    cluster::Batch failing = batch({});
    failing.sources[1] = {.source = Source::metrics, .failed = true, .reason = "refused"};
    builder.take(failing, at(30));
    const model::Snapshot seen = builder.finish(2, at(30));
    EXPECT_EQ(condition(seen, Source::metrics), SourceCondition::failed);
    EXPECT_EQ(seen.sources[1].reason, "refused");
    EXPECT_EQ(seen.nodes.at(0).cpu_used_m.age(at(30)), seconds(30));
}

TEST(SnapshotBuilder, a_cluster_that_does_not_answer_ages_visibly) {
    SnapshotBuilder builder({});
    builder.take(batch({node(1)}), at(1));
    builder.take_failure("no route", at(4));
    model::Snapshot seen = builder.finish(2, at(4));
    EXPECT_EQ(condition(seen, Source::api), SourceCondition::failed);
    EXPECT_NE(seen.queue.value(), nullptr) << "three seconds old";
    EXPECT_EQ(seen.queue.age(at(4)), seconds(3));
    seen = builder.finish(3, at(17));
    EXPECT_EQ(*seen.queue.gap(), Gap::too_old);
}

// A watcher may hand out its old picture for ever after the API has gone silent.
TEST(SnapshotBuilder, an_api_that_reads_failed_in_a_batch_makes_nothing_fresh) {
    SnapshotBuilder builder({});
    builder.take(batch({node(1)}), at(1));
    cluster::Batch kept;
    kept.sources = {{.source = Source::api, .failed = true, .reason = "no route"}};
    builder.take(kept, at(4));
    model::Snapshot seen = builder.finish(2, at(4));
    EXPECT_EQ(condition(seen, Source::api), SourceCondition::failed);
    EXPECT_EQ(seen.queue.age(at(4)), seconds(3));
    EXPECT_EQ(seen.sources[0].last_success, at(1));
    builder.take(kept, at(17));
    seen = builder.finish(3, at(17));
    EXPECT_EQ(*seen.queue.gap(), Gap::too_old);
}

TEST(SnapshotBuilder, an_exerciser_is_heard_whenever_it_says_that_it_is_well) {
    SnapshotBuilder builder({});
    cluster::Batch kept;
    kept.sources = {{.source = Source::exerciser}};
    builder.take(kept, at(100));
    model::Snapshot seen = builder.finish(1, at(100));
    EXPECT_EQ(condition(seen, Source::exerciser), SourceCondition::ok);
    kept.sources[0].failed = true;
    builder.take(kept, at(103));
    seen = builder.finish(2, at(103));
    EXPECT_EQ(condition(seen, Source::exerciser), SourceCondition::failed);
    EXPECT_EQ(model::state_of(seen, Source::exerciser)->last_success, at(100));
}

TEST(SnapshotBuilder, an_api_is_as_old_as_its_last_word) {
    SnapshotBuilder builder({});
    cluster::Batch first = batch({node(1)});
    first.sources = {{.source = Source::api, .heard = at(1)}};
    builder.take(first, at(3));
    EXPECT_EQ(builder.finish(1, at(3)).queue.age(at(3)), seconds(2));
    cluster::Batch silent;
    silent.sources = {{.source = Source::api, .heard = at(1)}};
    builder.take(silent, at(17));
    const model::Snapshot seen = builder.finish(2, at(17));
    EXPECT_EQ(condition(seen, Source::api), SourceCondition::late);
    EXPECT_EQ(*seen.queue.gap(), Gap::too_old);
}

TEST(SnapshotBuilder, lies_become_gaps) {
    SnapshotBuilder builder({});
    cluster::Batch lying = batch({node(1), node(2), node(3), node(4)});
    lying.nodes = {sample(1, 1, -1.0), sample(2, 1, std::numeric_limits<double>::quiet_NaN()),
                   sample(3, 1, 5.01), sample(4, 99, 1.0)};
    builder.take(lying, at(1));
    const model::Snapshot seen = builder.finish(1, at(1));
    for (Slot slot = 0; slot < 4; ++slot) {
        const auto& reading = seen.nodes.at(slot).cpu_used_m;
        ASSERT_NE(reading.gap(), nullptr) << slot;
        EXPECT_EQ(*reading.gap(), slot == 3 ? Gap::from_future : Gap::implausible) << slot;
    }
    EXPECT_EQ(
        seen.sources[1].reason,
        "3 samples rejected as implausible, such as node-1; 1 sample rejected as from future, "
        "such as node-4");
    EXPECT_EQ(seen.sources[1].covered, 0);
    EXPECT_EQ(seen.sources[1].expected, 4);
}

TEST(SnapshotBuilder, says_what_is_wrong_with_a_sample) {
    SnapshotBuilder builder({});
    cluster::Batch odd = batch({node(1), node(2), node(3), node(4)});
    odd.nodes = {sample(1, 90, 1.0), sample(1, 91, 2.0), sample(2, 90, 0.0), sample(3, 29, 1.0),
                 sample(4, 90, 0.0)};
    odd.nodes[2].memory_bytes = 0.0;
    odd.nodes[4].memory_bytes = 5.0;
    odd.sources[1].reason = "slow";
    builder.take(odd, at(90));
    model::Snapshot seen = builder.finish(1, at(90));
    EXPECT_EQ(*seen.nodes.at(0).cpu_used_m.gap(), Gap::sampled_twice);
    EXPECT_EQ(*seen.nodes.at(1).cpu_used_m.gap(), Gap::empty_sample);
    EXPECT_EQ(*seen.nodes.at(1).memory_used.gap(), Gap::empty_sample);
    EXPECT_EQ(*seen.nodes.at(2).cpu_used_m.gap(), Gap::too_old);
    EXPECT_EQ(*seen.nodes.at(3).cpu_used_m.value(), 0) << "idle";
    EXPECT_EQ(seen.sources[1].covered, 1);
    EXPECT_EQ(seen.sources[1].reason,
              "slow; 1 sample rejected as too old, such as node-3; 1 sample rejected as sampled "
              "twice, such as node-1; 1 sample rejected as empty sample, such as node-2");
    cluster::Batch fine = batch({});
    fine.nodes = {sample(1, 92, 1.0), sample(2, 92, 1.0), sample(3, 92, 1.0)};
    fine.nodes.push_back(
        {.node = uid(1, 1), .measured = at(92), .counters = model::NodeCounters{}});
    builder.take(fine, at(93));
    seen = builder.finish(2, at(93));
    EXPECT_EQ(*seen.nodes.at(0).cpu_used_m.value(), 1000) << "counters are no second sample";
    EXPECT_EQ(seen.sources[1].reason, "");
    EXPECT_EQ(seen.sources[1].covered, 4);
    builder.take(odd, at(94));
    EXPECT_EQ(builder.finish(3, at(94)).sources[1].covered, 2) << "what was fine before is not";
    cluster::Batch apart = batch({});
    apart.nodes = {sample(1, 95, 1.0), {.node = uid(1, 1), .measured = at(95)}};
    apart.nodes[1].memory_bytes = 5.0;
    builder.take(apart, at(95));
    EXPECT_EQ(*builder.finish(4, at(95)).nodes.at(0).cpu_used_m.value(), 1000)
        << "a sample for each figure";
}

TEST(SnapshotBuilder, keeps_what_another_source_says_of_the_same) {
    SnapshotBuilder builder({});
    const auto say = [&](Source source, std::int64_t measured, double cores) {
        cluster::Batch batch = observation::batch({});
        batch.nodes = {sample(1, measured, cores)};
        batch.nodes[0].source = source;
        builder.take(batch, at(measured + 1));
        const model::Snapshot seen = builder.finish(1, at(measured + 1));
        const auto text = [](const model::Reading<std::int64_t>& reading) {
            const std::string by(enum_name(reading.from().source));
            return reading.value() != nullptr ? by + " " + std::to_string(*reading.value())
                                              : std::string(enum_name(*reading.gap()));
        };
        const model::NodeRow& row = seen.nodes.at(0);
        return text(row.cpu_used_m) + ", " + text(row.cpu_second_m);
    };
    builder.take(batch({node(1)}), at(0));
    EXPECT_EQ(say(Source::metrics, 1, 1.0), "metrics 1000, not_reported");
    EXPECT_EQ(say(Source::metrics, 2, 1.1), "metrics 1100, not_reported");
    EXPECT_EQ(say(Source::prometheus, 3, 3.0), "prometheus 3000, metrics 1100");
    EXPECT_EQ(say(Source::metrics, 2, 1.2), "prometheus 3000, metrics 1200") << "older";
    EXPECT_EQ(say(Source::metrics, 4, -1.0), "prometheus 3000, implausible");
    EXPECT_EQ(say(Source::metrics, 70, 1.3), "metrics 1300, too_old");
    builder.take(batch({node(1)}), at(71));
    EXPECT_EQ(say(Source::prometheus, 72, 3.0), "prometheus 3000, metrics 1300")
        << "a change of the node leaves it";
}

TEST(SnapshotBuilder, a_source_covers_what_it_measured_itself) {
    SnapshotBuilder builder({});
    cluster::Batch two = batch({node(1), node(2), node(3)});
    two.nodes = {sample(1, 1, 1.0), sample(2, 1, 1.0), sample(1, 2, 1.0)};
    two.nodes[2].source = Source::prometheus;
    builder.take(two, at(2));
    model::Snapshot seen = builder.finish(1, at(2));
    EXPECT_EQ(seen.sources[1].covered, 2);
    EXPECT_EQ(seen.sources[2].covered, 1);
    EXPECT_EQ(seen.sources[2].expected, 3);

    cluster::Batch another = batch({cluster::NodeGone{uid(1, 1)}, node(4)});
    builder.take(another, at(3));
    EXPECT_EQ(builder.finish(2, at(3)).sources[1].covered, 1)
        << "in the place of the one that went";

    SnapshotBuilder on({}, seen);  // Earlier samples are known from the rows.
    on.take(batch({}), at(4));
    seen = on.finish(2, at(4));
    EXPECT_EQ(seen.sources[1].covered, 1);
    EXPECT_EQ(seen.sources[2].covered, 1);
}

TEST(SnapshotBuilder, the_start_of_pods_becomes_too_old_like_every_reading) {
    SnapshotBuilder builder({});
    cluster::Batch first = batch({workload(1)});
    first.workloads = {{.workload = uid(2, 1), .measured = at(1), .startup_p95_s = 3.0}};
    builder.take(first, at(1));
    EXPECT_EQ(*builder.finish(1, at(61)).workloads.at(0).startup_p95.value(), seconds(3));
    EXPECT_EQ(*builder.finish(2, at(62)).workloads.at(0).startup_p95.gap(), Gap::too_old);
}

TEST(SnapshotBuilder, restarts_are_handed_out_once) {
    SnapshotBuilder builder({});
    builder.take(batch({node(1), cluster::PodRestarted{uid(3, 1), uid(1, 1), at(1), 2}}), at(1));
    EXPECT_EQ(builder.finish(1, at(1)).restarts.size(), 1U);
    EXPECT_TRUE(builder.finish(2, at(2)).restarts.empty());
}

TEST(SnapshotBuilder, a_restart_is_of_the_workload_of_its_pod) {
    SnapshotBuilder builder({});
    builder.take(batch({node(1), workload(1), workload(2), pod({.n = 5, .workload = 2, .node = 1}),
                        cluster::PodRestarted{uid(3, 5), uid(1, 1), at(1)},
                        cluster::PodRestarted{uid(3, 6), uid(1, 1), at(1)}}),
                 at(1));
    const model::Snapshot seen = builder.finish(1, at(1));
    EXPECT_EQ(seen.workloads.at(seen.restarts.at(0).workload).uid, uid(2, 2));
    EXPECT_EQ(seen.restarts.at(1).workload, kNoSlot);  // Its pod is gone already.
}

TEST(SnapshotBuilder, a_disruption_is_handed_out_once_with_whose_pod_it_was) {
    SnapshotBuilder builder({});
    builder.take(batch({node(1), workload(1), pod({.n = 5, .workload = 1, .node = 1})}), at(1));
    EXPECT_TRUE(builder.finish(1, at(1)).disruptions.empty());
    builder.take(batch({cluster::PodDisrupted{uid(3, 5)}, cluster::PodGone{uid(3, 5)},
                        cluster::PodDisrupted{uid(3, 9)}}),
                 at(2));
    const model::Snapshot seen = builder.finish(2, at(2));
    ASSERT_EQ(seen.disruptions.size(), 1U) << "of a pod that was never known nothing can be said";
    EXPECT_EQ(seen.workloads.at(seen.disruptions[0].workload).uid, uid(2, 1));
    EXPECT_TRUE(builder.finish(3, at(3)).disruptions.empty());
}

TEST(SnapshotBuilder, what_a_workload_reserves_is_what_its_pods_on_nodes_ask_for) {
    SnapshotBuilder builder({});
    const auto running = pod({.n = 5, .workload = 1, .node = 1});
    const auto waiting = pod({.n = 6, .workload = 1, .phase = PodPhase::pending});
    builder.take(batch({node(1), workload(1), running, waiting}), at(1));
    const model::Snapshot seen = builder.finish(1, at(1));
    const model::PodRow& row = running.row;
    EXPECT_GT(row.cpu_request_m, 0);
    EXPECT_EQ(seen.workloads.at(0).cpu_reserved_m, row.cpu_request_m);
    EXPECT_EQ(seen.workloads.at(0).memory_reserved, row.memory_request);
    builder.take(batch({workload(1), cluster::PodGone{uid(3, 5)}}), at(2));
    EXPECT_EQ(builder.finish(2, at(2)).workloads.at(0).cpu_reserved_m, 0);
}

// Continuing from any snapshot gives the same picture as starting from the beginning.
TEST(SnapshotBuilder, sums_equal_a_recount_over_random_histories) {
    SnapshotBuilder builder({});
    std::vector<cluster::Change> all{node(1), node(2), node(3), workload(1), workload(2)};
    builder.take(batch(all), at(0));
    for (std::uint64_t step = 0; step < 2000; ++step) {
        const auto pick = [&](std::uint64_t what, std::uint64_t n) {
            return draw(7, Stream::noise, step, what) % n;
        };
        if (pick(0, 4) == 0) {
            builder.take(batch({cluster::PodGone{uid(3, pick(1, 60))}}), at(1));
        } else {
            builder.take(batch({pod({.n = pick(1, 60),
                                     .workload = 1 + pick(2, 2),
                                     .node = pick(3, 4),
                                     .phase = static_cast<PodPhase>(pick(4, 5)),
                                     .ready = pick(5, 2) == 0,
                                     .causes = {static_cast<std::uint32_t>(pick(6, 4))},
                                     .restarts = static_cast<std::int32_t>(pick(7, 2)),
                                     .terminating = pick(8, 5) == 0})}),
                         at(1));
        }
    }
    const model::Snapshot seen = builder.finish(1, at(1));
    model::Snapshot bare = seen;
    SnapshotBuilder recount({}, seen);
    recount.take(batch({}), at(1));
    EXPECT_FALSE(first_difference(recount.finish(1, at(1)), bare));

    SnapshotBuilder fresh({});
    std::vector<cluster::Change> changes = all;
    seen.pods.for_each([&](Slot, const model::PodRow& row) {
        changes.push_back(
            cluster::PodChange{row, seen.workloads.at(row.workload).uid,
                               row.node == kNoSlot ? Uid{} : seen.nodes.at(row.node).uid});
    });
    fresh.take(batch(changes), at(1));
    const model::Snapshot counted = fresh.finish(1, at(1));
    EXPECT_FALSE(first_difference(counted.nodes, seen.nodes));
    EXPECT_FALSE(first_difference(counted.workloads, seen.workloads));
    EXPECT_FALSE(first_difference(counted.pending, seen.pending));
    EXPECT_EQ(*counted.queue.value(), *seen.queue.value());
    EXPECT_EQ(*counted.violations.value(), *seen.violations.value());
}

/// Numbers of the nodes that a set of places has.
std::string nodes_in(const model::Snapshot& snapshot, std::uint32_t id) {
    std::string out;
    snapshot.nodes.for_each([&](Slot slot, const model::NodeRow& row) {
        if (snapshot.places.at(id - 1).has(slot)) out += row.id.text().substr(5) + " ";
    });
    return out;
}

TEST(SnapshotBuilder, places_are_kept_by_the_slots_of_nodes) {
    SnapshotBuilder builder{ObservationLimits{}};
    cluster::Batch first;
    first.complete = true;
    first.changes = {node(1), node(2), node(3)};
    // The reporting side's order of nodes is not that of slots, and it lists a node that was not
    // reported.
    first.order = {uid(1, 3), uid(1, 9), uid(1, 1), uid(1, 2)};
    first.places = {{.id = 1, .nodes = {0b0111}}, {.id = 3, .known = false}};
    builder.take(first, at(1));
    model::Snapshot seen = builder.finish(1, at(1));
    ASSERT_EQ(seen.places.size(), 3U);
    EXPECT_EQ(nodes_in(seen, 1), "1 3 ");
    EXPECT_TRUE(seen.places[2].nodes.empty()) << "not known is not nowhere";

    // A new node at the slot of one that is gone is not in its places.
    cluster::Batch second;
    second.changes = {cluster::NodeGone{uid(1, 1)}, node(4)};
    builder.take(second, at(2));
    seen = builder.finish(2, at(2));
    EXPECT_EQ(nodes_in(seen, 1), "3 ");
    cluster::Batch third;
    third.order = {uid(1, 4)};
    third.places = {{.id = 1, .nodes = {1}}};
    builder.take(third, at(3));
    EXPECT_EQ(nodes_in(builder.finish(3, at(3)), 1), "4 ");

    cluster::Batch anew;
    anew.complete = true;
    anew.changes = {node(4)};
    builder.take(anew, at(4));
    EXPECT_TRUE(builder.finish(4, at(4)).places.empty()) << "what counts is told again";
}

}  // namespace
}  // namespace parley::observation
