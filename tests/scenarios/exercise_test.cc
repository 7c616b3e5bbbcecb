// The exerciser's nine phases under profile `prototype`: in the sixth round of each, the label that
// the phase intends to provoke.

#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

namespace parley::scenarios {
namespace {

TEST(Exercise, brings_about_what_each_phase_means_under_the_prototype) {
    const char* const kMeant[] = {
        "AgentB:power_state:sleep", "AgentB:dvfs",
        "AgentB:memory_balloon",    "AgentA:throttle",
        "AgentA:migrate",           "AgentA:replicate",
        "AgentC:admission:queue",   "AgentC:admission:deprioritize",
        "AgentC:resource_cap",
    };
    const Rounds rounds =
        run({.scenario = "exercise", .rounds = 54, .profile = model::Profile::prototype});
    ASSERT_EQ(rounds.size(), 54U);
    for (std::size_t phase = 0; phase < 9; ++phase) {
        EXPECT_EQ(accepted_in(*rounds[phase * 6 + 5]), kMeant[phase]) << "phase " << phase;
    }
}

TEST(Exercise, random_phases_repeat_with_their_seed) {
    const auto labels = [](std::uint64_t seed) {
        std::string all;
        for (const auto& round : run({.scenario = "exercise-random",
                                      .seed = seed,
                                      .rounds = 60,
                                      .profile = model::Profile::prototype})) {
            all += accepted_in(*round) + "\n";
        }
        return all;
    };
    EXPECT_EQ(labels(3), labels(3));
}

}  // namespace
}  // namespace parley::scenarios
