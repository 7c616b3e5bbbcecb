#include "brain/recalibrate.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/math.h"
#include "brain/logistic_fit.h"

#include <vector>

namespace parley::brain {
namespace {

constexpr LogisticPrior kPrior{.a_deviation = 0.5, .b_deviation = 0.2};
constexpr double kNewestShare = 0.2;

Recalibration fit(std::span<const Resolved> rows) {
    std::vector<double> margin;
    std::vector<double> target;
    std::vector<float> weight;
    for (const Resolved& row : rows) {
        const double all = row.failed + row.survived;
        if (!(all > 0)) continue;
        margin.push_back(logit(row.probability));
        target.push_back(row.failed / all);
        weight.push_back(static_cast<float>(all));
    }
    const Logistic found = fit_logistic(margin, target, weight, kPrior);
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

std::optional<Recalibration> recalibrate(std::span<const Resolved> rows,
                                         const Recalibration& current) {
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
    if (!(loss(newest, tried) < loss(newest, current))) return std::nullopt;
    Recalibration taken = fit(rows);
    if (!(taken.b > 0)) return std::nullopt;
    taken.id = hex(sha256(to_json(taken))).substr(0, 16);
    return taken;
}

}  // namespace parley::brain
