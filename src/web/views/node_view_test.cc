#include "web/views/node_view.h"

#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(NodeView, what_is_over_its_limit_comes_first) {
    kit::Round round;
    round.risk(3).risk = 0.21;
    round.risk(5).risk.reset();
    const SeenRoundPtr now = kit::seen(round);
    const auto lines = worth_a_look({*now, nullptr, round.policy}, 12);
    ASSERT_EQ(lines.size(), 12U);
    EXPECT_EQ(lines[0].name, "node-07");
    EXPECT_TRUE(lines[0].over);
    EXPECT_EQ(lines[0].risk.value, 0.86);
    EXPECT_EQ(lines[1].name, "node-03");
    EXPECT_EQ(lines.back().name, "node-05") << "unknown is not the highest";
    EXPECT_EQ(lines.back().risk.state, ReadingState::missing);
    EXPECT_FALSE(lines.back().waiting.has_value());
}

TEST(NodeView, a_change_since_the_round_before_is_told) {
    kit::Round round;
    const SeenRoundPtr before = kit::seen(round);
    round.node(4).ready = model::Readiness::no;
    round.risk(2).risk = 0.3;
    const SeenRoundPtr now = kit::seen(round);
    const NodeContext context{*now, before.get(), round.policy};
    for (const NodeLine& line : worth_a_look(context, 12)) {
        EXPECT_EQ(line.changed, line.name == "node-04" || line.name == "node-02") << line.name;
    }
    for (const NodeLine& line : worth_a_look({*now, nullptr, round.policy}, 12)) {
        EXPECT_FALSE(line.changed) << "nothing is known of the round before";
    }
}

TEST(NodeView, lists_by_zone_and_name_page_by_page) {
    kit::Round round;
    round.node(9).zone = Name::of("a");
    round.node(1).zone = Name::of("b");
    const SeenRoundPtr now = kit::seen(round);
    const NodeContext context{*now, nullptr, round.policy};
    const NodesView all = nodes_view(context, 0, 100, "");
    EXPECT_EQ(all.total, 12U);
    EXPECT_EQ(all.rows.back().name, "node-01");
    const NodesView page = nodes_view(context, 10, 5, "");
    ASSERT_EQ(page.rows.size(), 2U);
    EXPECT_EQ(page.rows[1].name, "node-01");
    EXPECT_EQ(nodes_view(context, 0, 100, "-1").total, 3U);
    EXPECT_EQ(nodes_view(context, 12, 5, "").rows.size(), 0U);
}

TEST(NodeView, restarts_come_from_the_memory_or_from_the_record) {
    kit::Round round;
    round.fold(7).restarts[0] = {round.input.now - minutes(1), {}, 6};
    round.fold(7).restarts[1] = {round.input.now - minutes(11), {}, 3};
    const SeenRoundPtr live = kit::seen(round);
    EXPECT_EQ(node_line({*live, nullptr, round.policy}, round.slot(7)).restarts.value, 6);
    auto recorded = std::make_shared<SeenRound>(*kit::seen(round, {}, false));
    EXPECT_EQ(node_line({*recorded, nullptr, round.policy}, round.slot(7)).restarts.value, 0);
    recorded->restarts[round.slot(7)] = 4;
    EXPECT_EQ(node_line({*recorded, nullptr, round.policy}, round.slot(7)).restarts.value, 4);
}

TEST(NodeView, the_map_gives_every_node_its_place_and_says_what_changed) {
    kit::Round round;
    const MapView before = map_view(*kit::seen(round));
    ASSERT_EQ(before.names.size(), 12U);
    ASSERT_EQ(before.over.size(), 1U);
    EXPECT_EQ(before.names[before.over[0]], "node-07");
    EXPECT_EQ(changed_cells(before, before)->size(), 0U);
    round.risk(3).risk = 0.4;
    round.node(2).ready = model::Readiness::no;
    round.node(1).cordoned = true;
    const MapView now = map_view(*kit::seen(round));
    const auto cells = changed_cells(before, now);
    ASSERT_TRUE(cells.has_value());
    ASSERT_EQ(cells->size(), 3U);
    EXPECT_EQ(std::get<2>((*cells)[0]), 8U) << "set aside";
    EXPECT_EQ(std::get<2>((*cells)[1]), 4U) << "not Ready";
    EXPECT_EQ(std::get<1>((*cells)[2]), 0.4);
    round.node(3).id = {Name::of("other")};
    EXPECT_FALSE(changed_cells(before, map_view(*kit::seen(round))).has_value());
}

TEST(NodeView, the_highest_risk_says_when_nothing_is_at_stake_there_any_more) {
    struct Case {
        const char* aside;
        void (*change)(model::NodeRow&);
    };
    const Case cases[] = {
        {"", [](model::NodeRow&) {}},
        {"quarantined by us", [](model::NodeRow& row) { row.quarantined = true; }},
        {"emptied by us",
         [](model::NodeRow& row) {
             row.quarantined = true;
             row.pods = 0;
         }},
        {"cordoned", [](model::NodeRow& row) { row.cordoned = true; }},
        {"emptied",
         [](model::NodeRow& row) {
             row.cordoned = true;
             row.pods = 0;
         }},
        {"in maintenance", [](model::NodeRow& row) { row.maintenance = true; }},
        {"powered down", [](model::NodeRow& row) { row.power = model::Power::sleep; }},
    };
    for (const Case& each : cases) {
        kit::Round round;
        round.node(7).pods = 3;
        round.risk(3).risk = 0.2;
        each.change(round.node(7));
        const auto most = max_risk(*kit::seen(round));
        ASSERT_TRUE(most.has_value());
        EXPECT_EQ(most->node, "node-07");
        EXPECT_EQ(most->aside, each.aside);
        EXPECT_EQ(most->next_risk.has_value(), *each.aside != '\0') << each.aside;
        EXPECT_EQ(most->next_node, *each.aside != '\0' ? "node-03" : "") << each.aside;
    }
}

TEST(NodeView, how_many_more_there_are_and_what_of_them_is_missing) {
    kit::Round round;
    SeenRoundPtr now = kit::seen(round);
    EXPECT_EQ(more_nodes({*now, nullptr, round.policy}, 12), "no more nodes");
    EXPECT_EQ(more_nodes({*now, nullptr, round.policy}, 5), "7 more, nothing missing");
    round.node(2).cpu_used_m = round.gap<std::int64_t>(model::Gap::not_reported);
    now = kit::seen(round);
    EXPECT_EQ(more_nodes({*now, nullptr, round.policy}, 5),
              "7 more, of all 12 nodes 1 without usage");
}

}  // namespace
}  // namespace parley::web
