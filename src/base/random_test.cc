#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

namespace parley {
namespace {

constexpr std::uint64_t kSeed = 42;
constexpr std::uint64_t kNone = 0;
constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();

std::uint64_t bits(std::uint64_t index, std::uint64_t entity = 1) {
    return draw(kSeed, Stream::noise, entity, index);
}

TEST(Philox, gives_the_published_answers) {
    using random::philox;
    using random::Words;
    constexpr std::uint32_t kOnes = 0xffffffff;
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
              (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Draw, puts_its_arguments_where_recorded_runs_expect_them) {
    static_assert(draw(0, Stream::arrival, 0, 0) == 0xe169c58d6627e8d5);
    static_assert(draw128(0, Stream::arrival, 0, 0) ==
                  random::Bits128{0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c});
    const random::Words words =
        random::philox({0x89abcdef, 0x05234567, 0x55667788, 0x11223344}, {0xddeeff00, 0x99aabbcc});
    EXPECT_EQ(draw128(0x99aabbccddeeff00, Stream::scheduler, 0x1122334455667788, 0x23456789abcdef),
              (random::Bits128{words[0] | (std::uint64_t{words[1]} << 32),
                               words[2] | (std::uint64_t{words[3]} << 32)}));
}

TEST(Draw, differs_in_every_argument) {
    const std::set<std::uint64_t> seen = {
        draw(1, Stream::arrival, 1, 1),          draw(2, Stream::arrival, 1, 1),
        draw(1, Stream::payload, 1, 1),          draw(1, Stream::arrival, 2, 1),
        draw(1, Stream::arrival, 1, 2),          draw(1ULL << 32, Stream::arrival, 1, 1),
        draw(1, Stream::arrival, 1ULL << 63, 1), draw(1, Stream::arrival, 1, (1ULL << 56) - 1)};
    EXPECT_EQ(seen.size(), 8U);
}

TEST(DrawDeathTest, refuses_an_index_that_would_run_into_the_stream) {
    EXPECT_DEATH((void)draw(1, Stream::arrival, 1, 1ULL << 56), "broken invariant");
}

TEST(Draw, names_give_the_same_entity_in_every_run) {
    static_assert(entity_of("") == 0xcbf29ce484222325);
    static_assert(entity_of("a") == 0xaf63dc4c8601ec8c);
    EXPECT_EQ(entity_of("foobar"), 0x85944171f73967e8);
}

TEST(Random, uniforms_stay_in_their_interval) {
    EXPECT_EQ(random::uniform01(kNone), 0.0);
    EXPECT_EQ(random::uniform01(kAll), 1.0 - 0x1p-53);
    EXPECT_EQ(random::uniform_open(kNone), 0x1p-53);
    EXPECT_EQ(random::uniform_open(kAll), 1.0 - 0x1p-53);
    EXPECT_EQ(random::uniform(kNone, -2.0, 3.0), -2.0);
    EXPECT_LT(random::uniform(kAll, -2.0, 3.0), 3.0);
    EXPECT_FALSE(random::bernoulli(kNone, 0.0));
    EXPECT_TRUE(random::bernoulli(kAll, 1.0));
}

TEST(Random, integers_reach_both_ends_and_no_further) {
    EXPECT_EQ(random::below(kNone, 10), 0U);
    EXPECT_EQ(random::below(kAll, 10), 9U);
    EXPECT_EQ(random::below(kAll, 1), 0U);
    EXPECT_EQ(random::below(kAll, kAll), kAll - 1);
    EXPECT_EQ(random::between(kNone, -3, 4), -3);
    EXPECT_EQ(random::between(kAll, -3, 4), 4);
    EXPECT_EQ(random::between(kAll, 5, 5), 5);
    EXPECT_EQ(random::between(kNone, kLowest, kHighest), kLowest);
    EXPECT_EQ(random::between(kAll, kLowest, kHighest), kHighest);
    EXPECT_EQ(random::between(kAll, kLowest, kLowest + 1), kLowest + 1);
}

TEST(Random, integers_are_even) {
    std::array<int, 7> seen{};
    constexpr int kDraws = 70'000;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
        ++seen[static_cast<std::size_t>(random::between(bits(i), 0, 6))];
    }
    for (const int n : seen) EXPECT_NEAR(n, kDraws / 7.0, 4 * std::sqrt(kDraws / 7.0));
}

TEST(Random, values_are_finite_at_both_ends_of_the_bits) {
    for (const std::uint64_t b : {kNone, kAll}) {
        EXPECT_LT(std::fabs(random::normal(b)), 8.3);
        EXPECT_GT(random::exponential(b), 0.0);
        EXPECT_LT(random::exponential(b), 36.8);
        EXPECT_GT(random::lognormal(b, 20.0, 0.8), 0.0);
        EXPECT_LT(random::lognormal(b, 20.0, 0.8), 20.0 * 800);
    }
    EXPECT_EQ(random::log_uniform(kNone, 2.0, 300.0), 2.0);
    EXPECT_LE(random::log_uniform(kAll, 2.0, 300.0), 300.0);
    EXPECT_EQ(random::log_uniform(kAll, 5.0, 5.0), 5.0);
    EXPECT_LE(random::log_uniform(kAll, 1e-320, 1e308), 1e308);
}

struct Moments {
    double mean = 0;
    double variance = 0;
};

template <class Make>
Moments moments(Make make, int draws = 100'000) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; ++i) {
        const double x = make(bits(static_cast<std::uint64_t>(i), 9));
        sum += x;
        squares += x * x;
    }
    const double mean = sum / draws;
    return {mean, squares / draws - mean * mean};
}

TEST(Random, has_the_mean_and_variance_it_promises) {
    const Moments uniform = moments([](auto b) { return random::uniform01(b); });
    EXPECT_NEAR(uniform.mean, 0.5, 0.004);
    EXPECT_NEAR(uniform.variance, 1.0 / 12, 0.001);
    const Moments normal = moments([](auto b) { return random::normal(b); });
    EXPECT_NEAR(normal.mean, 0.0, 0.013);
    EXPECT_NEAR(normal.variance, 1.0, 0.018);
    const Moments exponential = moments([](auto b) { return random::exponential(b, 3.0); });
    EXPECT_NEAR(exponential.mean, 3.0, 0.04);
    EXPECT_NEAR(exponential.variance, 9.0, 0.35);
    // A lognormal has mean m exp(s^2 / 2); its logarithm has variance s^2.
    const Moments lognormal = moments([](auto b) { return random::lognormal(b, 20.0, 0.8); });
    EXPECT_NEAR(lognormal.mean, 20.0 * std::exp(0.32), 0.4);
    const Moments logs = moments([](auto b) { return std::log(random::lognormal(b, 20.0, 0.8)); });
    EXPECT_NEAR(logs.mean, std::log(20.0), 0.011);
    EXPECT_NEAR(logs.variance, 0.64, 0.012);
    const Moments spread = moments([](auto b) { return std::log(random::log_uniform(b, 1, 100)); });
    EXPECT_NEAR(spread.mean, std::log(10.0), 0.017);
    const Moments coin = moments([](auto b) { return random::bernoulli(b, 0.3) ? 1.0 : 0.0; });
    EXPECT_NEAR(coin.mean, 0.3, 0.006);
}

struct CountCase {
    double mean;
    double dispersion;
};

class CountHas : public testing::TestWithParam<CountCase> {};

TEST_P(CountHas, its_mean_and_dispersion) {
    const auto [mean, dispersion] = GetParam();
    const Moments m = moments(
        [&](auto b) { return static_cast<double>(random::count(b, mean, dispersion)); }, 40'000);
    EXPECT_NEAR(m.mean, mean, 4 * std::sqrt(mean * dispersion / 40'000));
    EXPECT_NEAR(m.variance / mean, dispersion, 0.06 * dispersion);
}

// Both sides of the mean at which the exact walk ends, and of the dispersion at which the kind
// changes.
INSTANTIATE_TEST_SUITE_P(Counts, CountHas,
                         testing::Values(CountCase{3, 1}, CountCase{3, 4}, CountCase{4, 0.5},
                                         CountCase{32, 1}, CountCase{32, 3}, CountCase{32, 0.5},
                                         CountCase{33, 1}, CountCase{33, 1.001}, CountCase{33, 3},
                                         CountCase{33, 0.999}, CountCase{33, 0.5},
                                         CountCase{60, 0.25}, CountCase{1000, 10},
                                         CountCase{1000, 0.1}, CountCase{1e6, 1},
                                         CountCase{1e6, 2.5}, CountCase{1e12, 1.5}));

double exact_chance(std::int64_t count, double mean, double dispersion) {
    const auto k = static_cast<double>(count);
    const double orders = std::lgamma(k + 1);
    if (dispersion == 1.0) return std::exp(-mean + k * std::log(mean) - orders);
    if (dispersion > 1.0) {
        const double r = mean / (dispersion - 1.0);
        return std::exp(std::lgamma(k + r) - std::lgamma(r) - orders - r * std::log(dispersion) +
                        k * std::log((dispersion - 1) / dispersion));
    }
    const double n = std::round(mean / (1.0 - dispersion));
    const double p = mean / n;
    if (k > n) return 0;
    return std::exp(std::lgamma(n + 1) - orders - std::lgamma(n - k + 1) + k * std::log(p) +
                    (n - k) * std::log1p(-p));
}

/// The largest distance between the distribution function of count and the exact one.
double worst_distance(double mean, double dispersion) {
    double exact = 0;
    double worst = 0;
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(10 * mean); ++k) {
        exact += exact_chance(k, mean, dispersion);
        std::uint64_t lo = 0;
        std::uint64_t hi = kAll;
        if (random::count(lo, mean, dispersion) > k || random::count(hi, mean, dispersion) <= k) {
            continue;
        }
        while (hi - lo > (1ULL << 44)) {
            const std::uint64_t middle = lo + (hi - lo) / 2;
            (random::count(middle, mean, dispersion) <= k ? lo : hi) = middle;
        }
        worst = std::max(worst, std::fabs(random::uniform01(lo) - exact));
    }
    return worst;
}

TEST(Count, is_exact_up_to_the_bound_and_close_above) {
    for (const double dispersion : {1.0, 2.0, 10.0}) {
        EXPECT_LT(worst_distance(3, dispersion), 1e-5);
        EXPECT_LT(worst_distance(32, dispersion), 1e-5);
        EXPECT_LT(worst_distance(32.5, dispersion), 0.0015);
        EXPECT_LT(worst_distance(200, dispersion), 0.0005);
    }
    EXPECT_LT(worst_distance(100, 51), 0.004);
    EXPECT_LT(worst_distance(20, 0.5), 1e-5);
    EXPECT_LT(worst_distance(60, 0.25), 1e-5);  // Few failures: counted exactly.
    EXPECT_LT(worst_distance(33, 0.5), 0.0007);
    EXPECT_LT(worst_distance(33, 0.9), 0.0004);
    EXPECT_LT(worst_distance(200, 0.3), 0.0003);
}

TEST(Count, never_falls_when_the_bits_rise) {
    for (const double mean : {0.3, 5.0, 32.0, 40.0, 5000.0}) {
        for (const double dispersion : {0.0, 0.2, 0.7, 1.0, 3.0, 30.0}) {
            std::int64_t before = 0;
            for (std::uint64_t i = 0; i < 4096; ++i) {
                const std::int64_t now = random::count(i << 52, mean, dispersion);
                EXPECT_GE(now, before) << mean << " " << dispersion;
                before = now;
            }
        }
    }
}

TEST(Count, survives_the_extremes) {
    EXPECT_EQ(random::count(kAll, 0.0, 1.0), 0);
    EXPECT_EQ(random::count(kNone, 1e-300, 1.0), 0);
    EXPECT_EQ(random::count(kNone, 7.0, 0.0), 7);
    EXPECT_EQ(random::count(kAll, 7.0, 0.0), 7);
    for (const double mean : {1e-9, 0.5, 32.0, 33.0, 1e9, 1e15}) {
        for (const double dispersion : {0.0, 1e-9, 0.5, 1 - 1e-15, 1.0, 1 + 1e-15, 50.0, 1e9}) {
            for (const std::uint64_t b : {kNone, kAll}) {
                const std::int64_t n = random::count(b, mean, dispersion);
                EXPECT_GE(n, 0) << mean << " " << dispersion;
                EXPECT_LE(static_cast<double>(n), 1e5 + 40 * mean) << mean << " " << dispersion;
            }
        }
    }
}

TEST(Count, gives_the_same_numbers_from_every_compiler) {
    std::vector<std::int64_t> counts;
    for (const double mean : {2.5, 31.0, 45.0, 1e5}) {
        for (const double dispersion : {0.4, 1.0, 2.5}) {
            counts.push_back(random::count(bits(counts.size()), mean, dispersion));
        }
    }
    EXPECT_EQ(counts,
              (std::vector<std::int64_t>{4, 1, 8, 31, 46, 18, 41, 43, 49, 99820, 100010, 100225}));
}

}  // namespace
}  // namespace parley
