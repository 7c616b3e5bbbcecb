#include "tuner/truncated_normal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace parley::tuner {
namespace {

struct Case {
    const char* name;
    double a;
    double b;
    double expected;  ///< log P(a < Z <= b), from SciPy.
};

TEST(TruncatedNormal, mass_keeps_its_digits) {
    const Case cases[] = {
        {"the_middle", -1, 1, -0.38171514630212616},
        {"nearly_all", -9, 9, 0},
        {"narrow_in_the_middle", -1e-6, 1e-6, -14.041301910609167},
        {"lower_half", -40, 0, -0.6931471805599453},
        {"left_tail", -31, -30, -454.3212439563},
        {"right_tail", 30, 31, -454.3212439563},
        {"far_left_tail", -41, -40, -804.6084420138},
        {"one_sided", -0.5, 40, -0.3689464152886},
    };
    for (const Case& c : cases) EXPECT_NEAR(log_normal_mass(c.a, c.b), c.expected, 1e-9) << c.name;
}

TEST(TruncatedNormal, the_logarithm_has_no_seam) {
    for (const double x : {-37.0, 5.0}) {
        const double before = log_normal_cdf(std::nextafter(x, -100));
        const double after = log_normal_cdf(std::nextafter(x, 100));
        EXPECT_NEAR(before, after, std::max(1e-15, 1e-11 * std::fabs(after))) << x;
    }
}

TEST(TruncatedNormal, quantiles_are_inside_and_in_order) {
    const double bounds[][2] = {{-1, 2}, {3, 4}, {-4, -3}, {-50, -45}, {45, 50}, {-0.1, 0.1}};
    for (const auto& [a, b] : bounds) {
        double last = a;
        for (const double u : {0.0, 1e-9, 0.1, 0.5, 0.9, 1 - 1e-9, 1.0}) {
            const double x = truncated_quantile(u, a, b);
            EXPECT_TRUE(x >= a && x <= b) << u << " of " << a << " to " << b;
            EXPECT_GE(x, last - 1e-9) << u << " of " << a << " to " << b;
            last = x;
        }
    }
    const double half = truncated_quantile(0.5, -1, 2);
    EXPECT_NEAR(log_normal_mass(-1, half), log_normal_mass(half, 2), 1e-12);
}

}  // namespace
}  // namespace parley::tuner
