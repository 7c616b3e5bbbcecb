#include "layers/explanation/wording/lines.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using namespace model;

TEST(Lines, names_what_a_figure_leaves_out) {
    EXPECT_EQ(without_text({}), "");
    EXPECT_EQ(without_text({{CostLine::lost_requests, 4, 4}, {CostLine::energy, 2, 5}}),
              ", without lost requests and energy in part");
}

TEST(Lines, says_why_and_what_would_help) {
    const auto reasons =
        reasons_without({{CostLine::lost_requests, 4, 4}, {CostLine::energy, 2, 5}});
    ASSERT_EQ(reasons.size(), 2U);
    EXPECT_EQ(reasons[0],
              "lost requests: no source tells how many requests fail (Prometheus with Istio or "
              "Linkerd would)");
    EXPECT_EQ(reasons[1],
              "energy of 2 readings of 5 readings: no source measures the power of nodes "
              "(Prometheus with Kepler or RAPL would)");
}

TEST(Lines, what_a_twin_does_not_model_is_left_out_even_if_it_is_counted) {
    ClosedScore score;
    score.uncounted = {{CostLine::lost_requests, 4, 4}};
    score.unmodelled = LineSet{}.with(CostLine::lost_requests).with(CostLine::energy);
    EXPECT_EQ(without_text(left_out(score)), ", without lost requests and energy");
    const auto reasons = reasons_left_out(score);
    ASSERT_EQ(reasons.size(), 2U);
    EXPECT_EQ(reasons[1], "energy: the twin does not model it");
}

TEST(Lines, an_estimate_says_how_far_it_can_be_relied_on) {
    ClosedScore score;
    EXPECT_EQ(likely_text(score), "no interval: no error of such a twin is known, 9 are needed");
    score.past_errors = 3;
    EXPECT_EQ(likely_text(score),
              "no interval: only 3 errors of such twins are known, 9 are needed");
    score.likely = Likely{-500'000, 1'000'000};
    EXPECT_EQ(likely_text(score), "80% between -0.5 and +1.0");
}

}  // namespace
}  // namespace parley::explanation
