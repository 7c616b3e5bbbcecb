#include "web/views/flow_view.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(FlowView, trouble_and_a_stop_show_at_execution) {
    RoundView view{.mode_text = "act"};
    EXPECT_EQ(flow_of(view, 0)[5].figure, "nothing sent");
    EXPECT_EQ(flow_of(view, 0)[5].state, StationState::none);
    view.stopped = true;
    EXPECT_EQ(flow_of(view, 0)[5].state, StationState::off);
    view.trouble = "cannot record, so nothing is sent";
    EXPECT_EQ(flow_of(view, 0)[5].state, StationState::failed);
    EXPECT_EQ(flow_of(view, 0)[5].detail, "cannot record, so nothing is sent");
}

TEST(FlowView, an_unknown_risk_is_a_question_mark) {
    RoundView view;
    EXPECT_EQ(flow_of(view, 0)[2].figure, "risk ?");
    EXPECT_EQ(flow_of(view, 0)[2].state, StationState::failed);
    view.max_risk = MaxRisk{"node-07", 0.001, 0.2};
    EXPECT_EQ(flow_of(view, 0)[2].figure, "risk <0.01 node-07");
}

TEST(FlowView, a_node_at_the_end_of_a_figure_is_a_field) {
    RoundView view;
    view.max_risk = MaxRisk{"node-07", 0.86, 0.2};
    view.winner = model::Role::safety;
    view.proposals = {{.role = model::Role::safety,
                       .wanted = "replicate node-07",
                       .action = "replicate",
                       .target = "node-07",
                       .target_kind = TargetKind::node,
                       .outcome = explanation::Outcome::accepted}};
    for (const std::size_t station : {2U, 4U}) {
        const FlowStation each = flow_of(view, 0)[station];
        EXPECT_EQ(each.node, "node-07") << each.key;
        EXPECT_EQ(each.lead + " " + each.node, each.figure) << each.key;
    }
    EXPECT_EQ(flow_of(view, 0)[4].lead, "A replicate");
    view.proposals[0].wanted = "queue new batch pods";
    view.proposals[0].target_kind = TargetKind::cluster;
    EXPECT_EQ(flow_of(view, 0)[4].figure, "A queue new batch pods");
    EXPECT_EQ(flow_of(view, 0)[4].lead + flow_of(view, 0)[4].node, "");
}

TEST(FlowView, who_is_refused_lost_to_nobody) {
    using explanation::Outcome;
    RoundView view;
    EXPECT_EQ(flow_of(view, 0)[3].detail, "all idle");
    view.proposals = {
        {.role = model::Role::efficiency, .wanted = "dvfs", .outcome = Outcome::lost},
        {.role = model::Role::safety, .wanted = "migrate", .outcome = Outcome::refused}};
    EXPECT_EQ(flow_of(view, 0)[3].detail, "B lost, A refused");
    view.proposals.erase(view.proposals.begin());
    EXPECT_EQ(flow_of(view, 0)[3].detail, "A refused");
    view.proposals[0].outcome = Outcome::accepted;
    EXPECT_EQ(flow_of(view, 0)[3].detail, "nobody lost");
}

TEST(FlowView, a_late_source_makes_the_cluster_late_and_a_failed_one_failed) {
    RoundView view;
    view.cluster.nodes = 12;
    view.cluster.sources = {
        {.name = "api", .condition = model::SourceCondition::ok, .age_s = 1},
        {.name = "metrics", .condition = model::SourceCondition::late, .age_s = 94}};
    EXPECT_EQ(flow_of(view, 0)[1].state, StationState::late);
    EXPECT_EQ(flow_of(view, 0)[1].age_s, 94);
    EXPECT_EQ(flow_of(view, 0)[1].figure, "12 nodes, ? pending");
    view.cluster.nodes_ready = 9;
    view.cluster.pending_total = 0;
    EXPECT_EQ(flow_of(view, 0)[1].figure, "12 nodes, 3 not Ready, 0 pending");
    view.cluster.sources[0].condition = model::SourceCondition::failed;
    EXPECT_EQ(flow_of(view, 0)[1].state, StationState::failed);
}

}  // namespace
}  // namespace parley::web
