#include "learn/rounds/demand_sources.h"

#include "layers/prediction/demand_features.h"

namespace parley::learn {
namespace {

Result<void> check_features(const model::Decision& decision) {
    const std::uint32_t served = decision.forecast.demand.features;
    if (served == 0 || served == prediction::kDemandFeatureVersion) return {};
    return fail(ErrorCode::denied, "it was served by features of demand of version " +
                                       std::to_string(served) + ", and version " +
                                       std::to_string(prediction::kDemandFeatureVersion) +
                                       " is made here; use runs of one version");
}

RoundSink into(DemandRecord& rows) {
    return {.begin = [&rows](const std::string& name,
                             std::int32_t group) { rows.begin_run(name, group); },
            .see = [&rows](const model::RoundInput& input, const model::Policy& policy,
                           const model::Decision& decision) -> Result<void> {
                if (auto fine = check_features(decision); !fine) return fine;
                return rows.see(input, policy);
            },
            .end = [&rows] { rows.end_run(); }};
}

}  // namespace

Result<DemandData> demand_of_runs(Disk& disk, const std::vector<std::string>& folders,
                                  const DemandRules& rules, const Done& done) {
    DemandRecord rows(rules);
    if (auto read = read_runs(disk, folders, into(rows), done); !read)
        return tl::unexpected(read.error());
    return rows.finish();
}

Result<DemandData> demand_of_simulation(const SimulatedRuns& runs, const DemandRules& rules,
                                        const Done& done) {
    DemandRecord rows(rules);
    if (auto made = simulate_runs(runs, into(rows), done); !made)
        return tl::unexpected(made.error());
    return rows.finish();
}

}  // namespace parley::learn
