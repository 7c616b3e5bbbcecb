#include "tuner/pruner.h"

#include "base/json_read.h"
#include "tuner/json.h"

#include <boost/crc.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::tuner {
namespace {

constexpr std::int64_t kStepMax = std::int64_t{1} << 53;

/// The best value that is a number; NaN if there is none.
double best_reported(const Trial& trial, bool maximizes) {
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [step, value] : trial.intermediate) {
        if (std::isnan(value)) continue;
        if (std::isnan(best) || (maximizes ? value > best : value < best)) best = value;
    }
    return best;
}

/// For an even number, between the two middle values; NaN if there are none.
double median(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    if (values.size() % 2 == 1) return values[half];
    // As in NumPy: equal infinities stay infinite.
    if (values[half - 1] == values[half]) return values[half];
    return values[half - 1] + (values[half] - values[half - 1]) * 0.5;
}

/// Whether this is the first report at or after the last step at which trials are judged.
bool first_in_interval(const Trial& trial, std::int64_t step, const MedianConfig& config) {
    const std::int64_t judged =
        (step - config.warmup_steps) / config.interval_steps * config.interval_steps +
        config.warmup_steps;
    std::int64_t before = -1;
    for (const auto& [reported, value] : trial.intermediate) {
        if (reported != step) before = std::max(before, reported);
    }
    return before < judged;
}

struct Brackets {
    std::vector<std::int64_t> budgets;  ///< How many of `total` trials each one gets.
    std::int64_t total = 0;

    std::size_t of(const std::string& study, std::int64_t number) const {
        const std::string name = study + "_" + std::to_string(number);
        boost::crc_32_type crc;
        crc.process_bytes(name.data(), name.size());
        std::int64_t rest = static_cast<std::int64_t>(crc.checksum()) % total;
        for (std::size_t i = 0; i < budgets.size(); ++i) {
            rest -= budgets[i];
            if (rest < 0) return i;
        }
        return budgets.size() - 1;
    }
};

/// floor(log_reduction(most / least)) + 1 brackets.
Brackets make_brackets(const HyperbandConfig& config, std::int64_t most) {
    std::size_t count = 1;
    for (std::int64_t reach = config.resource_min; reach <= most / config.reduction && count < 64;
         reach *= config.reduction) {
        ++count;
    }
    Brackets brackets;
    for (std::size_t i = 0; i < count; ++i) {
        const auto left = static_cast<double>(count - 1 - i);
        const double share = static_cast<double>(count) *
                             std::pow(static_cast<double>(config.reduction), left) / (left + 1);
        brackets.budgets.push_back(static_cast<std::int64_t>(std::ceil(std::min(share, 1e15))));
        brackets.total += brackets.budgets.back();
    }
    return brackets;
}

std::optional<std::int64_t> last_step_of_all(const Study& study) {
    std::optional<std::int64_t> last;
    for (const Trial& trial : study.trials) {
        if (trial.state == TrialState::complete && trial.last_step()) {
            last = std::max(last.value_or(*trial.last_step()), *trial.last_step());
        }
    }
    return last;
}

std::string rung_name(int rung) { return "completed_rung_" + std::to_string(rung); }

/// The values with which other trials of the bracket reached that rung.
std::vector<double> competitors(const Study& study, const Trial& trial, const Brackets& brackets,
                                const std::string& rung) {
    const std::size_t bracket = brackets.of(study.name, trial.number);
    std::vector<double> values;
    for (const Trial& other : study.trials) {
        if (other.number == trial.number || brackets.of(study.name, other.number) != bracket) {
            continue;
        }
        const auto reached = other.system_attributes.find(rung);
        if (reached == other.system_attributes.end()) continue;
        const Result<Json> value = parse_python_json(reached->second);
        const double* number = value ? value->number() : nullptr;
        if (number != nullptr && !std::isnan(*number)) values.push_back(*number);
    }
    return values;
}

bool promoted(double value, std::vector<double> values, std::int64_t reduction, bool maximizes) {
    values.push_back(value);
    std::ranges::sort(values);
    const auto count = static_cast<std::int64_t>(values.size());
    const auto place = static_cast<std::size_t>(std::max<std::int64_t>(count / reduction - 1, 0));
    return maximizes ? value >= values[values.size() - 1 - place] : value <= values[place];
}

}  // namespace

Judgement judge_by_median(const Study& study, const Trial& trial, const MedianConfig& config) {
    const auto step = trial.last_step();
    std::size_t complete = 0;
    std::vector<double> values;
    for (const Trial& other : study.trials) {
        if (other.state != TrialState::complete) continue;
        ++complete;
        if (!step) continue;
        const auto at = other.intermediate.find(*step);
        if (at != other.intermediate.end()) values.push_back(at->second);
    }
    if (complete == 0 || complete < config.startup_trials || !step || *step < config.warmup_steps ||
        !first_in_interval(trial, *step, config)) {
        return {};
    }
    const double best = best_reported(trial, study.maximizes());
    if (std::isnan(best)) return {.prune = true};
    if (values.size() < config.trials_min) return {};
    const double middle = median(std::move(values));
    return {.prune = study.maximizes() ? best < middle : best > middle};
}

Judgement judge_by_hyperband(const Study& study, const Trial& trial,
                             const HyperbandConfig& config) {
    const auto step = trial.last_step();
    std::optional<std::int64_t> most = config.resource_max;
    if (const auto last = last_step_of_all(study); !most && last) most = *last + 1;
    if (!most || !step || config.resource_min < 1 || config.reduction < 2) return {};
    const Brackets brackets = make_brackets(config, *most);
    const auto bracket = static_cast<int>(brackets.of(study.name, trial.number));
    const double value = trial.intermediate.rbegin()->second;
    int rung = 0;
    while (trial.system_attributes.contains(rung_name(rung))) ++rung;
    Judgement judgement;
    for (;; ++rung) {
        std::int64_t promotion = config.resource_min;
        for (int i = 0; i < bracket + rung && promotion < kStepMax; ++i) {
            promotion *= std::min(config.reduction, kStepMax / promotion + 1);
        }
        if (*step < promotion || promotion >= kStepMax) return judgement;
        judgement.prune = std::isnan(value);
        if (judgement.prune) return judgement;
        const std::string name = rung_name(rung);
        judgement.reached[name] = print_float(value);
        judgement.prune = !promoted(value, competitors(study, trial, brackets, name),
                                    config.reduction, study.maximizes());
        if (judgement.prune) return judgement;
    }
}

}  // namespace parley::tuner
