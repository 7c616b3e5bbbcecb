#include "learn/fit/metrics.h"

#include "base/check.h"
#include "base/math.h"
#include "brain/logistic_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace parley::learn {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest = 1e-15;  // Of a probability in a logarithm.

double loss_of(double p, double y) {
    const double q = std::clamp(p, kSmallest, 1 - kSmallest);
    return -(y * math::log(q) + (1 - y) * math::log1p(-q));
}

struct Counted {
    double positive = 0;
    double negative = 0;
};

/// Calls f(positives so far, negatives so far, those of this step) once per distinct forecast, from
/// the highest down.
template <class F>
void sweep(const Judged& rows, F&& f) {
    const auto order = ranked(rows.forecast);
    Counted sofar;
    for (std::size_t i = 0; i < order.size();) {
        Counted step;
        const double here = rows.forecast[order[i]];
        for (; i < order.size() && rows.forecast[order[i]] == here; ++i) {
            const double w = rows.weight[order[i]];
            const double y = rows.label[order[i]];
            step.positive += w * y;
            step.negative += w * (1 - y);
        }
        sofar.positive += step.positive;
        sofar.negative += step.negative;
        f(sofar, step);
    }
}

Counted totals(const Judged& rows) {
    Counted all;
    for (std::size_t i = 0; i < rows.label.size(); ++i) {
        const double w = rows.weight[i];
        all.positive += w * rows.label[i];
        all.negative += w * (1 - rows.label[i]);
    }
    return all;
}

template <class F>
double weighted_mean(const Judged& rows, F&& f) {
    double sum = 0;
    double weight = 0;
    for (std::size_t i = 0; i < rows.label.size(); ++i) {
        const double w = rows.weight[i];
        if (w == 0) continue;
        sum += w * f(rows.forecast[i], static_cast<double>(rows.label[i]));
        weight += w;
    }
    return weight > 0 ? sum / weight : kNothing;
}

std::vector<CurvePoint> thinned(std::vector<CurvePoint> points, std::size_t points_max) {
    if (points.size() <= points_max || points_max < 2) return points;
    std::vector<CurvePoint> fewer;
    for (std::size_t i = 0; i < points_max; ++i)
        fewer.push_back(points[i * (points.size() - 1) / (points_max - 1)]);
    return fewer;
}

}  // namespace

std::vector<std::uint32_t> ranked(std::span<const double> forecast) {
    std::vector<std::uint32_t> order(forecast.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return forecast[a] != forecast[b] ? forecast[a] > forecast[b] : a < b;
    });
    return order;
}

double base_rate(const Judged& rows) {
    const Counted all = totals(rows);
    const double weight = all.positive + all.negative;
    return weight > 0 ? all.positive / weight : kNothing;
}

double auc(const Judged& rows) {
    const Counted all = totals(rows);
    if (all.positive <= 0 || all.negative <= 0) return kNothing;
    double above = 0;
    sweep(rows, [&](const Counted& sofar, const Counted& step) {
        above += step.negative * (sofar.positive - step.positive / 2);
    });
    return above / (all.positive * all.negative);
}

double average_precision(const Judged& rows) {
    const Counted all = totals(rows);
    if (all.positive <= 0) return kNothing;
    double sum = 0;
    sweep(rows, [&](const Counted& sofar, const Counted& step) {
        if (step.positive > 0)
            sum += step.positive * sofar.positive / (sofar.positive + sofar.negative);
    });
    return sum / all.positive;
}

double precision_at(const Judged& rows, std::size_t k) {
    const auto order = ranked(rows.forecast);
    double left = static_cast<double>(k);
    double hits = 0;
    for (std::size_t i = 0; i < order.size() && left > 0;) {
        double weight = 0;
        double positive = 0;
        const double here = rows.forecast[order[i]];
        for (; i < order.size() && rows.forecast[order[i]] == here; ++i) {
            weight += rows.weight[order[i]];
            positive += static_cast<double>(rows.weight[order[i]]) * rows.label[order[i]];
        }
        if (weight <= 0) continue;
        const double taken = std::min(left, weight);
        hits += positive * taken / weight;
        left -= taken;
    }
    const double found = static_cast<double>(k) - left;
    return found > 0 ? hits / found : kNothing;
}

double log_loss(const Judged& rows) { return weighted_mean(rows, loss_of); }

double log_loss_skill(const Judged& rows) {
    const double rate = base_rate(rows);
    if (!(rate > 0 && rate < 1)) return kNothing;
    return 1 - log_loss(rows) / loss_of(rate, rate);
}

double brier(const Judged& rows) {
    return weighted_mean(rows, [](double p, double y) { return (p - y) * (p - y); });
}

std::vector<Bin> calibration_bins(const Judged& rows, std::size_t bins) {
    auto order = ranked(rows.forecast);
    std::ranges::reverse(order);
    return calibration_bins(rows, bins, order);
}

std::vector<Bin> calibration_bins(const Judged& rows, std::size_t bins,
                                  std::span<const std::uint32_t> order) {
    PARLEY_CHECK(bins > 0 && order.size() == rows.forecast.size());
    const Counted all = totals(rows);
    const double total = all.positive + all.negative;
    std::vector<Bin> found;
    if (total <= 0) return found;
    const double slack = 1e-9 * total;
    double before = 0;
    Bin bin;
    const auto close = [&] {
        found.push_back({bin.forecast / bin.share, bin.observed / bin.share, bin.share / total});
        bin = {};
    };
    for (std::size_t from = 0; from < order.size();) {
        const double forecast = rows.forecast[order[from]];
        double weight = 0;
        double positive = 0;
        do {
            const double w = rows.weight[order[from]];
            weight += w;
            positive += w * rows.label[order[from]];
            ++from;
        } while (from < order.size() && rows.forecast[order[from]] == forecast);
        const double observed = weight > 0 ? positive / weight : 0;
        while (weight > 0) {
            const auto number = static_cast<double>(found.size() + 1);
            const double room = total * number / static_cast<double>(bins) - before;
            const double taken = weight <= room + slack ? weight : room;
            bin.forecast += taken * forecast;
            bin.observed += taken * observed;
            bin.share += taken;
            before += taken;
            weight -= taken;
            if (taken + slack >= room) close();
        }
    }
    if (bin.share > 0) close();
    return found;
}

std::vector<float> highest(const Judged& rows, std::size_t n) {
    PARLEY_CHECK(n <= rows.forecast.size());
    std::vector<float> weight(rows.weight.begin(),
                              rows.weight.begin() + static_cast<std::ptrdiff_t>(n));
    if (n == 0 || n == rows.forecast.size() || rows.forecast[n] != rows.forecast[n - 1])
        return weight;
    std::size_t first = n;
    while (first > 0 && rows.forecast[first - 1] == rows.forecast[n]) --first;
    std::size_t last = n;
    while (last < rows.forecast.size() && rows.forecast[last] == rows.forecast[n]) ++last;
    const float part = static_cast<float>(n - first) / static_cast<float>(last - first);
    weight.resize(last);
    for (std::size_t i = first; i < last; ++i) weight[i] = rows.weight[i] * part;
    return weight;
}

double calibration_error(std::span<const Bin> bins) {
    if (bins.empty()) return kNothing;
    double sum = 0;
    for (const Bin& bin : bins) sum += bin.share * std::fabs(bin.forecast - bin.observed);
    return sum;
}

double calibration_slope(const Judged& rows) {
    const Counted all = totals(rows);
    if (all.positive <= 0 || all.negative <= 0) return kNothing;
    std::vector<double> margin(rows.forecast.size());
    std::vector<double> target(rows.forecast.size());
    for (std::size_t i = 0; i < margin.size(); ++i) {
        const double p = std::clamp(rows.forecast[i], kSmallest, 1 - kSmallest);
        margin[i] = math::log(p) - math::log1p(-p);
        target[i] = rows.label[i];
    }
    return brain::fit_logistic(margin, target, rows.weight).b;
}

Interval observed_over_expected(const Judged& rows, double events) {
    double observed = 0;
    double expected = 0;
    for (std::size_t i = 0; i < rows.label.size(); ++i) {
        const double w = rows.weight[i];
        observed += w * rows.label[i];
        expected += w * rows.forecast[i];
    }
    if (expected <= 0) return {kNothing, kNothing, kNothing};
    const double ratio = observed / expected;
    // Byar's approximation to the exact interval of a Poisson count; for zero, the exact one.
    constexpr double kZ = 1.959964;
    if (events < 1) return {ratio, 0, 3.688879 / expected};
    const auto byar = [](double n, double z) {
        const double root = 1 - 1 / (9 * n) + z / (3 * std::sqrt(n));
        return n * root * root * root;
    };
    return {ratio, ratio * byar(events, -kZ) / events, ratio * byar(events + 1, kZ) / events};
}

std::vector<CurvePoint> roc_curve(const Judged& rows, std::size_t points_max) {
    const Counted all = totals(rows);
    std::vector<CurvePoint> points = {{0, 0}};
    if (all.positive <= 0 || all.negative <= 0) return points;
    sweep(rows, [&](const Counted& sofar, const Counted&) {
        points.push_back({sofar.negative / all.negative, sofar.positive / all.positive});
    });
    return thinned(std::move(points), points_max);
}

std::vector<CurvePoint> precision_recall_curve(const Judged& rows, std::size_t points_max) {
    const Counted all = totals(rows);
    std::vector<CurvePoint> points;
    if (all.positive <= 0) return points;
    sweep(rows, [&](const Counted& sofar, const Counted&) {
        const double found = sofar.positive + sofar.negative;
        if (found > 0) points.push_back({sofar.positive / all.positive, sofar.positive / found});
    });
    return thinned(std::move(points), points_max);
}

double mean_absolute_error(std::span<const double> forecast, std::span<const double> truth) {
    PARLEY_CHECK(forecast.size() == truth.size());
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) sum += std::fabs(forecast[i] - truth[i]);
    return truth.empty() ? kNothing : sum / static_cast<double>(truth.size());
}

}  // namespace parley::learn
