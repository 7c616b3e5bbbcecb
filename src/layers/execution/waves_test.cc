#include "layers/execution/waves.h"

#include "layers/execution/kit_test.h"
#include "layers/execution/plan.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parley::execution {
namespace {

using namespace model;

constexpr std::size_t kFirst = 2;  // After mark and quarantine.

/// Empties a node with so many pods of the workloads a, b, c ...
std::vector<PlannedStep> plan_of(const std::vector<int>& pods) {
    Kit kit;
    const Slot node = kit.add_node("node-1");
    char name = 'a';
    for (const int count : pods) {
        const Slot workload = kit.add_workload(workload_id(std::string(1, name++)), 9);
        for (int i = 0; i < count; ++i) kit.add_pod(workload, node);
    }
    const Proposal migrate = proposes(Role::safety, Migrate{}, node_id("node-1"));
    return plan(migrate, kit.input, kit.policy, {0, 0xd1}).plan;
}

/// Of each eviction: '.' nothing is awaited, 'r' the workload is read at once, 'w' after a wait.
std::string waits_of(const std::vector<int>& pods) {
    const std::vector<PlannedStep> steps = plan_of(pods);
    std::string out;
    for (std::size_t i = kFirst; i < steps.size(); ++i) {
        out += steps[i].then.ready_at_least == 0 ? '.' : wave_ends_at(steps, i) ? 'w' : 'r';
    }
    return out;
}

TEST(Waves, a_plan_waits_once_between_two_waves_and_at_its_end) {
    EXPECT_EQ(waits_of({1}), "w") << "until it is back";
    EXPECT_EQ(waits_of({3}), "www") << "after each pod of the same workload";
    EXPECT_EQ(waits_of({1, 1, 1}), "..w");
    EXPECT_EQ(waits_of({2, 2, 2}), "..wrrw");
    EXPECT_EQ(waits_of({3, 3, 3}), "..wrrwrrw");
    EXPECT_EQ(waits_of({3, 1, 2}), "..wrww") << "one of the wave before, then one of this";
}

/// With a clock that moves only where the plan waits, no workload is read within the moment in
/// which its last pod went.
TEST(Waves, no_workload_is_read_before_its_last_eviction_can_have_been_noticed) {
    std::uint64_t seed = 1;
    for (int trial = 0; trial < 300; ++trial) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        std::vector<int> pods((seed >> 33) % 6 + 1);
        for (std::size_t i = 0; i < pods.size(); ++i) {
            pods[i] = static_cast<int>((seed >> (36 + 3 * i)) % 5) + 1;
        }
        const std::vector<PlannedStep> steps = plan_of(pods);
        int moment = 0;
        std::map<std::string, int> evicted;
        for (std::size_t i = kFirst; i < steps.size(); ++i) {
            const std::string& pod = std::get<EvictPod>(steps[i].request).name;
            evicted[pod.substr(0, 1)] = moment;
            if (steps[i].then.ready_at_least == 0) continue;
            if (wave_ends_at(steps, i)) ++moment;
            EXPECT_LT(evicted.at(steps[i].then.workload.name.str()), moment) << trial << ": " << i;
        }
        EXPECT_GT(moment, 0);
    }
}

}  // namespace
}  // namespace parley::execution
