#include "learn/rows/baselines.h"

#include "base/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::learn {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
// Standard deviations; a single outlier must not determine the line.
constexpr double kFeatureMost = 20;

/// Solves a * x = b for a symmetric positive definite matrix by Cholesky, in place.
std::vector<double> solve(std::vector<double> a, std::vector<double> b) {
    const std::size_t n = b.size();
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return a[i * n + j]; };
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < j; ++k) at(j, j) -= at(j, k) * at(j, k);
        at(j, j) = std::sqrt(std::max(at(j, j), 1e-12));
        for (std::size_t i = j + 1; i < n; ++i) {
            for (std::size_t k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
            at(i, j) /= at(j, j);
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) b[i] -= at(i, k) * b[k];
        b[i] /= at(i, i);
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) b[i] -= at(k, i) * b[k];
        b[i] /= at(i, i);
    }
    return b;
}

struct Moments {
    std::vector<double> mean;
    std::vector<double> deviation;
};

Moments moments_of(std::span<const float> features, std::size_t width,
                   std::span<const float> weight) {
    Moments result{std::vector<double>(width), std::vector<double>(width)};
    std::vector<double> total(width);
    std::vector<double> square(width);
    for (std::size_t i = 0; i < weight.size(); ++i) {
        for (std::size_t j = 0; j < width; ++j) {
            const double x = features[i * width + j];
            if (!std::isfinite(x)) continue;
            total[j] += weight[i];
            result.mean[j] += weight[i] * x;
            square[j] += weight[i] * x * x;
        }
    }
    for (std::size_t j = 0; j < width; ++j) {
        if (total[j] <= 0) continue;
        result.mean[j] /= total[j];
        const double variance = square[j] / total[j] - result.mean[j] * result.mean[j];
        result.deviation[j] = std::sqrt(std::max(0.0, variance));
    }
    return result;
}

double standardised(double x, double mean, double deviation) {
    if (!std::isfinite(x) || !(deviation > 0)) return 0;
    return std::clamp((x - mean) / deviation, -kFeatureMost, kFeatureMost);
}

}  // namespace

std::vector<double> holt(std::span<const double> values, std::size_t ahead, HoltRates rates) {
    std::vector<double> forecast(values.size(), kNothing);
    double level = kNothing;
    double trend = 0;
    for (std::size_t t = 0; t < values.size(); ++t) {
        const double y = values[t];
        if (!std::isfinite(level)) {
            level = y;
        } else {
            const double expected = level + trend;
            const double seen = std::isfinite(y) ? y : expected;
            const double next = expected + rates.level * (seen - expected);
            trend += rates.trend * (next - level - trend);
            level = next;
        }
        forecast[t] = level + static_cast<double>(ahead) * trend;
    }
    return forecast;
}

HoltRates choose_holt(std::span<const double> values, std::size_t ahead) {
    HoltRates best;
    double least = std::numeric_limits<double>::infinity();
    for (const double level : {0.2, 0.5, 0.8, 1.0}) {
        for (const double trend : {0.0, 0.01, 0.05, 0.2}) {
            const auto forecast = holt(values, ahead, {level, trend});
            double error = 0;
            std::size_t count = 0;
            for (std::size_t t = 0; t + ahead < values.size(); ++t) {
                const double miss = std::fabs(forecast[t] - values[t + ahead]);
                if (!std::isfinite(miss)) continue;
                error += miss;
                ++count;
            }
            if (count > 0 && error / static_cast<double>(count) < least) {
                least = error / static_cast<double>(count);
                best = {level, trend};
            }
        }
    }
    return best;
}

Ridge Ridge::fit(std::span<const float> features, std::size_t width, std::span<const float> label,
                 std::span<const float> weight, double penalty) {
    PARLEY_CHECK(features.size() == width * label.size() && label.size() == weight.size());
    const Moments moments = moments_of(features, width, weight);
    // One more column of ones for the intercept, which has no penalty.
    const std::size_t n = width + 1;
    std::vector<double> gram(n * n);
    std::vector<double> target(n);
    std::vector<double> x(n, 1.0);
    for (std::size_t i = 0; i < label.size(); ++i) {
        const double w = weight[i];
        for (std::size_t j = 0; j < width; ++j) {
            x[j] = standardised(features[i * width + j], moments.mean[j], moments.deviation[j]);
        }
        for (std::size_t j = 0; j < n; ++j) {
            target[j] += w * x[j] * label[i];
            for (std::size_t k = 0; k <= j; ++k) gram[j * n + k] += w * x[j] * x[k];
        }
    }
    for (std::size_t j = 0; j < width; ++j) gram[j * n + j] += penalty + 1e-9;
    gram[n * n - 1] += 1e-9;
    const std::vector<double> solution = solve(std::move(gram), std::move(target));
    Ridge ridge;
    ridge.mean_ = moments.mean;
    ridge.factor_.resize(width);
    ridge.intercept_ = solution[width];
    for (std::size_t j = 0; j < width; ++j)
        ridge.factor_[j] = moments.deviation[j] > 0 ? solution[j] / moments.deviation[j] : 0;
    return ridge;
}

double Ridge::predict(std::span<const float> row) const {
    double sum = intercept_;
    for (std::size_t j = 0; j < factor_.size(); ++j) {
        if (factor_[j] == 0 || !std::isfinite(row[j])) continue;
        sum += factor_[j] * (row[j] - mean_[j]);
    }
    return sum;
}

}  // namespace parley::learn
