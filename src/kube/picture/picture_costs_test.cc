// What the picture tells for scores: pods that were taken from their owners, and Jobs that we hold.

#include "kube/picture/picture.h"
#include "kube/picture/picture_kit_test.h"

namespace parley::kube {
namespace {

class PictureCosts : public testing::Test {
protected:
    PictureCosts() {
        list_nothing(picture_);
        take();
    }

    void put(const Object& object) { picture_.put(object, now_); }
    void remove(Kind kind, std::uint64_t number) { picture_.remove(kind, {number, number}); }
    void take() { mirror_.take(picture_.take(now_)); }
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

TEST_F(PictureCosts, a_pod_that_is_taken_from_its_owner_is_told_once) {
    put_web();
    take();
    Pod pod = make_pod("a", 100, OwnerKind::replica_set, 20, "n1", 2);
    pod.disrupted = true;
    put(pod);
    Pod first_seen = make_pod("b", 101, OwnerKind::replica_set, 20);
    first_seen.disrupted = true;
    put(first_seen);
    remove(Kind::pod, 100);
    take();
    ASSERT_EQ(mirror_.disrupted().size(), 1U) << "although it is gone; what was before us is not";
    EXPECT_EQ(mirror_.disrupted()[0].pod, pod.uid);
    take();
    EXPECT_EQ(mirror_.disrupted().size(), 1U);
}

TEST_F(PictureCosts, a_job_that_we_hold_says_how_many_pods_wait_for_it) {
    Work work = make_work(Kind::job, "report", 30, 0);
    work.suspended = 3;
    put(work);
    take();
    EXPECT_EQ(mirror_.works().at(work.meta.uid).held, 0) << "somebody else suspended it";
    work.meta.version = 2;
    work.meta.mark = model::Mark{.decision = {0, 1},
                                 .kind = model::ActionKind::admission,
                                 .changes = {{model::MarkedField::suspend, {}, 0, 1}}};
    put(work);
    take();
    EXPECT_EQ(mirror_.works().at(work.meta.uid).held, 3);
}

}  // namespace
}  // namespace parley::kube
