#include "experiment/paired.h"

#include "base/math.h"
#include "base/random.h"

#include <gtest/gtest.h>

namespace parley::experiment {
namespace {

std::vector<double> normal(std::size_t count, double mean, double sd, std::uint64_t seed) {
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) {
        const double u = random::uniform(draw(seed, Stream::noise, 1, i), 1e-12, 1.0);
        out.push_back(mean + sd * math::normal_quantile(u));
    }
    return out;
}

TEST(Paired, the_interval_of_a_normal_mean_is_the_textbook_one) {
    const auto values = normal(400, 1.0, 2.0, 5);
    const Paired paired = compare_pairs(values, 1);
    const double half = 1.96 * paired.sd / 20.0;
    EXPECT_NEAR(paired.low, paired.mean - half, 0.02);
    EXPECT_NEAR(paired.high, paired.mean + half, 0.02);
    EXPECT_LT(paired.p, 0.001);
    EXPECT_EQ(paired, compare_pairs(values, 1));
}

TEST(Paired, covers_the_truth_as_often_as_it_says) {
    int covered = 0;
    constexpr int kTimes = 300;
    for (int i = 0; i < kTimes; ++i) {
        const auto values = normal(60, 0.0, 1.0, static_cast<std::uint64_t>(100 + i));
        const Paired paired = compare_pairs(values, 1, 1'000);
        covered += paired.low <= 0 && paired.high >= 0 ? 1 : 0;
    }
    EXPECT_GT(covered, kTimes * 0.91);
    EXPECT_LT(covered, kTimes * 0.985);
}

TEST(Paired, without_a_difference_the_sign_says_nothing) {
    int significant = 0;
    for (int i = 0; i < 200; ++i) {
        const auto values = normal(40, 0.0, 1.0, static_cast<std::uint64_t>(900 + i));
        significant += compare_pairs(values, 1, 500).p < 0.05 ? 1 : 0;
    }
    EXPECT_LT(significant, 22);
}

TEST(Paired, equal_runs_differ_by_nothing) {
    const std::vector<double> same(30, 0.0);
    const Paired paired = compare_pairs(same, 1);
    EXPECT_EQ(paired.mean, 0);
    EXPECT_EQ(paired.high, 0);
    EXPECT_EQ(paired.p, 1);
    EXPECT_EQ(answer_of(paired, paired.p, {0.1, 0.01}), Answer::equivalent);
}

TEST(Paired, the_same_loss_everywhere_is_one) {
    const std::vector<double> same(30, -2.0);
    const Paired paired = compare_pairs(same, 1);
    EXPECT_EQ(paired.low, -2);
    EXPECT_EQ(paired.high, -2);
    EXPECT_LT(paired.p, 0.01);
    EXPECT_EQ(answer_of(paired, paired.p, {0.1, 0.01}), Answer::better);
}

TEST(Holm, is_stepwise_and_never_falls) {
    const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
    const std::vector<double> adjusted = holm(p);
    const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
    ASSERT_EQ(adjusted.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12) << i;
    EXPECT_TRUE(holm({}).empty());
}

struct AnswerCase {
    const char* name;
    Paired paired;
    double p;
    Answer answer;
};

class AnswerOf : public testing::TestWithParam<AnswerCase> {};

TEST_P(AnswerOf, by_the_rules) {
    const AnswerCase& c = GetParam();
    EXPECT_EQ(answer_of(c.paired, c.p, {1.0, 0.1}), c.answer);
}

const AnswerCase kCases[] = {
    {"better", {.pairs = 40, .mean = -2, .low = -3, .high = -1.5}, 0.01, Answer::better},
    {"worse", {.pairs = 40, .mean = 2, .low = 1.5, .high = 3}, 0.01, Answer::worse},
    {"small_but_sure",
     {.pairs = 40, .mean = -0.5, .low = -0.6, .high = -0.4},
     0.01,
     Answer::better},
    {"sure_and_just_large_enough",
     {.pairs = 40, .mean = -0.1, .low = -0.2, .high = -0.01},
     0.01,
     Answer::better},
    {"sure_and_too_small",
     {.pairs = 40, .mean = -0.09, .low = -0.2, .high = -0.01},
     0.01,
     Answer::equivalent},
    {"sure_too_small_and_worse",
     {.pairs = 40, .mean = 0.09, .low = 0.01, .high = 0.2},
     0.01,
     Answer::equivalent},
    {"not_after_adjustment",
     {.pairs = 40, .mean = -2, .low = -3, .high = -0.1},
     0.06,
     Answer::unresolved},
    {"equivalent", {.pairs = 40, .mean = 0.1, .low = -0.5, .high = 0.9}, 0.4, Answer::equivalent},
    {"unresolved", {.pairs = 40, .mean = 0.1, .low = -2, .high = 2}, 0.9, Answer::unresolved},
    {"too_few_to_be_better",
     {.pairs = 5, .mean = -2, .low = -3, .high = -1},
     0.07,
     Answer::too_few},
    {"too_few_to_be_equivalent",
     {.pairs = 4, .mean = -0.12, .sd = 0.01, .low = -0.14, .high = -0.11},
     0.1256,
     Answer::too_few},
    {"just_enough", {.pairs = 6, .mean = -2, .low = -3, .high = -1}, 0.04, Answer::better},
    {"few_and_equal_in_each", {.pairs = 2}, 1, Answer::equivalent},
};
INSTANTIATE_TEST_SUITE_P(Rows, AnswerOf, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(PairsToTell, are_so_many_that_the_least_p_is_below_a_twentieth) {
    EXPECT_EQ(pairs_to_tell(), 6);
    EXPECT_EQ(pairs_to_tell(2), 7) << "Holm doubles it";
    EXPECT_EQ(pairs_to_tell(6), 8);
    for (const std::int64_t pairs : {5, 6}) {
        const std::vector<double> same(static_cast<std::size_t>(pairs), -1.0);
        EXPECT_EQ(compare_pairs(same, 1).p < 0.05, pairs >= pairs_to_tell()) << pairs;
    }
    const Paired six{.pairs = 6, .mean = -2, .low = -3, .high = -1};
    EXPECT_EQ(answer_of(six, 0.04, {1.0, 0.1}, 2), Answer::too_few);
}

TEST(PairsNeeded, grow_with_the_square_of_the_spread_within_bounds) {
    EXPECT_EQ(pairs_needed(normal(20, 0, 1, 3), 100.0), 100);
    EXPECT_EQ(pairs_needed(normal(20, 0, 1, 3), 0.001), 1'000);
    const std::vector<double> pilot{-1, 1, -1, 1};
    EXPECT_EQ(pairs_needed(pilot, 0.25), 168);  // 7.85 x (1.1547 / 0.25)^2.
    EXPECT_EQ(pairs_needed({}, 1.0), 100);
}

TEST(NotInferior, allows_half_a_disruption_or_five_percent) {
    EXPECT_TRUE(not_inferior({.high = 0.5}, 0));
    EXPECT_FALSE(not_inferior({.high = 0.51}, 0));
    EXPECT_TRUE(not_inferior({.high = 0.99}, 20));
    EXPECT_FALSE(not_inferior({.high = 1.01}, 20));
}

}  // namespace
}  // namespace parley::experiment
