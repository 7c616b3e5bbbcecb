#include "layers/explanation/wording/reasons.h"

#include "base/number.h"

#include <algorithm>
#include <cmath>

namespace parley::explanation {
namespace {

constexpr double kWorthSaying = 0.01;

/// Just enough digits to tell it from zero.
std::string figure(double value) {
    const double size = std::fabs(value);
    return fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size == 0 ? 2 : 3);
}

double risk_of(double odds) { return odds / (1.0 + odds); }

std::string signed_figure(double value) {
    return (value < 0 ? "-" : "+") + figure(std::fabs(value));
}

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

std::vector<std::string> demand_reasons_of(const model::Forecast& forecast,
                                           const model::NodeForecast& node) {
    const model::DemandForecast& demand = forecast.demand;
    const auto mine = [&](const auto& each) {
        return each.of == model::DemandOf::node && each.slot == node.node;
    };
    const auto series = std::ranges::find_if(demand.series, mine);
    if (series == demand.series.end() || demand.by.size() != model::kDemandHorizons) return {};
    const std::size_t last = model::kDemandHorizons - 1;
    const model::DemandRange& range = series->ahead[last];
    const bool by_model = demand.by[last] == model::DemandBy::model;
    std::vector<std::string> out{
        "Demand now " + figure(series->now) + "; at most " + figure(range.value) + " within " +
        std::to_string(model::kDemandHorizonsMin[last]) + " min (" + figure(range.low) + " to " +
        figure(range.high) + " in 9 of 10), by " +
        (by_model ? demand.model : "what it is now, which did better lately than " + demand.model) +
        "."};
    const auto found = std::ranges::find_if(demand.reasons, mine);
    if (found == demand.reasons.end()) return out;
    std::string line =
        "From " + figure(found->now) + " now, " + signed_figure(found->base) + " as series go";
    for (const model::DemandPart& part : found->parts) {
        line += ", " + signed_figure(part.adds) + " " + part.feature + " " +
                (part.value ? figure(*part.value) : "missing");
    }
    out.push_back(line + ", " + signed_figure(found->others) + " the rest.");
    return out;
}

}  // namespace parley::explanation
