#include "brain/logistic_fit.h"

#include "base/check.h"
#include "base/math.h"

#include <algorithm>
#include <cmath>

namespace parley::brain {
namespace {

constexpr int kStepsMax = 100;
constexpr double kRidge = 1e-9;  // Keeps a step finite if the data does not determine it.
constexpr double kAway = 50;     // Beyond it, a probability is 0 or 1 in a double.

/// log(1 + exp(x)) without overflow.
double softplus(double x) {
    return x > 0 ? x + math::log1p(math::exp(-x)) : math::log1p(math::exp(x));
}

struct Points {
    std::span<const double> margin;
    std::span<const double> target;
    std::span<const float> weight;
    LogisticPrior prior;

    double a_pull() const { return 1 / (prior.a_deviation * prior.a_deviation); }
    double b_pull() const { return 1 / (prior.b_deviation * prior.b_deviation); }

    double loss(const Logistic& at) const {
        double sum = (at.a * at.a * a_pull() + (at.b - 1) * (at.b - 1) * b_pull()) / 2;
        for (std::size_t i = 0; i < margin.size(); ++i) {
            const double z = at.a + at.b * margin[i];
            sum += static_cast<double>(weight[i]) * (softplus(z) - target[i] * z);
        }
        return sum;
    }
};

struct Step {
    double a = 0;
    double b = 0;
    double gain = 0;  ///< By how much a quadratic model would improve.
};

Step newton_step(const Points& points, const Logistic& at, bool slope) {
    double ga = at.a * points.a_pull();
    double gb = (at.b - 1) * points.b_pull();
    double haa = kRidge + points.a_pull();
    double hab = 0;
    double hbb = kRidge + points.b_pull();
    for (std::size_t i = 0; i < points.margin.size(); ++i) {
        const double w = points.weight[i];
        const double m = points.margin[i];
        const double p = math::logistic(at.a + at.b * m);
        const double g = w * (p - points.target[i]);
        const double h = w * p * (1 - p);
        ga += g;
        gb += g * m;
        haa += h;
        hab += h * m;
        hbb += h * m * m;
    }
    if (!slope) return {-ga / haa, 0, ga * ga / haa};
    const double determinant = haa * hbb - hab * hab;
    if (!(determinant > kRidge * haa * 1e-6)) return {-ga / haa, 0, ga * ga / haa};
    const double a = (-ga * hbb + gb * hab) / determinant;
    const double b = (-gb * haa + ga * hab) / determinant;
    return {a, b, -(ga * a + gb * b)};
}

Logistic fit(const Points& points, bool slope) {
    PARLEY_CHECK(points.margin.size() == points.target.size() &&
                 points.margin.size() == points.weight.size());
    Logistic at;
    double loss = points.loss(at);
    for (int i = 0; i < kStepsMax; ++i) {
        const Step step = newton_step(points, at, slope);
        if (!std::isfinite(step.gain) || step.gain < 1e-12) break;
        bool moved = false;
        for (double size = 1; size > 1e-10; size /= 2) {
            const Logistic next{std::clamp(at.a + size * step.a, -kAway, kAway),
                                std::clamp(at.b + size * step.b, -kAway, kAway)};
            const double there = points.loss(next);
            if (!(there < loss)) continue;
            moved = loss - there > 1e-12 * std::fabs(loss);
            at = next;
            loss = there;
            break;
        }
        if (!moved) break;
    }
    return at;
}

}  // namespace

Logistic fit_logistic(std::span<const double> margin, std::span<const double> target,
                      std::span<const float> weight, const LogisticPrior& prior) {
    return fit({margin, target, weight, prior}, true);
}

double fit_intercept(std::span<const double> margin, std::span<const double> target,
                     std::span<const float> weight) {
    return fit({margin, target, weight, {}}, false).a;
}

}  // namespace parley::brain
