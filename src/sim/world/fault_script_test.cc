#include "sim/world/fault_script.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace parley::sim {
namespace {

Scenario with(ScriptedFault fault) {
    Scenario s = shop("scripted", "");
    s.script.push_back(std::move(fault));
    return s;
}

TEST(FaultScript, a_named_node_is_meant_and_an_unnamed_one_is_drawn_among_workers) {
    const State named = state_of(with({.target = "node-04"}));
    EXPECT_EQ(named.nodes[scripted_node(named, 0)].id.text(), "node-04");
    std::set<Index> drawn;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Scenario s = with({});
        s.nodes.push_back({.name = "master", .count = 3, .role = model::NodeRole::control_plane});
        const State state = state_of(s, seed);
        const Index n = scripted_node(state, 0);
        EXPECT_TRUE(state.nodes[n].worker);
        drawn.insert(n);
    }
    EXPECT_GT(drawn.size(), 5U);
}

TEST(FaultScript, a_degrading_node_fails_after_its_lead_or_heals) {
    for (const bool fails : {true, false}) {
        World world =
            world_of(with({.kind = fails ? ScriptedKind::degrade_fail : ScriptedKind::degrade_heal,
                           .at = seconds(60),
                           .target = "node-04",
                           .lead = minutes(5)}));
        world.advance(at_s(300));
        EXPECT_GT(world.truth().nodes[3].severity, 0.5);
        EXPECT_EQ(world.truth().nodes[3].would_fail_at.has_value(), fails);
        EXPECT_EQ(world.truth().nodes[3].harmless, !fails);
        world.advance(at_s(361));
        EXPECT_EQ(world.truth().nodes[3].down, fails);
        EXPECT_EQ(world.truth().failures.size(), fails ? 1U : 0U);
        EXPECT_EQ(world.truth().nodes[3].severity, 0.0);
    }
}

TEST(FaultScript, truth_knows_whom_the_script_will_take_down) {
    const struct {
        ScriptedKind kind;
        double after;      ///< From when it begins, in seconds.
        std::size_t down;  ///< How many nodes.
    } cases[] = {{ScriptedKind::fail, 0, 1},
                 {ScriptedKind::degrade_fail, 300, 1},
                 {ScriptedKind::rack, 0, 2},
                 {ScriptedKind::degrade_heal, 0, 0},
                 {ScriptedKind::gray, 0, 0}};
    for (const auto& each : cases) {
        World world = world_of(with({.kind = each.kind,
                                     .at = seconds(120),
                                     .jitter = seconds(30),
                                     .target = "node-04",
                                     .lead = minutes(5),
                                     .lasts = minutes(1),
                                     .repair = minutes(6)}));
        world.advance(at_s(60));
        std::map<std::string, TimePoint> expected;
        for (const NodeTruth& node : world.truth().nodes)
            if (node.would_fail_at) expected[node.id.text()] = *node.would_fail_at;
        EXPECT_EQ(expected.size(), each.down) << enum_name(each.kind);
        world.advance(at_s(600));
        EXPECT_EQ(world.truth().failures.size(), each.down) << enum_name(each.kind);
        for (const NodeFailure& f : world.truth().failures)
            EXPECT_EQ(expected[f.node.text()], f.at) << enum_name(each.kind);
        world.advance(at_s(1'800));
        for (const NodeTruth& node : world.truth().nodes) {
            EXPECT_FALSE(node.down) << node.id.text();
            EXPECT_FALSE(node.would_fail_at) << node.id.text();
        }
    }
}

TEST(FaultScript, a_failed_node_comes_back_after_repair_or_is_removed) {
    for (const bool returns : {true, false}) {
        World world = world_of(with({.kind = ScriptedKind::fail,
                                     .at = seconds(60),
                                     .target = "node-04",
                                     .repair = returns ? minutes(6) : Duration{}}));
        Watched seen;
        world.advance(at_s(120));
        seen.look(world);
        EXPECT_EQ(seen.node("node-04").ready, model::Readiness::unknown);
        world.advance(at_s(60 + 601));
        seen.look(world);
        EXPECT_EQ(seen.nodes.size(), returns ? 12U : 11U);
        if (returns) {
            EXPECT_EQ(seen.node("node-04").ready, model::Readiness::yes);
        }
    }
}

TEST(FaultScript, flapping_shows_in_readiness_again_and_again) {
    World world = world_of(with({.kind = ScriptedKind::flap,
                                 .at = seconds(30),
                                 .target = "node-04",
                                 .lasts = minutes(15)}));
    Watched seen;
    int flaps = 0;
    auto before = model::Readiness::yes;
    for (std::int64_t t = 0; t < 1500; t += 3) {
        world.advance(at_s(t));
        seen.look(world);
        const auto ready = seen.node("node-04").ready;
        flaps += ready != before && ready == model::Readiness::unknown ? 1 : 0;
        before = ready;
    }
    EXPECT_GE(flaps, 3);
    EXPECT_EQ(before, model::Readiness::yes);
    EXPECT_TRUE(world.truth().failures.empty());
}

TEST(FaultScript, harmless_kinds_show_signs_and_nothing_fails) {
    World lag = world_of(with({.kind = ScriptedKind::lease_lag,
                               .at = seconds(30),
                               .target = "node-04",
                               .lasts = minutes(10)}));
    Watched seen;
    double oldest = 0.0;
    for (std::int64_t t = 0; t < 900; t += 3) {
        lag.advance(at_s(t));
        seen.look(lag);
        oldest = std::max(oldest, in_seconds(lag.now() - *seen.node("node-04").lease.value()));
        EXPECT_EQ(seen.node("node-04").ready, model::Readiness::yes);
    }
    EXPECT_GT(oldest, 12.0);
    EXPECT_LT(oldest, 40.0);

    World pressure = world_of(with({.kind = ScriptedKind::pressure,
                                    .at = seconds(30),
                                    .target = "node-04",
                                    .lasts = minutes(10)}));
    Watched under;
    pressure.advance(at_s(60));
    under.look(pressure);
    EXPECT_TRUE(under.node("node-04").memory_pressure);
    pressure.advance(at_s(700));
    under.look(pressure);
    EXPECT_FALSE(under.node("node-04").memory_pressure);

    World loop = world_of(with({.kind = ScriptedKind::crash_loop,
                                .at = seconds(30),
                                .target = "shop/web",
                                .lasts = minutes(20)}));
    Watched crashing;
    for (std::int64_t t = 0; t < 1800; t += 30) {
        loop.advance(at_s(t));
        crashing.look(loop);
    }
    EXPECT_GE(crashing.restarts, 5);
    const std::int32_t until_then = crashing.restarts;
    loop.advance(at_s(3600));
    crashing.look(loop);
    EXPECT_EQ(crashing.restarts, until_then);
}

TEST(FaultScript, a_person_scales_a_workload_and_takes_our_mark_away) {
    Scenario scenario = with(
        {.kind = ScriptedKind::scale, .at = seconds(60), .target = "shop/web", .replicas = 15});
    scenario.script.push_back(
        {.kind = ScriptedKind::unmark, .at = seconds(60), .target = "node-04"});
    World world = world_of(scenario);
    const model::NodeId node{Name::of("node-04")};
    ASSERT_TRUE(
        world.apply(model::PutMark{.target = node, .decision = {1, 2}, .expires = at_s(900)}, {}));
    Watched seen;
    world.advance(at_s(59));
    seen.look(world);
    EXPECT_EQ(seen.work("web")->wanted, 12);
    EXPECT_TRUE(seen.node("node-04").mark.has_value());
    world.advance(at_s(61));
    seen.look(world);
    EXPECT_EQ(seen.work("web")->wanted, 15);
    EXPECT_FALSE(seen.node("node-04").mark.has_value());
}

}  // namespace
}  // namespace parley::sim
