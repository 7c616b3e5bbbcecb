#include "learn/rows/censoring.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace parley::learn {
namespace {

TEST(Censoring, weighs_nothing_more_where_all_were_watched) {
    const std::vector<Watched> rows = {{Ending::failed, minutes(5)},
                                       {Ending::survived, minutes(30)},
                                       {Ending::survived, minutes(30)}};
    EXPECT_EQ(*censoring_weights(rows), (std::vector<float>{1, 1, 1}));
}

TEST(Censoring, gives_the_weight_of_the_censored_to_those_still_watched) {
    // Of four, one leaves after a minute: the others stand for it from then on.
    const std::vector<Watched> rows = {{Ending::censored, minutes(1)},
                                       {Ending::failed, seconds(30)},
                                       {Ending::failed, minutes(2)},
                                       {Ending::survived, minutes(30)}};
    const auto weight = *censoring_weights(rows);
    EXPECT_EQ(weight[0], 0);
    EXPECT_FLOAT_EQ(weight[1], 1);     // Failed before anybody left.
    EXPECT_FLOAT_EQ(weight[2], 1.5F);  // Two stand for three.
    EXPECT_FLOAT_EQ(weight[3], 1.5F);
    EXPECT_FLOAT_EQ(std::accumulate(weight.begin(), weight.end(), 0.0F), 4);
}

TEST(Censoring, counts_a_failure_at_the_same_moment_as_watched) {
    const std::vector<Watched> rows = {{Ending::failed, minutes(1)},
                                       {Ending::censored, minutes(1)},
                                       {Ending::survived, minutes(30)}};
    const auto weight = *censoring_weights(rows);
    EXPECT_FLOAT_EQ(weight[0], 1);
    EXPECT_FLOAT_EQ(weight[2], 2);
}

TEST(Censoring, is_cut_at_twenty) {
    std::vector<Watched> rows(100, {Ending::censored, minutes(1)});
    rows.push_back({Ending::failed, minutes(2)});
    EXPECT_FLOAT_EQ(censoring_weights(rows)->back(), 20);
}

TEST(Censoring, takes_out_the_bias_of_removing_what_looked_risky) {
    // True risk 0.1 or 0.6; of those shown a high risk, 70 % are removed before anything happens.
    std::vector<Watched> rows;
    std::vector<float> truth;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const double risk = i % 2 == 0 ? 0.1 : 0.6;
        const bool fails = random::bernoulli(draw(1, Stream::fault, i, 0), risk);
        const bool removed = risk > 0.5 && random::bernoulli(draw(1, Stream::fault, i, 1), 0.7);
        truth.push_back(fails ? 1.0F : 0.0F);
        rows.push_back({removed ? Ending::censored
                        : fails ? Ending::failed
                                : Ending::survived,
                        removed ? minutes(1)
                        : fails ? minutes(20)
                                : minutes(30),
                        risk});
    }
    const auto weight = *censoring_weights(rows);
    double naive = 0;
    double naive_rows = 0;
    double weighted = 0;
    double all = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        weighted += weight[i] * truth[i];
        all += weight[i];
        if (rows[i].ending == Ending::censored) continue;
        naive += truth[i];
        naive_rows += 1;
    }
    EXPECT_NEAR(weighted / all, 0.35, 0.02);
    EXPECT_LT(naive / naive_rows, 0.25);
}

TEST(Censoring, a_row_that_was_left_to_its_fate_stands_for_those_that_were_not) {
    // Ten that load would make fail half of the time: nine were drained, one was left.
    std::vector<Watched> rows(9, {Ending::censored, minutes(1), 0.3, Treatment::acted, 0.1});
    rows.push_back({Ending::failed, minutes(5), 0.3, Treatment::withheld, 0.1});
    rows.push_back({Ending::survived, minutes(30), 0.3});
    const auto weight = *censoring_weights(rows);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(weight[i], 0);
    EXPECT_NEAR(weight[9], 10, 1e-5);
    EXPECT_NEAR(weight[10], 1, 1e-5);  // A draw says nothing of who was in no danger.
    rows[9].probability = 0.01;
    EXPECT_NEAR((*censoring_weights(rows))[9], 20, 1e-5);
}

TEST(Censoring, refuses_what_it_cannot_place) {
    for (const double probability : {0.0, -0.1, 1.1, std::nan("")}) {
        const std::vector<Watched> impossible = {
            {Ending::failed, minutes(1), 0.5, Treatment::withheld, probability}};
        EXPECT_FALSE(censoring_weights(impossible)) << probability;
    }
    const std::vector<Watched> no_risk = {{Ending::failed, minutes(1), std::nan("")}};
    EXPECT_FALSE(censoring_weights(no_risk));
    const std::vector<Watched> backwards = {{Ending::failed, minutes(-1)}};
    EXPECT_FALSE(censoring_weights(backwards));
    EXPECT_TRUE(censoring_weights({})->empty());
}

}  // namespace
}  // namespace parley::learn
