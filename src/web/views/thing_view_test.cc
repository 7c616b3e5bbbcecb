#include "web/views/thing_view.h"

#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

using About = ThingStory::About;

TEST(ThingView, a_node_with_its_past) {
    const model::Policy policy;
    ThingStory story(About::node, "node-07", policy);
    for (std::uint64_t n = 138; n <= 142; ++n) {
        kit::Round round = kit::round_at(n);
        if (n == 140) round.risk(7).risk.reset();
        story.take(kit::seen(round));
    }
    const auto detail = story.node();
    ASSERT_TRUE(detail.has_value());
    EXPECT_EQ(detail->round, 142U);
    EXPECT_EQ(detail->line.name, "node-07");
    EXPECT_EQ(detail->history.rounds.size(), 5U);
    EXPECT_EQ(detail->history.risk[0], 0.86);
    EXPECT_FALSE(detail->history.risk[2].has_value()) << "a gap stays a gap";
    EXPECT_EQ(detail->moments_from, "from round 138 on");
    EXPECT_FALSE(detail->moments.empty());
    EXPECT_EQ(detail->forecast.remedies.size(), 3U);
    EXPECT_TRUE(detail->forecast.remedies[0].pays);
    EXPECT_FALSE(story.workload().has_value());
}

TEST(ThingView, a_workload_with_its_pods) {
    const model::Policy policy;
    ThingStory story(About::workload, "shop/web", policy);
    story.take(kit::seen(kit::round_at(10)));
    const auto detail = story.workload();
    ASSERT_TRUE(detail.has_value());
    EXPECT_EQ(detail->line.ready, 4);
    EXPECT_EQ(detail->pods_total, 4U);
    EXPECT_EQ(detail->pods.size(), 4U);
    EXPECT_EQ(detail->line.budget.empty(), false);
}

TEST(ThingView, what_is_not_there_is_nothing) {
    const model::Policy policy;
    ThingStory story(About::node, "node-99", policy);
    EXPECT_FALSE(story.node().has_value()) << "no round at all";
    story.take(kit::seen(kit::round_at(10)));
    EXPECT_FALSE(story.node().has_value());
    EXPECT_EQ(story.names().size(), 12U);
}

TEST(ThingView, names_begin_as_typed) {
    const SeenRoundPtr round = kit::seen(kit::round_at(10));
    EXPECT_EQ(names_with(*round, "why"), (std::vector<std::string>{"why", "why-not"}));
    EXPECT_EQ(names_with(*round, "node-1").size(), 3U);
    EXPECT_EQ(names_with(*round, "shop/"), std::vector<std::string>{"shop/web"});
    EXPECT_EQ(names_with(*round, "").size(), 20U) << "no more than a person reads";
    EXPECT_TRUE(names_with(*round, "zzz").empty());
}

TEST(ThingView, workloads_page_by_page) {
    const SeenRoundPtr round = kit::seen(kit::round_at(10));
    const model::Policy policy;
    EXPECT_EQ(workloads_view(*round, policy, 0, 10, "").total, 1U);
    EXPECT_EQ(workloads_view(*round, policy, 1, 10, "").rows.size(), 0U);
    EXPECT_EQ(workloads_view(*round, policy, 0, 10, "cart").total, 0U);
}

}  // namespace
}  // namespace parley::web
