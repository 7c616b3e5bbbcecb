#include "tuner/split.h"

#include "tuner/study.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::tuner {
namespace {

constexpr std::size_t kGoodMax = 25;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// NaN counts as the worst value, so that the order is total.
double or_worst(double value) { return std::isnan(value) ? kInfinity : value; }

}  // namespace

std::size_t good_count(std::size_t finished) { return std::min((finished + 9) / 10, kGoodMax); }

void Ranking::insert(std::vector<Place>& into, Place place) {
    const auto less = [](const Place& a, const Place& b) {
        if (a.first != b.first) return a.first < b.first;
        if (a.second != b.second) return a.second < b.second;
        return a.number < b.number;
    };
    into.insert(std::upper_bound(into.begin(), into.end(), place, less), place);
}

void Ranking::add(const Trial& trial) {
    if (const double score = infeasibility(trial); score > 0) {
        return insert(infeasible_, {score, 0, trial.number});
    }
    if (trial.state == TrialState::complete) {
        const double value = trial.values.empty() ? kInfinity : or_worst(sign_ * trial.values[0]);
        return insert(complete_, {value, 0, trial.number});
    }
    Place place{1, 0, trial.number};  // Nothing was reported: after those that reached a step.
    if (const auto step = trial.last_step()) {
        place.first = -static_cast<double>(*step);
        place.second = or_worst(sign_ * trial.intermediate.rbegin()->second);
    }
    insert(pruned_, place);
}

void Ranking::mark_best(std::size_t count, std::span<std::uint8_t> member) const {
    std::ranges::fill(member, std::uint8_t{0});
    for (const auto* list : {&complete_, &pruned_, &infeasible_}) {
        const std::size_t taken = std::min(count, list->size());
        for (std::size_t i = 0; i < taken; ++i) {
            member[static_cast<std::size_t>((*list)[i].number)] = 1;
        }
        count -= taken;
    }
}

}  // namespace parley::tuner
