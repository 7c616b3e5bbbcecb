#include "base/math.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace parley {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr int kSamples = 100'000;

using Function = double (*)(double);
using Oracle = long double (*)(long double);

double sample(double lo, double hi, bool by_size, std::uint64_t i) {
    const std::uint64_t bits = draw(7, Stream::noise, 1, i);
    return by_size ? random::log_uniform(bits, lo, hi) : random::uniform(bits, lo, hi);
}

/// The distance to the right value, in units of its last place.
double ulps(double got, long double right) {
    if (!std::isfinite(got)) return kInf;
    int exponent = 0;
    (void)std::frexp(right, &exponent);
    const long double unit = std::ldexp(1.0L, std::max(exponent - 53, -1074));
    return static_cast<double>(std::fabs(static_cast<long double>(got) - right) / unit);
}

struct Accuracy {
    const char* name;
    Function ours;
    Oracle right;
    double lo;
    double hi;
    double ulps_max;
    bool by_size = false;  ///< Spread evenly over magnitudes.
};

class MathIsAccurate : public testing::TestWithParam<Accuracy> {};

TEST_P(MathIsAccurate, over_its_range) {
    const Accuracy& c = GetParam();
    double worst = 0;
    double worst_at = 0;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
        const double x = sample(c.lo, c.hi, c.by_size, i);
        const double off = ulps(c.ours(x), c.right(x));
        if (off > worst) worst_at = x;
        worst = std::max(worst, off);
    }
    EXPECT_LE(worst, c.ulps_max) << "at " << worst_at;
}

long double exact_exp(long double x) { return std::exp(x); }
long double exact_log(long double x) { return std::log(x); }
long double exact_log1p(long double x) { return std::log1p(x); }
long double exact_expm1(long double x) { return std::expm1(x); }
long double exact_logistic(long double x) { return 1.0L / (1.0L + std::exp(-x)); }
long double exact_erf(long double x) { return std::erf(x); }
long double exact_cdf(long double x) { return 0.5L * std::erfc(-x * 0.707106781186547524401L); }

const Accuracy kAccuracies[] = {
    {"exp", math::exp, exact_exp, -708.0, 709.7, 1.1},
    {"exp_near_zero", math::exp, exact_exp, -1.0, 1.0, 1.1},
    {"exp_of_tiny", math::exp, exact_exp, 1e-300, 1.0, 1.1, true},
    {"exp_subnormal", math::exp, exact_exp, -745.0, -708.0, 1.1},
    {"log", math::log, exact_log, 1e-307, 1e308, 1.0, true},
    {"log_near_one", math::log, exact_log, 0.3, 3.0, 1.0},
    {"log_very_near_one", math::log, exact_log, 0.9999, 1.0001, 1.0},
    {"log_subnormal", math::log, exact_log, 1e-322, 2e-308, 1.0, true},
    {"log1p", math::log1p, exact_log1p, -0.9999, 3.0, 2.0},
    {"log1p_all_sizes", math::log1p, exact_log1p, 1e-300, 1e300, 2.0, true},
    {"expm1", math::expm1, exact_expm1, -3.0, 3.0, 2.0},
    {"expm1_wide", math::expm1, exact_expm1, -50.0, 700.0, 2.0},
    {"expm1_all_sizes", math::expm1, exact_expm1, 1e-300, 1.0, 2.0, true},
    {"logistic", math::logistic, exact_logistic, -5.0, 5.0, 3.0},
    {"logistic_wide", math::logistic, exact_logistic, -700.0, 40.0, 3.0},
    {"erf", math::erf, exact_erf, -7.0, 7.0, 3.0},
    {"erf_all_sizes", math::erf, exact_erf, 1e-300, 1.0, 3.0, true},
    {"normal_cdf", math::normal_cdf, exact_cdf, -3.0, 9.0, 8.0},
    {"normal_cdf_tail", math::normal_cdf, exact_cdf, -37.0, 0.0, 8.0},
};
INSTANTIATE_TEST_SUITE_P(Functions, MathIsAccurate, testing::ValuesIn(kAccuracies),
                         [](const auto& entry) { return std::string(entry.param.name); });

TEST(Math, pow_is_accurate_however_large_the_exponent) {
    double worst = 0;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
        const double x = i % 2 == 0 ? sample(1e-300, 1e300, true, i) : sample(0.98, 1.02, false, i);
        const double size = random::uniform(draw(7, Stream::noise, 2, i), -700.0, 700.0);
        const double y = size / std::log(x);
        worst = std::max(worst, ulps(math::pow(x, y), std::pow(static_cast<long double>(x), y)));
    }
    EXPECT_LE(worst, 2.0);
}

TEST(Math, pow_of_small_whole_numbers_is_exact) {
    for (int base = 1; base <= 20; ++base) {
        double power = 1;
        for (int y = 0; y <= 8; ++y, power *= base) EXPECT_EQ(math::pow(base, y), power);
    }
    EXPECT_EQ(math::pow(2.0, -1074.0), kTiny);
    EXPECT_EQ(math::pow(kTiny, 1.0), kTiny);
    EXPECT_EQ(math::pow(4.0, 0.5), 2.0);
    EXPECT_EQ(math::pow(-2.0, 3.0), -8.0);
    EXPECT_EQ(math::pow(-2.0, 2.0), 4.0);
}

TEST(Math, pow_has_the_special_cases_of_the_c_library) {
    const double values[] = {
        0.0,    -0.0, 1.0,   -1.0, 2.0,   -2.0,   0.5,    -0.5, 3.0,  -3.0,   1e300,
        -1e300, kInf, -kInf, kNaN, kTiny, -kTiny, 1e-300, 2.5,  -2.5, 0x1p53, 0x1.fffffffffffffp52,
        -1e308};
    for (const double x : values) {
        for (const double y : values) {
            const double want = std::pow(x, y);
            const double got = math::pow(x, y);
            if (std::isnan(want)) {
                EXPECT_TRUE(std::isnan(got)) << x << " " << y;
            } else {
                EXPECT_EQ(std::signbit(got), std::signbit(want)) << x << " " << y;
                if (want == 0.0 || !std::isfinite(want)) {
                    EXPECT_EQ(got, want) << x << " " << y;
                } else {
                    EXPECT_NEAR(got / want, 1.0, 1e-15) << x << " " << y;
                }
            }
        }
    }
}

struct Special {
    const char* name;
    Function function;
    double x;
    double want;
};

TEST(Math, functions_are_defined_everywhere) {
    const Special specials[] = {
        {"exp(0)", math::exp, 0.0, 1.0},
        {"exp(-0)", math::exp, -0.0, 1.0},
        {"exp(inf)", math::exp, kInf, kInf},
        {"exp(-inf)", math::exp, -kInf, 0.0},
        {"exp(largest)", math::exp, 0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023},
        {"exp(one above)", math::exp, 0x1.62e42fefa39f0p+9, kInf},
        {"exp(smallest)", math::exp, -0x1.74910d52d3051p+9, kTiny},
        {"exp(one below)", math::exp, -0x1.74910d52d3053p+9, 0.0},
        {"exp(tiny)", math::exp, kTiny, 1.0},
        {"log(0)", math::log, 0.0, -kInf},
        {"log(-0)", math::log, -0.0, -kInf},
        {"log(1)", math::log, 1.0, 0.0},
        {"log(inf)", math::log, kInf, kInf},
        {"log(-1)", math::log, -1.0, kNaN},
        {"log(-inf)", math::log, -kInf, kNaN},
        {"log(tiny)", math::log, kTiny, -0x1.74385446d71c3p+9},
        {"log(max)", math::log, 0x1.fffffffffffffp+1023, 0x1.62e42fefa39efp+9},
        {"log1p(-1)", math::log1p, -1.0, -kInf},
        {"log1p(-2)", math::log1p, -2.0, kNaN},
        {"log1p(-0)", math::log1p, -0.0, -0.0},
        {"log1p(inf)", math::log1p, kInf, kInf},
        {"log1p(-inf)", math::log1p, -kInf, kNaN},
        {"expm1(-0)", math::expm1, -0.0, -0.0},
        {"expm1(inf)", math::expm1, kInf, kInf},
        {"expm1(-inf)", math::expm1, -kInf, -1.0},
        {"expm1(1000)", math::expm1, 1000.0, kInf},
        {"expm1(tiny)", math::expm1, -kTiny, -kTiny},
        {"logistic(0)", math::logistic, 0.0, 0.5},
        {"logistic(inf)", math::logistic, kInf, 1.0},
        {"logistic(-inf)", math::logistic, -kInf, 0.0},
        {"erf(-0)", math::erf, -0.0, -0.0},
        {"erf(inf)", math::erf, kInf, 1.0},
        {"erf(-inf)", math::erf, -kInf, -1.0},
        {"normal_cdf(0)", math::normal_cdf, 0.0, 0.5},
        {"normal_cdf(inf)", math::normal_cdf, kInf, 1.0},
        {"normal_cdf(-inf)", math::normal_cdf, -kInf, 0.0},
        {"normal_quantile(0)", math::normal_quantile, 0.0, -kInf},
        {"normal_quantile(1)", math::normal_quantile, 1.0, kInf},
        {"normal_quantile(0.5)", math::normal_quantile, 0.5, 0.0},
        {"normal_quantile(-tiny)", math::normal_quantile, -kTiny, kNaN},
        {"normal_quantile(1.1)", math::normal_quantile, 1.1, kNaN},
    };
    for (const Special& s : specials) {
        const double got = s.function(s.x);
        if (std::isnan(s.want)) {
            EXPECT_TRUE(std::isnan(got)) << s.name;
        } else {
            EXPECT_EQ(got, s.want) << s.name;
            EXPECT_EQ(std::signbit(got), std::signbit(s.want)) << s.name;
        }
        EXPECT_TRUE(std::isnan(s.function(kNaN))) << s.name;
    }
}

TEST(Math, quantile_inverts_the_distribution_function) {
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const double z = sample(-37.0, 5.0, false, i);
        const double p = math::normal_cdf(z);
        // The attainable precision: how far z moves when p is off by one unit.
        const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * M_PI);
        const double blur = 4e-15 * std::max(1.0, std::fabs(z)) + 1e-15 * p / density;
        EXPECT_NEAR(math::normal_quantile(p), z, blur);
    }
    EXPECT_NEAR(math::normal_quantile(0.975), 1.959963984540054, 1e-15);
    EXPECT_NEAR(math::normal_quantile(1e-300), -37.0471, 1e-4);
    EXPECT_NEAR(math::normal_quantile(kTiny), -38.4674, 1e-4);
}

TEST(Math, quantile_never_falls_also_across_its_pieces) {
    for (const double edge : {0.075, 0.925, 0.5, std::exp(-25.0), 1.0 - std::exp(-25.0)}) {
        double p = edge * (1 - 1e-13);
        double before = math::normal_quantile(p);
        for (int i = 0; i < 2'000; ++i) {
            p = std::nextafter(p, 1.0);
            const double now = math::normal_quantile(p);
            EXPECT_GE(now, before - 1e-15 * std::fabs(before)) << p;
            before = now;
        }
    }
}

struct Golden {
    const char* name;
    Function function;
    double lo;
    double hi;
    bool by_size;
    std::uint64_t bits_at_point_seven;
    std::uint64_t digest;  ///< FNV-1a over the bits of 10,000 results.
};

std::uint64_t mixed(std::uint64_t hash, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) {
        hash = (hash ^ ((bits >> shift) & 0xff)) * 0x100000001b3;
    }
    return hash;
}

TEST(Math, gives_the_same_bits_from_every_compiler) {
    const Golden goldens[] = {
        {"exp", math::exp, -750.0, 720.0, false, 0x40001c2a61268987, 0x952a7f65cde5e0d9},
        {"log", math::log, 1e-320, 1e308, true, 0xbfd6d3c324e13f50, 0x2f7d78da29eeb4ba},
        {"log1p", math::log1p, -0.99, 5.0, false, 0x3fe0fae81914a991, 0xca0ee1d7927ac63c},
        {"expm1", math::expm1, -5.0, 50.0, false, 0x3ff03854c24d130d, 0x79483fdee4f422a6},
        {"logistic", math::logistic, -40.0, 40.0, false, 0x3fe561cb52a19476, 0xbcc551c25918a538},
        {"erf", math::erf, -4.0, 4.0, false, 0x3fe5b08c21171646, 0x89d51718fd87ab20},
        {"normal_cdf", math::normal_cdf, -38.0, 9.0, false, 0x3fe841d5715c32a8, 0xfa6c18b437cf1c19},
        {"normal_quantile", math::normal_quantile, 1e-320, 1.0, true, 0x3fe0c7e39582c5f9,
         0x823ec395e845da1b},
    };
    for (const Golden& g : goldens) {
        std::uint64_t digest = 0xcbf29ce484222325;
        for (std::uint64_t i = 0; i < 10'000; ++i) {
            digest = mixed(digest, g.function(sample(g.lo, g.hi, g.by_size, i)));
        }
        EXPECT_EQ(std::bit_cast<std::uint64_t>(g.function(0.7)), g.bits_at_point_seven)
            << g.name << std::hex << " 0x" << std::bit_cast<std::uint64_t>(g.function(0.7));
        EXPECT_EQ(digest, g.digest) << g.name << std::hex << " 0x" << digest;
    }
}

TEST(Math, pow_gives_the_same_bits_from_every_compiler) {
    std::uint64_t digest = 0xcbf29ce484222325;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const double x = sample(1e-30, 1e30, true, i);
        const double y = random::uniform(draw(7, Stream::noise, 2, i), -12.0, 12.0);
        digest = mixed(digest, math::pow(x, y));
    }
    EXPECT_EQ(digest, 0x9c60a098fbf225c3) << std::hex << "0x" << digest;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(math::pow(0.7, 1.3)), 0x3fe4207e29c0d5e4)
        << std::hex << "0x" << std::bit_cast<std::uint64_t>(math::pow(0.7, 1.3));
}

}  // namespace
}  // namespace parley
