#include "tuner/study.h"

#include "base/json_read.h"
#include "base/number.h"
#include "tuner/json.h"

#include <cmath>
#include <utility>

namespace parley::tuner {
namespace {

constexpr std::string_view kConstraints = "constraints";
constexpr std::string_view kConstraintPrefix = "constraints:";
constexpr std::string_view kRelativePrefix = "tpe:relative_params:";
constexpr std::size_t kAttributeMax = 2045;  // Optuna's columns were once that short.

std::optional<double> number_of(const Json& value) {
    if (value.number() != nullptr) return *value.number();
    if (value.text() == nullptr) return std::nullopt;
    const Result<double> number = parse_double(*value.text());
    return number ? std::optional(*number) : std::nullopt;
}

/// The pieces of one text that attributes hold, put together.
std::string joined_pieces(const Attributes& attributes) {
    std::string text;
    for (std::size_t i = 0;; ++i) {
        const auto piece = attributes.find(std::string(kRelativePrefix) + std::to_string(i));
        if (piece == attributes.end()) return text;
        const Result<Json> json = parse_python_json(piece->second);
        if (!json || json->text() == nullptr) return text;
        text += *json->text();
    }
}

}  // namespace

std::map<std::string, double> constraints_of(const Trial& trial) {
    std::map<std::string, double> found;
    const auto add = [&found](std::string key, const Json& value) {
        if (const auto number = number_of(value)) found[std::move(key)] = *number;
    };
    if (const auto old = trial.system_attributes.find(kConstraints);
        old != trial.system_attributes.end()) {
        const Result<Json> list = parse_python_json(old->second);
        if (const JsonItems* items = list ? list->items() : nullptr) {
            for (std::size_t i = 0; i < items->size(); ++i) add(std::to_string(i), (*items)[i]);
        }
    }
    for (auto it = trial.system_attributes.lower_bound(kConstraintPrefix);
         it != trial.system_attributes.end() && it->first.starts_with(kConstraintPrefix); ++it) {
        if (const Result<Json> value = parse_python_json(it->second)) {
            add(it->first.substr(kConstraintPrefix.size()), *value);
        }
    }
    return found;
}

double infeasibility(const Trial& trial) {
    double sum = 0;
    for (const auto& [key, value] : constraints_of(trial)) {
        if (value > 0) sum += value;
    }
    return sum;
}

const Trial* best_trial(const Study& study) {
    const Trial* best = nullptr;
    // With several objectives there is a front, and no best trial.
    if (study.directions.size() > 1) return best;
    const double sign = study.maximizes() ? -1 : 1;
    for (const Trial& trial : study.trials) {
        if (trial.state != TrialState::complete || trial.values.empty() ||
            std::isnan(trial.values[0]) || infeasibility(trial) > 0) {
            continue;
        }
        if (best == nullptr || sign * trial.values[0] < sign * best->values[0]) best = &trial;
    }
    return best;
}

std::optional<double> KnownParams::find(std::string_view name,
                                        const Distribution& distribution) const {
    if (const Param* param = trial_.find(name)) {
        return param->distribution->index() == distribution.index() ? std::optional(param->value)
                                                                    : std::nullopt;
    }
    if (is_finished(trial_.state)) return std::nullopt;
    if (!std::exchange(looked_, true)) {
        text_ = joined_pieces(trial_.system_attributes);
        if (Result<Json> json = parse_python_json(text_)) relative_ = std::move(*json);
    }
    const Json* external = relative_.find(name);
    return external == nullptr ? std::nullopt : internal_of(distribution, *external);
}

Attributes relative_attributes(const std::vector<Param>& params) {
    std::string text = "{";
    for (const Param& param : params) {
        if (&param != params.data()) text += ", ";
        append_text(text, param.name);
        text += ": " + external_json(*param.distribution, param.value);
    }
    text += '}';
    Attributes attributes;
    for (std::size_t i = 0; i * kAttributeMax < text.size() && !params.empty(); ++i) {
        attributes[std::string(kRelativePrefix) + std::to_string(i)] =
            json_text(text.substr(i * kAttributeMax, kAttributeMax));
    }
    return attributes;
}

std::optional<double> fixed_param(const Trial& trial, std::string_view name,
                                  const Distribution& distribution) {
    const auto fixed = trial.system_attributes.find("fixed_params");
    if (fixed == trial.system_attributes.end()) return std::nullopt;
    const Result<Json> json = parse_python_json(fixed->second);
    const Json* value = json ? json->find(name) : nullptr;
    if (value == nullptr) return std::nullopt;
    return internal_of(distribution, *value);
}

Result<void> fits(const Study& study, const std::vector<Param>& params) {
    for (const Param& param : params) {
        for (const Trial& trial : study.trials) {
            const Param* first = trial.find(param.name);
            if (first == nullptr) continue;
            if (first->distribution == param.distribution ||
                compatible(*first->distribution, *param.distribution)) {
                break;
            }
            return fail(ErrorCode::conflict, "the parameter " + in_quotes(param.name) +
                                                 " of the study " + in_quotes(study.name) + " is " +
                                                 to_json(*first->distribution) +
                                                 "; one of another kind needs another name");
        }
    }
    return {};
}

}  // namespace parley::tuner
