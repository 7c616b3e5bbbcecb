// Layer 6, explanation: the stages that a run prepares beside its rounds (brains, a learned policy,
// tuning): from what the last process recorded, or else from the run's header.

#pragma once

#include "store/run_format.h"

#include <string>
#include <vector>

namespace parley::explanation {

inline constexpr const char* kBrains = "brains";
inline constexpr const char* kRay = "ray_ppo";
inline constexpr const char* kOptuna = "optuna";

/// The stage of brains if no trained model decides: names the predictor that does. `chosen`:
/// somebody chose that predictor; else nobody asked for a model.
store::StageNote without_brains(const model::Policy& policy, bool chosen);
/// The stage of a policy learned by reinforcement, which this build does not have.
store::StageNote ray_stage(bool no_policy);

/// Brains, ray_ppo and optuna, in this order. `said` is what the process recorded; older programs
/// recorded nothing, and then the stages say what the header holds and what is not known.
std::vector<store::StageNote> stages_of(const store::RunHeader& header,
                                        const std::vector<store::StageNote>& said);
/// The stage of that name; if there is none, one that says it is not known.
store::StageNote stage_called(const std::vector<store::StageNote>& stages, const std::string& name);

/// The status as people read it: "off by choice", "idle", "skipped", "running", "done", "failed".
const char* word_of(store::StageStatus status);
/// "brains done   ray skipped   optuna idle"; with `whole`, each with its detail.
std::string stages_line(const std::vector<store::StageNote>& stages, bool whole);

}  // namespace parley::explanation
