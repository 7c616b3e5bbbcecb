// Learn: passes the rounds of recorded runs, or of runs simulated for the purpose, to whoever makes
// rows of them.

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "brain/model.h"
#include "model/round.h"
#include "sim/world/truth.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::learn {

/// Called with how many runs are done, fractions included; returning false ends it with an error.
using Done = std::function<bool(double runs)>;

/// Seeds below this are for training; tuning and tests use others, and manifests name the range.
inline constexpr std::uint64_t kTrainingSeedsEnd = 100'000;

struct SimulatedRuns {
    std::string scenario = "mixed";
    std::uint64_t first_seed = 1;
    std::uint64_t last_seed = 60;
    Duration length = hours(24);
    Duration interval = seconds(15);
    std::shared_ptr<const brain::Model> acting;  ///< The model that acts; null: none.
    double holdout = 0;                          ///< Its hold-out.
};

/// Refuses seeds that are not for training, or that end before they begin.
[[nodiscard]] Result<void> check_seeds(const SimulatedRuns& runs);

/// Receives the rounds: a run begins, is seen round by round, and ends; an error ends everything.
struct RoundSink {
    std::function<void(const std::string& name, std::int32_t group)> begin;
    std::function<Result<void>(const model::RoundInput& input, const model::Policy& policy,
                               const model::Decision& decision)>
        see;
    std::function<void()> end;
    /// For a simulated run: what really failed and why, before its end. May be empty.
    std::function<void(const std::vector<sim::NodeFailure>& failures)> learn_truth;
};

/// Recorded runs, one group each. Fails if one is named twice, cannot be read completely, keeps no
/// inputs, or is damaged: missing rows would look like survivors.
[[nodiscard]] Result<void> read_runs(Disk& disk, const std::vector<std::string>& folders,
                                     const RoundSink& sink, const Done& done);

/// Simulated runs, one group per seed. Refuses what check_seeds refuses, and scripted scenarios.
[[nodiscard]] Result<void> simulate_runs(const SimulatedRuns& runs, const RoundSink& sink,
                                         const Done& done);

}  // namespace parley::learn
