// App: a study of tuning: what its costs rest on, what is tuned, and the default policy in it.
// Opens a study that fits a plan.

#pragma once

#include "base/describe.h"
#include "base/result.h"
#include "experiment/arms.h"
#include "experiment/worlds.h"
#include "tuner/sampler.h"
#include "tuner/storage.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

enum class TunePruner : std::uint8_t { median, hyperband, none };
BOOST_DESCRIBE_ENUM(TunePruner, median, hyperband, none)

struct TunePlan {
    model::Profile profile = model::Profile::parley;  ///< Whose parameters.
    std::string scenario = "mixed";                   ///< A built-in one, or one of `own`.
    std::int64_t trials = 50;                       ///< In addition to those the study already has.
    std::string storage = "sqlite:parley-tune.db";  ///< Or journal:FILE.
    std::string study;  ///< Empty: parley-SCENARIO, or prototype-SCENARIO.
    int workers = 1;
    TunePruner pruner = TunePruner::median;
    std::uint64_t seed = 0;        ///< For drawing parameters, not for the simulated runs.
    std::int64_t pairs = 16;       ///< Seeds per trial.
    std::int64_t fresh = 100;      ///< Seeds on which the best are run again; at least two.
    experiment::Span span;         ///< Of a run.
    Duration grace = minutes(1);   ///< A trial not heard of for longer belongs to a dead worker.
    std::string program;           ///< Name and version, kept with the study.
    experiment::OwnScenarios own;  ///< From files.
    /// The user's own; nothing: those reserved for tuning.
    std::optional<std::uint64_t> first_seed;
};

/// The first seed for trials, and the first on which the best of them are judged.
std::uint64_t tuning_seed(const TunePlan& plan);
std::uint64_t fresh_seed(const TunePlan& plan);

/// Marks the trial of the default policy, in both kinds of storage.
inline constexpr const char* kPolicyAttribute = "parley:policy";

std::string study_name(const TunePlan& plan);

/// What is tuned, in the form of the sampler.
tuner::Space tuning_space(model::Profile profile);
/// The values of a trial in the order of tunables(); nothing if one is missing.
std::optional<std::vector<double>> tuned_values(const std::vector<tuner::Param>& params,
                                                model::Profile profile);

/// Whether a trial is that of this version's default policy.
bool is_default(const tuner::Trial& trial, model::Profile profile);

/// Another handle of an existing study, for a worker.
[[nodiscard]] Result<std::unique_ptr<tuner::Storage>> join_study(const TunePlan& plan);

/// Creates the study if it does not exist, and enqueues the default policy first; a plan without
/// trials does neither, and needs an existing study. `denied` if its values rest on another
/// objective, other prices or rules, another scenario, other seeds or runs, or if that is not
/// known.
[[nodiscard]] Result<std::unique_ptr<tuner::Storage>> open_study(const TunePlan& plan);

}  // namespace parley::app
