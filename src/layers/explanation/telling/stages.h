// Layer 6, explanation: what a run prepares beside its rounds (brains, a learned policy, tuning),
// in one place: from what the record's last process said of it, or else from what the header holds.

#pragma once

#include "store/run_format.h"

#include <string>
#include <vector>

namespace parley::explanation {

inline constexpr const char* kBrains = "brains";
inline constexpr const char* kRay = "ray_ppo";
inline constexpr const char* kOptuna = "optuna";

/// What no stage of the policy's needs to be asked for: which predictor drives decisions without a
/// trained model. `chosen`: somebody named it; else nobody asked for a model.
store::StageNote without_brains(const model::Policy& policy, bool chosen);
/// A policy of reinforcement learning, which is not in this build.
store::StageNote ray_stage(bool no_policy);

/// Brains, ray_ppo and optuna, in this order. `said` is what the process said that wrote the
/// record; an older one did not, and then it is told what the header holds and what nobody can
/// tell.
std::vector<store::StageNote> stages_of(const store::RunHeader& header,
                                        const std::vector<store::StageNote>& said);
/// The one of that name; one that says that it is not known, if there is none.
store::StageNote stage_called(const std::vector<store::StageNote>& stages, const std::string& name);

/// As people read it: "off by choice", "idle", "skipped", "running", "done", "failed".
const char* word_of(store::StageStatus status);
/// "brains done   ray skipped   optuna idle"; with `whole` each with its detail.
std::string stages_line(const std::vector<store::StageNote>& stages, bool whole);

}  // namespace parley::explanation
