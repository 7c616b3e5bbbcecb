// Tuner: a study in, how much each parameter matters out: PED-ANOVA, Optuna's default.

#pragma once

#include "tuner/trial.h"

#include <string>
#include <vector>

namespace parley::tuner {

struct Importance {
    std::string name;
    double share = 0;  ///< All shares add up to 1.
};

/// Why there is nothing to rank parameters by: too few complete trials, or all of them cost the
/// same. Empty: there is something. importances() has shares all the same, as Optuna does.
std::string nothing_to_rank_by(const Study& study);

/// For all parameters of complete trials with a finite value, most important first, ties by name.
/// Compares the best tenth of the trials with all of them, where the parameter could vary. Equal
/// shares if there are too few trials to tell.
std::vector<Importance> importances(const Study& study);

}  // namespace parley::tuner
