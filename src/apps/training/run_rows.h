// App: the runs of a training in, the rows that it learns from out.

#pragma once

#include "apps/training/node_training.h"
#include "base/file.h"
#include "learn/risk/risk_trainer.h"
#include "learn/rounds/demand_record.h"
#include "learn/rounds/risk_rows.h"

namespace parley::app {

/// From recorded runs, or from simulated ones if the training names some.
[[nodiscard]] Result<learn::RiskData> risk_rows(Disk& disk, const NodeTraining& training,
                                                const learn::Done& done);
[[nodiscard]] Result<learn::DemandData> demand_rows(Disk& disk, const NodeTraining& training,
                                                    const learn::Done& done);

/// Like risk_rows(), with the weights of censoring: what a model is trained on.
[[nodiscard]] Result<learn::RiskData> weighed_risk_rows(Disk& disk, const NodeTraining& training,
                                                        const learn::Done& done);
/// Options for these rows; the trees have the defaults.
learn::RiskOptions risk_options(const NodeTraining& training);

}  // namespace parley::app
