#include "tuner/importance.h"

#include "base/math.h"
#include "tuner/truncated_normal.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace parley::tuner {
namespace {

constexpr double kTargetShare = 0.1;
constexpr std::size_t kGridMax = 50;
constexpr std::size_t kTrialsMin = 2;     // With the same distribution; fewer cannot be compared.
constexpr std::size_t kTrialsToRank = 5;  // As many as the median pruner wants to compare with.

using Trials = std::vector<const Trial*>;

/// A value's cell on a grid over the range.
struct Grid {
    std::size_t cells = 0;
    bool choices = false;
    bool log = false;
    double low = 0;
    double high = 0;

    explicit Grid(const Distribution& distribution) {
        if (const auto* list = std::get_if<Choices>(&distribution)) {
            choices = true;
            cells = list->choices.size();
            return;
        }
        double steps = static_cast<double>(kGridMax);
        if (const auto* whole = std::get_if<IntRange>(&distribution)) {
            log = whole->log;
            low = static_cast<double>(whole->low);
            high = static_cast<double>(whole->high);
            const double span = high - low;
            steps = log ? std::ceil(math::log(span + 1) / math::log(2)) + 1
                        : std::round(span / static_cast<double>(whole->step)) + 1;
        } else {
            const auto& range = std::get<FloatRange>(distribution);
            log = range.log;
            low = range.low;
            high = range.high;
            if (range.step) steps = std::round((high - low) / *range.step) + 1;
        }
        cells = static_cast<std::size_t>(std::min(steps, static_cast<double>(kGridMax)));
        if (log) {
            low = math::log(low);
            high = math::log(high);
        }
    }

    std::size_t cell(double value) const {
        const double last = static_cast<double>(cells) - 1;
        double at = value;
        if (!choices) {
            const double size = (high - low) / last;
            at = std::ceil(((log ? math::log(value) : value) - low) / size - 0.5);
        }
        return static_cast<std::size_t>(std::isnan(at) ? 0.0 : std::clamp(at, 0.0, last));
    }
};

/// Observed cells and how often each was seen.
struct Seen {
    std::vector<double> cells;
    std::vector<double> counts;
};

Seen count(const Grid& grid, const std::string& name, const Trials& trials) {
    std::vector<double> all(grid.cells);
    for (const Trial* trial : trials) all[grid.cell(trial->find(name)->value)] += 1;
    Seen seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i] == 0) continue;
        seen.cells.push_back(static_cast<double>(i));
        seen.counts.push_back(all[i]);
    }
    return seen;
}

/// The width of all kernels, by Scott's rule over the smaller of two measures of spread.
double kernel_width(const Seen& seen) {
    double total = 0;
    double mean = 0;
    for (std::size_t i = 0; i < seen.cells.size(); ++i) {
        total += seen.counts[i];
        mean += seen.cells[i] * seen.counts[i];
    }
    mean /= total;
    double variance = 0;
    std::vector<double> sums;
    for (std::size_t i = 0; i < seen.cells.size(); ++i) {
        variance += (seen.cells[i] - mean) * (seen.cells[i] - mean) * seen.counts[i];
        sums.push_back((sums.empty() ? 0 : sums.back()) + seen.counts[i]);
    }
    const double deviation = std::sqrt(variance / std::max(1.0, total - 1));
    const auto last = static_cast<std::ptrdiff_t>(seen.cells.size()) - 1;
    const auto low = std::ranges::lower_bound(sums, std::floor(total / 4)) - sums.begin();
    const auto high = std::ranges::upper_bound(sums, std::floor(total * 3 / 4)) - sums.begin();
    const double quartiles = seen.cells[static_cast<std::size_t>(std::min(last, high))] -
                             seen.cells[static_cast<std::size_t>(low)];
    const double width = 1.059 * std::min(quartiles / 1.34, deviation) * math::pow(total, -0.2);
    return std::max(width, 0.5 / 1.64);
}

/// The density over the cells: a kernel for each observed one, and a uniform one of weight 1.
std::vector<double> density(const Grid& grid, const Seen& seen) {
    const auto cells = static_cast<double>(grid.cells);
    const auto kernels = static_cast<double>(seen.cells.size() + 1);
    double total = 1;
    for (const double seen_often : seen.counts) total += seen_often;
    std::vector<double> result(grid.cells);
    const double width = grid.choices ? 0 : kernel_width(seen);
    const auto mass = [cells](double cell, double center, double around) {
        return math::exp(
            log_normal_mass((cell - 0.5 - center) / around, (cell + 0.5 - center) / around) -
            log_normal_mass((-0.5 - center) / around, (cells - 0.5 - center) / around));
    };
    for (std::size_t i = 0; i < grid.cells; ++i) {
        const auto cell = static_cast<double>(i);
        double sum = grid.choices ? 1 / cells : mass(cell, (cells - 1) / 2, cells);
        for (std::size_t k = 0; k < seen.cells.size(); ++k) {
            double share = 0;
            if (grid.choices) {
                const double hit = seen.cells[k] == cell ? 1 : 0;
                share = (hit + 1 / kernels) / (1 + cells / kernels);
            } else {
                share = mass(cell, seen.cells[k], width);
            }
            sum += seen.counts[k] * share;
        }
        result[i] = sum / total + 1e-12;
    }
    return result;
}

/// How much the best trials differ from all, for one distribution.
double divergence(const std::string& name, const Distribution& distribution, const Trials& best,
                  const Trials& all) {
    const Grid grid(distribution);
    const std::vector<double> top = density(grid, count(grid, name, best));
    const std::vector<double> base = density(grid, count(grid, name, all));
    double sum = 0;
    for (std::size_t i = 0; i < top.size(); ++i) {
        const double off = top[i] / base[i] - 1;
        sum += base[i] * off * off;
    }
    return sum;
}

Trials usable(const Study& study) {
    Trials trials;
    for (const Trial& trial : study.trials) {
        if (trial.state != TrialState::complete || trial.values.empty()) continue;
        if (std::ranges::all_of(trial.values, [](double v) { return std::isfinite(v); })) {
            trials.push_back(&trial);
        }
    }
    return trials;
}

/// The best tenth, and all that equal the worst of it.
Trials best_of(const Trials& trials, double sign) {
    std::vector<double> losses;
    for (const Trial* trial : trials) losses.push_back(sign * trial->values[0]);
    const auto many = std::ceil(kTargetShare * static_cast<double>(losses.size()));
    const auto cut = losses.begin() + static_cast<std::ptrdiff_t>(many) - 1;
    std::ranges::nth_element(losses, cut);
    Trials best;
    for (const Trial* trial : trials) {
        if (sign * trial->values[0] <= *cut) best.push_back(trial);
    }
    return best;
}

/// Distributions of one parameter with the trials that had them.
std::vector<std::pair<DistributionPtr, Trials>> by_distribution(const std::string& name,
                                                                const Trials& trials) {
    std::vector<std::pair<DistributionPtr, Trials>> regimes;
    for (const Trial* trial : trials) {
        const Param* param = trial->find(name);
        if (param == nullptr) continue;
        const auto same = std::ranges::find_if(regimes, [&](const auto& regime) {
            return regime.first == param->distribution || *regime.first == *param->distribution;
        });
        if (same == regimes.end()) {
            regimes.push_back({param->distribution, {trial}});
        } else {
            same->second.push_back(trial);
        }
    }
    return regimes;
}

double importance(const std::string& name, const Trials& all, const Trials& best, double sign) {
    const double worst = [&] {
        double most = sign * best.front()->values[0];
        for (const Trial* trial : best) most = std::max(most, sign * trial->values[0]);
        return most;
    }();
    double sum = 0;
    for (const auto& [distribution, trials] : by_distribution(name, all)) {
        Trials top;
        for (const Trial* trial : trials) {
            if (sign * trial->values[0] <= worst) top.push_back(trial);
        }
        if (trials.size() < kTrialsMin || single(*distribution) || top.empty()) continue;
        const double top_share = static_cast<double>(top.size()) / static_cast<double>(best.size());
        const double share = static_cast<double>(trials.size()) / static_cast<double>(all.size());
        sum += top_share * top_share / share * divergence(name, *distribution, top, trials);
    }
    return sum;
}

}  // namespace

std::string nothing_to_rank_by(const Study& study) {
    const Trials all = usable(study);
    if (all.size() < kTrialsToRank) {
        return std::to_string(all.size()) +
               (all.size() == 1 ? " complete trial is" : " complete trials are") + " too few, " +
               std::to_string(kTrialsToRank) + " are needed";
    }
    const double first = all.front()->values[0];
    const auto same = [first](const Trial* trial) { return trial->values[0] == first; };
    if (std::ranges::all_of(all, same)) return "all complete trials have the same value";
    return {};
}

std::vector<Importance> importances(const Study& study) {
    std::map<std::string, double> found;
    for (const Trial& trial : study.trials) {
        if (trial.state != TrialState::complete) continue;
        for (const Param& param : trial.params) found.emplace(param.name, 0);
    }
    const double sign = study.maximizes() ? -1 : 1;
    const Trials all = usable(study);
    double total = 0;
    if (all.size() > 1) {
        const Trials best = best_of(all, sign);
        for (auto& [name, value] : found) total += value = importance(name, all, best, sign);
    }
    std::vector<Importance> result;
    for (const auto& [name, value] : found) {
        const double equal = 1 / static_cast<double>(found.size());
        result.push_back({name, total > 0 ? value / total : equal});
    }
    std::ranges::sort(result, [](const Importance& a, const Importance& b) {
        return a.share != b.share ? a.share > b.share : a.name < b.name;
    });
    return result;
}

}  // namespace parley::tuner
