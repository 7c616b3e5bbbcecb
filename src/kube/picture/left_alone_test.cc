// What annotations and labels of others make of workloads and pods of the picture.

#include "kube/picture/picture.h"
#include "kube/picture/picture_kit_test.h"

namespace parley::kube {
namespace {

class LeftAlone : public testing::Test {
protected:
    /// A Deployment (10) in namespace shop (30), with its ReplicaSet (20), a node (1) and a pod
    /// (100).
    LeftAlone() {
        list_nothing(picture_);
        put(make_node("n1", 1));
        put(shop({}));
        put(make_work(Kind::deployment, "web", 10, 2));
        put(make_set("web-1", 20, OwnerKind::deployment, 10));
        put(make_pod("a", 100, OwnerKind::replica_set, 20));
        take();
    }

    void put(const Object& object) { picture_.put(object, now_); }
    void take(std::int64_t later_s = 0) {
        now_ = now_ + seconds(later_s);
        mirror_.take(picture_.take(now_));
    }
    bool protects() const { return mirror_.works().at({10, 10}).protect; }
    bool movable() const { return mirror_.pod(100).find("unmovable") == std::string::npos; }

    Space shop(OptOuts asks, std::uint64_t version = 1) const {
        Space space;
        space.meta = meta_named("shop", 30, version);
        space.meta.space = {};
        space.meta.opt_outs = asks;
        return space;
    }
    Work web(OptOuts asks, std::uint64_t version) const {
        Work work = make_work(Kind::deployment, "web", 10, 2, version);
        work.meta.opt_outs = asks;
        return work;
    }
    Pod pod(OptOuts asks, std::uint64_t version) const {
        Pod pod = make_pod("a", 100, OwnerKind::replica_set, 20, "n1", version);
        pod.opt_outs = asks;
        return pod;
    }

    TimePoint now_ = at_s(1000);
    Picture picture_;
    Mirror mirror_;
};

TEST_F(LeftAlone, nobody_asks) {
    EXPECT_FALSE(protects());
    EXPECT_TRUE(movable());
}

TEST_F(LeftAlone, a_workload_that_opts_out_until_it_takes_that_back) {
    put(web({.opted_out = true}, 2));
    take();
    EXPECT_TRUE(protects());
    put(web({}, 3));
    take();
    EXPECT_FALSE(protects());
}

TEST_F(LeftAlone, every_workload_of_a_namespace_that_opts_out) {
    put(shop({.opted_out = true}, 2));
    take();
    EXPECT_TRUE(protects());
    picture_.remove(Kind::space, {30, 30});
    take();
    EXPECT_FALSE(protects());
}

TEST_F(LeftAlone, a_pod_that_opts_out_and_its_workload_with_it) {
    put(pod({.opted_out = true}, 2));
    take();
    EXPECT_TRUE(protects());
    EXPECT_FALSE(movable());
    put(pod({}, 3));
    take();
    EXPECT_FALSE(protects());
    EXPECT_TRUE(movable());
    put(pod({.opted_out = true}, 4));
    take();
    picture_.remove(Kind::pod, {100, 100});
    take();
    EXPECT_FALSE(protects()) << "it is gone";
}

TEST_F(LeftAlone, until_the_pause_is_over_although_nothing_changes_then) {
    const OptOuts asks{.paused_until = at_s(1060)};
    const Object paused[] = {web(asks, 2), shop(asks, 2), pod(asks, 2)};
    const Object plain[] = {web({}, 3), shop({}, 3), pod({}, 3)};
    for (std::size_t i = 0; i < std::size(paused); ++i) {
        SCOPED_TRACE(i);
        Picture picture;
        list_nothing(picture);
        Mirror mirror;
        const auto protects_at = [&](std::int64_t s) {
            mirror.take(picture.take(at_s(s)));
            return mirror.works().at({10, 10}).protect;
        };
        picture.put(make_node("n1", 1), at_s(1000));
        picture.put(shop({}), at_s(1000));
        picture.put(make_work(Kind::deployment, "web", 10, 2), at_s(1000));
        picture.put(make_set("web-1", 20, OwnerKind::deployment, 10), at_s(1000));
        picture.put(make_pod("a", 100, OwnerKind::replica_set, 20), at_s(1000));
        EXPECT_FALSE(protects_at(1000));
        picture.put(paused[i], at_s(1001));
        EXPECT_TRUE(protects_at(1001));
        EXPECT_TRUE(protects_at(1059));
        EXPECT_FALSE(protects_at(1060));
        EXPECT_EQ(mirror.pod(100).find("unmovable"), std::string::npos);
        picture.put(plain[i], at_s(1061));
        EXPECT_FALSE(protects_at(1061));
    }
}

TEST_F(LeftAlone, a_node_that_opts_out_or_pauses_until_then) {
    const auto left = [&] { return mirror_.nodes().at({1, 1}).left_alone; };
    const auto asks = [&](OptOuts opt_outs, std::uint64_t version) {
        Node node = make_node("n1", 1, version);
        node.meta.opt_outs = opt_outs;
        put(node);
        take();
        return left();
    };
    EXPECT_FALSE(left());
    EXPECT_TRUE(asks({.opted_out = true}, 2));
    EXPECT_FALSE(asks({}, 3));
    EXPECT_TRUE(asks({.paused_until = now_ + seconds(60)}, 4));
    take(59);
    EXPECT_TRUE(left());
    take(1);
    EXPECT_FALSE(left()) << "although nothing was said since";
    EXPECT_TRUE(asks({.paused_until = now_ + seconds(60)}, 5));
    EXPECT_FALSE(asks({}, 6)) << "whoever takes it back need not wait";
    take(60);
    EXPECT_FALSE(left());
}

TEST_F(LeftAlone, what_kueue_admits) {
    Work job = make_work(Kind::job, "report", 11, 1);
    put(job);
    take();
    EXPECT_FALSE(mirror_.works().at({11, 11}).protect);
    job.queued = true;
    job.meta.version = 2;
    put(job);
    take();
    EXPECT_TRUE(mirror_.works().at({11, 11}).protect);
    PodTemplate pods;
    pods.labels = {{"kueue.x-k8s.io/queue-name", "team"}};
    Work work = web({}, 2);
    work.pod = std::make_shared<const PodTemplate>(pods);
    put(work);
    take();
    EXPECT_TRUE(protects());
}

TEST_F(LeftAlone, replicas_that_somebody_declares) {
    const auto owner = [this] { return mirror_.works().at({10, 10}).scale_owner; };
    EXPECT_EQ(owner(), model::ScaleOwner::nobody);
    Work work = web({}, 2);
    work.replicas_applied = true;
    put(work);
    take();
    EXPECT_EQ(owner(), model::ScaleOwner::other);
    Autoscaler hpa;
    hpa.kind = Kind::hpa;
    hpa.meta = meta_named("h", 40);
    hpa.target_kind = OwnerKind::deployment;
    hpa.target = "web";
    put(hpa);
    take();
    EXPECT_EQ(owner(), model::ScaleOwner::hpa) << "whoever is known better is named";
}

}  // namespace
}  // namespace parley::kube
