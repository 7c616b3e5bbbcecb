#include "learn/recalibrate.h"

#include "base/hash.h"
#include "base/json.h"
#include "learn/logistic_fit.h"
#include "learn/metrics.h"

#include <vector>

namespace parley::learn {
namespace {

constexpr LogisticPrior kPrior{.a_deviation = 0.5, .b_deviation = 0.2};

brain::Recalibration fit(std::span<const Resolved> rows) {
    std::vector<double> margin;
    std::vector<double> target;
    std::vector<float> weight;
    for (const Resolved& row : rows) {
        margin.push_back(brain::logit(row.probability));
        target.push_back(row.label);
        weight.push_back(row.weight);
    }
    const Logistic found = fit_logistic(margin, target, weight, kPrior);
    return {.a = found.a, .b = found.b};
}

double loss(std::span<const Resolved> rows, const brain::Recalibration& correction) {
    std::vector<double> probability;
    std::vector<float> label;
    std::vector<float> weight;
    for (const Resolved& row : rows) {
        probability.push_back(brain::apply(correction, row.probability));
        label.push_back(row.label);
        weight.push_back(row.weight);
    }
    return log_loss({probability, label, weight});
}

}  // namespace

std::optional<brain::Recalibration> recalibrate(std::span<const Resolved> rows,
                                                const brain::Recalibration& current) {
    double events = 0;
    for (const Resolved& row : rows) events += row.weight > 0 ? row.label : 0;
    if (events < kRecalibrationEventsMin) return std::nullopt;
    const std::size_t older = rows.size() - rows.size() / 5;
    const auto newest = rows.subspan(older);
    const brain::Recalibration tried = fit(rows.first(older));
    if (!(loss(newest, tried) < loss(newest, current))) return std::nullopt;
    brain::Recalibration taken = fit(rows);
    if (!(taken.b > 0)) return std::nullopt;
    taken.id = hex(sha256(to_json(taken))).substr(0, 16);
    return taken;
}

}  // namespace parley::learn
