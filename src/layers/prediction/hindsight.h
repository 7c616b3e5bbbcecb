// Layer 2, prediction: rounds in, what came of the risks that a trained model gave out, and the
// correction that follows from it.

#pragma once

#include "layers/prediction/brains.h"
#include "layers/prediction/trained.h"
#include "model/round.h"

namespace parley::prediction {

/// One forecast of a node in five minutes is followed: those between say nearly the same.
inline constexpr Duration kFollowedEvery = minutes(5);
/// A correction is looked for at most so often.
inline constexpr Duration kCorrectedEvery = hours(24);

/// Whether the policy serves a trained model whose risks are its own: one that is staged for an
/// experiment says nothing that could come true.
bool has_hindsight(const model::Policy& policy, const Brains& brains);

/// What a node has done since risks of it were served: a failure is a last lease renewal after the
/// model's gap and within its horizon, then not Ready for a minute, or gone without having been set
/// aside. A node that we drained or throttled stays under watch, as it fails or not without its
/// pods; only where load was the cause, or others set it aside, nothing can be said. Once a day
/// what came true may give a correction. Call it after fold() and before predict(). Pure.
void fold_hindsight(const model::RoundInput& input, const model::Policy& policy,
                    const Brains& brains, model::Derived& derived);

/// Remembers the risks that this round served, whom it acted on because of load, and from whom it
/// withheld what it would have done. Call it after the verdict. Pure.
void note_served(const Round& round, const model::Decision& decision, model::Derived& derived);

}  // namespace parley::prediction
