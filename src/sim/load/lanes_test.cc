#include "sim/load/lanes.h"

#include "base/math.h"
#include "base/random.h"
#include "sim/load/lane_draws.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace parley::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::uint64_t bits_of(std::uint64_t i) { return draw(5, Stream::jitter, 1, i); }

/// Numbers of every size, and those where a function has an edge.
std::vector<double> numbers() {
    std::vector<double> out{0.0,       -0.0,      1.0,       -1.0,       708.0,
                            -708.0,    709.8,     -745.2,    1e300,      -1e300,
                            0x1p-1022, 0x1p-1074, kInfinity, -kInfinity, 0x1p+1023};
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const double size = random::log_uniform(bits_of(2 * i), 1e-12, 1e3);
        out.push_back((bits_of(2 * i + 1) & 1) != 0 ? size : -size);
    }
    return out;
}

template <class D>
class Lanes : public ::testing::Test {};
using Widths = ::testing::Types<Two, Four>;
TYPED_TEST_SUITE(Lanes, Widths);

/// Works out `of(x)` in lanes, in each kind of register that there is.
template <class D, class F>
void expect_as_alone(const std::vector<double>& all, F&& in_lanes, double (*alone)(double)) {
    constexpr std::size_t kCount = kLanes<D>;
    const auto check = [&]() __attribute__((always_inline)) {
        for (std::size_t i = 0; i + kCount <= all.size(); ++i) {
            const D x = lanes_of<D>([&](int lane) { return all[i + std::size_t(lane)]; });
            const D out = in_lanes(x);
            for (int lane = 0; lane < kLanes<D>; ++lane) {
                ASSERT_TRUE(same_bits(out[lane], alone(x[lane]))) << x[lane];
            }
        }
    };
    lanes::in_sse2(check);
    if (lanes::kHasAvx2) lanes::in_avx2(check);
}

TYPED_TEST(Lanes, work_out_functions_to_the_bits_of_a_double) {
    using D = TypeParam;
    const std::vector<double> all = numbers();
    std::vector<double> sizes;
    std::vector<double> shares;
    for (const double x : all) {
        sizes.push_back(std::fabs(x));
        shares.push_back(
            random::uniform_open(std::bit_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15));
    }
    for (const double tail : {0x1p-53, 1e-13, 1e-9, 0.074, 0.075, 0.0751}) {
        shares.push_back(tail);
        shares.push_back(1.0 - tail);
    }
    expect_as_alone<D>(
        all, [](D x) __attribute__((always_inline)) { return exp_of(x); }, math::exp);
    expect_as_alone<D>(
        sizes, [](D x) __attribute__((always_inline)) { return log_of(x); }, math::log);
    expect_as_alone<D>(sizes, [](D x) __attribute__((always_inline)) { return root(x); }, root);
    expect_as_alone<D>(
        all, [](D x) __attribute__((always_inline)) { return normal_cdf(x); }, math::normal_cdf);
    expect_as_alone<D>(
        shares, [](D x) __attribute__((always_inline)) { return normal_quantile(x); },
        math::normal_quantile);
}

TEST(LanesAlone, leave_a_bad_one_to_itself) {
    EXPECT_TRUE(std::isnan(log_of(Two{-1.0, 2.0})[0]));
    EXPECT_TRUE(same_bits(log_of(Two{-1.0, 2.0})[1], math::log(2.0)));
    EXPECT_TRUE(std::isnan(normal_cdf(Two{NAN, 2.0})[0]));
    EXPECT_TRUE(same_bits(normal_cdf(Two{NAN, 2.0})[1], math::normal_cdf(2.0)));
}

TYPED_TEST(Lanes, choose_as_a_double_does) {
    using D = TypeParam;
    for (const double a : {-1.0, -0.0, 0.0, 2.0, kInfinity}) {
        EXPECT_TRUE(same_bits(every<D>(a)[1], a));
        for (const double b : {-1.0, -0.0, 0.0, 2.0, kInfinity}) {
            const D x = lanes_of<D>([&](int lane) { return lane % 2 == 0 ? a : b; });
            const D y = lanes_of<D>([&](int lane) { return lane % 2 == 0 ? b : a; });
            for (int lane = 0; lane < kLanes<D>; ++lane) {
                EXPECT_TRUE(same_bits(least(x, y)[lane], least(x[lane], y[lane])));
                EXPECT_TRUE(same_bits(most(x, y)[lane], most(x[lane], y[lane])));
                EXPECT_TRUE(same_bits(choose(x < y, x, y)[lane],
                                      choose(x[lane] < y[lane], x[lane], y[lane])));
            }
            EXPECT_EQ(any(x < y), a < b || b < a);
            EXPECT_EQ(all(x == y), a == b);
        }
    }
}

TYPED_TEST(Lanes, draw_what_each_place_draws_alone) {
    using D = TypeParam;
    run_wide([&]() __attribute__((always_inline)) {
        for (std::uint64_t i = 0; i < 20'000; ++i) {
            const std::uint64_t seed = bits_of(5 * i);
            WordsOf<D> entity{};
            WordsOf<D> index{};
            for (int lane = 0; lane < kLanes<D>; ++lane) {
                entity[lane] = bits_of(5 * i + 1 + static_cast<std::uint64_t>(lane));
                index[lane] = (std::uint64_t{lane % 2 != 0} << 54) | i;
            }
            const WordsOf<D> bits = draw_lanes(seed, Stream::noise, entity, index);
            const D z = normal_lanes<D>(bits);
            for (int lane = 0; lane < kLanes<D>; ++lane) {
                ASSERT_EQ(bits[lane], draw(seed, Stream::noise, entity[lane], index[lane]));
                ASSERT_TRUE(same_bits(z[lane], random::normal(bits[lane])));
            }
        }
    });
}

TYPED_TEST(Lanes, count_what_each_place_counts_alone) {
    using D = TypeParam;
    run_wide([&]() __attribute__((always_inline)) {
        for (std::uint64_t i = 0; i < 20'000; ++i) {
            WordsOf<D> bits{};
            D means{};
            D dispersions{};
            for (int lane = 0; lane < kLanes<D>; ++lane) {
                const std::uint64_t place = 12 * i + 3 * static_cast<std::uint64_t>(lane);
                bits[lane] = bits_of(place);
                means[lane] = i % 50 == 0 ? 0.0 : random::log_uniform(bits_of(place + 1), 1.0, 1e7);
                dispersions[lane] =
                    i % 3 == 0 ? 1.0 : random::log_uniform(bits_of(place + 2), 0.5, 20.0);
            }
            const D counts = count_lanes(bits, means, dispersions);
            for (int lane = 0; lane < kLanes<D>; ++lane) {
                ASSERT_EQ(counts[lane], static_cast<double>(random::count(bits[lane], means[lane],
                                                                          dispersions[lane])));
            }
        }
    });
}

}  // namespace
}  // namespace parley::sim
