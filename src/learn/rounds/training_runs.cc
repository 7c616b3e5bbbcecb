#include "learn/rounds/training_runs.h"

#include "base/number.h"
#include "sim/scenario/builtin_scenarios.h"
#include "store/run_reader.h"
#include "trial/world_run.h"

#include <map>
#include <set>
#include <utility>

namespace parley::learn {
namespace {

tl::unexpected<Error> interrupted() {
    return fail(ErrorCode::unavailable, "reading what to learn from was interrupted");
}

/// Returns its digest.
Result<std::string> read_run(Disk& disk, const std::string& folder, const RoundSink& sink) {
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
        auto seen = sink.see((*record)->input, reader->header().policy, (*record)->decision);
        if (!seen) return within(folder, seen.error());
    }
    const auto gaps = reader->gaps();
    if (!gaps.empty()) {
        return fail(ErrorCode::malformed, folder + " cannot be learned from: " + gaps.front());
    }
    return reader->digest();
}

Result<std::shared_ptr<const sim::Scenario>> scenario_of(const SimulatedRuns& runs,
                                                         std::uint64_t seed) {
    auto scenario = sim::builtin_scenario(runs.scenario, seed);
    if (!scenario) {
        return fail(ErrorCode::denied, "no scenario is called " + in_quotes(runs.scenario) +
                                           "; parley scenario list shows those there are");
    }
    if (scenario->faults.failures <= 0) {
        return fail(ErrorCode::denied,
                    "scenario " + runs.scenario +
                        " follows a script: what happens there is a demonstration, and never "
                        "training data; use mixed");
    }
    return std::make_shared<const sim::Scenario>(*std::move(scenario));
}

Result<void> simulate_run(const SimulatedRuns& runs, std::uint64_t seed, const RoundSink& sink,
                          const Done& done) {
    auto scenario = scenario_of(runs, seed);
    if (!scenario) return tl::unexpected(scenario.error());
    model::Policy policy = trial::open_policy();
    if (runs.acting != nullptr) policy.predictor = model::PredictorKind::xgboost;
    policy.risk.holdout = runs.holdout;
    trial::WorldRun run({.scenario = *std::move(scenario),
                         .seed = seed,
                         .interval = runs.interval,
                         .policy = policy,
                         .mode = runs.acting == nullptr ? model::Mode::observe : model::Mode::act,
                         .brains = {.risk = runs.acting, .staged = {}}});
    const std::int64_t rounds = runs.length.us / runs.interval.us;
    for (std::int64_t i = 0; i < rounds; ++i) {
        run.decide_round();
        if (auto seen = sink.see(run.input(), run.policy(), run.decision()); !seen) return seen;
        if (auto carried = run.carry_out_round(); !carried) return carried;
        if (!done || i % 200 != 0) continue;
        const double part = static_cast<double>(i) / static_cast<double>(rounds);
        if (!done(static_cast<double>(seed - runs.first_seed) + part)) return interrupted();
    }
    if (sink.learn_truth) sink.learn_truth(run.world().truth().failures);
    return {};
}

}  // namespace

Result<void> check_seeds(const SimulatedRuns& runs) {
    const std::string range =
        std::to_string(runs.first_seed) + " to " + std::to_string(runs.last_seed);
    if (runs.first_seed > runs.last_seed) {
        return fail(ErrorCode::denied,
                    "the range of seeds " + range + " ends before it begins; give the lower first");
    }
    if (runs.last_seed < kTrainingSeedsEnd) return {};
    return fail(ErrorCode::denied, "seeds " + range + " are not for training; use a range below " +
                                       std::to_string(kTrainingSeedsEnd));
}

Result<void> read_runs(Disk& disk, const std::vector<std::string>& folders, const RoundSink& sink,
                       const Done& done) {
    std::set<std::string> known;
    for (const std::string& folder : folders) {
        // It would be on both sides of the split.
        if (!known.insert(folder).second)
            return fail(ErrorCode::denied, folder + " is given twice; name each run once");
    }
    std::map<std::string, std::string> folder_of;  // By digest: a link or copy is the same run.
    for (std::size_t i = 0; i < folders.size(); ++i) {
        sink.begin(folders[i], static_cast<std::int32_t>(i));
        const auto digest = read_run(disk, folders[i], sink);
        if (!digest) return tl::unexpected(digest.error());
        const auto [same, fresh] = folder_of.emplace(*digest, folders[i]);
        if (!fresh) {
            return fail(ErrorCode::denied, folders[i] + " is the same run as " + same->second +
                                               ", by its digest; name each run once");
        }
        sink.end();
        if (done && !done(static_cast<double>(i + 1))) return interrupted();
    }
    return {};
}

Result<void> simulate_runs(const SimulatedRuns& runs, const RoundSink& sink, const Done& done) {
    if (auto fine = check_seeds(runs); !fine) return fine;
    for (std::uint64_t seed = runs.first_seed; seed <= runs.last_seed; ++seed) {
        sink.begin(runs.scenario + "-" + std::to_string(seed), static_cast<std::int32_t>(seed));
        if (auto seen = simulate_run(runs, seed, sink, done); !seen) return seen;
        sink.end();
    }
    return {};
}

}  // namespace parley::learn
