#include "learn/fit/conformal.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace parley::learn {
namespace {

std::vector<double> errors(std::size_t n, double scale, std::uint64_t seed) {
    std::vector<double> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(scale * std::fabs(random::normal(draw(seed, Stream::noise, i, 0))));
    return out;
}

TEST(Conformal, takes_the_quantile_with_room_for_one_more) {
    std::vector<double> hundred;
    for (int i = 1; i <= 99; ++i) hundred.push_back(i);
    EXPECT_EQ(Conformal(hundred, {}).width(), 90);
    const std::vector<double> few = {1, 2, 3};
    EXPECT_EQ(Conformal(few, {}).width(), 3);
    EXPECT_TRUE(std::isinf(Conformal({}, {}).width()));
}

TEST(Conformal, covers_as_asked_where_nothing_changes) {
    const auto rolled = roll(Conformal(errors(1'000, 1, 1), {}), errors(5'000, 1, 2), 12, 288);
    EXPECT_NEAR(rolled.covered, 0.9, 0.01);
    EXPECT_GT(rolled.worst_day, 0.8);
}

TEST(Conformal, follows_when_errors_double) {
    const auto start = errors(1'000, 1, 1);
    const auto after = errors(5'000, 2, 2);
    const auto adaptive = roll(Conformal(start, {}), after, 12, 288);
    const auto fixed = roll(Conformal(start, {.gamma = 0, .window = 1'000'000}), after, 12, 288);
    EXPECT_NEAR(adaptive.covered, 0.9, 0.02);
    EXPECT_LT(fixed.covered, adaptive.covered - 0.01);
}

TEST(Conformal, hears_of_an_error_only_after_its_delay) {
    // Nothing was heard yet: all widths are the first one.
    const std::vector<double> start = {1, 1, 1};
    const std::vector<double> wild(10, 100.0);
    const auto rolled = roll(Conformal(start, {}), wild, 10, 0);
    for (const double width : rolled.width) EXPECT_EQ(width, 1);
    const auto sooner = roll(Conformal(start, {}), wild, 2, 0);
    EXPECT_EQ(sooner.width[1], 1);
    EXPECT_EQ(sooner.width[2], 100);
}

TEST(Conformal, finds_the_worst_day) {
    std::vector<double> calm(100, 0.0);
    for (std::size_t i = 40; i < 50; ++i) calm[i] = 10;
    const std::vector<double> start(20, 1.0);
    const auto rolled = roll(Conformal(start, {.gamma = 0, .window = 20}), calm, 1'000, 10);
    EXPECT_EQ(rolled.worst_day, 0);
    EXPECT_NEAR(rolled.covered, 0.9, 1e-12);
}

TEST(Conformal, ignores_what_is_no_number) {
    Conformal conformal(std::vector<double>{1, std::nan(""), 2}, {});
    conformal.feed(std::nan(""), 1);
    EXPECT_EQ(conformal.level(), 0.1);
    EXPECT_EQ(conformal.width(), 2);
}

}  // namespace
}  // namespace parley::learn
