// Layer 2, prediction: follows what came of the risks that a trained model gave, and computes the
// correction that follows from it.

#pragma once

#include "layers/prediction/brains.h"
#include "layers/prediction/trained.h"
#include "model/round.h"

namespace parley::prediction {

/// One forecast per node and five minutes is followed: those in between say nearly the same.
inline constexpr Duration kFollowedEvery = minutes(5);
/// A new correction is computed at most this often.
inline constexpr Duration kCorrectedEvery = hours(24);

/// Whether the policy serves a trained model whose own risks are used; risks that were staged for
/// an experiment are not followed.
bool has_hindsight(const model::Policy& policy, const Brains& brains);

/// Follows nodes for which risks were served. A failure is a last lease renewal after the model's
/// gap and within its horizon, followed by a minute of not Ready, or the node vanishing without
/// having been set aside. A node that we drained or throttled is still followed, since it fails or
/// not regardless of its pods; unless load was the cause, or others set it aside: then its outcome
/// is unknown. Once a day the outcomes may give a correction. Call it after fold() and before
/// predict(). Pure.
void fold_hindsight(const model::RoundInput& input, const model::Policy& policy,
                    const Brains& brains, model::Derived& derived);

/// Notes the risks that this round served, the nodes it acted on because of load, and those from
/// which an action was withheld. Call it after the verdict. Pure.
void note_served(const Round& round, const model::Decision& decision, model::Derived& derived);

}  // namespace parley::prediction
