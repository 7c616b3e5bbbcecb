#include "layers/explanation/derived/state.h"

#include "base/json.h"
#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;

store::RunHeader header() {
    store::RunHeader header;
    header.scenario = "tour";
    header.seed = 7;
    header.mode = model::Mode::act;
    header.simulated = true;
    return header;
}

TEST(State, holds_the_newest_round) {
    StateKeeper keeper(header());
    Teller teller(EventSource::record);
    Round round;
    round.decision.score.score = -0.5;
    round.decision.score.leaves = 12;
    round.decision.score.cost[model::Role::efficiency] = 500'000;
    const auto events = round.all_sent();
    const Told told = round.told(events);
    keeper.take(told, teller.tell(told));
    const DashboardState state = keeper.state({.status = store::RunStatus::running}, {"a gap"});
    EXPECT_EQ(state.status, "running");
    EXPECT_EQ(state.newest, "T+07:06");
    EXPECT_EQ(state.decision.headline, "A safety won: replicate node-07");
    EXPECT_EQ(state.decision.label, "AgentA:replicate");
    EXPECT_EQ(state.proposals.at(0).result, "accepted, 3 of 3 sent");
    EXPECT_EQ(state.cluster.nodes, 12);
    EXPECT_EQ(state.cluster.max_risk_node, "node-07");
    EXPECT_EQ(state.cluster.queue, 0);
    EXPECT_EQ(state.cluster.completed, std::nullopt);
    EXPECT_EQ(state.cluster.power_kind, "unknown");
    EXPECT_EQ(state.rewards.last->by[model::Role::efficiency], -0.5);
    EXPECT_EQ(state.rewards.last_action, "AgentA:replicate");
    EXPECT_EQ(state.errors, std::vector<std::string>{"a gap"});
    EXPECT_EQ(state.stages.at(0).status, "idle");
    EXPECT_EQ(state.stages.at(0).detail,
              "nobody asked for a trained model; evidence drives decisions");
    EXPECT_EQ(state.ray.status, "skipped");
    EXPECT_EQ(state.optuna.status, "idle");
    EXPECT_EQ(state.stages.back().status, "running");
    EXPECT_EQ(state.events.back().message,
              "replicate node-07: 3 of 3 answered ok; expires T+37:06");
}

TEST(State, says_that_the_switch_is_pressed) {
    StateKeeper keeper(header());
    Round round;
    keeper.take(round.told({}), {});
    EXPECT_FALSE(keeper.state({.status = store::RunStatus::running}, {}).stopped);
    round.input.controls.stop = true;
    keeper.take(round.told({}), {});
    EXPECT_TRUE(keeper.state({.status = store::RunStatus::running}, {}).stopped);
}

TEST(State, what_nobody_measured_has_no_mean_and_is_no_ones_least) {
    Round round;
    round.risk(3).demand = 0.1;
    round.risk(4).demand = 0.2;
    const auto cluster = [&] {
        StateKeeper keeper(header());
        keeper.take(round.told({}), {});
        return keeper.state({.status = store::RunStatus::running}, {}).cluster;
    };
    EXPECT_NE(cluster().mean_cpu, std::nullopt);
    EXPECT_NE(cluster().min_demand, std::nullopt);
    const std::string least = cluster().min_demand_node;
    auto& nodes = round.input.snapshot.nodes;
    for (Slot slot = 0; slot < nodes.size(); ++slot) {
        if (nodes.at(slot).id.text() == least) nodes.edit(slot).ready = model::Readiness::no;
    }
    EXPECT_NE(cluster().min_demand_node, least) << "it is dead";
    for (Slot slot = 0; slot < nodes.size(); ++slot) {
        nodes.edit(slot).cpu_used_m = model::Reading<std::int64_t>::never();
    }
    EXPECT_EQ(cluster().mean_cpu, std::nullopt) << "what pods requested is no use";
    EXPECT_EQ(cluster().min_demand, std::nullopt);
}

TEST(State, repeats_averages_and_tails_are_bounded) {
    StateKeeper keeper(header());
    Round round;
    for (std::uint64_t i = 1; i <= kRewardsKept + 5; ++i) {
        round.move_to(i, {seconds(static_cast<std::int64_t>(3 * i)).us});
        round.decide_nothing("calm", "calm");
        round.decision.score.score = -1;
        round.decision.score.leaves = 12;
        keeper.take(round.told(), {{round.input.now, i, EventKind::cluster, "x", "{}"}});
    }
    const DashboardState state = keeper.state({.status = store::RunStatus::complete}, {});
    EXPECT_EQ(state.rounds, kRewardsKept + 5);
    EXPECT_EQ(state.last_rewards.size(), kRewardsKept);
    EXPECT_EQ(state.last_rewards.front().round, 6U);
    EXPECT_EQ(state.events.size(), kEventsKept);
    EXPECT_EQ(state.decision.repeat_count, kRewardsKept + 5);
    EXPECT_EQ(state.rewards.average_total, -1.0);
    EXPECT_EQ(state.stages.back().status, "complete");
}

TEST(State, what_was_not_read_is_null_with_the_reason) {
    StateKeeper keeper(header());
    Round round;
    round.decision.score = {
        .cost = {model::Role::efficiency, 500'000}, .score = -0.5, .leaves = 79, .missing = 21};
    keeper.take(round.told(), {});
    DashboardState state = keeper.state({}, {});
    EXPECT_EQ(state.rewards.last->total, std::nullopt);
    EXPECT_EQ(state.rewards.last->by[model::Role::efficiency], std::nullopt);
    EXPECT_EQ(state.rewards.last->missing, 21);
    EXPECT_EQ(state.rewards.average_total, std::nullopt);
    EXPECT_EQ(state.rewards.cost_pod_minutes, std::nullopt);
    EXPECT_EQ(state.rewards.coverage, 0.79);
    EXPECT_EQ(state.rewards.not_known_because,
              "only 79% of its readings were there, 80% are needed");
    round.decision.score = {.score = -1.5, .leaves = 100, .settled = 21};
    keeper.take(round.told(), {});
    state = keeper.state({}, {});
    EXPECT_EQ(state.rewards.average_total, -1.0);
    EXPECT_EQ(state.rewards.coverage, 1.0);
    EXPECT_EQ(state.rewards.not_known_because, "");
}

TEST(State, actions_have_outcomes_also_before_they_are_known) {
    StateKeeper keeper(header());
    Round round;
    model::OpenScore open{
        .id = {7, 142}, .round = 142, .action = model::Replicate{}, .target = kit::node_id(7)};
    open.due = {minutes(20).us};
    open.notes = {{150, kit::node_id(7), "failed"}};
    round.decision.open_scores = {open};
    model::ClosedScore closed;
    closed.round = 90;
    closed.action = model::Throttle{};
    closed.target = kit::node_id(3);
    round.decision.closed = {closed};
    keeper.take(round.told(), {});
    DashboardState state = keeper.state({}, {});
    ASSERT_EQ(state.outcomes.size(), 2U);
    EXPECT_EQ(state.outcomes[0].action, "throttle node-03");
    EXPECT_EQ(state.outcomes[0].state, model::ScoreState::measured);
    EXPECT_EQ(state.outcomes[1].state, model::ScoreState::open);
    EXPECT_EQ(state.outcomes[1].text, "due at T+20:00; nothing of it was read yet");
    EXPECT_EQ(state.outcomes[1].since, "node-07 failed in round 150");
    closed.round = 142;
    closed.state = model::ScoreState::censored;
    closed.because = "the run ended in round 150";
    keeper.end({closed}, {});
    state = keeper.state({}, {});
    EXPECT_EQ(state.outcomes[1].state, model::ScoreState::censored);
    EXPECT_EQ(state.outcomes[1].text, "censored in round 142: the run ended in round 150");
}

TEST(State, is_strict_json_also_of_what_is_not_finite) {
    StateKeeper keeper(header());
    Round round;
    round.decision.score.leaves = 12;
    round.decision.score.score = 0.0 / 1.0 - std::numeric_limits<double>::infinity();
    keeper.take(round.told(), {});
    const std::string json = to_json(keeper.state({}, {}));
    EXPECT_NE(json.find("\"total\":null"), std::string::npos);
    EXPECT_EQ(json.find("inf"), std::string::npos);
}

TEST(State, stages_are_what_the_process_said_of_them) {
    store::RunFacts facts;
    facts.stages = {{"brains", store::StageStatus::complete, "risk-1 drives decisions"},
                    {"ray_ppo", store::StageStatus::disabled, "by --no-policy"},
                    {"optuna", store::StageStatus::failed, "disk full"}};
    const DashboardState state = StateKeeper(header()).state(facts, {});
    EXPECT_EQ(state.stages.at(0).status, "complete");
    EXPECT_EQ(state.stages.at(0).progress, 1.0);
    EXPECT_EQ(state.ray.status, "disabled");
    EXPECT_EQ(state.ray.detail, "by --no-policy");
    EXPECT_EQ(state.optuna.status, "failed");
    EXPECT_EQ(state.optuna.progress, 0.0);
}

TEST(State, a_run_without_rounds_has_a_state_too) {
    const DashboardState state = StateKeeper(header()).state({}, {});
    EXPECT_EQ(state.rounds, 0U);
    EXPECT_FALSE(state.rewards.last);
    EXPECT_FALSE(state.rewards.average_total);
}

}  // namespace
}  // namespace parley::explanation
