#include "sim/world/world_report.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::sim {
namespace {

TEST(WorldReport, the_first_report_is_everything_and_the_next_only_what_changed) {
    World world = builtin_world("calm");
    cluster::Batch batch;
    world.collect(batch);
    EXPECT_EQ(batch.changes.size(), 12U + 7U + 43U);
    world.collect(batch);
    EXPECT_TRUE(batch.changes.empty());
    world.advance(at_s(10));
    world.collect(batch);
    EXPECT_EQ(batch.changes.size(), 12U) << "a lease each";
}

TEST(WorldReport, an_object_occurs_once_and_only_after_what_it_refers_to) {
    World world = builtin_world("batch-queue");
    std::set<UidKey> known;
    cluster::Batch batch;
    for (std::int64_t t = 0; t < 1800; t += 20) {
        world.advance(at_s(t));
        world.collect(batch);
        std::set<UidKey> here;
        for (const cluster::Change& change : batch.changes) {
            if (const auto* n = std::get_if<cluster::NodeChange>(&change)) {
                EXPECT_TRUE(here.insert(key(n->row.uid)).second);
                known.insert(key(n->row.uid));
            } else if (const auto* w = std::get_if<cluster::WorkloadChange>(&change)) {
                EXPECT_TRUE(here.insert(key(w->row.uid)).second);
                known.insert(key(w->row.uid));
            } else if (const auto* p = std::get_if<cluster::PodChange>(&change)) {
                EXPECT_TRUE(here.insert(key(p->row.uid)).second);
                EXPECT_TRUE(known.contains(key(p->workload)));
                if (!p->node.none()) {
                    EXPECT_TRUE(known.contains(key(p->node)));
                }
                known.insert(key(p->row.uid));
            } else if (const auto* g = std::get_if<cluster::PodGone>(&change)) {
                EXPECT_TRUE(known.contains(key(g->uid)));
                known.erase(key(g->uid));
            }
        }
    }
}

TEST(WorldReport, who_looks_often_and_who_looks_seldom_see_the_same_in_the_end) {
    for (const char* name : {"failing-node", "batch-queue", "exercise", "rack-down"}) {
        World often = builtin_world(name);
        World seldom = often;
        Watched a;
        Watched b;
        b.look(seldom);
        for (std::int64_t t = 0; t <= 1500; t += 3) {
            often.advance(at_s(t));
            a.look(often);
        }
        seldom.advance(at_s(1500));
        b.look(seldom);
        EXPECT_EQ(a.pods.size(), b.pods.size()) << name;
        for (const auto& [uid, pod] : a.pods) {
            const auto other = b.pods.find(uid);
            ASSERT_NE(other, b.pods.end()) << name;
            EXPECT_EQ(pod.row, other->second.row) << name << " " << pod.row.name.text();
            EXPECT_EQ(pod.node, other->second.node);
        }
        for (const auto& [uid, node] : a.nodes) {
            EXPECT_EQ(node.ready, b.nodes.at(uid).ready);
            EXPECT_EQ(node.version, b.nodes.at(uid).version);
        }
        for (const auto& [uid, work] : a.works) {
            EXPECT_EQ(work.wanted, b.works.at(uid).wanted) << name << work.id.text();
            EXPECT_EQ(work.disruptions_allowed, b.works.at(uid).disruptions_allowed);
        }
    }
}

TEST(WorldReport, a_fork_that_stopped_reporting_reports_nothing_and_lives_on_the_same) {
    World world = builtin_world("failing-node", 3);
    cluster::Batch batch;
    world.advance(at_s(100));
    world.collect(batch);
    World fork = world;
    fork.stop_reporting();
    for (std::int64_t t = 100; t < 1500; t += 3) {
        world.advance(at_s(t));
        world.collect(batch);
    }
    fork.advance(world.now());
    EXPECT_EQ(world.fingerprint(), fork.fingerprint());
    fork.collect(batch);
    EXPECT_TRUE(batch.changes.empty());
    EXPECT_TRUE(batch.nodes.empty());
}

TEST(WorldReport, rows_show_when_a_pod_started_and_how_its_container_ended) {
    Scenario scenario = bare_nodes(1);
    scenario.workloads.push_back(reserving("web", 1, 100));
    State s = state_of(scenario);
    model::PodRow row = row_of_pod(s, 0).row;
    ASSERT_TRUE(row.ready);
    EXPECT_EQ(row.started.from(row.created), row.created);
    EXPECT_EQ(row.ready_changed.from(row.created), row.created + seconds(60));
    EXPECT_FALSE(row.first.ended.known());
    EXPECT_EQ(row.first.ending, model::Ending::none);
    s.now = 90'000;
    kill_container(s, 0, model::Ending::oom_killed);
    row = row_of_pod(s, 0).row;
    EXPECT_FALSE(row.ready);
    // Whole seconds after its creation.
    const TimePoint killed = *row.first.ended.from(row.created);
    EXPECT_TRUE(killed > at_s(89) && killed <= at_s(90));
    EXPECT_EQ(row.ready_changed, row.first.ended);
    EXPECT_EQ(row.first.ending, model::Ending::oom_killed);
    EXPECT_EQ(row.first.exit_code, 137);
    EXPECT_FALSE(row.first.measured.known()) << "nobody measures single pods here";
}

TEST(WorldReport, rows_of_jobs_show_how_many_pods_succeeded) {
    Scenario scenario = bare_nodes(1);
    scenario.workloads.push_back(reserving("report", 1, 100));
    State s = state_of(scenario);
    EXPECT_EQ(row_of_work(s, 0).completions, 0);
    s.works[0].completions = 3;
    EXPECT_EQ(row_of_work(s, 0).completions, 3);
}

TEST(WorldReport, rows_show_marks_taints_and_budgets) {
    World world = builtin_world("calm");
    Watched seen;
    seen.look(world);
    const model::DecisionId id{1, 2};
    ASSERT_TRUE(world.apply(model::PutMark{node_id("node-05"), id, at_s(99)}, {}));
    ASSERT_TRUE(world.apply(model::PutMark{deployment("web", "shop"), id, at_s(99)}, {}));
    ASSERT_TRUE(world.apply(model::SetTaint{node_id("node-05"), model::Taint::no_schedule}, {}));
    seen.look(world);
    EXPECT_EQ(seen.node("node-05").mark, (model::Mark{id, at_s(99)}));
    EXPECT_TRUE(seen.node("node-05").quarantined);
    EXPECT_EQ(seen.work("web")->mark, (model::Mark{id, at_s(99)}));
    EXPECT_TRUE(seen.work("web")->has_budget);
    EXPECT_EQ(seen.work("web")->disruptions_allowed, 1);
    EXPECT_TRUE(seen.work("db")->quorum);
    EXPECT_TRUE(seen.work("coredns")->protect);
}

}  // namespace
}  // namespace parley::sim
