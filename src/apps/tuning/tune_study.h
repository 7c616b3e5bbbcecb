// App: a study of tuning: what its costs rest on, what is tuned, and the default policy in it. The
// plan of a person in, an open study that fits it out.

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
    std::int64_t trials = 50;                         ///< More than the study has already.
    std::string storage = "sqlite:parley-tune.db";    ///< Or journal:FILE.
    std::string study;  ///< Empty: parley-SCENARIO, or prototype-SCENARIO.
    int workers = 1;
    TunePruner pruner = TunePruner::median;
    std::uint64_t seed = 0;        ///< Of what is drawn, not of the simulated runs.
    std::int64_t pairs = 16;       ///< Seeds of a trial.
    std::int64_t fresh = 100;      ///< Seeds on which the best ones are run again, at least two.
    experiment::Span span;         ///< Of a run.
    Duration grace = minutes(1);   ///< A trial of which nobody heard for longer is a dead worker's.
    std::string program;           ///< Name and version, kept with the study.
    experiment::OwnScenarios own;  ///< From files.
    std::optional<std::uint64_t> first_seed;  ///< One's own; nothing: those kept for tuning.
};

/// The first of the seeds that trials run on, and of those on which the best of them are judged.
std::uint64_t tuning_seed(const TunePlan& plan);
std::uint64_t fresh_seed(const TunePlan& plan);

/// Set for the default policy's trial, of both storages.
inline constexpr const char* kPolicyAttribute = "parley:policy";

std::string study_name(const TunePlan& plan);

/// What is tuned, as the sampler wants it.
tuner::Space tuning_space(model::Profile profile);
/// The values of a trial in the order of tunables(); nothing if one is missing.
std::optional<std::vector<double>> tuned_values(const std::vector<tuner::Param>& params,
                                                model::Profile profile);

/// Of this version's default policy.
bool is_default(const tuner::Trial& trial, model::Profile profile);

/// A worker's own handle of a study that exists.
[[nodiscard]] Result<std::unique_ptr<tuner::Storage>> join_study(const TunePlan& plan);

/// Makes the study if it does not exist, and puts the default policy first; a plan without trials
/// does neither, and wants one that exists. Denied if its values
/// rest on another objective, other prices or rules, another scenario, other seeds or runs, or if
/// that cannot be known.
[[nodiscard]] Result<std::unique_ptr<tuner::Storage>> open_study(const TunePlan& plan);

}  // namespace parley::app
