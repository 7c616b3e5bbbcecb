#include "layers/explanation/answers/score_text.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using namespace model;

TEST(ScoreText, an_estimate_names_its_interval_and_every_line_it_leaves_out) {
    ClosedScore score{.action = Migrate{}, .state = ScoreState::estimated};
    score.advantage = {Role::safety, 1'500'000};
    score.unmodelled = LineSet{}.with(CostLine::energy).with(CostLine::node_hours);
    score.past_errors = 12;
    score.likely = Likely{500'000, 2'000'000};
    const std::string text = outcome_text(score, true);
    EXPECT_NE(text.find("A +1.5, B not known, C 0.0"), std::string::npos) << text;
    EXPECT_NE(text.find("without energy and node-hours"), std::string::npos) << text;
    EXPECT_NE(text.find("Estimated: the twin is a model, 80% between +0.5 and +2.0."),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("Left out are energy: the twin does not model it."), std::string::npos)
        << text;
}

TEST(ScoreText, a_missing_score_says_why) {
    ClosedScore score{.state = ScoreState::missing, .because = "no twin followed it"};
    EXPECT_EQ(outcome_text(score, true), "Not known: no twin followed it.");
}

}  // namespace
}  // namespace parley::explanation
