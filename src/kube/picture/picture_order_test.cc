// The order in which objects of different kinds arrive must not matter, nor whether they come by a
// list or a watch, twice, or behind a newer version.

#include "base/random.h"
#include "kube/picture/picture.h"
#include "kube/picture/picture_kit_test.h"

#include <algorithm>

namespace parley::kube {
namespace {

template <class T>
void shuffle_by(std::vector<T>& items, std::uint64_t seed, std::uint64_t stream) {
    for (std::size_t i = items.size(); i > 1; --i) {
        std::swap(items[i - 1], items[draw(seed, Stream::noise, stream, i) % i]);
    }
}

Lease make_lease(const std::string& node, std::uint64_t number) {
    Lease lease;
    lease.meta = meta_named(node, number);
    lease.renewed = at_s(7);
    return lease;
}

Pod waiting_pod(const std::string& tail, std::uint64_t number, std::int64_t cpu_m,
                const char* claim = nullptr) {
    Pod pod = make_pod(tail, number, OwnerKind::replica_set, 20, "");
    PodTemplate what = *pod.pod;
    what.request.cpu_m = cpu_m;
    what.apart = {{.selector = Selector{{"app", Operator::in, {"db"}}},
                   .topology = "kubernetes.io/hostname"}};
    if (claim != nullptr) what.claims = {claim};
    pod.pod = std::make_shared<const PodTemplate>(what);
    return pod;
}

std::vector<Object> joined_objects() {
    std::vector<Object> out;
    Budget budget;
    budget.meta = meta_named("b", 60);
    budget.selector = Selector{{"app", Operator::in, {"db"}}};
    budget.allowed = 1;
    out.emplace_back(budget);
    budget.meta = meta_named("c", 61);
    budget.selector = Selector{{"app", Operator::exists, {}}};
    out.emplace_back(budget);
    for (const Kind kind : {Kind::hpa, Kind::vpa}) {
        Autoscaler scaler;
        scaler.kind = kind;
        scaler.meta = meta_named("s", 62 + static_cast<std::uint64_t>(kind));
        scaler.target_kind = OwnerKind::deployment;
        scaler.target = kind == Kind::hpa ? "web" : "api";
        out.emplace_back(scaler);
    }
    PriorityClass usual;
    usual.meta = meta_named("usual", 90);
    usual.value = 9;
    usual.by_default = true;
    out.emplace_back(usual);
    Claim claim;
    claim.meta = meta_named("data", 91);
    claim.one_node = true;
    claim.phase = ClaimPhase::lost;
    out.emplace_back(claim);
    NodeClaim leaving;
    leaving.meta = meta_named("c", 92);
    leaving.meta.deleted = at_s(1);
    leaving.node = "n2";
    out.emplace_back(leaving);
    return out;
}

/// A small cluster with something of everything.
std::vector<Object> cluster_objects() {
    std::vector<Object> out = joined_objects();
    for (std::uint64_t n = 1; n <= 3; ++n) {
        Node node = make_node("n" + std::to_string(n), n);
        node.unschedulable = n == 3;
        out.emplace_back(node);
        out.emplace_back(make_lease("n" + std::to_string(n), 50 + n));
    }
    out.emplace_back(make_work(Kind::deployment, "web", 10, 3));
    out.emplace_back(make_work(Kind::deployment, "api", 11, 1));
    out.emplace_back(make_work(Kind::stateful_set, "db", 12, 3));
    out.emplace_back(make_work(Kind::daemon_set, "log", 13, 2));
    out.emplace_back(make_work(Kind::job, "report", 14, 1));
    out.emplace_back(make_set("web-1", 20, OwnerKind::deployment, 10));
    out.emplace_back(make_set("web-2", 21, OwnerKind::deployment, 10));
    out.emplace_back(make_set("alone", 22, OwnerKind::none, 0));
    out.emplace_back(make_set("roll-1", 23, OwnerKind::other, 78, "roll"));
    out.emplace_back(make_set("roll-2", 24, OwnerKind::other, 78, "roll"));
    std::uint64_t pod = 100;
    for (const std::uint64_t set : {20U, 21U, 22U, 23U, 24U, 20U}) {
        out.emplace_back(make_pod(std::to_string(pod), pod, OwnerKind::replica_set, set, "n1"));
        ++pod;
    }
    out.emplace_back(make_pod("db-0", 110, OwnerKind::stateful_set, 12, "n2"));
    out.emplace_back(make_pod("log-0", 111, OwnerKind::daemon_set, 13, "n1"));
    out.emplace_back(make_pod("job-0", 112, OwnerKind::job, 14, "n9"));  // A node nobody knows.
    out.emplace_back(make_pod("bare", 113, OwnerKind::none, 0, "n2"));
    out.emplace_back(make_pod("spark-1", 114, OwnerKind::other, 77, "n1"));
    Pod larger = make_pod("spark-2", 115, OwnerKind::other, 77, "n2");
    PodTemplate what = *larger.pod;
    what.request.cpu_m = larger.request.cpu_m = 200;
    larger.pod = std::make_shared<const PodTemplate>(what);
    out.emplace_back(larger);
    out.emplace_back(make_pod("lost", 116, OwnerKind::replica_set, 29, "n1"));  // No such set.
    out.emplace_back(waiting_pod("w1", 120, 3900));
    out.emplace_back(waiting_pod("w2", 121, 100));
    out.emplace_back(waiting_pod("w3", 122, 3000, "data"));
    return out;
}

/// The same object as it was before.
Object older(const Object& object) {
    Object old = object;
    if (auto* pod = std::get_if<Pod>(&old)) {
        pod->node = Name::of("n3");
        pod->request = {1, 1};
    } else if (auto* node = std::get_if<Node>(&old)) {
        node->allocatable = {1, 1};
    } else if (auto* work = std::get_if<Work>(&old)) {
        work->wanted += 7;
    } else if (auto* budget = std::get_if<Budget>(&old)) {
        budget->selector.reset();
    }
    return old;
}

Object newer(Object object) {
    std::visit(
        [](auto& each) {
            if constexpr (requires { each.meta; }) {
                each.meta.version = 2;
            } else {
                each.version = 2;
            }
        },
        object);
    return object;
}

std::string settled(Picture& picture, Mirror& mirror) {
    mirror.take(picture.take(at_s(1000)));
    mirror.take(picture.take(at_s(1010)));
    return mirror.everything();
}

std::string by_lists(std::uint64_t seed) {
    std::vector<Object> objects = cluster_objects();
    for (Object& object : objects) object = newer(object);
    shuffle_by(objects, seed, 1);
    std::vector<KindFacts> kinds(all_kinds().begin(), all_kinds().end());
    shuffle_by(kinds, seed, 2);
    Picture picture;
    Mirror mirror;
    for (const KindFacts& facts : kinds) {
        picture.begin_list(facts.kind);
        Picture alone;  // To find the objects of this kind: those that its list counts.
        for (const Object& object : objects) {
            alone.begin_list(facts.kind);
            alone.put(object, at_s(900));
            if (alone.end_list(facts.kind).named == 1) picture.put(object, at_s(900));
        }
        picture.end_list(facts.kind);
    }
    return settled(picture, mirror);
}

std::string by_events(std::uint64_t seed) {
    std::vector<Object> events;
    for (const Object& object : cluster_objects()) {
        events.push_back(older(object));
        events.push_back(newer(object));
        events.push_back(newer(object));
    }
    shuffle_by(events, seed, 1);
    Picture picture;
    Mirror mirror;
    list_nothing(picture);
    mirror.take(picture.take(at_s(900)));
    std::size_t at = 0;
    for (const Object& event : events) {
        picture.put(event, at_s(900));
        if (draw(seed, Stream::noise, 3, at++) % 4 == 0) mirror.take(picture.take(at_s(900)));
    }
    return settled(picture, mirror);
}

TEST(Order, of_lists_does_not_matter) {
    const std::string expected = by_lists(0);
    EXPECT_NE(expected.find("pod 00000000-0000-0074"), std::string::npos) << expected;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) ASSERT_EQ(by_lists(seed), expected) << seed;
}

TEST(Order, of_events_does_not_matter) {
    const std::string expected = by_lists(0);
    for (std::uint64_t seed = 1; seed <= 300; ++seed) ASSERT_EQ(by_events(seed), expected) << seed;
}

}  // namespace
}  // namespace parley::kube
