#include "learn/risk/perfect_model.h"

#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

#include <numeric>

namespace parley::learn {
namespace {

/// Right forecasts, for rows that `entities` take in turn.
struct Right {
    Rows rows;
    std::vector<std::uint32_t> numbers;
    std::vector<double> probability;

    Right(std::size_t n, int entities) : rows(made_up_rows(n, -2, entities)), numbers(n) {
        std::iota(numbers.begin(), numbers.end(), 0U);
        for (const std::uint32_t i : numbers)
            probability.push_back(math::logistic(-2 + 2 * rows.row(i)[0]));
    }
    std::vector<Bar> bars(Duration step) const {
        const RiskTest test{.rows = rows,
                            .numbers = numbers,
                            .probability = probability,
                            .step = step,
                            .horizon = step,
                            .resamples = 2};
        std::vector<Bar> found = risk_bars(judge_risk(test));
        note_perfect(test, found);
        return found;
    }
};

TEST(PerfectModel, many_failures_tell_whether_a_bar_is_met) {
    for (const Bar& bar : Right(40'000, 40).bars(minutes(40))) {
        if (bar.what == kSkillBar) {
            EXPECT_FALSE(bar.perfect);
            continue;
        }
        ASSERT_TRUE(bar.perfect) << bar.what;
        EXPECT_GT(*bar.perfect, 0.85) << bar.what;
        EXPECT_FALSE(bar.untold());
    }
}

TEST(PerfectModel, rows_that_share_a_fate_tell_little) {
    // As many rows of forty entities, all of one risk: there are only forty independent outcomes.
    Right right(40'000, 40);
    for (const std::uint32_t i : right.numbers) {
        right.probability[i] = right.probability[i % 40];
        if (right.rows.label[i] == 1) right.rows.event[i] = right.rows.entity[i];
    }
    const auto bars = right.bars({});
    EXPECT_LT(*bars[1].perfect, 0.1);
    Bar missed = bars[1];
    missed.met = false;
    EXPECT_TRUE(missed.untold());
}

// Few failures are expected, so that even the truth misses the bar; but 7.8 times as many is no
// chance.
TEST(PerfectModel, what_a_right_model_would_never_show_is_not_met) {
    Right right(3'000, 40);
    const auto by_name = [](const std::vector<Bar>& bars, const char* what) {
        for (const Bar& bar : bars)
            if (bar.what == what) return bar;
        return Bar{};
    };
    right.probability.assign(right.numbers.size(), 0.001);  // Three failures are expected.
    const auto with = [&](std::size_t failures) {
        for (std::size_t i = 0; i < right.rows.size(); ++i) {
            right.rows.label[i] = i % 100 == 7 && i / 100 < failures ? 1.0F : 0.0F;
            right.rows.event[i] = right.rows.label[i] == 1 ? static_cast<std::int32_t>(i) : -1;
        }
        return by_name(right.bars(minutes(10)), "observed over expected");
    };
    const Bar few = with(5);
    EXPECT_LT(*few.perfect, 0.5);
    EXPECT_GT(*few.chance, 0.1);
    EXPECT_TRUE(few.untold());
    const Bar many = with(23);
    EXPECT_FALSE(many.met);
    EXPECT_LT(*many.perfect, 0.5);
    EXPECT_LT(*many.chance, 0.01);
    EXPECT_FALSE(many.untold());
}

TEST(PerfectModel, is_the_same_again) {
    const Right right(2'000, 10);
    const auto first = right.bars(minutes(10));
    const auto second = right.bars(minutes(10));
    for (std::size_t k = 0; k < first.size(); ++k) EXPECT_EQ(first[k].perfect, second[k].perfect);
}

TEST(PerfectModel, says_nothing_of_no_rows) {
    const Rows rows = made_up_rows(1);
    std::vector<Bar> bars = {{.what = "slope"}};
    note_perfect({.rows = rows, .numbers = {}, .probability = {}}, bars);
    EXPECT_FALSE(bars[0].perfect);
}

}  // namespace
}  // namespace parley::learn
