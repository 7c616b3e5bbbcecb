#include "layers/prediction/stakes.h"

#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::prediction {
namespace {

using namespace kit;
using model::ActionKind;
using model::PodRow;
using model::WorkloadRow;

const model::Policy kPolicy;

// 50 s to notice, 300 s tolerated, 30 s to start.
constexpr double kWhole = 380.0 / 60;

struct Case {
    const char* name;
    double loss;
    // Limits computed by hand; 2 is never.
    double throttle;
    double replicate;
    double migrate;
    std::function<void(WorkloadRow&, PodRow&)> change = [](WorkloadRow&, PodRow&) {};
};

class StakesOf : public testing::TestWithParam<Case> {};

/// One pod of a Deployment of two, which has a CPU limit above its request.
TEST_P(StakesOf, one_pod) {
    const Case& c = GetParam();
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, node("node-01", 1));
    WorkloadRow web = workload("web", 2);
    web.cpu_request_m = 100;
    web.cpu_limit_m = 200;
    PodRow one = pod(0, 0);
    c.change(web, one);
    in.snapshot.workloads.put(0, web);
    in.snapshot.pods.insert(one);
    const Stakes stakes = stakes_of(in.snapshot, kPolicy, kPolicy.evidence.horizon).at(0);
    EXPECT_NEAR(stakes.loss, c.loss, 1e-6);
    EXPECT_NEAR(stakes.remedies[0].limit, c.throttle, 1e-6);
    EXPECT_NEAR(stakes.remedies[1].limit, c.replicate, 1e-6);
    EXPECT_NEAR(stakes.remedies[2].limit, c.migrate, 1e-6);
    EXPECT_EQ(stakes.limit, std::min({2.0, stakes.remedies[0].limit, stakes.remedies[1].limit,
                                      stakes.remedies[2].limit}));
}

// Throttle 1.1 x 0.1 / (L x 0.2 x 0.9), replicate 1.1 x 0.1 x 10 / (L x 0.7 x 0.8),
// migrate 1.1 x 0.5 x share / (L x 0.95 x 0.7).
constexpr double kHalf = kWhole / 2;
constexpr double kMigrate = 0.130590;
const Case kCases[] = {
    {"one_of_two", kHalf, 0.192982, 0.620301, kMigrate},
    {"alone", kWhole, 0.096491, 2, kMigrate, [](auto& w, auto&) { w.wanted = w.ready = 1; }},
    {"none_ready_yet_but_this_one", kWhole, 0.096491, 0.310150, kMigrate,
     [](auto& w, auto&) { w.ready = 0; }},
    {"one_of_ten", kWhole / 10, 0.964912, 2, kMigrate, [](auto& w, auto&) { w.ready = 10; }},
    {"slow_start", (350.0 + 120) / 60 / 2, 0.156028, 0.501520, 1.1 * 1 / (470.0 / 120 * 0.665),
     [](auto& w, auto&) { w.startup_p95 = read(seconds(120), hours(5)); }},
    {"start_up_measured_as_zero_counts_as_a_second", 351.0 / 120, 0.11 / (351.0 / 120 * 0.18),
     1.1 / (351.0 / 120 * 0.56), 1.1 / 120 / (351.0 / 120 * 0.665),
     [](auto& w, auto&) { w.startup_p95 = read(seconds(0)); }},
    {"start_up_implausible", kHalf, 0.192982, 0.620301, kMigrate,
     [](auto& w, auto&) { w.startup_p95 = gap<Duration>(model::Gap::implausible); }},
    {"without_a_cpu_limit_no_throttle", kHalf, 2, 0.620301, kMigrate,
     [](auto& w, auto&) { w.cpu_limit_m = 0; }},
    {"limit_at_its_request_no_throttle", kHalf, 2, 0.620301, kMigrate,
     [](auto& w, auto&) { w.cpu_limit_m = 100; }},
    {"recreate_no_copy", kHalf, 0.192982, 2, kMigrate, [](auto& w, auto&) { w.recreate = true; }},
    {"own_disk_no_copy", kHalf, 0.192982, 2, kMigrate, [](auto& w, auto&) { w.rwo_volume = true; }},
    {"scaled_by_another_no_copy", kHalf, 0.192982, 2, kMigrate,
     [](auto& w, auto&) { w.scale_owner = model::ScaleOwner::hpa; }},
    {"stateful_no_copy", kHalf, 0.192982, 2, kMigrate,
     [](auto& w, auto&) { w.id.kind = model::WorkloadKind::stateful_set; }},
    {"not_evictable_no_move", kHalf, 0.192982, 0.620301, 2,
     [](auto&, auto& p) { p.evictable = false; }},
    {"protected_counts_but_is_left_alone", kHalf, 2, 2, 2,
     [](auto& w, auto&) { w.protect = true; }},
    {"a_job_is_its_own_work", kWhole, 0.096491, 2, kMigrate,
     [](auto& w, auto& p) {
         w.batch = true;
         w.id.kind = model::WorkloadKind::job;
         p.ready = false;
     }},
    {"daemons_serve_their_node_only", 0, 2, 2, 2,
     [](auto& w, auto&) { w.id.kind = model::WorkloadKind::daemon_set; }},
    {"unready_serves_nobody", 0, 2, 2, 2, [](auto&, auto& p) { p.ready = false; }},
    {"leaving_anyway", 0, 2, 2, 2, [](auto&, auto& p) { p.terminating = true; }},
    {"done", 0, 2, 2, 2, [](auto&, auto& p) { p.phase = model::PodPhase::succeeded; }},
    {"pending", 0, 2, 2, 2, [](auto&, auto& p) { p.phase = model::PodPhase::pending; }},
    {"not_bound", 0, 2, 2, 2, [](auto&, auto& p) { p.node = kNoSlot; }},
    {"without_a_workload", 0, 2, 2, 2, [](auto&, auto& p) { p.workload = kNoSlot; }},
};
INSTANTIATE_TEST_SUITE_P(Rows, StakesOf, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Stakes, a_remedy_averts_only_the_loss_of_pods_it_can_touch) {
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, node("node-01", 1));
    in.snapshot.workloads.put(0, workload("web", 2));
    WorkloadRow db = workload("db", 1);
    db.id.kind = model::WorkloadKind::stateful_set;
    in.snapshot.workloads.put(1, db);
    in.snapshot.pods.insert(pod(0, 0));
    in.snapshot.pods.insert(pod(1, 0));
    const Stakes stakes = stakes_of(in.snapshot, kPolicy, kPolicy.evidence.horizon).at(0);
    EXPECT_NEAR(stakes.loss, 1.5 * kWhole, 1e-6);
    EXPECT_EQ(stakes.remedies[1].kind, ActionKind::replicate);
    EXPECT_NEAR(stakes.remedies[1].efficacy, 0.7 / 3, 1e-9);
    EXPECT_NEAR(stakes.remedies[1].cost, 1.0, 1e-9);
    EXPECT_NEAR(stakes.remedies[1].limit, 0.620301, 1e-6);
    EXPECT_NEAR(stakes.remedies[2].efficacy, 0.95, 1e-9);
    EXPECT_NEAR(stakes.remedies[2].cost, 0.75, 1e-9);
    EXPECT_EQ(stakes.remedies[0].efficacy, 0);
}

TEST(Stakes, follow_the_policy) {
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, node("node-01", 1));
    in.snapshot.workloads.put(0, workload("web", 2));
    in.snapshot.pods.insert(pod(0, 0));
    model::Policy policy;
    policy.stakes.margin = 2.2;
    EXPECT_NEAR(stakes_of(in.snapshot, policy, policy.evidence.horizon).at(0).limit, 2 * kMigrate,
                1e-6);
    policy.evidence.horizon = minutes(20);
    EXPECT_NEAR(stakes_of(in.snapshot, policy, policy.evidence.horizon).at(0).remedies[1].cost, 2.0,
                1e-9);
}

TEST(Stakes, the_order_of_pods_changes_no_bit) {
    model::RoundInput in = input();
    in.snapshot.nodes.put(0, node("node-01", 1));
    std::vector<PodRow> pods;
    for (Slot slot = 0; slot < 37; ++slot) {
        in.snapshot.workloads.put(
            slot, workload("w" + std::to_string(slot), static_cast<std::int32_t>(3 + slot)));
        pods.push_back(pod(slot, 0));
    }
    model::Snapshot forward = in.snapshot;
    for (const PodRow& each : pods) forward.pods.insert(each);
    model::Snapshot backward = in.snapshot;
    for (auto each = pods.rbegin(); each != pods.rend(); ++each) backward.pods.insert(*each);
    EXPECT_EQ(stakes_of(forward, kPolicy, kPolicy.evidence.horizon),
              stakes_of(backward, kPolicy, kPolicy.evidence.horizon));
}

}  // namespace
}  // namespace parley::prediction
