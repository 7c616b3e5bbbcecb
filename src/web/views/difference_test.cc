#include "web/views/difference.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(Difference, rows_are_found_by_name_wherever_they_stand) {
    RoundView from{.round = 141};
    from.worth = {{.name = "node-07"}, {.name = "node-03"}};
    from.worth[0].risk.value = 0.71;
    RoundView to{.round = 142};
    to.worth = {{.name = "node-03"}, {.name = "node-07"}};
    to.worth[1].risk.value = 0.86;
    const DifferenceView view = difference_of(from, to);
    ASSERT_EQ(view.changed.size(), 1U);
    EXPECT_EQ(view.changed[0].path, "worth.node-07.risk.value");
    EXPECT_EQ(view.changed[0].was, "0.71");
    EXPECT_EQ(view.changed[0].now, "0.86");
    EXPECT_EQ(view.from, 141U);
}

TEST(Difference, what_comes_and_goes_is_told) {
    RoundView from{.headline = "Nothing to do"};
    from.proposals = {{.role = model::Role::safety, .agent = "A safety", .score = 0.5}};
    RoundView to{.headline = "A safety won"};
    to.proposals = {{.role = model::Role::safety, .agent = "A safety"}};
    to.winner = model::Role::safety;
    std::string text;
    for (const Change& each : difference_of(from, to).changed) {
        text += each.path + ": " + each.was + " to " + each.now + "\n";
    }
    EXPECT_EQ(text,
              "headline: Nothing to do to A safety won\n"
              "proposals.safety.score: 0.5 to null\n"
              "winner: null to safety\n");
}

TEST(Difference, the_number_of_the_round_is_no_change) {
    const RoundView from{.round = 1, .at = "T+00:03", .t = 3};
    const RoundView to{.round = 2, .at = "T+00:06", .t = 6};
    EXPECT_TRUE(difference_of(from, to).changed.empty());
    RoundView far;
    for (int i = 0; i < 50; ++i) far.knew.push_back(std::to_string(i));
    EXPECT_EQ(difference_of(from, far, 10).changed.size(), 10U);
}

}  // namespace
}  // namespace parley::web
