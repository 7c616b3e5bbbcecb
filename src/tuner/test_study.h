// Tuner: studies as literals, for tests.

#pragma once

#include "tuner/trial.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace parley::tuner {

inline DistributionPtr shared(Distribution distribution) {
    return std::make_shared<const Distribution>(std::move(distribution));
}

/// A study that minimizes and has no trials.
inline Study empty_study(std::string name = "study") {
    return {.name = std::move(name), .directions = {Direction::minimize}};
}

/// Adds a trial; complete with that value, unless changed afterwards.
inline Trial& add(Study& study, double value, std::vector<Param> params = {}) {
    Trial trial;
    trial.id = trial.number = static_cast<std::int64_t>(study.trials.size());
    trial.state = TrialState::complete;
    trial.values = {value};
    trial.params = std::move(params);
    study.trials.push_back(std::move(trial));
    return study.trials.back();
}

}  // namespace parley::tuner
