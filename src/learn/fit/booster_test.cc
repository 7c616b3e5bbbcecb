#include "learn/fit/booster.h"

#include "learn/fit/metrics.h"
#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace parley::learn {
namespace {

std::vector<std::uint32_t> numbers(std::uint32_t from, std::uint32_t to) {
    std::vector<std::uint32_t> all(to - from);
    std::iota(all.begin(), all.end(), from);
    return all;
}

struct Trained {
    Rows rows = made_up_rows(4'000);
    Result<Matrix> train = Matrix::of(rows, numbers(0, 2'500), 1);
    Result<Matrix> stop = Matrix::of(rows, numbers(2'500, 3'000), 1);
    Result<Matrix> test = Matrix::of(rows, numbers(3'000, 4'000), 1);

    Result<Booster> boost(const BoosterParameters& parameters = {
                              .base_score = 0.2, .rounds_max = 60, .patience = 10}) const {
        return Booster::train(*train, *stop, parameters);
    }
};

TEST(Booster, learns_and_stops_by_the_stop_slice) {
    const Trained t;
    int rounds = 0;
    const auto booster =
        Booster::train(*t.train, *t.stop, {.base_score = 0.2, .eta = 0.3, .patience = 10},
                       [&](int done) { return (rounds = done) > 0; });
    ASSERT_TRUE(booster) << booster.error().message;
    EXPECT_LT(rounds, 1'000);
    EXPECT_EQ(rounds, booster->trees() + 10);  // Ten without gain, and those are not kept.
    const auto margins = booster->margins(*t.test);
    ASSERT_TRUE(margins);
    const std::vector<double> score(margins->begin(), margins->end());
    const std::vector<float> label(t.rows.label.begin() + 3'000, t.rows.label.end());
    const std::vector<float> weight(1'000, 1);
    EXPECT_GT(auc({score, label, weight}), 0.85);
}

TEST(Booster, grows_as_many_trees_as_it_is_told) {
    const Trained t;
    const BoosterParameters trees{.base_score = 0.2, .rounds_max = 12, .patience = 10};
    const auto grown = Booster::grow(*t.train, trees);
    ASSERT_TRUE(grown) << grown.error().message;
    EXPECT_EQ(grown->trees(), 12);
    // The same trees as those of a training that is stopped there.
    const auto trained = Booster::train(*t.train, *t.stop, trees);
    EXPECT_EQ(*grown->margins(*t.test), *trained->margins(*t.test));
    const auto stopped = Booster::grow(*t.train, trees, [](int done) { return done < 3; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message, "training was interrupted");
    EXPECT_FALSE(Booster::grow(*t.train, {.depth = 0}));
}

TEST(Booster, gives_the_same_bytes_again) {
    const Trained t;
    const auto a = t.boost()->save("ubj");
    const auto b = t.boost()->save("ubj");
    ASSERT_TRUE(a);
    EXPECT_EQ(*a, *b);
}

TEST(Booster, reads_back_what_it_saved) {
    const Trained t;
    const auto booster = t.boost();
    for (const char* format : {"json", "ubj"}) {
        const auto again = Booster::load(*booster->save(format));
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(again->trees(), booster->trees());
        EXPECT_EQ(*again->margins(*t.test), *booster->margins(*t.test)) << format;
    }
}

TEST(Booster, begins_at_the_margin_it_is_given) {
    const Trained t;
    const std::vector<float> high(2'500, 5.0F);
    const auto shifted = Matrix::of(t.rows, numbers(0, 2'500), 1, high);
    ASSERT_TRUE(shifted);
    const BoosterParameters few{.base_score = 0.2, .rounds_max = 3, .patience = 0};
    const auto plain = Booster::train(*t.train, *t.stop, few);
    const auto moved = Booster::train(*shifted, *t.stop, few);
    ASSERT_TRUE(moved) << moved.error().message;
    // Begun too high, all its trees pull down; those of the other do both.
    const float begin = -1.3863F;  // The logit of 0.2.
    EXPECT_LT(std::ranges::max(*moved->margins(*t.test)), begin);
    EXPECT_GT(std::ranges::max(*plain->margins(*t.test)), begin);
}

TEST(Booster, ranks_features_by_gain) {
    const Trained t;
    const auto gains = t.boost()->gains(t.rows.columns);
    ASSERT_TRUE(gains);
    ASSERT_FALSE(gains->empty());
    EXPECT_EQ(gains->front().feature, "signal");
    double sum = 0;
    for (const Gain& gain : *gains) sum += gain.share;
    EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(Booster, refuses_with_a_sentence) {
    const Trained t;
    EXPECT_FALSE(Matrix::of(t.rows, {}, 1));
    const auto deep = t.boost({.depth = 100});
    ASSERT_FALSE(deep);
    EXPECT_EQ(deep.error().code, ErrorCode::denied);
    const auto wrong = t.boost({.objective = "binary:nonsense"});
    ASSERT_FALSE(wrong);
    EXPECT_TRUE(wrong.error().message.starts_with("xgboost: ")) << wrong.error().message;
    EXPECT_LT(wrong.error().message.size(), 400U);
    const auto damaged = Booster::load("{\"learner\": nonsense");
    EXPECT_FALSE(damaged);
    const auto stopped = Booster::train(*t.train, *t.stop, {}, [](int) { return false; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message, "training was interrupted");
}

TEST(Booster, names_its_version) { EXPECT_TRUE(xgboost_version().starts_with("1.7.")); }

}  // namespace
}  // namespace parley::learn
