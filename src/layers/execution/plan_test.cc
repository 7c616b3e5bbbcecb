#include "layers/execution/plan.h"

#include "layers/execution/kit_test.h"
#include "layers/execution/tenants.h"
#include "model/coded.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::execution {
namespace {

using namespace model;

constexpr DecisionId kId{0, 0xd1};

std::string text(const Await& then) {
    if (then.ready_at_least == 0) return "";
    return " until " + then.workload.name.str() + " has " + std::to_string(then.ready_at_least);
}

std::vector<std::string> steps(const OpenAction& action) {
    std::vector<std::string> out;
    for (const PlannedStep& step : action.plan) {
        out.push_back(text_of(step.request) + text(step.then));
    }
    return out;
}

std::vector<std::string> undo(const OpenAction& action) {
    std::vector<std::string> out;
    for (const Request& request : action.undo) out.push_back(text_of(request));
    return out;
}

using Texts = std::vector<std::string>;

/// node-1 has two pods of web (5 wanted), one of api (2 wanted) and one of a Job.
struct Shop : Kit {
    Slot node = add_node("node-1");
    Slot web = add_workload(workload_id("web"), 5);
    Slot api = add_workload(workload_id("api"), 2);
    Slot job = add_workload(job_id("report"), 1);

    Shop() {
        add_pod(web, node);
        add_pod(web, node);
        add_pod(api, node);
        add_pod(job, node);
    }

    OpenAction plan_of(Action action, Target target = node_id("node-1")) {
        return plan(proposes(Role::safety, std::move(action), target), input, policy, kId);
    }
};

TEST(Plan, names_the_decision_its_target_and_its_times) {
    Shop shop;
    const OpenAction action = shop.plan_of(Migrate{});
    EXPECT_EQ(action.id, kId);
    EXPECT_EQ(action.round, 100U);
    EXPECT_EQ(action.uid, (Uid{1, 1}));
    EXPECT_EQ(action.deadline, kNow + minutes(10));
    EXPECT_EQ(action.expires, kNow + minutes(30));
    const PutMark mark{node_id("node-1"),
                       kId,
                       action.expires,
                       ActionKind::migrate,
                       {{MarkedField::taint,
                         {},
                         static_cast<std::int64_t>(Taint::none),
                         static_cast<std::int64_t>(Taint::no_schedule)}}};
    EXPECT_EQ(action.plan[0].request, Request(mark));
    EXPECT_EQ(action.undo.back(), Request(PutMark{node_id("node-1"), {}, {}}));
}

TEST(Plan, migrate_takes_one_pod_of_each_workload_at_a_time) {
    Shop shop;
    const OpenAction action = shop.plan_of(Migrate{});
    EXPECT_EQ(steps(action),
              (Texts{"mark node-1", "quarantine node-1", "evict api-3", "evict web-1",
                     "evict report-4 until web has 5", "evict web-2 until web has 5"}));
    EXPECT_EQ(undo(action), (Texts{"lift quarantine of node-1", "unmark node-1"}));
}

TEST(Plan, migrate_leaves_immovable_pods_alone) {
    Shop shop;
    shop.workload(shop.api).quorum = true;
    shop.workload(shop.job).id.kind = WorkloadKind::daemon_set;
    shop.pod(0).evictable = false;
    EXPECT_EQ(steps(shop.plan_of(Migrate{})),
              (Texts{"mark node-1", "quarantine node-1", "evict web-2 until web has 5"}));
}

TEST(Plan, replicate_makes_before_it_breaks) {
    Shop shop;
    const OpenAction action = shop.plan_of(Replicate{});
    EXPECT_EQ(
        steps(action),
        (Texts{"mark node-1", "quarantine node-1", "mark shop/api", "shop/api to 3",
               "mark shop/web", "shop/web to 6 until api has 3", "mark api-3",
               "deletion cost -100 on api-3", "shop/api to 2", "unmark shop/api until web has 6",
               "mark web-1", "deletion cost -100 on web-1", "mark web-2",
               "deletion cost -100 on web-2", "shop/web to 5", "unmark shop/web"}));
    EXPECT_EQ(undo(action),
              (Texts{"shop/api to 2", "unmark shop/api", "shop/web to 5", "unmark shop/web",
                     "deletion cost 0 on api-3", "unmark api-3", "deletion cost 0 on web-1",
                     "unmark web-1", "deletion cost 0 on web-2", "unmark web-2",
                     "lift quarantine of node-1", "unmark node-1"}));
}

TEST(Plan, replicate_copies_its_pods_there_up_to_a_quarter_at_least_one) {
    for (const auto& [wanted, there, to] : std::initializer_list<std::tuple<int, int, int>>{
             {2, 1, 3}, {4, 2, 5}, {7, 4, 8}, {8, 4, 10}, {8, 1, 9}, {20, 3, 23}, {20, 9, 25}}) {
        Kit kit;
        const Slot node = kit.add_node("node-1");
        const Slot web = kit.add_workload(workload_id("web"), wanted);
        for (int i = 0; i < there; ++i) kit.add_pod(web, node);
        const OpenAction action = plan(proposes(Role::safety, Replicate{}, node_id("node-1")),
                                       kit.input, kit.policy, kId);
        const std::vector<MarkedChange> change{{MarkedField::replicas, {}, wanted, to}};
        EXPECT_EQ(std::get<PutMark>(action.plan[2].request).changes, change);
        EXPECT_EQ(action.plan[3].request, Request(SetReplicas{workload_id("web"), to}));
    }
}

TEST(Plan, replicate_leaves_alone_what_cannot_be_copied) {
    const std::vector<std::function<void(WorkloadRow&)>> reasons = {
        [](WorkloadRow& row) { row.wanted = 1; },
        [](WorkloadRow& row) { row.recreate = true; },
        [](WorkloadRow& row) { row.rwo_volume = true; },
        [](WorkloadRow& row) { row.protect = true; },
        [](WorkloadRow& row) { row.scale_owner = ScaleOwner::hpa; },
        [](WorkloadRow& row) { row.scale_owner = ScaleOwner::other; },
        [](WorkloadRow& row) { row.id.kind = WorkloadKind::stateful_set; }};
    for (const auto& reason : reasons) {
        Kit kit;
        const Slot node = kit.add_node("node-1");
        const Slot web = kit.add_workload(workload_id("web"), 5);
        kit.add_pod(web, node);
        reason(kit.workload(web));
        const OpenAction action = plan(proposes(Role::safety, Replicate{}, node_id("node-1")),
                                       kit.input, kit.policy, kId);
        EXPECT_EQ(steps(action), (Texts{"mark node-1", "quarantine node-1"}));
    }
}

TEST(Plan, throttle_lowers_limits_that_are_there_not_below_the_request) {
    Shop shop;
    shop.workload(shop.web).cpu_limit_m = 1000;
    shop.workload(shop.api).cpu_limit_m = 100;  // Its request: it cannot be lowered.
    shop.as_templates();
    const OpenAction action = shop.plan_of(Throttle{});
    EXPECT_EQ(steps(action),
              (Texts{"mark node-1", "avoid node-1", "mark web-1", "resize web-1 to 850m CPU limit",
                     "mark web-2", "resize web-2 to 850m CPU limit"}));
    EXPECT_EQ(undo(action), (Texts{"resize web-1 to 1000m CPU limit", "unmark web-1",
                                   "resize web-2 to 1000m CPU limit", "unmark web-2",
                                   "lift quarantine of node-1", "unmark node-1"}));
    shop.workload(shop.api).cpu_limit_m = 110;
    shop.as_templates();
    EXPECT_EQ(steps(shop.plan_of(Throttle{}))[3], "resize api-3 to 100m CPU limit");
    EXPECT_EQ(action.deadline, kNow + minutes(2));
    EXPECT_EQ(action.expires, kNow + minutes(10));
}

TEST(Plan, a_throttle_leaves_pods_alone_whose_sizes_an_autoscaler_sets) {
    Shop shop;
    shop.workload(shop.web).cpu_limit_m = 1000;
    shop.workload(shop.web).size_owner = ScaleOwner::vpa;
    shop.workload(shop.api).cpu_limit_m = 1000;
    shop.as_templates();
    EXPECT_EQ(steps(shop.plan_of(Throttle{})), (Texts{"mark node-1", "avoid node-1", "mark api-3",
                                                      "resize api-3 to 850m CPU limit"}));
}

TEST(Plan, each_pod_is_given_back_what_that_very_pod_had) {
    Shop shop;
    shop.shape(0, {{.name = Name::of("main"), .cpu_request_m = 100, .cpu_limit_m = 1000}});
    shop.shape(1, {{.name = Name::of("main"), .cpu_request_m = 100, .cpu_limit_m = 800}});
    shop.pod(2).shape = kNoSlot;  // Nobody knows what it asks for: it is left alone.
    const OpenAction action = shop.plan_of(Throttle{});
    EXPECT_EQ(steps(action),
              (Texts{"mark node-1", "avoid node-1", "mark web-1", "resize web-1 to 850m CPU limit",
                     "mark web-2", "resize web-2 to 680m CPU limit"}));
    EXPECT_EQ(undo(action)[0], "resize web-1 to 1000m CPU limit");
    EXPECT_EQ(undo(action)[2], "resize web-2 to 800m CPU limit");
    const Mark mark{kId,
                    action.expires,
                    ActionKind::throttle,
                    {{MarkedField::cpu_limit_m, Name::of("main"), 1000, 850}}};
    EXPECT_EQ(action.plan[2].request, Request(MarkPod{{3, 1}, Name::of("shop"), "web-1", mark}));
    EXPECT_EQ(action.plan[3].request,
              Request(ResizePod{{3, 1},
                                Name::of("shop"),
                                "web-1",
                                {{.container = Name::of("main"), .cpu_limit_m = 850}}}));
}

TEST(Plan, of_a_full_node_fits_many_times_into_a_ledger) {
    Kit kit;
    const Slot node = kit.add_node("node-1");
    const Slot web = kit.add_workload(workload_id("web-of-a-long-name"), 110);
    kit.workload(web).cpu_limit_m = 1000;
    for (std::uint64_t i = 0; i < 110; ++i) {  // With uids as long as real ones.
        kit.pod(kit.add_pod(web, node)).uid = {0x7edc'ba98'7654'3210 + i, 0x7123'4567'89ab'cdef};
    }
    const OpenAction action =
        plan(proposes(Role::safety, Throttle{}, node_id("node-1")), kit.input, kit.policy, kId);
    EXPECT_EQ(action.plan.size(), 222U);
    EXPECT_LT(encode(action).size(), std::size_t{32} * 1024);
}

TEST(Plan, sleep_empties_the_node_first) {
    Shop shop;
    const OpenAction action = shop.plan_of(PowerState{PowerWish::sleep});
    EXPECT_EQ(steps(action), (Texts{"mark node-1", "quarantine node-1", "evict api-3",
                                    "evict web-1", "evict report-4 until web has 5",
                                    "evict web-2 until web has 5", "power sleep node-1"}));
    EXPECT_EQ(undo(action),
              (Texts{"power on node-1", "lift quarantine of node-1", "unmark node-1"}));
    EXPECT_EQ(steps(shop.plan_of(PowerState{PowerWish::on})),
              (Texts{"mark node-1", "power on node-1", "lift quarantine of node-1"}));
}

TEST(Plan, dvfs_restores_the_clock_it_found) {
    Shop shop;
    shop.Kit::node(shop.node).clock_ppm = 900'000;
    const OpenAction action = shop.plan_of(Dvfs{650'000});
    EXPECT_EQ(steps(action), (Texts{"mark node-1", "clock of node-1 to 65%"}));
    EXPECT_EQ(undo(action), (Texts{"clock of node-1 to 90%", "unmark node-1"}));
}

constexpr std::int64_t kMi = std::int64_t{1} << 20;

TEST(Plan, balloon_goes_towards_what_is_used_and_no_further) {
    struct Row {
        std::int64_t used;
        std::int64_t request;
        const char* then;
    };
    for (const auto& [used, request, then] : std::initializer_list<Row>{
             {100, 1000, "resize web-1 to 750Mi memory request"},  // No lower than proposed.
             {700, 1000, "resize web-1 to 805Mi memory request"},  // Used plus 15 percent.
             {870, 1000, ""},                                      // Nothing to gain.
         }) {
        Kit kit;
        const Slot node = kit.add_node("node-1");
        const Slot web = kit.add_workload(workload_id("web"), 5);
        kit.workload(web).memory_request = request * kMi;
        kit.add_pod(web, node);
        kit.workload(web).memory_used = measured(Usage{.max = used * kMi, .count = 5});
        const OpenAction action =
            plan(proposes(Role::efficiency, MemoryBalloon{750'000}, node_id("node-1")), kit.input,
                 kit.policy, kId);
        Texts expected{"mark node-1"};
        if (*then != 0) expected.insert(expected.end(), {"mark web-1", then});
        EXPECT_EQ(steps(action), expected);
    }
}

TEST(Plan, balloon_leaves_what_asks_for_no_more_already) {
    struct Row {
        std::int64_t first;
        std::int64_t second;
        std::size_t steps;
    };
    for (const Row& row : {Row{1000, 1000, 5}, Row{750, 751, 3}, Row{750, 750, 1}, Row{1, 2, 1}}) {
        Shop shop;
        shop.workload(shop.web).memory_request = 1000 * kMi;
        shop.workload(shop.web).memory_used = measured(Usage{.max = kMi, .count = 5});
        shop.shape(0, {{.name = Name::of("main"), .memory_request = row.first * kMi}});
        shop.shape(1, {{.name = Name::of("main"), .memory_request = row.second * kMi}});
        EXPECT_EQ(shop.plan_of(MemoryBalloon{750'000}).plan.size(), row.steps) << row.second;
    }
}

TEST(Plan, balloon_needs_a_fresh_reading_of_every_pod) {
    const auto size = [](const std::function<void(WorkloadRow&)>& change) {
        Shop shop;
        shop.workload(shop.web).memory_request = 1000 * kMi;
        shop.shape(0, {{.name = Name::of("main"), .memory_request = 1000 * kMi}});
        shop.workload(shop.web).memory_used = measured(Usage{.max = kMi, .count = 5});
        change(shop.workload(shop.web));
        return shop.plan_of(MemoryBalloon{}).plan.size();
    };
    const Usage one_missing{.max = kMi, .count = 4, .missing = 1};
    EXPECT_EQ(size([](WorkloadRow&) {}), 3U);
    EXPECT_EQ(size([](WorkloadRow& row) { row.memory_used = Reading<Usage>::never(); }), 1U);
    EXPECT_EQ(size([&](WorkloadRow& row) { row.memory_used = measured(one_missing); }), 1U);
    EXPECT_EQ(size([](WorkloadRow& row) {
                  row.memory_used =
                      measured(Usage{.max = kMi, .count = 5}, kNow - seconds(60) - microseconds(1));
              }),
              1U);
    EXPECT_EQ(size([](WorkloadRow& row) { row.scale_owner = ScaleOwner::hpa; }), 1U);
}

TEST(Plan, orders_hold_for_as_long_as_the_policy_says) {
    Shop shop;
    shop.policy.admission.order_lasts = minutes(7);
    const TimePoint until = kNow + minutes(7);
    const OpenAction queue = shop.plan_of(Admission{AdmissionWish::queue}, WholeCluster{});
    EXPECT_EQ(queue.plan[1].request, Request(SetAdmission{AdmissionWish::queue, kId, until}));
    EXPECT_EQ(queue.undo[0], Request(SetAdmission{AdmissionWish::admit, kId, until}));
    EXPECT_EQ(queue.expires, until);
    const OpenAction admit = shop.plan_of(Admission{AdmissionWish::admit}, WholeCluster{});
    EXPECT_EQ(steps(admit), (Texts{"mark cluster", "admission admit"}));
    EXPECT_EQ(undo(admit), Texts{"unmark cluster"});
    const OpenAction cap = shop.plan_of(ResourceCap{850'000, 850'000});
    EXPECT_EQ(steps(cap), (Texts{"mark node-1", "cap batch at 85% CPU"}));
    EXPECT_EQ(undo(cap), (Texts{"cap batch at 100% CPU", "unmark node-1"}));
}

TEST(Plan, scale_waits_for_nothing_and_can_be_undone) {
    Shop shop;
    const Target web = workload_id("web");
    const OpenAction up = shop.plan_of(Scale{{5, 8}}, web);
    EXPECT_EQ(steps(up), (Texts{"mark shop/web", "shop/web to 8"}));
    EXPECT_EQ(undo(up), (Texts{"shop/web to 5", "unmark shop/web"}));
    EXPECT_EQ(steps(shop.plan_of(Scale{{5, 3}}, web)), (Texts{"mark shop/web", "shop/web to 3"}));
    EXPECT_EQ(steps(shop.plan_of(Scale{{5, 5}}, web)), Texts{"mark shop/web"});
}

TEST(Plan, the_mark_keeps_what_was_there_before_we_first_scaled) {
    Shop shop;
    const auto old_replicas = [&] {
        const OpenAction action = shop.plan_of(Scale{{5, 8}}, workload_id("web"));
        const auto& changes = std::get<PutMark>(action.plan[0].request).changes;
        EXPECT_EQ(changes.size(), 1U);
        EXPECT_EQ(changes.at(0).field, MarkedField::replicas);
        EXPECT_EQ(changes.at(0).wanted, 8);
        return changes.at(0).old;
    };
    EXPECT_EQ(old_replicas(), 5);
    WorkloadRow& row = shop.input.snapshot.workloads.edit(
        slot_of(shop.input.snapshot, WorkloadId(workload_id("web"))));
    row.mark = Mark{kId, kNow, ActionKind::scale, {{MarkedField::replicas, {}, 2, 5}}};
    EXPECT_EQ(old_replicas(), 2);
    row.mark->kind = ActionKind::replicate;
    EXPECT_EQ(old_replicas(), 2) << "whatever action it was";
}

TEST(Plan, a_joint_scaling_is_one_action_with_a_request_for_each_pod) {
    Kit kit;
    const Slot node = kit.add_node("node-1");
    const Slot web = kit.add_workload(workload_id("web"), 3);
    for (int i = 0; i < 3; ++i) {
        kit.shape(kit.add_pod(web, node), {{.name = Name::of("app"), .cpu_request_m = 200}});
    }
    kit.pod(2).terminating = true;
    const Scale scale{{3, 2}, {{Name::of("app"), Extent{200, 400}, std::nullopt}}};
    const OpenAction action =
        plan(proposes(Role::scaling, scale, workload_id("web")), kit.input, kit.policy, kId);
    EXPECT_EQ(steps(action), (Texts{"mark shop/web", "resize web-1 to 400m CPU request",
                                    "resize web-2 to 400m CPU request", "shop/web to 2"}));
    EXPECT_EQ(undo(action),
              (Texts{"resize web-1 to 200m CPU request", "resize web-2 to 200m CPU request",
                     "shop/web to 3", "unmark shop/web"}));
    EXPECT_EQ(std::get<PutMark>(action.plan[0].request).changes,
              (std::vector<MarkedChange>{{MarkedField::cpu_m, Name::of("app"), 200, 400},
                                         {MarkedField::replicas, {}, 3, 2}}));
}

TEST(Plan, marks_say_what_each_action_changes_of_its_target) {
    Shop shop;
    const auto changes = [&](const Action& action) {
        std::string text;
        const OpenAction planned = shop.plan_of(action);
        for (const MarkedChange& each : std::get<PutMark>(planned.plan[0].request).changes) {
            text += std::string(enum_name(each.field)) + " " + std::to_string(each.old) + " to " +
                    std::to_string(each.wanted) + ";";
        }
        return text;
    };
    EXPECT_EQ(changes(Migrate{}), "taint 0 to 2;");
    EXPECT_EQ(changes(Throttle{}), "taint 0 to 1;");
    EXPECT_EQ(changes(PowerState{PowerWish::sleep}), "power 2 to 0;taint 0 to 2;");
    EXPECT_EQ(changes(PowerState{PowerWish::on}), "power 2 to 2;taint 0 to 0;");
    EXPECT_EQ(changes(Dvfs{650'000}), "clock_ppm 1000000 to 650000;");
}

TEST(Plan, a_second_mark_keeps_what_was_there_before_the_first) {
    Shop shop;
    NodeRow& node = shop.Kit::node(shop.node);
    node.avoided = true;  // By a throttle that stands.
    node.mark = Mark{{0, 0xd0},
                     kNow,
                     ActionKind::throttle,
                     {{MarkedField::taint, {}, 0, 1}, {MarkedField::clock_ppm, {}, 9, 8}}};
    const OpenAction action = shop.plan_of(Migrate{});
    EXPECT_EQ(std::get<PutMark>(action.plan[0].request).changes,
              (std::vector<MarkedChange>{{MarkedField::taint, {}, 0, 2},
                                         {MarkedField::clock_ppm, {}, 9, 8}}));
}

TEST(Plan, a_scaled_workload_has_the_mark_of_its_scaling_again_after_a_replicate) {
    Shop shop;
    const Mark scaled{{0, 0xd0}, kNow, ActionKind::scale, {{MarkedField::replicas, {}, 3, 5}}};
    shop.workload(shop.web).mark = scaled;
    const OpenAction action = shop.plan_of(Replicate{});
    EXPECT_EQ(std::get<PutMark>(action.plan[4].request).changes,
              (std::vector<MarkedChange>{{MarkedField::replicas, {}, 3, 6}}));
    const Request back =
        PutMark{workload_id("web"), scaled.decision, kNow, ActionKind::scale, scaled.changes};
    EXPECT_EQ(action.plan.back().request, back);
    EXPECT_EQ(action.undo[3], back);
    EXPECT_EQ(shop.plan_of(Scale{{5, 8}}, workload_id("web")).undo.back(), back);
}

TEST(Plan, of_what_is_not_there_is_its_mark_alone) {
    Shop shop;
    EXPECT_EQ(steps(shop.plan_of(Migrate{}, node_id("node-9"))), Texts{"mark node-9"});
    EXPECT_EQ(steps(shop.plan_of(Scale{{1, 2}}, workload_id("nobody"))), Texts{"mark shop/nobody"});
}

}  // namespace
}  // namespace parley::execution
