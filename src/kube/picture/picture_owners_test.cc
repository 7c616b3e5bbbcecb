#include "kube/picture/picture_owners.h"

#include "kube/picture/picture_kit_test.h"

namespace parley::kube {
namespace {

std::string owner(Owners& owners, const Pod& pod) {
    const auto uid = owners.owner_of(pod);
    if (!uid) return "unknown";
    return owners.find(*uid)->id.text() + " " + std::to_string(uid->low);
}

TEST(Owners, follow_the_chain) {
    Owners owners;
    owners.put(make_work(Kind::deployment, "web", 10, 1));
    owners.put(make_work(Kind::stateful_set, "db", 11, 1));
    owners.put(make_work(Kind::daemon_set, "log", 12, 1));
    owners.put(make_work(Kind::job, "report", 13, 1));
    owners.put(make_set("web-1", 20, OwnerKind::deployment, 10));
    owners.put(make_set("alone", 21, OwnerKind::none, 0));
    owners.put(make_set("canary-1", 22, OwnerKind::other, 78, "canary"));
    owners.put(make_set("lost-1", 23, OwnerKind::deployment, 19));
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::replica_set, 20)), "shop/web 10");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::stateful_set, 11)),
              "shop/stateful_set/db 11");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::daemon_set, 12)), "shop/daemon_set/log 12");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::job, 13)), "shop/job/report 13");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::replica_set, 21)), "shop/bare/alone 21");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::replica_set, 22)), "shop/bare/canary 78");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::other, 77)), "shop/bare/spark-77 77");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::none, 0)), "shop/bare/p-a 1");
    EXPECT_EQ(owner(owners, make_pod("a", 2, OwnerKind::node, 5)), "shop/bare/p-a 2");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::replica_set, 23)), "unknown");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::replica_set, 99)), "unknown");
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::job, 99)), "unknown");
}

TEST(Owners, a_workload_that_went_owns_nothing_new) {
    Owners owners;
    owners.put(make_work(Kind::job, "report", 13, 1));
    owners.remove(Kind::job, {13, 13});
    EXPECT_EQ(owner(owners, make_pod("a", 1, OwnerKind::job, 13)), "unknown");
    EXPECT_EQ(owners.find({13, 13})->work.wanted, 0);
}

TEST(Owners, say_who_changed_hands) {
    Owners owners;
    owners.put(make_set("web-1", 20, OwnerKind::deployment, 10));
    EXPECT_TRUE(owners.take_changed().contains({20, 20}));
    Work again = make_set("web-1", 20, OwnerKind::deployment, 10);
    again.meta.version = 2;
    owners.put(again);
    EXPECT_TRUE(owners.take_changed().empty());
    again = make_set("web-1", 20, OwnerKind::none, 0);
    again.meta.version = 3;
    owners.put(again);
    EXPECT_TRUE(owners.take_changed().contains({20, 20}));
}

TEST(Owners, count_their_pods_and_name_those_of_a_bare_one) {
    Owners owners;
    owners.put(make_work(Kind::job, "report", 13, 1));
    owners.join({13, 13}, {1, 1});
    const auto bare = owners.owner_of(make_pod("a", 2, OwnerKind::other, 77));
    ASSERT_TRUE(bare);
    owners.join(*bare, {2, 2});
    owners.take_dirty();
    EXPECT_EQ(owners.find({13, 13})->pods, 1);
    EXPECT_TRUE(owners.find({13, 13})->members.empty());
    EXPECT_EQ(owners.find(*bare)->members.size(), 1U);
}

TEST(Owners, a_stand_in_is_named_as_its_pods_begin) {
    Owners owners;
    const model::Uid uid = owners.stand_in_for(make_pod("a", 1, OwnerKind::replica_set, 20));
    EXPECT_EQ(uid, (model::Uid{20, 20}));
    EXPECT_EQ(owners.find(uid)->id.text(), "shop/bare/p");
}

TEST(Owners, find_the_template_of_a_pod) {
    Owners owners;
    owners.put(make_set("alone", 21, OwnerKind::none, 0));
    EXPECT_NE(owners.template_of(make_pod("a", 1, OwnerKind::replica_set, 21)), nullptr);
    EXPECT_NE(owners.template_of(make_pod("a", 1, OwnerKind::none, 0)), nullptr);
    EXPECT_EQ(owners.template_of(make_pod("a", 1, OwnerKind::replica_set, 99)), nullptr);
}

TEST(Owners, a_list_leaves_out_what_went) {
    Owners owners;
    owners.put(make_work(Kind::job, "a", 1, 1));
    owners.put(make_work(Kind::job, "b", 2, 1));
    owners.put(make_work(Kind::deployment, "c", 3, 1));
    owners.begin_list(Kind::job);
    owners.put(make_work(Kind::job, "b", 2, 1));
    EXPECT_EQ(owners.end_list(Kind::job), 1U);
    EXPECT_FALSE(owners.find({1, 1})->exists);
    EXPECT_TRUE(owners.find({2, 2})->exists);
    EXPECT_TRUE(owners.find({3, 3})->exists);
}

}  // namespace
}  // namespace parley::kube
