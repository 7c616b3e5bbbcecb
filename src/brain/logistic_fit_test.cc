#include "brain/logistic_fit.h"

#include "base/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace parley::brain {
namespace {

struct Points {
    std::vector<double> margin;
    std::vector<double> target;
    std::vector<float> weight;
};

Points exactly(double a, double b) {
    Points points;
    for (int k = -20; k <= 20; ++k) {
        points.margin.push_back(k / 5.0);
        points.target.push_back(math::logistic(a + b * k / 5.0));
        points.weight.push_back(static_cast<float>(1 + k % 3 + 2));
    }
    return points;
}

TEST(LogisticFit, finds_the_curve_it_was_given) {
    for (const auto& [a, b] : {std::pair{0.0, 1.0}, {-3.0, 0.5}, {1.0, 2.5}, {0.2, -1.0}}) {
        const Points points = exactly(a, b);
        const Logistic found = fit_logistic(points.margin, points.target, points.weight);
        EXPECT_NEAR(found.a, a, 1e-6);
        EXPECT_NEAR(found.b, b, 1e-6);
    }
}

TEST(LogisticFit, intercept_makes_expected_equal_observed) {
    const Points points = exactly(-1.5, 0.3);
    const double a = fit_intercept(points.margin, points.target, points.weight);
    double expected = 0;
    double observed = 0;
    for (std::size_t i = 0; i < points.margin.size(); ++i) {
        expected += points.weight[i] * math::logistic(a + points.margin[i]);
        observed += points.weight[i] * points.target[i];
    }
    EXPECT_NEAR(expected, observed, 1e-6);
}

TEST(LogisticFit, stays_finite_where_data_says_nothing) {
    const std::vector<double> same(10, 2.0);
    const std::vector<double> target(10, 1.0);
    const std::vector<float> weight(10, 1);
    const Logistic found = fit_logistic(same, target, weight);  // All positive at one margin.
    EXPECT_TRUE(std::isfinite(found.a) && std::isfinite(found.b));
    const std::vector<float> none(10, 0);
    const Logistic kept = fit_logistic(same, target, none);
    EXPECT_EQ(kept.a, 0);
    EXPECT_EQ(kept.b, 1);
    const Logistic empty = fit_logistic({}, {}, {});
    EXPECT_EQ(empty.b, 1);
}

TEST(LogisticFit, leans_on_its_prior_where_data_is_thin) {
    const LogisticPrior prior{.a_deviation = 0.5, .b_deviation = 0.2};
    Points points = exactly(-3, 0.5);
    const auto fit = [&](float weight) {
        points.weight.assign(points.margin.size(), weight);
        return fit_logistic(points.margin, points.target, points.weight, prior);
    };
    const Logistic thin = fit(1e-4F);
    EXPECT_NEAR(thin.a, 0, 0.05);
    EXPECT_NEAR(thin.b, 1, 0.05);
    const Logistic much = fit(1e4F);
    EXPECT_NEAR(much.a, -3, 0.01);
    EXPECT_NEAR(much.b, 0.5, 0.01);
}

TEST(LogisticFit, survives_perfect_separation) {
    const std::vector<double> margin = {-2, -1, 1, 2};
    const std::vector<double> target = {0, 0, 1, 1};
    const std::vector<float> weight(4, 1);
    const Logistic found = fit_logistic(margin, target, weight);
    EXPECT_TRUE(std::isfinite(found.b));
    EXPECT_GT(found.b, 1);
    EXPECT_LE(found.b, 50);
}

}  // namespace
}  // namespace parley::brain
