#include "sim/lanes.h"

#include "base/math.h"
#include "base/random.h"
#include "sim/lane_draws.h"

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

TEST(Lanes, work_out_exp_and_log_to_the_bits_of_a_double) {
    const std::vector<double> all = numbers();
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        const Two x{all[i], all[i + 1]};
        const Two power = exp_of(x);
        const Two size{std::fabs(x[0]), std::fabs(x[1])};
        const Two log = log_of(size);
        for (int lane = 0; lane < 2; ++lane) {
            ASSERT_TRUE(same_bits(power[lane], math::exp(x[lane]))) << x[lane];
            ASSERT_TRUE(same_bits(log[lane], math::log(size[lane]))) << size[lane];
        }
    }
    EXPECT_TRUE(std::isnan(log_of(Two{-1.0, 2.0})[0]));
    EXPECT_TRUE(same_bits(log_of(Two{-1.0, 2.0})[1], math::log(2.0)));
}

TEST(Lanes, choose_as_a_double_does) {
    for (const double a : {-1.0, -0.0, 0.0, 2.0, kInfinity}) {
        for (const double b : {-1.0, -0.0, 0.0, 2.0, kInfinity}) {
            const Two x{a, b};
            const Two y{b, a};
            for (int lane = 0; lane < 2; ++lane) {
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

TEST(Lanes, draw_what_each_place_draws_alone) {
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const std::uint64_t seed = bits_of(3 * i);
        const TwoWords entity{bits_of(3 * i + 1), bits_of(3 * i + 2)};
        const TwoWords index{i, (std::uint64_t{1} << 54) | i};
        const TwoWords bits = draw_two(seed, Stream::noise, entity, index);
        const Two z = normal_two(bits);
        for (int lane = 0; lane < 2; ++lane) {
            ASSERT_EQ(bits[lane], draw(seed, Stream::noise, entity[lane], index[lane]));
            ASSERT_TRUE(same_bits(z[lane], random::normal(bits[lane])));
        }
    }
}

TEST(Lanes, count_what_each_place_counts_alone) {
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const TwoWords bits{bits_of(6 * i), bits_of(6 * i + 1)};
        const auto mean = [&](std::uint64_t n) {
            return i % 50 == 0 ? 0.0 : random::log_uniform(bits_of(6 * i + n), 1.0, 1e7);
        };
        const auto dispersion = [&](std::uint64_t n) {
            return i % 3 == 0 ? 1.0 : random::log_uniform(bits_of(6 * i + n), 0.5, 20.0);
        };
        const Two means{mean(2), mean(3)};
        const Two dispersions{dispersion(4), dispersion(5)};
        const auto counts = count_two(bits, means, dispersions);
        for (int lane = 0; lane < 2; ++lane) {
            ASSERT_EQ(counts[std::size_t(lane)],
                      random::count(bits[lane], means[lane], dispersions[lane]));
        }
    }
}

}  // namespace
}  // namespace parley::sim
