#include "kube/picture/picture_rows.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::kube {
namespace {

Node node_with(std::vector<Taint> taints) {
    Node node;
    node.meta.name = "n";
    node.taints = std::move(taints);
    return node;
}

std::string flags(const model::NodeRow& row) {
    std::string out;
    const auto add = [&](bool is, const char* word) {
        if (is) out += (out.empty() ? "" : " ") + std::string(word);
    };
    add(row.cordoned, "cordoned");
    add(row.maintenance, "maintenance");
    add(row.quarantined, "quarantined");
    add(row.avoided, "avoided");
    add(row.foreign_taint, "foreign");
    return out;
}

struct Case {
    const char* name;
    Taint taint;
    const char* expected;
};

constexpr auto kHard = TaintEffect::no_schedule;
constexpr auto kSoft = TaintEffect::prefer_no_schedule;

const Case kCases[] = {
    {"ours", {"parley.dev/quarantine", "d", kHard}, "quarantined"},
    {"ours_soft", {"parley.dev/avoid", "d", kSoft}, "avoided"},
    {"foreign", {"gpu", "", kHard}, "foreign"},
    {"foreign_that_evicts", {"gpu", "", TaintEffect::no_execute}, "foreign"},
    {"foreign_soft", {"gpu", "", kSoft}, ""},
    {"foreign_unknown", {"gpu", "", TaintEffect::unknown}, "foreign"},
    {"control_plane", {"node-role.kubernetes.io/control-plane", "", kHard}, "foreign"},
    {"echo_of_a_condition", {"node.kubernetes.io/not-ready", "", TaintEffect::no_execute}, ""},
    {"echo_of_a_cordon", {"node.kubernetes.io/unschedulable", "", kHard}, ""},
    {"no_network", {"node.kubernetes.io/network-unavailable", "", kHard}, "foreign"},
    {"karpenter", {"karpenter.sh/disrupted", "", kHard}, "maintenance foreign"},
    {"cluster_autoscaler", {"ToBeDeletedByClusterAutoscaler", "1", kHard}, "maintenance foreign"},
    {"candidate", {"DeletionCandidateOfClusterAutoscaler", "1", kSoft}, "maintenance"},
    {"out_of_service",
     {"node.kubernetes.io/out-of-service", "", TaintEffect::no_execute},
     "maintenance foreign"},
};

class NodeTaints : public testing::TestWithParam<Case> {};

TEST_P(NodeTaints, say_who_keeps_pods_off) {
    EXPECT_EQ(flags(row_of(node_with({GetParam().taint}), {}, false)), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(, NodeTaints, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(RowOfNode, carries_what_the_api_shows) {
    Node node = node_with({});
    node.meta.uid = {1, 2};
    node.meta.version = 7;
    node.meta.mark = model::Mark{{3, 4}, {5}};
    node.labels = {{"cloud.google.com/gke-nodepool", "spot"}, {"topology.kubernetes.io/zone", "z"}};
    node.ready = model::Readiness::yes;
    node.ready_since = {9};
    node.pid_pressure = true;
    node.allocatable = {4000, 8};
    node.pods_allocatable = 60;
    node.unschedulable = true;
    const model::NodeRow row = row_of(node, TimePoint{77}, false);
    EXPECT_EQ(row.id.text(), "n");
    EXPECT_EQ(row.uid, (model::Uid{1, 2}));
    EXPECT_EQ(row.zone, Name::of("z"));
    EXPECT_EQ(row.pool, Name::of("spot"));
    EXPECT_EQ(row.role, model::NodeRole::worker);
    EXPECT_EQ(row.ready, model::Readiness::yes);
    EXPECT_EQ(row.ready_since, TimePoint{9});
    EXPECT_TRUE(row.pid_pressure && row.cordoned);
    EXPECT_FALSE(row.memory_pressure || row.disk_pressure || row.maintenance);
    EXPECT_EQ(row.cpu_allocatable_m, 4000);
    EXPECT_EQ(row.memory_allocatable, 8);
    EXPECT_EQ(row.pods_allocatable, 60);
    EXPECT_EQ(row.version, 7U);
    EXPECT_EQ(row.mark, node.meta.mark);
    ASSERT_NE(row.lease.value(), nullptr);
    EXPECT_EQ(*row.lease.value(), TimePoint{77});
}

TEST(RowOfNode, knows_no_lease_it_has_not_seen) {
    EXPECT_EQ(row_of(node_with({}), {}, false).lease.value(), nullptr);
}

TEST(RowOfNode, knows_the_control_plane_by_its_labels) {
    for (const char* key :
         {"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"}) {
        Node node = node_with({});
        node.labels = {{key, ""}};
        EXPECT_EQ(row_of(node, {}, false).role, model::NodeRole::control_plane);
    }
}

TEST(RowOfNode, what_is_being_deleted_is_under_maintenance) {
    EXPECT_TRUE(row_of(node_with({}), {}, true).maintenance);
    Node node = node_with({});
    node.meta.deleted = TimePoint{1};
    EXPECT_TRUE(row_of(node, {}, false).maintenance);
}

TEST(RowOfNode, is_not_switched_off_if_others_may_not_remove_it) {
    Node node = node_with({});
    const NodePower provided{.can_power = true};
    EXPECT_TRUE(row_of(node, {}, false, provided).can_power);
    node.meta.opt_outs.scale_down_disabled = true;
    EXPECT_FALSE(row_of(node, {}, false, provided).can_power);
    node.meta.opt_outs = {.do_not_disrupt = true};
    EXPECT_FALSE(row_of(node, {}, false, provided).can_power);
}

TEST(AsksToBeLeft, by_an_opt_out_or_until_a_pause_is_over) {
    const TimePoint now{1'000};
    EXPECT_FALSE(asks_to_be_left({}, now));
    EXPECT_TRUE(asks_to_be_left({.opted_out = true}, now));
    EXPECT_TRUE(asks_to_be_left({.paused_until = now + microseconds(1)}, now));
    EXPECT_FALSE(asks_to_be_left({.paused_until = now}, now));
    EXPECT_FALSE(asks_to_be_left({.unsafe_to_evict = true}, now)) << "that is about evictions";
}

TEST(IsEvictable, respects_what_others_ask) {
    Pod owned;
    owned.owner_kind = OwnerKind::replica_set;
    const auto with = [&](auto change) {
        Pod pod = owned;
        change(pod);
        return is_evictable(pod);
    };
    EXPECT_TRUE(with([](Pod&) {}));
    EXPECT_FALSE(with([](Pod& p) { p.owner_kind = OwnerKind::none; }));
    EXPECT_FALSE(with([](Pod& p) { p.is_mirror = true; }));
    EXPECT_FALSE(with([](Pod& p) { p.opt_outs.unsafe_to_evict = true; }));
    EXPECT_FALSE(with([](Pod& p) { p.opt_outs.do_not_disrupt = true; }));
    EXPECT_FALSE(with([](Pod& p) { p.opt_outs.prefer_no_eviction = true; }));
    EXPECT_FALSE(with([](Pod& p) { p.local_storage = true; }));
    EXPECT_TRUE(with([](Pod& p) {
        p.local_storage = true;
        p.opt_outs.safe_to_evict = true;
    }));
    EXPECT_FALSE(with([](Pod& p) {
        p.opt_outs.do_not_disrupt = true;
        p.opt_outs.safe_to_evict = true;
    }));
    EXPECT_TRUE(with([](Pod& p) { p.owner_kind = OwnerKind::other; }));
}

TEST(RowOfPod, carries_what_the_api_shows) {
    Pod pod;
    pod.uid = {1, 2};
    pod.name = model::PodName::of("web-", "x");
    pod.phase = model::PodPhase::running;
    pod.ready = pod.terminating = true;
    pod.restarts = 3;
    pod.opt_outs.deletion_cost = -4;
    pod.created = {5};
    pod.request = {6, 7};
    const model::PodRow row = row_of(pod);
    EXPECT_EQ(row.uid, pod.uid);
    EXPECT_EQ(row.name.text(), "web-x");
    EXPECT_EQ(row.phase, model::PodPhase::running);
    EXPECT_TRUE(row.ready && row.terminating && !row.evictable);
    EXPECT_EQ(row.restarts, 3);
    EXPECT_EQ(row.deletion_cost, -4);
    EXPECT_EQ(row.created, TimePoint{5});
    EXPECT_EQ(row.cpu_request_m, 6);
    EXPECT_EQ(row.memory_request, 7);
    EXPECT_FALSE(row.started.known() || row.ready_changed.known() || row.first.ended.known());
}

TEST(RowOfPod, has_room_for_what_nobody_can_ask_for) {
    Pod pod;
    pod.request = {kAmountMax, kAmountMax};
    EXPECT_EQ(row_of(pod).cpu_request_m, 2'147'483'647);
    EXPECT_EQ(row_of(pod).memory_request, kAmountMax);
}

TEST(RowOfPod, shows_when_it_started_and_how_its_first_container_ended) {
    Pod pod;
    pod.started = {7};
    pod.ready_changed = {8};
    const model::ContainerState first{.ended = {9}, .exit_code = 2, .ending = model::Ending::error};
    const model::ContainerState other{.ended = {5}, .ending = model::Ending::completed};
    pod.containers = std::make_shared<const std::vector<model::ContainerRow>>(
        std::vector<model::ContainerRow>{{.at = 1, .state = other}, {.at = 0, .state = first}});
    const model::PodRow row = row_of(pod);
    EXPECT_EQ(row.started.seconds, 7U);
    EXPECT_EQ(row.ready_changed.seconds, 8U);
    EXPECT_EQ(row.first, first);
}

TEST(IsProtected, covers_kubernetes_and_parley_itself) {
    PodTemplate plain;
    PodTemplate critical;
    critical.priority_class = "system-node-critical";
    PodTemplate ours;
    ours.labels = {{"app.kubernetes.io/name", "parley"}};
    EXPECT_FALSE(is_protected(Name::of("shop"), plain));
    EXPECT_TRUE(is_protected(Name::of("kube-system"), plain));
    EXPECT_TRUE(is_protected(Name::of("kube-public"), plain));
    EXPECT_TRUE(is_protected(Name::of("shop"), critical));
    EXPECT_TRUE(is_protected(Name::of("shop"), ours));
}

TEST(IsQuorum, is_a_stateful_set_with_a_budget_or_three_with_volumes) {
    Work work;
    work.kind = Kind::stateful_set;
    work.wanted = 3;
    EXPECT_FALSE(is_quorum(work, false));
    EXPECT_TRUE(is_quorum(work, true));
    work.has_claims = true;
    EXPECT_TRUE(is_quorum(work, false));
    work.wanted = 2;
    EXPECT_FALSE(is_quorum(work, false));
    work.kind = Kind::deployment;
    EXPECT_FALSE(is_quorum(work, true));
}

TEST(RowOfWork, carries_all_facts) {
    WorkFacts facts;
    facts.id = {Name::of("shop"), model::WorkloadKind::job, Name::of("report")};
    facts.uid = {1, 2};
    facts.priority = 3;
    facts.wanted = 4;
    facts.completions = 5;
    facts.request = {6, 7};
    facts.limit = {8, 9};
    facts.recreate = facts.rwo_volume = facts.quorum = facts.protect = facts.deliberate = true;
    facts.scale_owner = model::ScaleOwner::hpa;
    facts.size_owner = model::ScaleOwner::vpa;
    facts.has_budget = true;
    facts.disruptions_allowed = 10;
    facts.version = 11;
    const model::WorkloadRow row = row_of(facts);
    EXPECT_EQ(row.id.text(), "shop/job/report");
    EXPECT_EQ(row.uid, facts.uid);
    EXPECT_EQ(row.priority, 3);
    EXPECT_EQ(row.wanted, 4);
    EXPECT_EQ(row.completions, 5);
    EXPECT_EQ(row.cpu_request_m, 6);
    EXPECT_EQ(row.memory_request, 7);
    EXPECT_EQ(row.cpu_limit_m, 8);
    EXPECT_EQ(row.memory_limit, 9);
    EXPECT_TRUE(row.recreate && row.rwo_volume && row.quorum && row.protect && row.deliberate);
    EXPECT_TRUE(row.batch && row.has_budget);
    EXPECT_EQ(row.scale_owner, model::ScaleOwner::hpa);
    EXPECT_EQ(row.size_owner, model::ScaleOwner::vpa);
    EXPECT_EQ(row.disruptions_allowed, 10);
    EXPECT_EQ(row.version, 11U);
}

TEST(KindOfWorkload, is_bare_for_everything_else) {
    EXPECT_EQ(workload_kind_of(Kind::deployment), model::WorkloadKind::deployment);
    EXPECT_EQ(workload_kind_of(Kind::replica_set), model::WorkloadKind::bare);
    EXPECT_EQ(owner_kind_of(Kind::daemon_set), OwnerKind::daemon_set);
    EXPECT_EQ(owner_kind_of(Kind::pod), OwnerKind::other);
}

TEST(NodePower, a_node_that_we_put_to_sleep_is_not_one_that_failed) {
    struct Case {
        const char* name;
        model::Readiness ready;
        std::optional<model::Power> read;
        std::optional<model::PowerWish> marked;
        model::Power power;
    };
    using enum model::Readiness;
    using model::Power;
    using model::PowerWish;
    for (const Case& each : std::initializer_list<Case>{
             {"nobody switched it", no, {}, {}, Power::on},
             {"read as asleep", unknown, Power::sleep, {}, Power::sleep},
             {"read as asleep, and not lost yet", yes, Power::sleep, {}, Power::sleep},
             {"our mark, and nobody has read it", unknown, {}, PowerWish::sleep, Power::sleep},
             {"our mark says off", no, {}, PowerWish::off, Power::off},
             {"our mark says on", no, {}, PowerWish::on, Power::on},
             {"marked, and not switched yet", yes, {}, PowerWish::sleep, Power::on},
             {"marked, and it failed by itself", no, Power::on, PowerWish::sleep, Power::on}}) {
        Node node = node_with({});
        node.ready = each.ready;
        if (each.marked) {
            const auto wanted = static_cast<std::int64_t>(*each.marked);
            node.meta.mark = model::Mark{{1, 2},
                                         {},
                                         model::ActionKind::power_state,
                                         {{model::MarkedField::power,
                                           {},
                                           static_cast<std::int64_t>(PowerWish::on),
                                           wanted}}};
        }
        const model::NodeRow row = row_of(node, {}, false, {.power = each.read});
        EXPECT_EQ(row.power, each.power) << each.name;
        EXPECT_EQ(set_aside(row), each.power != Power::on) << each.name;
        EXPECT_FALSE(row.can_power) << each.name;
    }
}

TEST(NodePower, that_a_cloud_says_it_is_off_is_maintenance_only_where_we_know_nothing) {
    const Node node =
        node_with({{"node.cloudprovider.kubernetes.io/shutdown", "", TaintEffect::no_schedule}});
    EXPECT_EQ(flags(row_of(node, {}, false)), "maintenance foreign");
    EXPECT_EQ(flags(row_of(node, {}, false, {.power = model::Power::off})), "");
    EXPECT_EQ(flags(row_of(node, {}, false, {.power = model::Power::on})), "maintenance foreign");
}

}  // namespace
}  // namespace parley::kube
