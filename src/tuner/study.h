// Tuner: what can be derived from a study: its best trial, constraints and parameters of trials.

#pragma once

#include "base/json_value.h"
#include "tuner/trial.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::tuner {

/// Values of `constraints:<key>`, and of the list that older versions wrote. 0 or less is feasible.
/// Rustuna writes them as text; both forms are read.
std::map<std::string, double> constraints_of(const Trial& trial);
/// How far it is from feasible: the sum of the values above 0.
double infeasibility(const Trial& trial);

/// The complete, feasible trial with the best first value; among equals the earliest.
const Trial* best_trial(const Study& study);

/// The internal value of a parameter; for a running trial also a value it will use, which workers
/// tell each other as `tpe:relative_params:<i>`.
class KnownParams {
public:
    explicit KnownParams(const Trial& trial) : trial_(trial) {}
    std::optional<double> find(std::string_view name, const Distribution& distribution) const;

private:
    const Trial& trial_;
    mutable bool looked_ = false;  ///< At the relative parameters, which most trials do not have.
    mutable std::string text_;
    mutable Json relative_;
};

/// `params` as attributes from which other workers learn them, in pieces of 2,045 characters.
Attributes relative_attributes(const std::vector<Param>& params);

/// The value that somebody fixed for this trial before it began (`fixed_params`).
std::optional<double> fixed_param(const Trial& trial, std::string_view name,
                                  const Distribution& distribution);

/// Whether the study may hold these parameters: a name keeps its kind. `conflict` if not.
[[nodiscard]] Result<void> fits(const Study& study, const std::vector<Param>& params);

}  // namespace parley::tuner
