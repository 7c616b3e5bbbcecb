#include "kube/picture/picture.h"

#include "base/random.h"
#include "kube/picture/picture_kit_test.h"

#include <algorithm>

namespace parley::kube {
namespace {

using model::Cause;

class Watching : public testing::Test {
protected:
    Watching() {
        list_nothing(picture_);
        take();
    }

    void put(const Object& object) { picture_.put(object, now_); }
    void remove(Kind kind, std::uint64_t number) { picture_.remove(kind, {number, number}); }
    cluster::Batch take(std::int64_t later_s = 0) {
        now_ = now_ + seconds(later_s);
        cluster::Batch batch = picture_.take(now_);
        mirror_.take(batch);
        return batch;
    }
    /// A Deployment (10) with its ReplicaSet (20), a node (1) and a pod (100) on it.
    void put_web() {
        put(make_node("n1", 1));
        put(make_work(Kind::deployment, "web", 10, 2));
        put(make_set("web-1", 20, OwnerKind::deployment, 10));
        put(make_pod("a", 100, OwnerKind::replica_set, 20));
    }

    TimePoint now_ = at_s(1000);
    Picture picture_;
    Mirror mirror_;
};

TEST(Picture, says_nothing_until_every_kind_was_listed) {
    Picture picture;
    picture.begin_list(Kind::node);
    picture.put(make_node("n1", 1), at_s(1));
    picture.end_list(Kind::node);
    EXPECT_TRUE(picture.take(at_s(2)).changes.empty());
    for (const KindFacts& facts : all_kinds()) {
        if (facts.optional || facts.kind == Kind::node) continue;
        EXPECT_FALSE(picture.complete());
        picture.begin_list(facts.kind);
        EXPECT_FALSE(picture.complete());
        picture.end_list(facts.kind);
    }
    EXPECT_TRUE(picture.complete());
    const cluster::Batch batch = picture.take(at_s(3));
    EXPECT_TRUE(batch.complete);
    EXPECT_EQ(batch.changes.size(), 1U);
    EXPECT_FALSE(picture.take(at_s(4)).complete);
}

TEST(Picture, waits_for_an_optional_kind_only_if_it_was_begun) {
    Picture picture;
    for (const KindFacts& facts : all_kinds()) {
        if (!facts.optional) picture.set_absent(facts.kind);
    }
    EXPECT_TRUE(picture.complete());
    picture.begin_list(Kind::vpa);
    EXPECT_FALSE(picture.complete());
    picture.end_list(Kind::vpa);
    EXPECT_TRUE(picture.complete());
}

TEST_F(Watching, a_deployment_was_rolled_out_when_its_newest_replica_set_was_made) {
    const auto rolled_out = [this] { return mirror_.works().at({10, 10}).rolled_out; };
    put_web();
    take();
    EXPECT_EQ(rolled_out(), TimePoint{});  // Its ReplicaSet has no creation time.
    Work next = make_set("web-2", 21, OwnerKind::deployment, 10);
    next.meta.created = at_s(900);
    put(next);
    take();
    EXPECT_EQ(rolled_out(), at_s(900));
    Work older = make_set("web-0", 22, OwnerKind::deployment, 10);
    older.meta.created = at_s(500);
    put(older);
    put(make_set("alone", 23, OwnerKind::none, 0));
    take();
    EXPECT_EQ(rolled_out(), at_s(900));
}

TEST_F(Watching, a_replica_set_may_come_before_its_deployment) {
    Work set = make_set("web-1", 20, OwnerKind::deployment, 10);
    set.meta.created = at_s(700);
    put(set);
    put(make_work(Kind::deployment, "web", 10, 2));
    take();
    EXPECT_EQ(mirror_.works().at({10, 10}).rolled_out, at_s(700));
}

TEST_F(Watching, a_pod_belongs_to_the_deployment_of_its_replica_set) {
    put_web();
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 running");
    EXPECT_EQ(mirror_.work("shop/web"), " wants 2 cpu 100 v1");
}

TEST_F(Watching, nothing_new_is_not_told) {
    put_web();
    take();
    EXPECT_TRUE(take().changes.empty());
    put(make_pod("a", 100, OwnerKind::replica_set, 20));
    EXPECT_TRUE(take().changes.empty()) << "the same version";
    put(make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 2));
    EXPECT_EQ(take().changes.size(), 1U);
}

TEST_F(Watching, old_events_are_ignored) {
    put_web();
    put(make_node("n1", 1, 5));
    take();
    Node old = make_node("n1", 1, 4);
    old.unschedulable = true;
    put(old);
    EXPECT_TRUE(take().changes.empty());
    remove(Kind::pod, 100);
    take();
    put(make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 9));
    take();
    EXPECT_EQ(mirror_.pod(100), "none") << "it was removed before";
}

TEST(Picture, namespaces_that_are_listed_each_for_itself_do_not_empty_each_other) {
    Picture picture({}, 2);
    for (const KindFacts& facts : all_kinds()) {
        if (!facts.optional) picture.set_absent(facts.kind);
    }
    EXPECT_FALSE(picture.complete());  // Of kinds with a namespace, the second is not listed yet.
    for (const KindFacts& facts : all_kinds()) {
        if (!facts.optional && listed_by_namespace(facts)) picture.set_absent(facts.kind, 1);
    }
    EXPECT_TRUE(picture.complete());
    const auto list = [&](Scope scope, std::initializer_list<Pod> pods) {
        picture.begin_list(Kind::pod, scope);
        for (const Pod& pod : pods) picture.put(pod, at_s(1), scope);
        return picture.end_list(Kind::pod, scope).gone;
    };
    const Pod first = make_pod("a", 100, OwnerKind::none, 0, "n1", 1);
    const Pod second = make_pod("b", 101, OwnerKind::none, 0, "n1", 1);
    EXPECT_EQ(list(0, {first}), 0U);
    EXPECT_EQ(list(1, {second}), 0U);
    picture.put(make_pod("c", 102, OwnerKind::none, 0, "n1", 1), at_s(2), 0);  // By a watch.
    EXPECT_EQ(picture.pods().size(), 3U);
    EXPECT_EQ(list(1, {}), 1U);
    EXPECT_EQ(picture.pods().size(), 2U);
    EXPECT_EQ(list(0, {first}), 1U);
    ASSERT_EQ(picture.pods().size(), 1U);
    EXPECT_EQ(picture.pods()[0].pod, first.uid);
}

TEST_F(Watching, a_list_is_the_truth_even_if_it_is_older) {
    put_web();
    put(make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 50));
    take();
    remove(Kind::pod, 100);
    take();
    picture_.begin_list(Kind::pod);
    put(make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 40));
    put(make_pod("b", 101, OwnerKind::replica_set, 20, "n1", 30));
    EXPECT_EQ(picture_.end_list(Kind::pod).named, 2U);
    take();
    EXPECT_NE(mirror_.pod(100), "none");
    picture_.begin_list(Kind::pod);
    put(make_pod("b", 101, OwnerKind::replica_set, 20, "", 29));
    const ListEnd end = picture_.end_list(Kind::pod);
    EXPECT_EQ(end.named, 1U);
    EXPECT_EQ(end.gone, 1U);
    take();
    EXPECT_EQ(mirror_.pod(100), "none");
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending");
}

TEST_F(Watching, a_pod_is_held_back_until_its_owners_are_known) {
    put(make_node("n1", 1));
    put(make_pod("a", 100, OwnerKind::replica_set, 20));
    take();
    EXPECT_EQ(mirror_.pod(100), "none");
    put(make_set("web-1", 20, OwnerKind::deployment, 10));
    take(1);
    EXPECT_EQ(mirror_.pod(100), "none");
    put(make_work(Kind::deployment, "web", 10, 2));
    take(1);
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 running");
}

TEST_F(Watching, a_pod_whose_owner_does_not_come_stands_for_itself_until_it_does) {
    put(make_node("n1", 1));
    put(make_pod("a", 100, OwnerKind::replica_set, 20));
    take();
    take(4);
    EXPECT_EQ(mirror_.pod(100), "none");
    take(1);
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/bare/p on n1 running");
    EXPECT_EQ(mirror_.work("shop/bare/p"), " wants 1 cpu 100 v0");
    put(make_set("web-1", 20, OwnerKind::deployment, 10));
    put(make_work(Kind::deployment, "web", 10, 2));
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 running");
    EXPECT_EQ(mirror_.work("shop/bare/p"), "none");
}

TEST_F(Watching, a_stand_in_gives_way_also_if_the_owners_come_one_by_one) {
    put(make_node("n1", 1));
    put(make_pod("a", 100, OwnerKind::replica_set, 20));
    take();
    take(5);
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/bare/p on n1 running");
    put(make_set("web-1", 20, OwnerKind::deployment, 10));
    take(20);
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/bare/p on n1 running");
    put(make_work(Kind::deployment, "web", 10, 2));
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 running");
}

TEST_F(Watching, a_pod_stays_with_its_workload_when_only_its_replica_set_comes_back) {
    put_web();
    take();
    remove(Kind::deployment, 10);
    picture_.set_absent(Kind::replica_set);
    take();
    picture_.begin_list(Kind::replica_set);
    put(make_set("web-1", 20, OwnerKind::deployment, 10));
    picture_.end_list(Kind::replica_set);
    take();
    take(20);
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 running");
}

TEST_F(Watching, a_deleted_workload_stays_until_its_last_pod_has_gone) {
    put_web();
    take();
    remove(Kind::deployment, 10);
    remove(Kind::replica_set, 20);
    take();
    EXPECT_EQ(mirror_.work("shop/web"), " wants 0 cpu 100 v1");
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 running");
    put(make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 2));
    take();
    remove(Kind::pod, 100);
    take();
    EXPECT_EQ(mirror_.work("shop/web"), "none");
}

TEST_F(Watching, an_orphaned_replica_set_takes_its_pods_along) {
    put_web();
    take();
    Work orphan = make_set("web-1", 20, OwnerKind::none, 0);
    orphan.meta.version = 2;
    put(orphan);
    remove(Kind::deployment, 10);
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/bare/web-1 on n1 running");
    EXPECT_EQ(mirror_.work("shop/web"), "none");
}

TEST_F(Watching, same_name_and_new_uid_is_a_new_node) {
    put_web();
    take();
    put(make_node("n1", 2));
    remove(Kind::node, 1);
    take();
    EXPECT_EQ(mirror_.node("n1").find("00000000-0000-0002"), 3U);
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 running");
    EXPECT_EQ(picture_.node_named("n1"), (model::Uid{2, 2}));
    EXPECT_EQ(picture_.node_named("n9"), std::nullopt);
}

TEST_F(Watching, a_pod_that_comes_before_its_node_is_placed_later) {
    put(make_work(Kind::stateful_set, "db", 11, 1));
    put(make_pod("a", 100, OwnerKind::stateful_set, 11, "n7"));
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/stateful_set/db on - running");
    put(make_node("n7", 7));
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/stateful_set/db on n7 running");
}

TEST_F(Watching, bare_and_static_pods_are_workloads_of_their_own) {
    put(make_node("n1", 1));
    put(make_pod("a", 100, OwnerKind::none, 0));
    Pod mirror_pod = make_pod("b", 101, OwnerKind::node, 1);
    mirror_pod.is_mirror = true;
    put(mirror_pod);
    put(make_pod("c", 102, OwnerKind::other, 77));
    put(make_pod("d", 103, OwnerKind::other, 77));
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/bare/p-a on n1 running unmovable");
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/bare/p-b on n1 running unmovable");
    EXPECT_EQ(mirror_.work("shop/bare/p-b"), " wants 1 cpu 100 v0 protected");
    EXPECT_EQ(mirror_.pod(102), " p-c of shop/bare/spark-77 on n1 running");
    EXPECT_EQ(mirror_.work("shop/bare/spark-77"), " wants 2 cpu 100 v0");
    remove(Kind::pod, 103);
    Pod done = make_pod("c", 102, OwnerKind::other, 77, "n1", 2);
    done.phase = model::PodPhase::succeeded;
    put(done);
    take();
    EXPECT_EQ(mirror_.work("shop/bare/spark-77"), " wants 0 cpu 100 v0");
}

TEST_F(Watching, a_lease_is_as_old_as_our_sight_of_its_renewal) {
    put(make_node("n1", 1));
    Lease lease;
    lease.meta = meta_named("n1", 50, 1);
    lease.renewed = at_s(5);  // The node's clock is far behind.
    put(lease);
    take(3);
    EXPECT_NE(mirror_.node("n1").find("lease 1000"), std::string::npos);
    lease.meta.version = 2;  // Changed, but not renewed.
    put(lease);
    EXPECT_TRUE(take(3).changes.empty());
    lease.meta.version = 3;
    lease.renewed = at_s(15);
    put(lease);
    take();
    EXPECT_NE(mirror_.node("n1").find("lease 1006"), std::string::npos);
    remove(Kind::lease, 50);
    take();
    EXPECT_NE(mirror_.node("n1").find("no lease"), std::string::npos);
}

TEST_F(Watching, restarts_are_told_by_how_many_more_there_are) {
    put_web();
    take();
    Pod pod = make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 2);
    pod.restarts = 3;
    put(pod);
    take();
    ASSERT_EQ(mirror_.restarts().size(), 1U);
    EXPECT_EQ(mirror_.restarts()[0].count, 3);
    EXPECT_EQ(mirror_.restarts()[0].node, (model::Uid{1, 1}));
    EXPECT_EQ(mirror_.restarts()[0].at, now_);
    pod.version = 3;
    put(pod);
    Pod first_seen = make_pod("b", 101, OwnerKind::replica_set, 20);
    first_seen.restarts = 40;
    put(first_seen);
    take();
    EXPECT_EQ(mirror_.restarts().size(), 1U) << "neither the same again nor what was before us";
}

TEST_F(Watching, other_objects_bear_on_a_workload_whenever_they_come) {
    put_web();
    take();
    Budget budget;
    budget.meta = meta_named("b", 60);
    budget.selector = Selector{{"app", Operator::in, {"web"}}};
    budget.allowed = 1;
    put(budget);
    put(Autoscaler{Kind::hpa, meta_named("h", 61), OwnerKind::deployment, "web"});
    put(Autoscaler{Kind::vpa, meta_named("v", 61), OwnerKind::deployment, "web"});
    PriorityClass usual;
    usual.meta = meta_named("usual", 62);
    usual.value = 9;
    usual.by_default = true;
    put(usual);
    take();
    EXPECT_EQ(mirror_.work("shop/web"),
              " wants 2 cpu 100 v1 budget 1 scaled by hpa sized by vpa priority 9");
    remove(Kind::vpa, 61);
    remove(Kind::budget, 60);
    remove(Kind::hpa, 61);
    remove(Kind::priority_class, 62);
    take();
    EXPECT_EQ(mirror_.work("shop/web"), " wants 2 cpu 100 v1");
}

TEST_F(Watching, a_node_claim_that_goes_means_maintenance) {
    put(make_node("n1", 1));
    NodeClaim claim;
    claim.meta = meta_named("c", 70);
    claim.node = "n1";
    put(claim);
    take();
    EXPECT_EQ(mirror_.node("n1").find("maintenance"), std::string::npos);
    claim.meta.version = 2;
    claim.meta.deleted = now_;
    put(claim);
    take();
    EXPECT_NE(mirror_.node("n1").find("maintenance"), std::string::npos);
}

TEST_F(Watching, causes_follow_the_nodes_and_the_pods_on_them) {
    put_web();
    Pod waiting = make_pod("b", 101, OwnerKind::replica_set, 20, "");
    PodTemplate large;
    large.request = {3950, 0};
    waiting.pod = std::make_shared<const PodTemplate>(large);
    put(waiting);
    take();
    const auto cpu = std::to_string(model::CauseSet().with(Cause::cpu).bits);
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending waits " + cpu);
    EXPECT_TRUE(take().changes.empty());
    remove(Kind::pod, 100);
    take();
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending") << "there is room now";
    Node cordoned = make_node("n1", 1, 2);
    cordoned.unschedulable = true;
    put(cordoned);
    take();
    const auto taint = std::to_string(model::CauseSet().with(Cause::taint).bits);
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending waits " + taint);
    put(make_pod("b", 101, OwnerKind::replica_set, 20, "n1", 2));
    take();
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on n1 running");
}

TEST_F(Watching, a_pod_that_changes_holds_its_place_once) {
    put_web();
    for (std::uint64_t version = 2; version < 60; ++version) {
        put(make_pod("a", 100, OwnerKind::replica_set, 20, "n1", version));
    }
    Pod waiting = make_pod("b", 101, OwnerKind::replica_set, 20, "");
    PodTemplate rest;
    rest.request = {3900, 0};
    waiting.pod = std::make_shared<const PodTemplate>(rest);
    put(waiting);
    take();
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending");
}

TEST_F(Watching, a_pod_waits_for_its_claim) {
    put_web();
    Pod waiting = make_pod("b", 101, OwnerKind::replica_set, 20, "");
    PodTemplate what;
    what.claims = {"data"};
    waiting.pod = std::make_shared<const PodTemplate>(what);
    put(waiting);
    take();
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending waits " +
                                    std::to_string(model::CauseSet().with(Cause::volume).bits));
    Claim claim;
    claim.meta = meta_named("data", 80);
    claim.phase = ClaimPhase::bound;
    put(claim);
    take();
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending");
}

TEST_F(Watching, what_bears_on_nobody_changes_nothing) {
    put_web();
    take();
    Budget budget;
    budget.meta = meta_named("b", 60);
    budget.selector = Selector{{"app", Operator::in, {"api"}}};
    put(budget);
    EXPECT_TRUE(take().changes.empty());
}

TEST_F(Watching, an_image_that_cannot_be_pulled_is_a_cause) {
    put_web();
    Pod pod = make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 2);
    pod.phase = model::PodPhase::pending;
    pod.image_trouble = true;
    put(pod);
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 pending waits " +
                                    std::to_string(model::CauseSet().with(Cause::image).bits));
}

TEST_F(Watching, a_pod_that_crashes_again_and_again_waits_though_it_runs) {
    put_web();
    Pod pod = make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 2);
    const std::string runs = " p-a of shop/web on n1 running";
    pod.crash_trouble = true;
    pod.says = std::make_shared<const std::string>("back-off 10s restarting failed container=a");
    put(pod);
    const cluster::Batch told = take();
    const auto crashes = std::to_string(model::CauseSet().with(Cause::restart).bits);
    EXPECT_EQ(mirror_.pod(100), runs + " waits " + crashes);
    EXPECT_EQ(std::get<cluster::PodChange>(told.changes.back()).says, *pod.says);
    pod.version = 3;
    pod.phase =
        model::PodPhase::pending;  // Its init containers crash, so it is pending like others.
    put(pod);
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 pending");
    pod.version = 4;
    pod.phase = model::PodPhase::running;
    pod.crash_trouble = false;
    put(pod);
    take();
    EXPECT_EQ(mirror_.pod(100), runs);
}

TEST_F(Watching, a_bound_pod_that_does_not_start_has_a_cause) {
    put_web();
    Pod pod = make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 2);
    pod.phase = model::PodPhase::pending;
    put(pod);
    take();
    const auto waits = [&](Cause cause) {
        return " p-a of shop/web on n1 pending waits " +
               std::to_string(model::CauseSet().with(cause).bits);
    };
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 pending") << "it starts";
    Event mount;
    mount.meta.uid = {90, 90};
    mount.about = {100, 100};
    mount.about_pod = true;
    mount.reason = "FailedMount";
    mount.message = "MountVolume.SetUp failed for volume \"c\" : configmap \"c\" not found";
    put(mount);
    take();
    EXPECT_EQ(mirror_.pod(100), waits(Cause::config));
    mount.message = "Unable to attach or mount volumes: timed out";
    put(mount);
    take();
    EXPECT_EQ(mirror_.pod(100), waits(Cause::volume));
    pod.version = 3;
    pod.config_trouble = true;
    pod.says = std::make_shared<const std::string>("configmap \"c\" not found");
    put(pod);
    const cluster::Batch told = take();
    EXPECT_EQ(mirror_.pod(100), waits(Cause::config));
    ASSERT_EQ(told.changes.size(), 1U);
    EXPECT_EQ(std::get<cluster::PodChange>(told.changes[0]).says, "configmap \"c\" not found");
    pod.version = 4;
    pod.config_trouble = false;
    put(pod);
    Node dead = make_node("n1", 1, 2);
    dead.ready = model::Readiness::unknown;
    put(dead);
    take();
    EXPECT_EQ(mirror_.pod(100), waits(Cause::dead_node));
    pod.version = 5;
    pod.phase = model::PodPhase::running;
    put(pod);
    take();
    EXPECT_EQ(mirror_.pod(100), " p-a of shop/web on n1 running");
}

TEST_F(Watching, pods_are_kept_apart_by_the_labels_of_their_workloads) {
    put_web();
    Pod waiting = make_pod("b", 101, OwnerKind::replica_set, 20, "");
    PodTemplate alone;
    alone.apart = {{.selector = Selector{{"app", Operator::in, {"web"}}},
                    .topology = "kubernetes.io/hostname"}};
    waiting.pod = std::make_shared<const PodTemplate>(alone);
    put(waiting);
    take();
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending waits " +
                                    std::to_string(model::CauseSet().with(Cause::affinity).bits));
    put(make_node("n2", 2));
    take();
    EXPECT_EQ(mirror_.pod(101), " p-b of shop/web on - pending");
}

TEST_F(Watching, a_selector_that_no_node_matches_is_deliberate) {
    put(make_node("n1", 1));
    Work work = make_work(Kind::deployment, "web", 10, 1);
    PodTemplate pod;
    pod.node_selector = {{"disk", "ssd"}};
    work.pod = std::make_shared<const PodTemplate>(pod);
    put(work);
    take();
    EXPECT_EQ(mirror_.work("shop/web"), " wants 1 cpu 0 v1 deliberate");
    Node other = make_node("n2", 2);
    other.labels = {{"disk", "ssd"}};
    put(other);
    take();
    EXPECT_EQ(mirror_.work("shop/web"), " wants 1 cpu 0 v1");
}

TEST_F(Watching, a_kind_that_may_not_be_read_any_more_is_forgotten) {
    put_web();
    Budget budget;
    budget.meta = meta_named("b", 60);
    budget.selector = Selector();
    put(budget);
    take();
    picture_.set_absent(Kind::budget);
    take();
    EXPECT_EQ(mirror_.work("shop/web"), " wants 2 cpu 100 v1");
    EXPECT_TRUE(picture_.complete());
}

TEST_F(Watching, pods_can_be_found_for_their_metrics) {
    put_web();
    take();
    const std::vector<PodPlace> places = picture_.pods();
    ASSERT_EQ(places.size(), 1U);
    EXPECT_EQ(places[0].name.text(), "p-a");
    EXPECT_EQ(places[0].workload, (model::Uid{10, 10}));
    EXPECT_EQ(places[0].node, (model::Uid{1, 1}));
}

}  // namespace
}  // namespace parley::kube
