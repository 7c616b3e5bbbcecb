#include "learn/fit/calibrate.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/math.h"
#include "brain/logistic_fit.h"
#include "learn/fit/isotonic.h"
#include "learn/rows/rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace parley::learn {
namespace {

using brain::Calibration;
using brain::CalibrationKind;

constexpr double kErrorsBetter = 2;  ///< Standard errors by which a richer curve must be better.

/// Platt (1999): targets slightly inside 0 and 1, as if one more of each class had been seen.
std::vector<double> platt_targets(const CalibrationRows& rows) {
    double positive = 0;
    double negative = 0;
    for (std::size_t i = 0; i < rows.label.size(); ++i)
        (rows.label[i] > 0.5F ? positive : negative) += rows.weight[i];
    std::vector<double> target;
    for (const float label : rows.label)
        target.push_back(label > 0.5F ? (positive + 1) / (positive + 2) : 1 / (negative + 2));
    return target;
}

/// The richest curve that this many failures support.
CalibrationKind richest(double events) {
    if (events < kInterceptEventsMin) return CalibrationKind::none;
    if (events < kPlattEventsMin) return CalibrationKind::intercept;
    return events < kIsotonicEventsMin ? CalibrationKind::platt : CalibrationKind::isotonic;
}

Calibration fit(const CalibrationRows& rows, CalibrationKind kind) {
    if (kind == CalibrationKind::none) return {};
    if (kind == CalibrationKind::isotonic) return {.kind = kind, .knots = isotonic_knots(rows)};
    if (kind == CalibrationKind::platt) {
        const brain::Logistic curve =
            brain::fit_logistic(rows.margin, platt_targets(rows), rows.weight);
        if (curve.b > 0) return {.kind = kind, .a = curve.a, .b = curve.b};
    }
    const std::vector<double> target(rows.label.begin(), rows.label.end());
    return {.kind = CalibrationKind::intercept,
            .a = brain::fit_intercept(rows.margin, target, rows.weight)};
}

/// Copies of the rows of some eras.
struct Eras {
    std::vector<double> margin;
    std::vector<float> label;
    std::vector<float> weight;
    std::vector<std::int32_t> event;

    /// From `first` to `last`, inclusive.
    static Eras of(const CalibrationRows& rows, int first, int last) {
        Eras some;
        for (std::size_t i = 0; i < rows.era.size(); ++i) {
            if (rows.era[i] < first || rows.era[i] > last) continue;
            some.margin.push_back(rows.margin[i]);
            some.label.push_back(rows.label[i]);
            some.weight.push_back(rows.weight[i]);
            some.event.push_back(rows.event.empty() ? kNoEvent : rows.event[i]);
        }
        return some;
    }
    CalibrationRows rows() const {
        return {.margin = margin,
                .label = label,
                .weight = weight,
                .events = independent_events(event, label, weight),
                .event = event};
    }
    /// Whether both classes occur, without which nothing can be fitted.
    bool can_be_fitted() const {
        return std::ranges::find(label, 1.0F) != label.end() &&
               std::ranges::find(label, 0.0F) != label.end();
    }
    double loss(const Calibration& curve) const {
        double sum = 0;
        for (std::size_t i = 0; i < margin.size(); ++i) {
            const double p = brain::apply(curve, margin[i]);
            sum -= weight[i] * (label[i] > 0.5F ? math::log(p) : math::log1p(-p));
        }
        return sum;
    }
};

/// A way to calibrate: which curve, fitted to all eras so far or to the last of them.
struct Way {
    CalibrationKind kind = CalibrationKind::intercept;
    bool newest = false;
};

/// Whether `other`, fitted to earlier eras, was better than `way` in the following ones, beyond
/// chance.
bool holds_later(const CalibrationRows& rows, const Way& other, const Way& way) {
    const int last = std::ranges::max(rows.era);
    std::vector<double> gain;
    for (int now = 1; now <= last; ++now) {
        const Eras all = Eras::of(rows, 0, now - 1);
        const Eras newest = Eras::of(rows, now - 1, now - 1);
        const Eras next = Eras::of(rows, now, now);
        const auto behind = [&](const Way& each) -> const Eras& {
            return each.newest ? newest : all;
        };
        const bool fits = behind(way).can_be_fitted() && behind(other).can_be_fitted();
        if (!fits || next.margin.empty()) continue;
        // After a single era, all and the newest are the same.
        if (now == 1 && other.newest != way.newest) continue;
        const auto loss = [&](const Way& each) {
            return next.loss(fit(behind(each).rows(), each.kind));
        };
        gain.push_back(loss(way) - loss(other));
    }
    if (gain.size() < 2) return false;
    const auto n = static_cast<double>(gain.size());
    double mean = 0;
    for (const double each : gain) mean += each / n;
    double spread = 0;
    for (const double each : gain) spread += (each - mean) * (each - mean) / (n - 1);
    return mean > kErrorsBetter * std::sqrt(spread / n);
}

/// The richest curve that this many failures support and that held in later eras.
Way with_richer_curve(const CalibrationRows& rows, Way way, double events) {
    const CalibrationKind most = richest(events);
    for (const auto kind : {CalibrationKind::platt, CalibrationKind::isotonic}) {
        const Way richer{kind, way.newest};
        if (kind <= most && holds_later(rows, richer, way)) way = richer;
    }
    return way;
}

}  // namespace

Calibrated calibrate(const CalibrationRows& rows) {
    PARLEY_CHECK(rows.margin.size() == rows.label.size() &&
                 rows.margin.size() == rows.weight.size());
    PARLEY_CHECK(rows.era.empty() || rows.era.size() == rows.margin.size());
    PARLEY_CHECK(rows.event.empty() || rows.event.size() == rows.margin.size());
    Calibrated result{.events = rows.events};
    const CalibrationKind most = richest(rows.events);
    if (rows.era.empty() || most == CalibrationKind::none) {
        result.curve = fit(rows, most);
    } else {
        const int last = std::ranges::max(rows.era);
        const Eras newest = Eras::of(rows, last, last);
        const Way all_eras;
        const Way last_era{.newest = true};
        const double events = newest.rows().events;
        result.newest = events >= kInterceptEventsMin && holds_later(rows, last_era, all_eras);
        if (result.newest) result.events = events;
        const Way way = with_richer_curve(rows, result.newest ? last_era : all_eras, result.events);
        result.curve = result.newest ? fit(newest.rows(), way.kind) : fit(rows, way.kind);
    }
    result.curve.id = hex(sha256(to_json(result.curve))).substr(0, 16);
    return result;
}

bool may_act(const Calibration& calibration) { return calibration.kind != CalibrationKind::none; }

double independent_events(std::span<const std::int32_t> event, std::span<const float> label,
                          std::span<const float> weight) {
    std::map<std::int32_t, double> of_event;
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < label.size(); ++i) {
        if (label[i] != 1) continue;
        const double w = weight[i];
        sum += w;
        if (event[i] == kNoEvent) {
            squares += w * w;
        } else {
            of_event[event[i]] += w;
        }
    }
    for (const auto& [number, w] : of_event) squares += w * w;
    return squares > 0 ? sum * sum / squares : 0;
}

}  // namespace parley::learn
