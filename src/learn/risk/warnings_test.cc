#include "learn/risk/warnings.h"

#include "learn/risk/risk_trainer.h"
#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace parley::learn {
namespace {

/// Two in a hundred of the made-up rows' labels are what the last feature says, or more.
Rows with_last(const std::function<float(std::size_t, float)>& value, std::size_t n = 6'000) {
    Rows rows = made_up_rows(n);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows.values[i * rows.columns.size() + 2] = value(i, rows.label[i]);
    return rows;
}

std::vector<std::string> warnings_of(const Rows& rows, int rounds = 20) {
    RiskOptions options{.name = "made-up", .what = "it fails", .entity = "node"};
    options.trees.rounds_max = rounds;
    options.trees.depth = 3;
    options.resamples = 2;
    const auto model = train_risk(rows, *split_by_time(rows, minutes(30)), options);
    EXPECT_TRUE(model) << model.error().message;
    return model ? model->report.warnings : std::vector<std::string>{};
}

bool any_says(const std::vector<std::string>& warnings, std::string_view what) {
    return std::ranges::any_of(
        warnings, [&](const std::string& each) { return each.find(what) != std::string::npos; });
}

TEST(Warnings, honest_rows_have_none) { EXPECT_TRUE(warnings_of(made_up_rows(6'000), 60).empty()); }

TEST(Warnings, a_feature_that_is_the_label_is_named) {
    const struct {
        const char* name;
        std::function<float(std::size_t, float)> value;
        bool warned;
    } cases[] = {
        {"label itself", [](std::size_t, float y) { return y; }, true},
        {"turned around", [](std::size_t, float y) { return 7 - 2 * y; }, true},
        {"only there after a failure",
         [](std::size_t i, float y) { return y == 1 ? static_cast<float>(i) : __builtin_nanf(""); },
         true},
        {"codes in no order",
         [](std::size_t i, float y) { return static_cast<float>(i % 5 * 2) + y; }, true},
        {"in the middle of its range",
         [](std::size_t i, float y) {
             const auto spread = static_cast<float>(i % 997) / 997;
             if (y == 1) return 40 + spread;
             return i % 2 == 0 ? spread * 40 : 41 + spread * 40;
         },
         true},
        {"half of the time", [](std::size_t i, float y) { return i % 2 == 0 ? y : 0.5F; }, false},
        {"a number of its own", [](std::size_t i, float) { return static_cast<float>(i); }, false},
    };
    for (const auto& each : cases) {
        const auto warnings = warnings_of(with_last(each.value));
        EXPECT_EQ(any_says(warnings, "feature gap alone tells which rows fail"), each.warned)
            << each.name;
    }
}

TEST(Warnings, a_feature_that_beats_the_model_is_named) {
    // One tree of depth 3 ranks in eight steps; the signal itself ranks better.
    EXPECT_TRUE(any_says(warnings_of(made_up_rows(6'000), 1),
                         "one feature alone, high signal, ranks better (AUC"));
}

TEST(Warnings, copies_on_both_sides_of_a_split_are_counted) {
    Rows rows = made_up_rows(6'000);
    const std::size_t width = rows.columns.size();
    for (std::size_t i = 5'400; i < 6'000; ++i) {  // Half of the test.
        const std::size_t from = i - 5'400;
        std::copy_n(rows.values.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                    rows.values.begin() + static_cast<std::ptrdiff_t>(i * width));
        rows.label[i] = rows.label[from];
    }
    EXPECT_TRUE(any_says(warnings_of(rows), "50 % of the test rows stand among those before"));
    // What all rows have in common is no copy.
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.label[i] == 1) continue;
        std::fill_n(rows.values.begin() + static_cast<std::ptrdiff_t>(i * width), width, 0.0F);
    }
    EXPECT_FALSE(any_says(warnings_of(rows), "50 %"));
}

TEST(Warnings, a_record_too_short_is_said) {
    Rows rows = made_up_rows(8'000);
    for (std::size_t i = 0; i < rows.size(); ++i) rows.weight[i] = i % 20 < 11 ? 0.0F : 1.0F;
    EXPECT_TRUE(any_says(warnings_of(rows), "55 % of the rows are censored"));
    for (std::size_t i = 0; i < rows.size(); ++i) rows.weight[i] = i % 20 < 10 ? 0.0F : 1.0F;
    EXPECT_FALSE(any_says(warnings_of(rows), "censored"));
}

}  // namespace
}  // namespace parley::learn
