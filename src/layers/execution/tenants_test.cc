#include "layers/execution/tenants.h"

#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

std::string text(const std::vector<Tenant>& tenants) {
    std::string out;
    for (const Tenant& tenant : tenants) {
        out += tenant.workload->id.name.str() + "(";
        for (const PodRow* pod : tenant.pods) out += pod->name.text() + " ";
        if (!tenant.pods.empty()) out.pop_back();
        out += ") ";
    }
    if (!out.empty()) out.pop_back();
    return out;
}

TEST(Tenants, are_services_before_batch_by_priority_then_name) {
    Kit kit;
    const Slot node = kit.add_node("node-1");
    const Slot other = kit.add_node("node-2");
    const Slot job = kit.add_workload(job_id("a-job"), 1);
    const Slot web = kit.add_workload(workload_id("web"), 3);
    const Slot api = kit.add_workload(workload_id("api"), 1);
    const Slot vip = kit.add_workload(workload_id("vip"), 1);
    kit.workload(vip).priority = 1000;
    kit.add_pod(job, node);
    kit.add_pod(web, node);
    kit.add_pod(web, other);
    kit.add_pod(web, node);
    kit.add_pod(api, node);
    kit.add_pod(vip, node);
    EXPECT_EQ(text(tenants_of(kit.input, kit.policy, node, ActionKind::migrate)),
              "vip(vip-6) api(api-5) web(web-2 web-4) a-job(a-job-1)");
}

TEST(Tenants, leave_out_what_is_done_leaving_protected_or_unknown) {
    Kit kit;
    const Slot node = kit.add_node("node-1");
    const Slot web = kit.add_workload(workload_id("web"), 5);
    kit.pod(kit.add_pod(web, node)).terminating = true;
    kit.pod(kit.add_pod(web, node)).phase = PodPhase::succeeded;
    kit.pod(kit.add_pod(web, node)).phase = PodPhase::failed;
    kit.add_pod(web, node);
    kit.pod(kit.add_pod(web, node)).workload = 77;
    const Slot dns = kit.add_workload(workload_id("dns"), 1);
    kit.workload(dns).protect = true;
    kit.add_pod(dns, node);
    EXPECT_EQ(text(tenants_of(kit.input, kit.policy, node, ActionKind::migrate)), "web(web-4)");
    EXPECT_TRUE(tenants_of(kit.input, kit.policy, kNoSlot, ActionKind::migrate).empty());
}

TEST(Tenants, have_opted_in_unless_nothing_is_done_anyway) {
    Kit kit;
    const Slot node = kit.add_node("node-1");
    kit.add_pod(kit.add_workload(workload_id("web"), 1), node);
    kit.policy.allow = {{"shop", {ActionKind::throttle}}};
    EXPECT_EQ(tenants_of(kit.input, kit.policy, node, ActionKind::migrate).size(), 0U);
    EXPECT_EQ(tenants_of(kit.input, kit.policy, node, ActionKind::throttle).size(), 1U);
    kit.input.controls.mode = Mode::dry_run;
    EXPECT_EQ(tenants_of(kit.input, kit.policy, node, ActionKind::migrate).size(), 0U);
    kit.input.controls.mode = Mode::observe;
    EXPECT_EQ(tenants_of(kit.input, kit.policy, node, ActionKind::migrate).size(), 1U);
}

TEST(Tenants, are_movable_unless_somebody_counts_on_them) {
    WorkloadRow row;
    row.id = workload_id("web");
    PodRow pod;
    EXPECT_TRUE(movable(row, pod));
    pod.evictable = false;
    EXPECT_FALSE(movable(row, pod));
    pod.evictable = true;
    for (const auto& [kind, expected] :
         std::initializer_list<std::pair<WorkloadKind, bool>>{{WorkloadKind::stateful_set, true},
                                                              {WorkloadKind::job, true},
                                                              {WorkloadKind::daemon_set, false},
                                                              {WorkloadKind::bare, false}}) {
        row.id.kind = kind;
        EXPECT_EQ(movable(row, pod), expected) << enum_name(kind);
    }
    row.id.kind = WorkloadKind::stateful_set;
    row.quorum = true;
    EXPECT_FALSE(movable(row, pod));
    row.quorum = false;
    row.protect = true;
    EXPECT_FALSE(movable(row, pod));
}

}  // namespace
}  // namespace parley::execution
