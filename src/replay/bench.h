// Replay: a round with the memory that it began with in; what the referee was asked with out, and
// which settings of layer 2 kept an agent from an action that their defaults would have let it
// want.

#pragma once

#include "layers/prediction/brains.h"
#include "replay/causes.h"

#include <optional>
#include <vector>

namespace parley::replay {

/// The state in which `decide` asks the referee.
struct Bench {
    model::Memory memory;
    model::Forecast forecast;
};

Bench bench_of(const model::RoundInput& input, model::Memory memory, const model::Policy& policy,
               const prediction::Brains& brains);

/// Settings of evidence and stakes, and the predictor, by which its agent's figure does not reach
/// its bound although with the default it would: each that is enough alone, else those that are
/// together, as one. The round is predicted anew with each, so that no rule is told here.
std::vector<Obstacle> by_prediction(const Wanted& wanted, const model::RoundInput& input,
                                    const Bench& bench, const model::Policy& policy,
                                    const prediction::Brains& brains);

/// Whether a setting that may keep its agent from it is not as by default: for a node those above,
/// for everything else the namespace filter and the bounds of admission.
bool is_changed(const Wanted& wanted, const model::Policy& policy);

/// How far its agent would have been from wanting it by default settings; zero or below: it would
/// have. Made from what was believed, without memory, to find the round that is worth asking about:
/// a sign that a setting hid stays hidden. Nothing: the figure is not known.
std::optional<double> gap_by_default(const Wanted& wanted, const model::RoundInput& input,
                                     const model::Forecast& forecast, const model::Policy& policy);

}  // namespace parley::replay
