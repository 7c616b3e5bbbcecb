#include "learn/demand_sources.h"

#include "layers/prediction/demand_features.h"
#include "sim/builtin_scenarios.h"
#include "store/run_reader.h"
#include "trial/world_run.h"

#include <memory>
#include <utility>

namespace parley::learn {
namespace {

Result<void> read_run(Disk& disk, const std::string& folder, DemandRecord& rows) {
    auto reader = store::RunReader::open(disk, folder);
    if (!reader) return tl::unexpected(reader.error());
    if (reader->header().record != store::RecordLevel::full) {
        return fail(ErrorCode::denied, folder +
                                           " keeps decisions only, so that nothing can be learned "
                                           "from it; record with --record full");
    }
    for (;;) {
        const auto record = reader->next();
        if (!record) return tl::unexpected(record.error());
        if (!*record) break;
        const std::uint32_t served = (*record)->decision.forecast.demand.features;
        if (served != 0 && served != prediction::kDemandFeatureVersion) {
            return fail(ErrorCode::denied, folder +
                                               " was served by features of demand of version " +
                                               std::to_string(served) + ", and version " +
                                               std::to_string(prediction::kDemandFeatureVersion) +
                                               " is made here; use runs of one version");
        }
        auto seen = rows.see((*record)->input, reader->header().policy);
        if (!seen) return seen;
    }
    const auto gaps = reader->gaps();
    if (!gaps.empty()) {
        return fail(ErrorCode::malformed, folder + " cannot be learned from: " + gaps.front());
    }
    return {};
}

Result<void> simulate(const SimulatedRuns& runs, std::uint64_t seed, DemandRecord& rows,
                      const Done& done) {
    auto scenario = sim::builtin_scenario(runs.scenario, seed);
    if (!scenario) {
        return fail(ErrorCode::denied, "no scenario is called '" + runs.scenario + "'");
    }
    if (scenario->faults.failures <= 0) {
        return fail(ErrorCode::denied,
                    "scenario " + runs.scenario +
                        " follows a script: its load is a demonstration, and never training data; "
                        "use mixed");
    }
    trial::WorldRun run({.scenario = std::make_shared<const sim::Scenario>(*std::move(scenario)),
                         .seed = seed,
                         .interval = runs.interval,
                         .policy = trial::open_policy(),
                         .mode = model::Mode::observe});
    const std::int64_t rounds = runs.length.us / runs.interval.us;
    for (std::int64_t i = 0; i < rounds; ++i) {
        run.decide_round();
        auto seen = rows.see(run.input(), run.policy());
        if (!seen) return seen;
        if (done && i % 200 == 0) {
            done(static_cast<double>(seed - runs.first_seed) +
                 static_cast<double>(i) / static_cast<double>(rounds));
        }
    }
    return {};
}

}  // namespace

Result<DemandData> demand_of_runs(Disk& disk, const std::vector<std::string>& folders,
                                  const DemandRules& rules, const Done& done) {
    DemandRecord rows(rules);
    for (std::size_t i = 0; i < folders.size(); ++i) {
        rows.begin_run(folders[i], static_cast<std::int32_t>(i));
        if (auto read = read_run(disk, folders[i], rows); !read) {
            return tl::unexpected(read.error());
        }
        rows.end_run();
        if (done) done(static_cast<double>(i + 1));
    }
    return rows.finish();
}

Result<DemandData> demand_of_simulation(const SimulatedRuns& runs, const DemandRules& rules,
                                        const Done& done) {
    if (runs.first_seed > runs.last_seed || runs.last_seed >= kTrainingSeedsEnd) {
        return fail(ErrorCode::denied, "seeds " + std::to_string(runs.first_seed) + " to " +
                                           std::to_string(runs.last_seed) +
                                           " are not for training; use a range below " +
                                           std::to_string(kTrainingSeedsEnd));
    }
    DemandRecord rows(rules);
    for (std::uint64_t seed = runs.first_seed; seed <= runs.last_seed; ++seed) {
        rows.begin_run(runs.scenario + "-" + std::to_string(seed), static_cast<std::int32_t>(seed));
        if (auto seen = simulate(runs, seed, rows, done); !seen) {
            return tl::unexpected(seen.error());
        }
        rows.end_run();
    }
    return rows.finish();
}

}  // namespace parley::learn
