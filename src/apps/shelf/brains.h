// App: the trained models that a run is served by: which, from where, and what to say of it.

#pragma once

#include "apps/shelf/model_run.h"
#include "layers/prediction/brains.h"
#include "learn/folder/served_model.h"
#include "model/policy.h"

#include <string>

namespace parley::app {

/// The model of demand that a run is served by; its `brains.demand` is the model itself.
struct ServedDemand {
    std::string id;  ///< Empty: none is asked for.
    std::string said;
    std::string refused;
    learn::ModelFiles files;
};

struct ServedBrains {
    prediction::Brains brains;
    std::string risk_id;      ///< Empty: no model is asked for.
    std::string said;         ///< One line: which model, on what it was trained, how good it is.
    std::string refused;      ///< Why the one that was asked for is not served; or empty.
    learn::ModelFiles files;  ///< Of the risk model, to be kept with the run.
    ServedDemand demand;
};

/// Whether the policy serves a trained model or runs one in shadow.
bool wants_brains(const model::Policy& policy);
/// Whether it serves one of demand: with predictor `xgboost`, in profile `parley`.
bool wants_demand(const model::Policy& policy);

/// The models that the policy names, or else the shelf, or else the program's own. One that is
/// refused is replaced by the program's own, and its `refused` says why.
[[nodiscard]] Result<ServedBrains> serve_brains(Disk& disk, const ModelShelf& shelf,
                                                const model::Policy& policy);

/// The same for a run that begins: the shelf is the one that `models` (a folder, or empty) says,
/// `trust` names other keys, by commas, and the policy gets the ids of what is served.
[[nodiscard]] Result<ServedBrains> serve_policy(Disk& disk, const std::string& models,
                                                const std::string& trust, model::Policy& policy);

/// A line of warning for each model that was asked for and is not served; else empty.
std::string refusal_text(const ServedBrains& served);

/// Puts the files of what is served into a run's folder, where `recorded_brains` finds them.
[[nodiscard]] Result<void> keep_brains(Disk& disk, const std::string& run,
                                       const ServedBrains& served);

/// What a recorded run was served by, from its folder.
[[nodiscard]] Result<prediction::Brains> recorded_brains(Disk& disk, const std::string& run,
                                                         const model::Policy& policy);

}  // namespace parley::app
