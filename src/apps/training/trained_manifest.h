// App: the manifest of a trained model: where it comes from, how good it is, and rows by which a
// reader checks that it computes the same.

#pragma once

#include "apps/training/node_training.h"
#include "learn/fit/booster.h"
#include "learn/folder/model_manifest.h"
#include "learn/report/report.h"

#include <cstdint>
#include <vector>

namespace parley::app {

/// The part that does not depend on the kind of model.
learn::ModelManifest begun_manifest(const NodeTraining& training, brain::ModelKind kind,
                                    const learn::BoosterParameters& parameters);

/// How good a model of risk is: its figures and its reliability.
void set_quality(const learn::RiskQuality& quality, learn::ModelManifest& manifest);

/// Rows spread over the test part, with the margins that XGBoost itself gives.
[[nodiscard]] Result<std::vector<learn::Probe>> probes_of(
    const learn::Rows& rows, const std::vector<std::uint32_t>& test_rows,
    const learn::Booster& booster);

}  // namespace parley::app
