#include "layers/proposal/propose.h"

#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::proposal {
namespace {

using namespace kit;
using model::Role;

std::vector<Role> roles(const Round& round) {
    std::vector<Role> out;
    for (const auto& p : propose(round.input, round.forecast, round.memory, round.policy)) {
        out.push_back(p.role);
    }
    return out;
}

TEST(Propose, asks_every_agent_of_the_default_profile_and_three_of_the_prototype) {
    Round round;
    EXPECT_EQ(roles(round), std::vector(model::kRoles.begin(), model::kRoles.end()));
    round.policy.profile = model::Profile::prototype;
    EXPECT_EQ(roles(round), (std::vector{Role::safety, Role::efficiency, Role::admission}));
}

TEST(Agents, stand_by_role_and_every_action_is_the_business_of_one) {
    for (const Role role : model::kRoles) EXPECT_EQ(agent_of(role).role(), role);
    const auto business = [](model::Action action) { return agent_for(action)->role(); };
    EXPECT_EQ(business(model::Throttle{}), Role::safety);
    EXPECT_EQ(business(model::Replicate{}), Role::safety);
    EXPECT_EQ(business(model::Migrate{}), Role::safety);
    EXPECT_EQ(business(model::PowerState{}), Role::efficiency);
    EXPECT_EQ(business(model::Dvfs{}), Role::efficiency);
    EXPECT_EQ(business(model::MemoryBalloon{}), Role::efficiency);
    EXPECT_EQ(business(model::Admission{}), Role::admission);
    EXPECT_EQ(business(model::ResourceCap{}), Role::admission);
    EXPECT_EQ(business(model::Scale{}), Role::scaling);
    EXPECT_EQ(agent_for(model::Noop{}), nullptr);
}

/// Three nodes at the given slots: one at risk, one idle, pods that wait.
Round busy_round(const std::vector<Slot>& slots) {
    Round round;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        model::NodeRow& node = round.node(slots[i], "node-0" + std::to_string(i + 1));
        node.can_clock = true;
        round.memory.derived.nodes.edit(slots[i]).over = i == 1 ? 0b111 : 0;
    }
    round.waiting(9, short_of(model::Cause::cpu));
    for (Slot slot = 0; slot < slots.size(); ++slot) {
        const auto i = static_cast<std::size_t>(std::ranges::find(slots, slot) - slots.begin());
        model::NodeForecast& forecast = round.expect(slot, i == 1 ? 0.9 : 0.01, i == 1 ? 0.8 : 0.2);
        forecast.loss = 10;
        forecast.remedies[2] = {model::ActionKind::migrate, 0.95, 0.7, 1, 0.165};
        forecast.limit = 0.165;
    }
    return round;
}

TEST(Propose, permuting_node_slots_changes_nothing) {
    std::vector<Slot> slots = {0, 1, 2};
    for (const auto profile : {model::Profile::parley, model::Profile::prototype}) {
        Round first = busy_round({0, 1, 2});
        first.policy.profile = profile;
        const auto expected = propose(first.input, first.forecast, first.memory, first.policy);
        std::ranges::sort(slots);
        do {
            Round round = busy_round(slots);
            round.policy.profile = profile;
            EXPECT_EQ(propose(round.input, round.forecast, round.memory, round.policy), expected);
        } while (std::ranges::next_permutation(slots).found);
    }
}

TEST(Propose, every_proposal_has_a_sentence_and_a_finite_score) {
    Round blind;
    blind.input.snapshot.sources.clear();
    blind.node(0, "node-01");
    blind.expect(0, std::nullopt);
    for (const Round& round : {Round(), busy_round({0, 1, 2}), blind}) {
        for (const auto& p : propose(round.input, round.forecast, round.memory, round.policy)) {
            EXPECT_FALSE(p.because.empty()) << enum_name(p.role);
            EXPECT_TRUE(std::isfinite(p.score));
        }
    }
}

TEST(Propose, blind_agents_want_nothing_and_say_what_is_missing) {
    Round round = busy_round({0, 1, 2});
    round.source(model::Source::api).last_success = kNow - seconds(94);
    for (model::NodeForecast& node : round.forecast.nodes) {
        node.risk.reset();
        node.demand.reset();
    }
    const auto all = propose(round.input, round.forecast, round.memory, round.policy);
    for (const auto& p : all) EXPECT_TRUE(model::changes_nothing(p.action));
    EXPECT_EQ(all[0].because, "Risk of 3 of 3 nodes is unknown: api is 1m34s old (limit 15s).");
    EXPECT_EQ(all[1].because, "Missing: the state of the cluster; api is 1m34s old (limit 15s).");
    EXPECT_EQ(all[2].because, "Missing: which pods wait, and why; api is 1m34s old (limit 15s).");
}

}  // namespace
}  // namespace parley::proposal
