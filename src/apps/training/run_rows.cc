#include "apps/training/run_rows.h"

#include "base/time_text.h"
#include "learn/rounds/demand_sources.h"
#include "learn/rounds/risk_sources.h"

#include <utility>

namespace parley::app {

Result<learn::RiskData> risk_rows(Disk& disk, const NodeTraining& training,
                                  const learn::Done& done) {
    return training.simulated ? learn::rows_of_simulation(*training.simulated, training.rules, done)
                              : learn::rows_of_runs(disk, training.runs, training.rules, done);
}

Result<learn::DemandData> demand_rows(Disk& disk, const NodeTraining& training,
                                      const learn::Done& done) {
    return training.simulated ? learn::demand_of_simulation(*training.simulated, {}, done)
                              : learn::demand_of_runs(disk, training.runs, {}, done);
}

Result<learn::RiskData> weighed_risk_rows(Disk& disk, const NodeTraining& training,
                                          const learn::Done& done) {
    auto data = risk_rows(disk, training, done);
    if (!data) return data;
    auto weights = learn::censoring_weights(data->watched);
    if (!weights) return tl::unexpected(weights.error());
    data->rows.weight = *std::move(weights);
    return data;
}

learn::RiskOptions risk_options(const NodeTraining& training) {
    const learn::RiskRules& rules = training.rules;
    return {.name = provenance_of(training),
            .what = "a node is lost within " + print_age(rules.horizon) + " and not within " +
                    print_age(rules.gap),
            .entity = "node",
            .step = rules.every,
            .horizon = rules.horizon,
            .seed = training.flags.seed};
}

}  // namespace parley::app
