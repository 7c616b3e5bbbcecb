#include "layers/explanation/reasons.h"

#include "base/number.h"

#include <algorithm>
#include <cmath>

namespace parley::explanation {
namespace {

constexpr double kWorthSaying = 0.01;

/// As many digits as tell it from zero, and no more.
std::string figure(double value) {
    const double size = std::fabs(value);
    return fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size == 0 ? 2 : 3);
}

double risk_of(double odds) { return odds / (1.0 + odds); }

}  // namespace

std::vector<std::string> reasons_of(const model::Forecast& forecast,
                                    const model::NodeForecast& node) {
    const auto found = std::ranges::find(forecast.reasons, node.node, &model::RiskReasons::node);
    if (found == forecast.reasons.end()) return {};
    std::string line = "Odds " + figure(found->base) + " of a node of which nothing is known";
    double odds = found->base * found->others;
    for (const model::RiskFactor& factor : found->factors) {
        line += ", x" + figure(factor.factor) + " " + factor.feature + " " +
                (factor.value ? figure(*factor.value) : "missing");
        odds *= factor.factor;
    }
    line += ", x" + figure(found->others) + " the rest: risk " + figure(risk_of(odds)) + ".";
    std::vector<std::string> out{std::move(line)};
    const double moved = risk_of(odds * found->calibration) - risk_of(odds);
    if (std::fabs(moved) >= kWorthSaying) {
        out.push_back("Calibration " + forecast.calibration + " x" + figure(found->calibration) +
                      ": risk " + figure(risk_of(odds * found->calibration)) + ".");
    }
    if (forecast.correction) {
        odds *= found->calibration * found->correction;
        out.push_back("Correction " + forecast.correction->id + ", learned while serving, x" +
                      figure(found->correction) + ": risk " + figure(risk_of(odds)) + ".");
    }
    return out;
}

}  // namespace parley::explanation
