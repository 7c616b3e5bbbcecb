// App: the trained models that serve a run: which, from where, and a line about them.

#pragma once

#include "apps/shelf/model_run.h"
#include "layers/prediction/brains.h"
#include "learn/folder/served_model.h"
#include "model/policy.h"

#include <string>

namespace parley::app {

/// The model of demand that serves a run; its `brains.demand` is the model itself.
struct ServedDemand {
    std::string id;  ///< Empty: none is wanted.
    std::string said;
    std::string refused;
    learn::ModelFiles files;
};

struct ServedBrains {
    prediction::Brains brains;
    std::string risk_id;      ///< Empty: no model is wanted.
    std::string said;         ///< One line: which model, on what it was trained, how good it is.
    std::string refused;      ///< Why the requested one is not served; else empty.
    learn::ModelFiles files;  ///< Of the risk model, to be copied into the run's folder.
    ServedDemand demand;
};

/// Whether the policy serves a trained model or runs one as a shadow.
bool wants_brains(const model::Policy& policy);
/// Whether the policy serves a demand model: with predictor `xgboost`, in profile `parley`.
bool wants_demand(const model::Policy& policy);

/// The models that the policy names, else those chosen on the shelf, else the program's own. A
/// refused model is replaced by the program's own, and `refused` says why.
[[nodiscard]] Result<ServedBrains> serve_brains(Disk& disk, const ModelShelf& shelf,
                                                const model::Policy& policy);

/// The same for a run that begins: `models` is the shelf (a folder, or empty for the default),
/// `trust` names other keys, separated by commas, and the policy gets the ids of what is served.
[[nodiscard]] Result<ServedBrains> serve_policy(Disk& disk, const std::string& models,
                                                const std::string& trust, model::Policy& policy);

/// A warning for each requested model that is not served; else empty.
std::string refusal_text(const ServedBrains& served);

/// Copies the files of served models into a run's folder, where `recorded_brains` finds them.
[[nodiscard]] Result<void> keep_brains(Disk& disk, const std::string& run,
                                       const ServedBrains& served);

/// The models that served a recorded run, from its folder.
[[nodiscard]] Result<prediction::Brains> recorded_brains(Disk& disk, const std::string& run,
                                                         const model::Policy& policy);

}  // namespace parley::app
