#include "kube/picture/picture_joins.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

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

std::string owners_of(const Joins& joins, Name space = kShop,
                      OwnerKind kind = OwnerKind::deployment, std::string_view name = "web") {
    const ScaledBy owners = joins.scaled_by(space, kind, name);
    return std::string(enum_name(owners.replicas)) + " " + std::string(enum_name(owners.sizes));
}

TEST(Joins, finds_who_owns_the_replicas_and_who_the_sizes) {
    const Autoscaler hpa = scaler(Kind::hpa, 1, "web");
    const Autoscaler keda = scaler(Kind::scaled_object, 2, "web");
    const Autoscaler vpa = scaler(Kind::vpa, 3, "web");
    const Autoscaler mpa = scaler(Kind::mpa, 4, "web");
    Autoscaler driven = scaler(Kind::hpa, 5, "web");  // KEDA makes one of its own.
    driven.meta.owner.kind = OwnerKind::scaled_object;
    Autoscaler idle_vpa = scaler(Kind::vpa, 6, "web");
    idle_vpa.acts = false;
    Autoscaler idle_mpa = scaler(Kind::mpa, 7, "web");
    idle_mpa.acts = false;
    struct Case {
        const char* name;
        std::vector<Autoscaler> scalers;
        std::string expected;  ///< Of the replicas, then of the sizes.
    };
    const Case cases[] = {
        {"none", {}, "nobody nobody"},
        {"hpa", {hpa}, "hpa nobody"},
        {"keda", {keda}, "other nobody"},
        {"keda_with_its_hpa", {keda, driven}, "other nobody"},
        {"an_hpa_that_something_drives", {driven}, "other nobody"},
        {"hpa_and_keda", {hpa, keda}, "other nobody"},
        {"vpa", {vpa}, "nobody vpa"},
        {"vpa_off", {idle_vpa}, "nobody nobody"},
        {"two_vpas_of_which_one_is_off", {idle_vpa, vpa}, "nobody vpa"},
        {"hpa_and_vpa", {hpa, vpa}, "hpa vpa"},
        {"hpa_and_vpa_off", {hpa, idle_vpa}, "hpa nobody"},
        {"keda_and_vpa", {keda, driven, vpa}, "other vpa"},
        {"mpa", {mpa}, "parley parley"},
        {"mpa_off", {idle_mpa}, "nobody nobody"},
        {"mpa_and_hpa", {mpa, hpa}, "hpa parley"},
        {"mpa_and_keda", {mpa, keda, driven}, "other parley"},
        {"mpa_and_vpa", {mpa, vpa}, "parley vpa"},
        {"mpa_and_vpa_off", {mpa, idle_vpa}, "parley parley"},
        {"mpa_off_and_vpa", {idle_mpa, vpa}, "nobody vpa"},
        {"mpa_hpa_and_vpa", {mpa, hpa, vpa}, "hpa vpa"},
        {"all", {hpa, keda, vpa, mpa, driven, idle_vpa, idle_mpa}, "other vpa"},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        Joins there;
        Joins back;
        for (const Autoscaler& each : c.scalers) there.put(each);
        for (auto each = c.scalers.rbegin(); each != c.scalers.rend(); ++each) back.put(*each);
        EXPECT_EQ(owners_of(there), c.expected);
        EXPECT_EQ(owners_of(back), c.expected) << "in whatever order they came";
    }
}

TEST(Joins, finds_owners_of_that_workload_alone_and_while_they_are_there) {
    Joins joins;
    for (const Kind kind : {Kind::hpa, Kind::vpa}) joins.put(scaler(kind, 1, "web"));
    EXPECT_EQ(owners_of(joins), "hpa vpa");
    EXPECT_EQ(owners_of(joins, kShop, OwnerKind::stateful_set), "nobody nobody");
    EXPECT_EQ(owners_of(joins, kShop, OwnerKind::deployment, "api"), "nobody nobody");
    EXPECT_EQ(owners_of(joins, Name::of("ops")), "nobody nobody");
    joins.remove(Kind::vpa, {7, 1});
    EXPECT_EQ(owners_of(joins), "hpa nobody");
    Autoscaler vpa = scaler(Kind::vpa, 2, "web");
    joins.put(vpa);
    EXPECT_EQ(owners_of(joins), "hpa vpa");
    vpa.acts = false;
    vpa.meta.version = 2;
    joins.put(vpa);
    EXPECT_EQ(owners_of(joins), "hpa nobody") << "it was switched off";
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

TEST(Joins, knows_which_namespaces_are_to_be_left_alone) {
    const TimePoint now{1'000};
    Joins joins;
    Space shop = object<Space>("shop", 1);
    shop.meta.space = {};
    joins.put(shop);
    EXPECT_EQ(joins.take_dirty(), std::set<Name>{kShop}) << "by its own name";
    EXPECT_TRUE(joins.left_alone(now).empty());
    shop.meta.version = 2;
    shop.meta.opt_outs.opted_out = true;
    joins.put(shop);
    EXPECT_EQ(joins.left_alone(now), std::set<Name>{kShop});
    shop.meta.version = 3;
    shop.meta.opt_outs = {.paused_until = now + microseconds(1)};
    joins.put(shop);
    EXPECT_EQ(joins.left_alone(now), std::set<Name>{kShop});
    EXPECT_TRUE(joins.left_alone(now + microseconds(1)).empty());
    joins.take_dirty();
    joins.remove(Kind::space, shop.meta.uid);
    EXPECT_EQ(joins.take_dirty(), std::set<Name>{kShop});
    EXPECT_TRUE(joins.left_alone(now).empty());
}

TEST(Joins, keeps_its_kinds_and_no_others) {
    for (const KindFacts& facts : all_kinds()) {
        const bool expected = facts.kind == Kind::claim || facts.kind == Kind::budget ||
                              facts.kind == Kind::priority_class || facts.kind == Kind::hpa ||
                              facts.kind == Kind::vpa || facts.kind == Kind::mpa ||
                              facts.kind == Kind::scaled_object || facts.kind == Kind::volume ||
                              facts.kind == Kind::space;
        EXPECT_EQ(Joins::keeps(facts.kind), expected) << facts.plural;
    }
}

}  // namespace
}  // namespace parley::kube
