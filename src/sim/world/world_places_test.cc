#include "sim/world/world_places.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

/// Names of the nodes where a pod may be; "any" if it is not picky.
std::string places_text(const State& s, const cluster::Batch& batch, std::uint32_t id) {
    if (id == 0) return "any";
    for (const cluster::PlacesChange& change : batch.places) {
        if (change.id != id) continue;
        std::string out;
        for (Index n = 0; n < s.nodes.size(); ++n) {
            if ((change.nodes[n / 64] >> (n % 64)) & 1U) out += s.nodes[n].id.text() + " ";
        }
        return out;
    }
    return "not told";
}

std::string first_pod(const Scenario& scenario, void (*spoil)(State&) = nullptr) {
    State s = state_of(scenario);
    if (spoil != nullptr) spoil(s);
    cluster::Batch batch;
    tell_places(s, batch);
    return places_text(s, batch, places_of(s, s.pods[0]));
}

TEST(WorldPlaces, follow_selectors_and_zones) {
    Scenario scenario = bare_nodes(4);
    scenario.nodes.push_back(
        {.name = "gpu", .count = 1, .zones = 1, .racks = 1, .pool = "gpu", .cpu_m = 4'000});
    const auto with = [&](const char* selector, std::int32_t skew, std::int32_t replicas = 2) {
        Scenario copy = scenario;
        WorkloadSpec w = reserving("a", replicas, 100);
        w.selector = selector;
        w.zone_skew_max = skew;
        copy.workloads.push_back(w);
        return copy;
    };
    EXPECT_EQ(first_pod(with("", 0)), "any");
    EXPECT_EQ(first_pod(with("pool=gpu", 0)), "gpu-01 ");
    EXPECT_EQ(first_pod(with("zone=zone-b", 0)), "node-02 node-04 ");
    EXPECT_EQ(first_pod(with("pool=none", 0)), "");
    EXPECT_EQ(first_pod(with("disk=fast", 0)), "") << "a label that no node has";
    const auto gone = [](State& s) { s.nodes[4].exists = false; };
    EXPECT_EQ(first_pod(with("pool=gpu", 0), gone), "");
    const auto no_worker = [](State& s) { s.nodes[4].worker = false; };
    EXPECT_EQ(first_pod(with("pool=gpu", 0), no_worker), "");
    // Temporary states do not count: the guard sees them on the node itself.
    const auto quarantined = [](State& s) { s.nodes[4].taint = model::Taint::no_schedule; };
    EXPECT_EQ(first_pod(with("pool=gpu", 0), quarantined), "gpu-01 ");
    // One in each zone: a pod that leaves may only come back to the same zone.
    const std::string back = first_pod(with("", 1));
    EXPECT_TRUE(back == "node-01 node-03 gpu-01 " || back == "node-02 node-04 ") << back;
}

TEST(WorldPlaces, are_told_once_and_when_they_change) {
    Scenario scenario = bare_nodes(4);
    WorkloadSpec w = reserving("a", 2, 100);
    w.zone_skew_max = 1;
    scenario.workloads.push_back(w);
    scenario.workloads.push_back(reserving("b", 2, 100));
    State s = state_of(scenario);
    cluster::Batch batch;
    tell_places(s, batch);
    EXPECT_EQ(batch.places.size(), 3U) << "from either zone, and from nowhere";
    EXPECT_EQ(batch.order.size(), 4U);
    cluster::Batch again;
    tell_places(s, again);
    EXPECT_TRUE(again.places.empty());
    EXPECT_TRUE(again.order.empty());
    s.works[0].in_zone = {2, 1};
    cluster::Batch later;
    tell_places(s, later);
    EXPECT_EQ(later.places.size(), 2U) << "from where there are most, all may be gone to";
    s.nodes[0].exists = false;
    cluster::Batch last;
    tell_places(s, last);
    EXPECT_FALSE(last.places.empty());
}

}  // namespace
}  // namespace parley::sim
