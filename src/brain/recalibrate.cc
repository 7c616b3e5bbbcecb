#include "brain/recalibrate.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/math.h"
#include "brain/logistic_fit.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace parley::brain {
namespace {

constexpr LogisticPrior kPrior{.a_deviation = 0.5, .b_deviation = 0.2};
constexpr double kNewestShare = 0.2;

/// Rows as a logistic curve is fitted to them.
struct Points {
    std::vector<double> margin;
    std::vector<double> target;
    std::vector<float> weight;
    std::vector<std::int64_t> day;
};

Points points_of(std::span<const Resolved> rows) {
    Points points;
    for (const Resolved& row : rows) {
        const double all = row.failed + row.survived;
        if (!(all > 0)) continue;
        points.margin.push_back(logit(row.probability));
        points.target.push_back(row.failed / all);
        points.weight.push_back(static_cast<float>(all));
        points.day.push_back(row.at.us / hours(24).us);
    }
    return points;
}

/// How much more the failures of days scatter around what was expected than by chance (Pearson's
/// chi-square over its degrees of freedom, with the overall level removed); 1 if they do not, or
/// there is one day. Failures with a common cause come on the same day.
double dispersion(const Points& points) {
    const double level = fit_intercept(points.margin, points.target, points.weight);
    double square = 0;
    std::size_t days = 0;
    for (std::size_t i = 0; i < points.day.size();) {
        double missing = 0;
        double variance = 0;
        const std::int64_t day = points.day[i];
        for (; i < points.day.size() && points.day[i] == day; ++i) {
            const double p = math::logistic(level + points.margin[i]);
            missing += points.weight[i] * (points.target[i] - p);
            variance += points.weight[i] * p * (1 - p);
        }
        if (!(variance > 0)) continue;
        square += missing * missing / variance;
        ++days;
    }
    return days < 2 ? 1 : std::max(1.0, square / static_cast<double>(days - 1));
}

/// Quasi-likelihood: rows count as fewer independent ones, so the more failures came together, the
/// more evidence it takes to overcome the prior.
Recalibration fit(std::span<const Resolved> rows) {
    Points points = points_of(rows);
    const double excess = dispersion(points);
    for (float& weight : points.weight) weight = static_cast<float>(weight / excess);
    const Logistic found = fit_logistic(points.margin, points.target, points.weight, kPrior);
    return {.a = found.a, .b = found.b};
}

double loss(std::span<const Resolved> rows, const Recalibration& correction) {
    double sum = 0;
    for (const Resolved& row : rows) {
        const double p = apply(correction, row.probability);
        sum -= row.failed * math::log(p) + row.survived * math::log1p(-p);
    }
    return sum;
}

/// How many rows come before the newest fifth, by weight.
std::size_t older_rows(std::span<const Resolved> rows) {
    double all = 0;
    for (const Resolved& row : rows) all += row.failed + row.survived;
    double newest = 0;
    std::size_t older = rows.size();
    while (older > 0 && newest < kNewestShare * all) {
        --older;
        newest += rows[older].failed + rows[older].survived;
    }
    return older;
}

}  // namespace

std::optional<Rehearsal> rehearse(std::span<const Resolved> rows, const Recalibration& current) {
    double seen = 0;
    double expected = 0;
    for (const Resolved& row : rows) {
        seen += row.failed;
        expected += row.probability * (row.failed + row.survived);
    }
    if (seen < kRecalibrationEventsMin && expected < kRecalibrationEventsMin) return std::nullopt;
    const std::size_t older = older_rows(rows);
    const auto newest = rows.subspan(older);
    const Recalibration tried = fit(rows.first(older));
    return Rehearsal{.correction = tried,
                     .older = older,
                     .loss_before = loss(newest, current),
                     .loss_after = loss(newest, tried)};
}

std::optional<Recalibration> recalibrate(std::span<const Resolved> rows,
                                         const Recalibration& current) {
    const auto tried = rehearse(rows, current);
    if (!tried || !(tried->loss_after < tried->loss_before)) return std::nullopt;
    Recalibration taken = fit(rows);
    if (!(taken.b > 0)) return std::nullopt;
    taken.id = hex(sha256(to_json(taken))).substr(0, 16);
    return taken;
}

}  // namespace parley::brain
