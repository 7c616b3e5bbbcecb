#include "model/restarts.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::model {
namespace {

constexpr TimePoint kNow{hours(10).us};
constexpr Slot kHere = 0;
constexpr Slot kThere = 1;

/// Three nodes; on each a pod of every Deployment, made long ago and ready.
struct Scene {
    Snapshot snapshot;
    std::vector<RestartAt> seen;

    explicit Scene(int workloads = 3) {
        for (Slot n = 0; n < 3; ++n) {
            NodeRow node;
            node.id = {Name::of("node-" + std::to_string(n))};
            node.uid = {1, n + 1};
            node.ready = Readiness::yes;
            snapshot.nodes.put(n, node);
        }
        for (Slot w = 0; w < static_cast<Slot>(workloads); ++w) {
            WorkloadRow row;
            row.id = {Name::of("shop"), WorkloadKind::deployment,
                      Name::of("w" + std::to_string(w))};
            row.uid = {2, w + 1};
            snapshot.workloads.put(w, row);
            for (Slot n = 0; n < 3; ++n) add_pod(w, n);
        }
    }
    static Uid pod_uid(Slot w, Slot n) { return {3, w * 100 + n + 1}; }
    void add_pod(Slot w, Slot n) {
        PodRow pod;
        pod.uid = pod_uid(w, n);
        pod.workload = w;
        pod.node = n;
        pod.phase = PodPhase::running;
        pod.ready = true;
        pod.created = kNow - hours(5);
        snapshot.pods.put(w * 100 + n, pod);
    }
    PodRow& pod(Slot w, Slot n) { return snapshot.pods.edit(w * 100 + n); }
    WorkloadRow& workload(Slot w) { return snapshot.workloads.edit(w); }
    void restart(Slot w, Slot n, Duration ago = seconds(30), int count = 1) {
        seen.push_back({n,
                        {.at = kNow - ago,
                         .pod = pod_uid(w, n),
                         .count = count,
                         .workload = snapshot.workloads.at(w).uid}});
    }
    RestartSign here() const { return Restarts(snapshot, seen, minutes(10), kNow).on(kHere); }
};

struct CauseCase {
    const char* name;
    RestartCause cause;
    std::function<void(Scene&)> change;  ///< Changes a scene in which w0 restarted here.
};

class CauseOf : public testing::TestWithParam<CauseCase> {};

TEST_P(CauseOf, tells_a_node_from_a_release) {
    Scene scene;
    scene.restart(0, kHere);
    GetParam().change(scene);
    const Restarts restarts(scene.snapshot, scene.seen, minutes(10), kNow);
    EXPECT_EQ(restarts.cause_of(scene.seen.front()), GetParam().cause);
}

void only_here(Scene& s) {
    s.snapshot.pods.erase(1);
    s.snapshot.pods.erase(2);
}

const CauseCase kCauses[] = {
    {"its_like_elsewhere_runs", RestartCause::node, [](Scene&) {}},
    {"another_workload_restarts_elsewhere", RestartCause::node,
     [](Scene& s) { s.restart(1, kThere); }},
    {"it_restarts_elsewhere_too", RestartCause::elsewhere,
     [](Scene& s) { s.restart(0, kThere, minutes(10)); }},
    {"it_restarted_elsewhere_long_ago", RestartCause::node,
     [](Scene& s) { s.restart(0, kThere, minutes(10) + microseconds(1)); }},
    {"it_restarts_here_again", RestartCause::node, [](Scene& s) { s.restart(0, kHere); }},
    {"elsewhere_it_waits_to_be_started_again", RestartCause::elsewhere,
     [](Scene& s) {
         s.pod(0, kThere).ready = false;
         s.pod(0, kThere).restarts = 1;
     }},
    {"elsewhere_it_is_not_ready_yet", RestartCause::node,
     [](Scene& s) { s.pod(0, kThere).ready = false; }},
    {"elsewhere_it_restarted_once_and_runs", RestartCause::node,
     [](Scene& s) { s.pod(0, kThere).restarts = 1; }},
    {"elsewhere_the_node_is_to_blame", RestartCause::node,
     [](Scene& s) {
         s.snapshot.nodes.edit(kThere).ready = Readiness::unknown;
         s.pod(0, kThere).ready = false;
         s.pod(0, kThere).restarts = 1;
     }},
    {"nothing_to_compare_with", RestartCause::alone, only_here},
    {"nothing_ready_to_compare_with", RestartCause::alone,
     [](Scene& s) { s.pod(0, 1).ready = s.pod(0, 2).ready = false; }},
    {"what_goes_is_nothing_to_compare_with", RestartCause::alone,
     [](Scene& s) { s.pod(0, 1).terminating = s.pod(0, 2).terminating = true; }},
    {"rolled_out_an_hour_before", RestartCause::rolled_out,
     [](Scene& s) { s.workload(0).rolled_out = kNow - seconds(30) - hours(1); }},
    {"rolled_out_longer_ago", RestartCause::node,
     [](Scene& s) { s.workload(0).rolled_out = kNow - seconds(30) - hours(1) - microseconds(1); }},
    {"rolled_out_as_it_restarted", RestartCause::rolled_out,
     [](Scene& s) { s.workload(0).rolled_out = kNow - seconds(30) + minutes(1); }},
    {"rolled_out_after_it_restarted", RestartCause::node,
     [](Scene& s) {
         s.workload(0).rolled_out = kNow - seconds(30) + minutes(1) + microseconds(1);
     }},
    {"a_roll_out_that_is_stuck", RestartCause::alone,
     [](Scene& s) {
         // The new pod has been restarting for hours beside old pods that still run the former
         // version.
         s.workload(0).rolled_out = kNow - hours(3);
         s.pod(0, kHere).created = kNow - hours(3) + seconds(1);
     }},
    {"an_old_pod_beside_a_roll_out_that_is_stuck", RestartCause::node,
     [](Scene& s) { s.workload(0).rolled_out = kNow - hours(3); }},
    {"a_workload_that_is_gone", RestartCause::unowned,
     [](Scene& s) { s.snapshot.workloads.erase(0); }},
    {"nobody_s", RestartCause::unowned, [](Scene& s) { s.seen.front().seen.workload = {}; }},
};
INSTANTIATE_TEST_SUITE_P(Rows, CauseOf, testing::ValuesIn(kCauses),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Restarts, counts_what_only_the_node_explains) {
    Scene scene;
    scene.restart(0, kHere, seconds(1), 2);
    scene.restart(1, kHere);
    scene.restart(2, kHere, seconds(5), 4);
    scene.restart(2, kThere);
    const RestartSign sign = scene.here();
    EXPECT_EQ(sign.restarts, 3);
    EXPECT_EQ(sign.pods, 2);
    EXPECT_EQ(sign.workloads, 2);
    EXPECT_EQ(sign.running, 3);
    const WorkloadId w2 = scene.snapshot.workloads.at(2).id;
    EXPECT_EQ(sign.own, (std::vector<OwnLoop>{{w2, RestartCause::elsewhere, 4}}));
}

TEST(Restarts, forgets_what_is_older_than_the_window) {
    Scene scene;
    scene.restart(0, kHere, minutes(10));
    EXPECT_EQ(scene.here().restarts, 1);
    scene.seen.front().seen.at = kNow - minutes(10) - microseconds(1);
    EXPECT_EQ(scene.here().restarts, 0);
}

TEST(Restarts, a_daemon_set_that_restarts_everywhere_is_its_own) {
    Scene scene;
    for (Slot n = 0; n < 3; ++n) scene.restart(0, n, seconds(5), 9);
    EXPECT_EQ(scene.here().restarts, 0);
    EXPECT_EQ(scene.here().own.size(), 1U);
}

struct SignCase {
    const char* name;
    RestartSign sign;
    bool speaks;
};
class IsSign : public testing::TestWithParam<SignCase> {};

TEST_P(IsSign, needs_restarts_pods_and_unrelated_workloads) {
    EXPECT_EQ(is_sign(GetParam().sign, EvidenceRules{}), GetParam().speaks);
}

const SignCase kSigns[] = {
    {"enough", {3, 3, 3, 6, {}}, true},
    {"two_restarts", {2, 2, 2, 3, {}}, false},
    {"one_pod", {3, 1, 3, 6, {}}, false},
    {"two_workloads_where_six_run", {9, 4, 2, 6, {}}, false},
    {"two_workloads_where_five_run", {3, 2, 2, 5, {}}, true},
    {"one_workload_where_few_run", {9, 4, 1, 1, {}}, false},
    {"its_own_loops_alone", {0, 0, 0, 3, {{{}, RestartCause::elsewhere, 30}}}, false},
};
INSTANTIATE_TEST_SUITE_P(Rows, IsSign, testing::ValuesIn(kSigns),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Restarts, its_own_crash_loop_in_words) {
    OwnLoop loop{
        {Name::of("shop"), WorkloadKind::deployment, Name::of("web")}, RestartCause::rolled_out, 1};
    EXPECT_EQ(own_loop_text(loop),
              "shop/web restarted once: its own crash loop, rolled out shortly before");
    loop.restarts = 6;
    loop.cause = RestartCause::elsewhere;
    EXPECT_EQ(own_loop_text(loop),
              "shop/web restarted 6 times: its own crash loop, its pods elsewhere restart too");
    loop.cause = RestartCause::alone;
    EXPECT_EQ(own_loop_text(loop),
              "shop/web restarted 6 times: its own crash loop, as far as can be told without a "
              "like pod elsewhere");
}

}  // namespace
}  // namespace parley::model
