#include "guard/pod_rules.h"

#include "guard/rules_kit_test.h"

namespace parley::guard {
namespace {

using namespace kit;

std::function<void(SmallRound&)> allow(const std::vector<OptIn>& allowed) {
    return [=](SmallRound& r) { r.policy.allow = allowed; };
}

TEST(PodRules, ask_for_opt_in) {
    using enum ActionKind;
    const std::string no = "opt-in: migrate is not allowed in namespace shop";
    const std::string nowhere = "opt-in: migrate is allowed in no namespace";
    const Target shop = NamespaceId{Name::of("shop")};
    const Target shed = NamespaceId{Name::of("shed")};
    check({
        {"nothing", Migrate{}, allow({}), nowhere},
        {"other_kind", Migrate{}, allow({{"*", {throttle, dvfs}}}), nowhere},
        {"all", Migrate{}, allow({{"*", {migrate}}}), "yes"},
        {"exactly", Migrate{}, allow({{"shop", {throttle, migrate}}}), "yes"},
        {"prefix", Migrate{}, allow({{"sh*", {migrate}}}), "yes"},
        {"whole_prefix", Migrate{}, allow({{"shop*", {migrate}}}), "yes"},
        {"longer_prefix", Migrate{}, allow({{"shopp*", {migrate}}}), no},
        {"no_prefix_without_star", Migrate{}, allow({{"sho", {migrate}}}), no},
        {"longer_name", Migrate{}, allow({{"shop-2", {migrate}}}), no},
        {"kind_and_space_in_one_entry", Migrate{},
         allow({{"shop", {throttle}}, {"other", {migrate}}}), no},
        {"second_entry", Migrate{}, allow({{"shop", {throttle}}, {"shop", {migrate}}}), "yes"},
        {"throttle", Throttle{}, allow({{"x", {throttle}}}),
         "opt-in: throttle is not allowed in namespace shop"},
        {"scale", Scale{{4, 5}}, allow({{"x", {scale}}}),
         "opt-in: scale is not allowed in namespace shop", kWeb},
        {"scale_allowed", Scale{{4, 5}}, allow({{"shop", {scale}}}), "yes", kWeb},
        {"some_namespace_is_enough", kQueue, allow({{"x", {admission}}}), "yes", WholeCluster{}},
        {"no_namespace_is_not", kQueue, allow({{"x", {scale}}}),
         "opt-in: admission is allowed in no namespace", WholeCluster{}},
        {"cap_needs_some", ResourceCap{}, allow({{"x", {resource_cap}}}), "yes"},
        {"namespace", kQueue, allow({{"shop", {admission}}}), "yes", shop},
        {"other_namespace", kQueue, allow({{"shop", {admission}}}),
         "opt-in: admission is not allowed in namespace shed", shed},
        {"empty_node_needs_some", kSleep, allow({{"x", {power_state}}}), "yes", node_id(9)},
        {"empty_space_matches_nothing", Migrate{}, allow({{"", {migrate}}}), no},
    });
}

TEST(PodRules, ask_for_opt_in_of_one_namespace_that_an_order_names) {
    using enum ActionKind;
    const std::vector<Name> spaces = {Name::of("shop"), Name::of("shed")};
    const Action order = Admission{.decision = AdmissionWish::queue, .spaces = spaces};
    const Action cap = ResourceCap{.spaces = spaces};
    const Target all = WholeCluster{};
    check({
        {"the_first", order, allow({{"shop", {admission}}}), "yes", all},
        {"the_second", order, allow({{"shed", {admission}}}), "yes", all},
        {"neither", order, allow({{"x", {admission}}}),
         "opt-in: admission is not allowed in namespace shop", all},
        {"the_second_of_a_cap", cap, allow({{"shed", {resource_cap}}}), "yes", all},
        {"neither_of_a_cap", cap, allow({{"x", {resource_cap}}}),
         "opt-in: resource_cap is not allowed in namespace shop", all},
    });
}

TEST(PodRules, ask_for_opt_in_of_every_namespace_on_the_node) {
    using enum ActionKind;
    const auto second = [](WorkloadKind kind, bool protect) {
        return [=](SmallRound& r) {
            r.policy.allow = {{"shop", {throttle, migrate}}};
            const Slot slot = r.add_workload(workload_id("till", "db", kind), 3);
            r.workload(slot).protect = protect;
            r.run(slot, 1);
        };
    };
    const auto of_nobody = [](std::string space) {
        return [=](SmallRound& r) {
            r.policy.allow = {{space, {throttle}}};
            r.pod(0).workload = 99;
        };
    };
    check({
        {"two_namespaces", Migrate{}, second(WorkloadKind::deployment, false),
         "opt-in: migrate is not allowed in namespace till"},
        {"daemon_sets_do_not_count", Migrate{}, second(WorkloadKind::daemon_set, false), "yes"},
        {"protected_ones_do_not_count", Throttle{}, second(WorkloadKind::deployment, true), "yes"},
        {"a_pod_of_nobody", Throttle{}, of_nobody("shop"), "opt-in: a pod on node-01 is of nobody"},
        {"everywhere_is_everywhere", Throttle{}, of_nobody("*"), "yes"},
    });
}

TEST(PodRules, ask_for_opt_in_except_when_observing) {
    const auto in = [](Mode mode) {
        return [=](SmallRound& r) {
            r.policy.allow.clear();
            r.input.controls.mode = mode;
        };
    };
    check({
        {"observe", Migrate{}, in(Mode::observe), "yes"},
        {"dry_run", Migrate{}, in(Mode::dry_run), "opt-in: migrate is allowed in no namespace"},
        {"act", Migrate{}, in(Mode::act), "opt-in: migrate is allowed in no namespace"},
    });
}

TEST(PodRules, evict_nothing_from_a_node_that_nobody_reaches) {
    const auto lost = [](SmallRound& r) {
        r.node(1).lease = r.lease(seconds(40) + microseconds(1));
    };
    const auto unknown = [](SmallRound& r) { r.node(1).ready = Readiness::unknown; };
    const std::string no =
        "unreachable: node-01 cannot be reached, so that evicted pods would stay Terminating";
    check({
        {"lease_lost", Migrate{}, lost, no},
        {"lease_slow", Migrate{}, [](SmallRound& r) { r.node(1).lease = r.lease(seconds(40)); },
         "yes"},
        {"ready_unknown", Migrate{}, unknown, no},
        {"ready_false", Migrate{}, [](SmallRound& r) { r.break_node(1); }, "yes"},
        {"replicate_does_not_evict", Replicate{}, unknown, "yes"},
        {"sleep", kSleep, lost, no},
    });
}

/// One more workload on node-01, with two ready replicas, one of them there.
std::function<void(SmallRound&)> tenant(const std::function<void(WorkloadRow&)>& spoil) {
    return [=](SmallRound& r) {
        const Slot slot = r.add_workload(workload_id("shop", "db"), 2);
        spoil(r.workload(slot));
        r.run(slot, 1);
    };
}

TEST(PodRules, protect_who_must_not_move) {
    const auto guarded = tenant([](WorkloadRow& w) { w.protect = true; });
    const auto quorum = tenant([](WorkloadRow& w) { w.quorum = true; });
    const auto stuck = [](SmallRound& r) { r.pod(0).evictable = false; };
    const std::string protects = "protected: shop/db on node-01 is protected";
    const std::string loses = "quorum: shop/db on node-01 may lose its quorum";
    check({
        {"plain_tenant", Migrate{}, tenant([](WorkloadRow&) {}), "yes"},
        {"protected_stays_and_the_rest_moves", Migrate{}, guarded, "yes"},
        {"protected_sleep", kSleep, guarded, protects},
        {"protected_replicate", Replicate{}, guarded, "yes"},
        {"protected_throttle", Throttle{}, guarded, "yes"},
        {"protected_daemon", kSleep, tenant([](WorkloadRow& w) {
             w.protect = true;
             w.id.kind = WorkloadKind::daemon_set;
         }),
         "yes"},
        {"quorum_stays_and_the_rest_moves", Migrate{}, quorum, "yes"},
        {"quorum_sleep", kSleep, quorum, loses},
        {"quorum_replicate", Replicate{}, quorum, "yes"},
        {"unmovable_sleep", kSleep, stuck,
         "unmovable: shop/web on node-01 has 1 pods that must not be evicted"},
        {"nothing_movable", Migrate{}, stuck,
         "movable: nothing on node-01 can be moved: shop/web has 1 pods that must not be evicted"},
        {"unmovable_replicate", Replicate{}, stuck, "yes"},
        {"unmovable_elsewhere", kSleep, [](SmallRound& r) { r.pod(3).evictable = false; }, "yes"},
        {"of_nobody", kSleep, [](SmallRound& r) { r.pod(0).workload = 99; },
         "unmovable: an unknown workload on node-01 must not be evicted"},
        {"of_nobody_stays_and_the_rest_moves", Migrate{},
         [](SmallRound& r) { r.pod(0).workload = 99; }, "yes"},
    });
}

TEST(PodRules, name_the_gravest_reason_to_stay) {
    SmallRound round;
    const Slot db = round.add_workload(workload_id("shop", "db"), 1);
    const Slot pod = round.run(db, 1);
    WorkloadRow& row = round.workload(db);
    row.protect = row.quorum = row.has_budget = true;
    round.pod(pod).evictable = false;
    const auto rule = [&] {
        const std::string said = answer(round, kSleep, node_id(1));
        return said.substr(0, said.find(':'));
    };
    EXPECT_EQ(rule(), "protected");
    row.protect = false;
    EXPECT_EQ(rule(), "unmovable");
    round.pod(pod).evictable = true;
    EXPECT_EQ(rule(), "quorum");
    row.quorum = false;
    EXPECT_EQ(rule(), "last-replica");
    row.ready = 2;
    EXPECT_EQ(rule(), "budget");
    row.disruptions_allowed = 1;
    EXPECT_EQ(rule(), "yes");
}

TEST(PodRules, keep_the_last_ready_replica) {
    const auto ready = [](int n) { return tenant([n](WorkloadRow& w) { w.ready = n; }); };
    const auto wanted_one = tenant([](WorkloadRow& w) { w.wanted = w.ready = 1; });
    const std::string last = "last-replica: shop/db on node-01 has its last ready replica there";
    check({
        {"two_ready", kSleep, ready(2), "yes"},
        {"one_ready", kSleep, ready(1), last},
        {"one_ready_stays_and_the_rest_moves", Migrate{}, ready(1), "yes"},
        {"one_wanted", kSleep, wanted_one, last},
        {"one_ready_replicate", Replicate{}, ready(1), "yes"},
        {"a_job_begins_again", kSleep, tenant([](WorkloadRow& w) {
             w.batch = true;
             w.ready = 1;
         }),
         "yes"},
        {"the_one_there_is_not_ready", kSleep,
         [](SmallRound& r) {
             const Slot slot = r.add_workload(workload_id("shop", "db"), 1);
             r.pod(r.run(slot, 1)).ready = false;
         },
         "yes"},
    });
}

TEST(PodRules, respect_disruption_budgets) {
    const auto budget = [](int allowed, bool has = true) {
        return tenant([=](WorkloadRow& w) {
            w.has_budget = has;
            w.disruptions_allowed = allowed;
        });
    };
    const std::string no = "budget: shop/db on node-01 has a disruption budget that allows 0 now";
    check({
        {"one_allowed", kSleep, budget(1), "yes"},
        {"none_allowed", kSleep, budget(0), no},
        {"none_allowed_stays_and_the_rest_moves", Migrate{}, budget(0), "yes"},
        {"below", kSleep, budget(-1), no},
        {"no_budget", kSleep, budget(0, false), "yes"},
        {"replicate_evicts_nobody", Replicate{}, budget(0), "yes"},
        {"elsewhere", Migrate{},
         [](SmallRound& r) {
             const Slot slot = r.add_workload(workload_id("shop", "db"), 2);
             r.workload(slot).has_budget = true;
             r.run(slot, 2);
         },
         "yes"},
    });
}

TEST(PodRules, replicate_only_what_can_be_made_twice) {
    const auto web = [](const std::function<void(WorkloadRow&)>& spoil) {
        return [=](SmallRound& r) { spoil(r.workload(r.web)); };
    };
    const auto no = [](const std::string& why) {
        return "replicable: nothing on node-01 can be replicated: shop/web " + why;
    };
    check({
        {"deployment", Replicate{}, [](SmallRound&) {}, "yes"},
        {"two_wanted", Replicate{}, web([](WorkloadRow& w) { w.wanted = 2; }), "yes"},
        {"one_wanted", Replicate{}, web([](WorkloadRow& w) { w.wanted = 1; }),
         no("wants fewer than 2 replicas")},
        {"recreate", Replicate{}, web([](WorkloadRow& w) { w.recreate = true; }),
         no("has strategy Recreate")},
        {"rwo", Replicate{}, web([](WorkloadRow& w) { w.rwo_volume = true; }),
         no("holds a volume that one node may mount")},
        {"hpa", Replicate{}, web([](WorkloadRow& w) { w.scale_owner = ScaleOwner::hpa; }),
         no("is scaled by someone else")},
        {"other_owner", Replicate{}, web([](WorkloadRow& w) { w.scale_owner = ScaleOwner::other; }),
         no("is scaled by someone else")},
        {"protected", Replicate{}, web([](WorkloadRow& w) { w.protect = true; }),
         no("is protected")},
        {"stateful_set", Replicate{},
         web([](WorkloadRow& w) { w.id.kind = WorkloadKind::stateful_set; }),
         "replicable: nothing on node-01 can be replicated: shop/stateful_set/web is no "
         "Deployment"},
        {"empty_node", Replicate{}, [](SmallRound& r) { r.fold(9).over = 0b11; },
         "replicable: nothing on node-09 can be replicated", node_id(9)},
        {"one_of_two_is_enough", Replicate{}, tenant([](WorkloadRow& w) { w.recreate = true; }),
         "yes"},
        {"none_of_two", Replicate{},
         [](SmallRound& r) {
             r.workload(r.web).recreate = true;
             const Slot slot = r.add_workload(workload_id("shop", "db"), 2);
             r.workload(slot).rwo_volume = true;
             r.run(slot, 1);
         },
         "replicable: nothing on node-01 can be replicated: shop/db holds a volume that one node "
         "may mount; shop/web has strategy Recreate"},
        {"migrate_does_not_ask", Migrate{}, web([](WorkloadRow& w) { w.recreate = true; }), "yes"},
    });
    EXPECT_EQ(cannot_replicate({}), "is unknown");
}

TEST(PodRules, name_the_gravest_reason_against_a_replica) {
    WorkloadRow row;
    row.id.kind = WorkloadKind::stateful_set;
    row.protect = row.recreate = row.rwo_volume = true;
    row.wanted = 1;
    row.scale_owner = ScaleOwner::hpa;
    const Tenant tenant{.row = &row};
    EXPECT_EQ(cannot_replicate(tenant), "is no Deployment");
    row.id.kind = WorkloadKind::deployment;
    EXPECT_EQ(cannot_replicate(tenant), "is protected");
    row.protect = false;
    EXPECT_EQ(cannot_replicate(tenant), "wants fewer than 2 replicas");
    row.wanted = 2;
    EXPECT_EQ(cannot_replicate(tenant), "has strategy Recreate");
    row.recreate = false;
    EXPECT_EQ(cannot_replicate(tenant), "holds a volume that one node may mount");
    row.rwo_volume = false;
    EXPECT_EQ(cannot_replicate(tenant), "is scaled by someone else");
    row.scale_owner = ScaleOwner::nobody;
    EXPECT_EQ(cannot_replicate(tenant), "");
}

/// Every other node has exactly `free` millicores to give, beyond its tenth.
std::function<void(SmallRound&)> full(std::int64_t free) {
    return [=](SmallRound& r) {
        for (int i = 2; i <= 12; ++i) r.node(i).cpu_requested_m = 9'000 - free;
    };
}

TEST(PodRules, move_only_what_fits_elsewhere) {
    const std::string no =
        "fits-elsewhere: a pod of shop/web (500m CPU, 256Mi) fits on no other "
        "node with 10% to spare";
    const auto only_on = [](std::initializer_list<int> nodes) {
        Places places{{0}};
        for (const int node : nodes) places.nodes[0] |= std::uint64_t{1} << SmallRound::slot(node);
        return [places](SmallRound& r) {
            r.input.snapshot.places = {places};
            r.pod(0).places = 1;
            r.pod(0).name = PodName::of("web-", "x1");
        };
    };
    const std::string nowhere =
        "fits-elsewhere: web-x1 of shop/web may run on no other node that takes pods, by its "
        "selector, affinity, taints, spread or volumes";
    const auto only_node_two = [](std::int64_t free) {
        return [=](SmallRound& r) {
            full(0)(r);
            r.node(2).cpu_requested_m = 9'000 - free;
        };
    };
    check({
        {"the_only_node_for_it", Migrate{}, only_on({1}), nowhere},
        {"the_only_node_for_it_sleeps", kSleep, only_on({1}), nowhere},
        {"another_node_for_it", Migrate{}, only_on({1, 7}), "yes"},
        {"just_fits", Migrate{}, full(500), "yes"},
        {"just_does_not", Migrate{}, full(499), no},
        {"sleep", kSleep, full(499), no},
        {"both_on_one_node", Migrate{}, only_node_two(1'000), "yes"},
        {"one_of_two", Migrate{}, only_node_two(999), no},
        {"who_stays_needs_no_room", Migrate{},
         [&](SmallRound& r) {
             tenant([](WorkloadRow& w) { w.protect = true; })(r);
             only_node_two(1'000)(r);
         },
         "yes"},
        {"replicate_adds_one_of_four", Replicate{}, only_node_two(500), "yes"},
        {"replicate_adds_two_of_five", Replicate{},
         [&](SmallRound& r) {
             only_node_two(500)(r);
             r.workload(r.web).wanted = 5;
         },
         no},
        {"replicate_adds_no_more_than_there_are", Replicate{},
         [&](SmallRound& r) {
             only_node_two(1'000)(r);
             r.workload(r.web).wanted = 40;
         },
         "yes"},
        {"replicate_leaves_others_where_they_are", Replicate{},
         [&](SmallRound& r) {
             tenant([](WorkloadRow& w) { w.recreate = true; })(r);
             only_node_two(500)(r);
         },
         "yes"},
        {"empty_node_sleeps_in_a_full_cluster", kSleep,
         [](SmallRound& r) {
             for (int i = 1; i <= 12; ++i) r.node(i).cpu_requested_m = 10'000;
         },
         "yes", node_id(9)},
        {"throttle_moves_nothing", Throttle{}, full(0), "yes"},
    });
}

}  // namespace
}  // namespace parley::guard
