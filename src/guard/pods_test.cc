#include "guard/pods.h"

#include "fake/small_round.h"

#include <gtest/gtest.h>

#include <utility>

namespace parley::guard {
namespace {

using namespace model;
using fake::SmallRound;
using fake::workload_id;

std::string tenants(const SmallRound& round, int node) {
    std::string out;
    for (const Tenant& t : tenants_of(round.input.snapshot, SmallRound::slot(node))) {
        out += name_of(t) + " " + std::to_string(t.ready) + "/" + std::to_string(t.pods) + "; ";
    }
    return out;
}

TEST(Tenants, are_grouped_by_workload_and_ordered_by_name) {
    SmallRound round;
    round.run(round.add_workload(workload_id("shop", "api"), 1), 1);
    round.run(round.add_workload(workload_id("shop", "zoo"), 1), 2);
    EXPECT_EQ(tenants(round, 1), "shop/api 1/1; shop/web 2/2; ");
    EXPECT_EQ(tenants(round, 2), "shop/web 1/1; shop/zoo 1/1; ");
    EXPECT_EQ(tenants(round, 9), "");
}

TEST(Tenants, are_pods_that_still_run_or_will) {
    SmallRound round;
    const auto with = [&](auto spoil) {
        SmallRound copy = round;
        spoil(copy.pod(0));
        return tenants(copy, 1);
    };
    const std::string one = "shop/web 1/1; ";
    EXPECT_EQ(with([](PodRow& p) { p.phase = PodPhase::succeeded; }), one);
    EXPECT_EQ(with([](PodRow& p) { p.phase = PodPhase::failed; }), one);
    EXPECT_EQ(with([](PodRow& p) { p.terminating = true; }), one);
    EXPECT_EQ(with([](PodRow& p) { p.node = kNoSlot; }), one);
    EXPECT_EQ(with([](PodRow& p) { p.ready = false; }), "shop/web 1/2; ");
    EXPECT_EQ(with([](PodRow& p) { p.phase = PodPhase::pending; }), "shop/web 2/2; ");
    EXPECT_EQ(with([](PodRow& p) { p.phase = PodPhase::unknown; }), "shop/web 2/2; ");
    EXPECT_EQ(with([](PodRow& p) { p.workload = 77; }), "an unknown workload 1/1; shop/web 1/1; ");
    round.workload(round.web).id.kind = WorkloadKind::daemon_set;
    EXPECT_EQ(tenants(round, 1), "");
}

TEST(Tenants, count_what_cannot_move_and_the_largest_request) {
    SmallRound round;
    round.pod(1).evictable = false;
    round.pod(1).cpu_request_m = 700;
    round.pod(0).memory_request = 1 << 30;
    const Tenant tenant = tenants_of(round.input.snapshot, 0).at(0);
    EXPECT_EQ(tenant.unmovable, 1);
    EXPECT_EQ(tenant.cpu_request_m, 700);
    EXPECT_EQ(tenant.memory_request, 1 << 30);
    EXPECT_EQ(tenant.workload, round.web);
    for (const Slot pod : {0U, 1U}) {
        round.pod(pod).cpu_request_m = 0;
        round.pod(pod).memory_request = 0;
    }
    const Tenant modest = tenants_of(round.input.snapshot, 0).at(0);
    EXPECT_EQ(modest.cpu_request_m, 0);
    EXPECT_EQ(modest.memory_request, 0);
}

TEST(Tenants, have_their_pods_by_name_and_those_of_one_name_by_uid) {
    SmallRound round;
    const auto order = [&](const char* first, Uid first_uid, const char* second, Uid second_uid) {
        round.pod(0).name = PodName::of(first, "");
        round.pod(0).uid = first_uid;
        round.pod(1).name = PodName::of(second, "");
        round.pod(1).uid = second_uid;
        return tenants_of(round.input.snapshot, 0).at(0).rows.at(0)->uid;
    };
    EXPECT_EQ(order("a", {1, 1}, "b", {1, 2}), (Uid{1, 1}));
    EXPECT_EQ(order("b", {1, 1}, "a", {1, 2}), (Uid{1, 2}));
    EXPECT_EQ(order("a", {1, 2}, "a", {1, 1}), (Uid{1, 1}));
}

std::string homeless_one(std::vector<Need> needs, std::vector<Room> all) {
    const Need* left = homeless(Snapshot(), needs, std::move(all));
    return left == nullptr ? "" : left->whose;
}

TEST(Homeless, places_the_largest_first_wherever_it_fits) {
    const Room small{.cpu_m = 100, .memory = 100, .pods = 9};
    EXPECT_EQ(homeless_one({}, {}), "");
    EXPECT_EQ(homeless_one({{1, 1, "a"}}, {}), "a");
    EXPECT_EQ(homeless_one({{100, 100, "a"}}, {small}), "");
    EXPECT_EQ(homeless_one({{101, 100, "a"}}, {small}), "a");
    EXPECT_EQ(homeless_one({{100, 101, "a"}}, {small}), "a");
    EXPECT_EQ(homeless_one({{50, 50, "a"}, {50, 50, "b"}}, {small}), "");
    EXPECT_EQ(homeless_one({{50, 51, "a"}, {50, 50, "b"}}, {small}), "b");
    EXPECT_EQ(homeless_one({{51, 50, "a"}, {50, 50, "b"}}, {small}), "b");
    EXPECT_EQ(homeless_one({{51, 50, "b"}, {50, 50, "a"}}, {small}), "a");
    // CPU counts before memory.
    EXPECT_EQ(homeless_one({{60, 10, "a"}, {50, 90, "b"}}, {small}), "b");
    // Taken in the order given, 40 and 40 would leave no room for 100.
    const Room large{.cpu_m = 120, .memory = 999, .pods = 9};
    EXPECT_EQ(homeless_one({{40, 1, "a"}, {40, 1, "b"}, {100, 1, "c"}}, {large, small}), "");
}

TEST(Homeless, minds_how_many_pods_a_node_takes) {
    const Need need{1, 1, "a"};
    EXPECT_EQ(homeless_one({need}, {{.cpu_m = 9, .memory = 9, .pods = 1}}), "");
    EXPECT_EQ(homeless_one({need}, {{.cpu_m = 9, .memory = 9, .pods = 0}}), "a");
    EXPECT_EQ(homeless_one({need, need}, {{.cpu_m = 9, .memory = 9, .pods = 1}}), "a");
    EXPECT_EQ(homeless_one({need, need}, {{.cpu_m = 9, .memory = 9, .pods = 2}}), "");
}

TEST(Homeless, names_the_same_one_whatever_the_order) {
    const Room room{.cpu_m = 5, .memory = 5, .pods = 1};
    EXPECT_EQ(homeless_one({{5, 5, "a"}, {5, 5, "b"}}, {room}), "b");
    EXPECT_EQ(homeless_one({{5, 5, "b"}, {5, 5, "a"}}, {room}), "b");
    EXPECT_EQ(homeless_one({{5, 4, "a"}, {5, 5, "b"}}, {room}), "a");
    const Need first{.cpu_m = 5, .memory = 5, .whose = "a", .pod = "y"};
    const Need second{.cpu_m = 5, .memory = 5, .whose = "a", .pod = "z"};
    const Need other{.cpu_m = 5, .memory = 5, .whose = "b", .pod = "x"};
    for (std::vector<Need> needs : {std::vector{first, second}, std::vector{second, first}}) {
        EXPECT_EQ(homeless(Snapshot(), needs, {room})->pod, "z");
    }
    EXPECT_EQ(homeless_one({first, other}, {room}), "b");
}

std::vector<Room> rooms_of(const SmallRound& round, int leaving = 1) {
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    return rooms(facts, SmallRound::slot(leaving), {{.cpu_m = 1, .memory = 1, .whose = "a"}});
}

TEST(Rooms, are_on_nodes_that_a_scheduler_would_use) {
    const auto count = [](auto spoil) {
        SmallRound round;
        spoil(round.node(2));
        return rooms_of(round).size();
    };
    EXPECT_EQ(count([](NodeRow&) {}), 11U);
    EXPECT_EQ(count([](NodeRow& n) { n.ready = Readiness::no; }), 10U);
    EXPECT_EQ(count([](NodeRow& n) { n.ready = Readiness::unknown; }), 10U);
    EXPECT_EQ(count([](NodeRow& n) { n.power = Power::booting; }), 10U);
    EXPECT_EQ(count([](NodeRow& n) { n.maintenance = true; }), 10U);
    EXPECT_EQ(count([](NodeRow& n) { n.cordoned = true; }), 10U);
    EXPECT_EQ(count([](NodeRow& n) { n.quarantined = true; }), 10U);
    EXPECT_EQ(count([](NodeRow& n) { n.avoided = true; }), 10U);
    EXPECT_EQ(count([](NodeRow& n) { n.foreign_taint = true; }), 10U);
    EXPECT_EQ(count([](NodeRow& n) { n.role = NodeRole::control_plane; }), 10U);
    SmallRound risky;
    risky.risk(2).risk = 0.9;
    EXPECT_EQ(rooms_of(risky).size(), 10U);
}

TEST(Rooms, keep_a_tenth_free) {
    SmallRound round;
    round.node(2).cpu_requested_m = 4'000;
    round.node(2).memory_requested = 1 << 30;
    round.node(2).memory_allocatable = std::int64_t{10} << 30;
    round.node(2).pods = 100;
    const auto all = rooms_of(round);
    EXPECT_EQ(all.back().node, fake::node_id(2).name);  // It has the least CPU to give.
    EXPECT_EQ(all.back().cpu_m, 5'000);
    EXPECT_EQ(all.back().memory, std::int64_t{8} << 30);
    EXPECT_EQ(all.back().pods, 10);
}

TEST(Rooms, come_with_most_cpu_first_then_memory_then_by_name) {
    SmallRound round;
    for (int i = 1; i <= 12; ++i) round.node(i).cpu_requested_m = 1'000;
    round.node(9).cpu_requested_m = 500;
    round.node(3).cpu_requested_m = 600;
    std::string names;
    for (const Room& room : rooms_of(round)) names += room.node.str().substr(5) + " ";
    // node-02 and node-03 hold a pod each, so that they have less memory.
    EXPECT_EQ(names, "09 03 04 05 06 07 08 10 11 12 02 ");
    std::swap(round.node(4).id, round.node(12).id);
    EXPECT_EQ(rooms_of(round).at(2).node, fake::node_id(4).name);
    EXPECT_EQ(rooms_of(round).at(2).slot, SmallRound::slot(12));
}

TEST(Rooms, are_512_at_most) {
    const SmallRound large(514);
    EXPECT_EQ(rooms_of(large).size(), 512U);
    const SmallRound fitting(513);
    EXPECT_EQ(rooms_of(fitting).size(), 512U);
    const SmallRound small(512);
    EXPECT_EQ(rooms_of(small).size(), 511U);
}

/// Slots of nodes by number.
Places places_at(std::initializer_list<int> nodes) {
    Places places{{0}};
    for (const int node : nodes) places.nodes[0] |= std::uint64_t{1} << SmallRound::slot(node);
    return places;
}

TEST(Rooms, of_pods_that_may_not_be_everywhere_are_kept_beside_the_largest) {
    SmallRound large(600);
    large.node(600).cpu_requested_m = 9'000;  // The last of all by CPU.
    Places last{{}};
    last.nodes.resize(10);
    last.nodes[SmallRound::slot(600) / 64] |= std::uint64_t{1} << (SmallRound::slot(600) % 64);
    large.input.snapshot.places = {last};
    const Facts facts(large.input, large.forecast, large.memory, large.policy);
    const Need anywhere{.cpu_m = 1, .memory = 1, .whose = "a"};
    const Need there{.cpu_m = 1, .memory = 1, .whose = "b", .places = 1};
    EXPECT_EQ(rooms(facts, SmallRound::slot(1), {anywhere, there}).size(), 513U);
    EXPECT_EQ(rooms(facts, SmallRound::slot(1), {there}).size(), 1U);
}

struct PlacesCase {
    const char* name;
    std::vector<Places> places;
    void (*spoil)(SmallRound&);
    std::vector<Need> needs;
    std::string says;
};

TEST(NowhereToGo, asks_for_a_node_that_each_pod_may_be_on) {
    const Need web{.cpu_m = 500, .memory = 1, .whose = "shop/web", .pod = "web-1"};
    Need gpu{.cpu_m = 500, .memory = 1, .whose = "ml/train", .places = 1, .pod = "train-1"};
    Need big = gpu;
    big.cpu_m = 8'100;
    big.pod = "train-0";
    const std::string none =
        "train-1 of ml/train may run on no other node that takes pods, by its selector, affinity, "
        "taints, spread or volumes";
    const PlacesCase cases[] = {
        {"anywhere", {}, [](SmallRound&) {}, {web}, ""},
        {"only_here", {places_at({1})}, [](SmallRound&) {}, {gpu}, none},
        {"nowhere", {places_at({})}, [](SmallRound&) {}, {gpu}, none},
        {"one_other", {places_at({1, 2})}, [](SmallRound&) {}, {gpu}, ""},
        {"that_one_is_cordoned",
         {places_at({1, 2})},
         [](SmallRound& r) { r.node(2).cordoned = true; },
         {gpu},
         none},
        {"that_one_is_full",
         {places_at({1, 2})},
         [](SmallRound& r) { r.node(2).cpu_requested_m = 8'501; },
         {gpu},
         "train-1 of ml/train (500m CPU, 1) fits not on the one other node that it may run on "
         "with 10% to spare"},
        {"just_room",
         {places_at({1, 2})},
         [](SmallRound& r) { r.node(2).cpu_requested_m = 8'500; },
         {gpu},
         ""},
        {"room_for_one_of_two",
         {places_at({1, 2, 3})},
         [](SmallRound& r) { r.node(3).cpu_requested_m = 9'000; },
         {gpu, big, web},
         "train-1 of ml/train (500m CPU, 1) fits on none of the 2 other nodes that it may run on "
         "with 10% to spare"},
        {"a_taint_that_it_bears",
         {places_at({1, 2})},
         [](SmallRound& r) { r.node(2).foreign_taint = true; },
         {gpu},
         ""},
        {"not_known",
         {Places{}},
         [](SmallRound&) {},
         {gpu},
         "where train-1 of ml/train may run is not known: what keeps it off nodes cannot all be "
         "read"},
        {"not_told",
         {},
         [](SmallRound&) {},
         {gpu},
         "where train-1 of ml/train may run is not known: what keeps it off nodes cannot all be "
         "read"},
        {"nobody_takes_pods",
         {},
         [](SmallRound& r) {
             for (int i = 1; i <= 12; ++i) r.node(i).cordoned = true;
         },
         {web},
         "web-1 of shop/web (500m CPU, 1) fits on no other node with 10% to spare"},
        // Pods that may run anywhere leave the only room to those that may not.
        {"the_picky_choose_first",
         {places_at({2})},
         [](SmallRound& r) {
             for (int i = 1; i <= 12; ++i) r.node(i).cpu_requested_m = 8'440;
             r.node(2).cpu_requested_m = 8'400;  // The most room of all.
         },
         {{.cpu_m = 550, .memory = 1, .whose = "app/web", .pod = "web-1"}, gpu},
         ""},
    };
    for (const PlacesCase& c : cases) {
        SCOPED_TRACE(c.name);
        SmallRound round;
        round.input.snapshot.places = c.places;
        c.spoil(round);
        const Facts facts(round.input, round.forecast, round.memory, round.policy);
        EXPECT_EQ(nowhere_to_go(facts, SmallRound::slot(1), c.needs), c.says);
    }
}

}  // namespace
}  // namespace parley::guard
