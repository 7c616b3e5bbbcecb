#include "kube/picture/picture_joins.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using model::ScaleOwner;

const Name kShop = Name::of("shop");

template <class T>
T object(const std::string& name, std::uint64_t number, std::uint64_t version = 1) {
    T out;
    out.meta.space = kShop;
    out.meta.name = name;
    out.meta.uid = {7, number};
    out.meta.version = version;
    return out;
}

Budget budget(std::uint64_t number, Selector selector, std::int32_t allowed) {
    Budget out = object<Budget>("b", number);
    out.selector = std::move(selector);
    out.allowed = allowed;
    return out;
}

Autoscaler scaler(Kind kind, std::uint64_t number, const std::string& target) {
    Autoscaler out = object<Autoscaler>("s", number);
    out.kind = kind;
    out.target_kind = OwnerKind::deployment;
    out.target = target;
    return out;
}

TEST(Joins, finds_the_budget_of_a_workload) {
    Joins joins;
    const Labels web = {{"app", "web"}};
    EXPECT_FALSE(joins.budget_of(kShop, web).any);
    joins.put(budget(1, {{"app", Operator::in, {"web"}}}, 2));
    joins.put(budget(2, {{"app", Operator::in, {"api"}}}, 5));
    Budget nobody = object<Budget>("b", 3);
    joins.put(nobody);
    EXPECT_TRUE(joins.budget_of(kShop, web).any);
    EXPECT_EQ(joins.budget_of(kShop, web).allowed, 2);
    EXPECT_FALSE(joins.budget_of(Name::of("ops"), web).any);
    joins.put(budget(4, {}, 9));
    EXPECT_EQ(joins.budget_of(kShop, web).allowed, 0) << "two: the API refuses every eviction";
    joins.remove(Kind::budget, {7, 4});
    EXPECT_EQ(joins.budget_of(kShop, web).allowed, 2);
}

TEST(Joins, finds_who_owns_the_scale) {
    Joins joins;
    const auto owner = [&] { return joins.scale_owner_of(kShop, OwnerKind::deployment, "web"); };
    EXPECT_EQ(owner(), ScaleOwner::nobody);
    joins.put(scaler(Kind::hpa, 1, "web"));
    EXPECT_EQ(owner(), ScaleOwner::hpa);
    EXPECT_EQ(joins.scale_owner_of(kShop, OwnerKind::stateful_set, "web"), ScaleOwner::nobody);
    EXPECT_EQ(joins.scale_owner_of(kShop, OwnerKind::deployment, "api"), ScaleOwner::nobody);
    EXPECT_EQ(joins.scale_owner_of(Name::of("ops"), OwnerKind::deployment, "web"),
              ScaleOwner::nobody);
    Autoscaler idle = scaler(Kind::vpa, 2, "web");
    idle.acts = false;
    joins.put(idle);
    EXPECT_EQ(owner(), ScaleOwner::hpa);
    for (const Kind kind : {Kind::vpa, Kind::mpa, Kind::scaled_object}) {
        joins.put(scaler(kind, 3, "web"));
        EXPECT_EQ(owner(), ScaleOwner::other);
        joins.remove(kind, {7, 3});
        EXPECT_EQ(owner(), ScaleOwner::hpa);
    }
    Autoscaler driven = scaler(Kind::hpa, 4, "web");
    driven.meta.owner.kind = OwnerKind::scaled_object;
    joins.put(driven);
    EXPECT_EQ(owner(), ScaleOwner::other);
}

TEST(Joins, finds_priorities) {
    Joins joins;
    PodTemplate pod;
    EXPECT_EQ(joins.priority_of(pod), 0);
    PriorityClass usual = object<PriorityClass>("usual", 1);
    usual.value = 5;
    usual.by_default = true;
    joins.put(usual);
    EXPECT_TRUE(joins.take_all_dirty());
    EXPECT_FALSE(joins.take_all_dirty());
    EXPECT_EQ(joins.priority_of(pod), 5);
    PriorityClass high = object<PriorityClass>("high", 2);
    high.value = 100;
    joins.put(high);
    pod.priority_class = "high";
    EXPECT_EQ(joins.priority_of(pod), 100);
    pod.priority_class = "gone";
    EXPECT_EQ(joins.priority_of(pod), 0);
    pod.priority = 42;
    EXPECT_EQ(joins.priority_of(pod), 42);
}

TEST(Joins, knows_volumes) {
    Joins joins;
    Claim claim = object<Claim>("data", 1);
    claim.one_node = true;
    claim.phase = ClaimPhase::pending;
    joins.put(claim);
    EXPECT_TRUE(joins.one_node_volume(kShop, {"other", "data"}));
    EXPECT_FALSE(joins.one_node_volume(kShop, {"other"}));
    EXPECT_FALSE(joins.one_node_volume(Name::of("ops"), {"data"}));
    EXPECT_FALSE(joins.volume_trouble(kShop, {}, true));
    EXPECT_FALSE(joins.volume_trouble(kShop, {"data"}, false));
    EXPECT_TRUE(joins.volume_trouble(kShop, {"data"}, true));
    EXPECT_TRUE(joins.volume_trouble(kShop, {"missing"}, false));
    joins.set_claims_readable(false);
    EXPECT_FALSE(joins.volume_trouble(kShop, {"missing"}, false));
    claim.phase = ClaimPhase::lost;
    claim.meta.version = 2;
    joins.put(claim);
    EXPECT_TRUE(joins.volume_trouble(kShop, {"data"}, false));
    claim.phase = ClaimPhase::bound;
    claim.meta.version = 3;
    joins.put(claim);
    EXPECT_FALSE(joins.volume_trouble(kShop, {"data"}, true));
}

TEST(Joins, says_whose_workloads_to_look_at_again) {
    Joins joins;
    joins.put(budget(1, {}, 2));
    EXPECT_EQ(joins.take_dirty(), std::set<Name>{kShop});
    joins.put(budget(1, {}, 3));
    EXPECT_TRUE(joins.take_dirty().empty()) << "the same version is old news";
    joins.begin_list(Kind::budget);
    EXPECT_EQ(joins.end_list(Kind::budget), 1U);
    EXPECT_EQ(joins.take_dirty(), std::set<Name>{kShop});
    EXPECT_FALSE(joins.budget_of(kShop, {}).any);
}

TEST(Joins, keeps_its_kinds_and_no_others) {
    for (const KindFacts& facts : all_kinds()) {
        const bool expected = facts.kind == Kind::claim || facts.kind == Kind::budget ||
                              facts.kind == Kind::priority_class || facts.kind == Kind::hpa ||
                              facts.kind == Kind::vpa || facts.kind == Kind::mpa ||
                              facts.kind == Kind::scaled_object || facts.kind == Kind::volume;
        EXPECT_EQ(Joins::keeps(facts.kind), expected) << facts.plural;
    }
}

}  // namespace
}  // namespace parley::kube
