// Tuner: what follows from a study: its best trial, the constraints of a trial, its parameters.

#pragma once

#include "base/json_value.h"
#include "tuner/trial.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::tuner {

/// Values of `constraints:<key>`, and of the list that older versions wrote. Feasible is 0 or less.
/// Rustuna writes them as text; both are read.
std::map<std::string, double> constraints_of(const Trial& trial);
/// The sum of what is above 0: how far from feasible.
double infeasibility(const Trial& trial);

/// The complete, feasible trial with the best first value, the earliest of equals.
const Trial* best_trial(const Study& study);

/// The internal value of a parameter; of a trial that still runs also one that it will use, which
/// workers tell each other as `tpe:relative_params:<i>`.
class KnownParams {
public:
    explicit KnownParams(const Trial& trial) : trial_(trial) {}
    std::optional<double> find(std::string_view name, const Distribution& distribution) const;

private:
    const Trial& trial_;
    mutable bool looked_ = false;  ///< At the relative ones, of which most trials have none.
    mutable std::string text_;
    mutable Json relative_;
};

/// `params` as the attributes by which other workers learn them: pieces of 2,045 characters.
Attributes relative_attributes(const std::vector<Param>& params);

/// The value that somebody fixed for this trial before it began (`fixed_params`).
std::optional<double> fixed_param(const Trial& trial, std::string_view name,
                                  const Distribution& distribution);

/// Whether the study may hold these parameters: a name keeps its kind. Conflict if not.
[[nodiscard]] Result<void> fits(const Study& study, const std::vector<Param>& params);

}  // namespace parley::tuner
