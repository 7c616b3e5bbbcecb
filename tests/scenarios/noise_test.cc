// A single sample never puts a node to sleep: however noisy metrics are, only nodes that have long
// been idle sleep.

#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <map>

namespace parley::scenarios {
namespace {

/// Small nodes that can be switched, a fifth of each used, measured badly.
void noisy(sim::Scenario& scenario) {
    for (sim::NodeGroup& group : scenario.nodes) {
        group.can_power = true;
        group.cpu_m = 3'000;
        group.memory_mib = 6'144;
    }
    for (sim::SourceSpec& source : scenario.sources) source.noise = 0.3;
}

struct Sleeps {
    int begun = 0;
    std::string hasty;  ///< The first one that rests on too few samples; empty: none.
};

/// Every sample of every node, each once, as the rounds saw them.
Sleeps sleeps_in(const Rounds& rounds, double bound) {
    std::map<Slot, std::vector<std::pair<TimePoint, double>>> samples;
    Sleeps out;
    for (const auto& round : rounds) {
        for (const model::NodeForecast& node : round->decision.forecast.nodes) {
            const model::NodeRow& row = round->input.snapshot.nodes.at(node.node);
            if (!node.demand || row.cpu_used_m.value() == nullptr) continue;
            auto& seen = samples[node.node];
            const TimePoint at =
                std::min(row.cpu_used_m.from().measured, row.memory_used.from().measured);
            if (seen.empty() || seen.back().first < at) seen.emplace_back(at, *node.demand);
        }
        for (const model::Proposal& each : round->decision.verdict.accepted) {
            const auto* power = std::get_if<model::PowerState>(&each.action);
            if (power == nullptr || power->state == model::PowerWish::on) continue;
            ++out.begun;
            round->input.snapshot.nodes.for_each([&](Slot slot, const model::NodeRow& row) {
                if (each.target != model::Target(row.id)) return;
                const auto& seen = samples[slot];
                const bool enough =
                    seen.size() >= 4 && std::all_of(seen.end() - 4, seen.end(),
                                                    [&](auto& s) { return s.second < bound; });
                if (!enough && out.hasty.empty()) {
                    out.hasty = row.id.text() + " in round " + std::to_string(round->input.round);
                }
            });
        }
    }
    return out;
}

TEST(Noise, no_node_sleeps_for_one_sample) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Sleeps sleeps =
            sleeps_in(run({.scenario = "calm", .seed = seed, .rounds = 400, .adapt = noisy}), 0.12);
        EXPECT_EQ(sleeps.begun, 0) << "seed " << seed;
        EXPECT_EQ(sleeps.hasty, "") << "seed " << seed;
    }
}

TEST(Noise, what_has_long_been_idle_still_sleeps) {
    const auto adapt = [](sim::Scenario& scenario) {
        noisy(scenario);
        std::erase_if(scenario.workloads, [](const auto& w) { return w.space == "shop"; });
        scenario.jobs.clear();
    };
    const Sleeps sleeps = sleeps_in(run({.scenario = "calm", .rounds = 200, .adapt = adapt}), 0.12);
    EXPECT_GE(sleeps.begun, 1);
    EXPECT_EQ(sleeps.hasty, "");
}

}  // namespace
}  // namespace parley::scenarios
