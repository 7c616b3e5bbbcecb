// Tuner: a study in, how much each parameter matters out: PED-ANOVA, Optuna's default.

#pragma once

#include "tuner/trial.h"

#include <string>
#include <vector>

namespace parley::tuner {

struct Importance {
    std::string name;
    double share = 0;  ///< Of all parameters together 1.
};

/// Of all parameters of complete trials with a finite value, the most important first, ties by
/// name. Compares the best tenth of the trials with all of them, where they had a choice. Equal
/// shares if there are too few trials to tell.
std::vector<Importance> importances(const Study& study);

}  // namespace parley::tuner
