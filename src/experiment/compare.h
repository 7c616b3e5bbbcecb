// Experiment, compare: arms over the same scenarios and seeds in, a table with answers out.

#pragma once

#include "base/result.h"
#include "experiment/arms.h"
#include "experiment/paired.h"
#include "experiment/worlds.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::experiment {

/// Seeds from here on are for tests only: nothing may be trained or tuned on them.
inline constexpr std::uint64_t kTestSeeds = 1'000'000;
inline constexpr std::int64_t kPilotPairs = 20;

/// Seeds that something in the comparison learned from.
struct TrainedOn {
    std::uint64_t from = 0;
    std::uint64_t to = 0;  ///< Inclusive.
    std::string who = "the model learned from";
};

/// A run that was done, here or before.
struct DoneRun {
    std::string scenario;
    std::string arm;
    std::uint64_t seed = 0;
    RunOutcome outcome;
    friend bool operator==(const DoneRun&, const DoneRun&) = default;
};
BOOST_DESCRIBE_STRUCT(DoneRun, (), (scenario, arm, seed, outcome))

struct Plan {
    std::vector<std::string> scenarios;
    std::vector<Arm> arms;   ///< The first is the one that is compared with all others.
    std::int64_t pairs = 0;  ///< Seeds for each scenario; 0: as many as a pilot asks for.
    std::uint64_t first_seed = kTestSeeds;
    Span span;
    int threads = 1;
    std::vector<TrainedOn> trained_on;  ///< None of these seeds may be run.
    /// Allows any seed that nothing learned from, not only those for tests.
    bool own_seeds = false;
    OwnScenarios own;           ///< By the names in `scenarios`.
    std::vector<DoneRun> done;  ///< Results that are used as they are, without running again.
    std::function<void(const DoneRun&)> keep;  ///< Called with each run, by one thread at a time.
    /// Share of the other arm's cost; a smaller difference does not count.
    double matters = kMattersShare;
};

struct ArmFacts {
    std::string scenario;
    std::string arm;
    std::int64_t runs = 0;
    double cost = 0;  ///< From here on means over runs, in pod-minutes; NaN: there were none.
    InPlace<model::PerRole<double>> by;
    double lost_requests = 0;
    double violating_requests = 0;
    double disruptive = 0;
    double needless_per_100_node_weeks = 0;
    double failures = 0;
    std::optional<double> answered_share;  ///< Share of failures with an action in time.
    std::optional<double> lead_minutes;    ///< Mean over these.
    std::optional<double>
        gap_closed;             ///< (formula - this) / (formula - oracle), if there is a gap.
    std::int64_t left_out = 0;  ///< Seeds left out because too little could be read in some arm.
};
BOOST_DESCRIBE_STRUCT(ArmFacts, (),
                      (scenario, arm, runs, cost, by, lost_requests, violating_requests, disruptive,
                       needless_per_100_node_weeks, failures, answered_share, lead_minutes,
                       gap_closed, left_out))

struct Comparison {
    std::string scenario;
    std::string arm;        ///< The first.
    std::string against;    ///< Another.
    Paired cost;            ///< First minus other: less is better.
    double adjusted_p = 1;  ///< By Holm, over the scenarios.
    double delta = 0;       ///< Costs within it are equivalent: 5 % of the other's.
    Answer answer = Answer::unresolved;
    Paired disruptions;
    bool disruptions_not_inferior = false;
    double matters = 0;             ///< The least difference that counts as better or worse.
    std::string not_known_because;  ///< Why there is no answer; empty: there is one.
    std::int64_t pairs_least = 0;   ///< With fewer, p cannot be below 0.05, whatever they show.
};
BOOST_DESCRIBE_STRUCT(Comparison, (),
                      (scenario, arm, against, cost, adjusted_p, delta, answer, disruptions,
                       disruptions_not_inferior, matters, not_known_because, pairs_least))

struct CompareReport {
    std::uint64_t first_seed = 0;
    double hours = 0;       ///< Of each run.
    double interval_s = 0;  ///< Between rounds.
    std::vector<ArmFacts> arms;
    std::vector<Comparison> comparisons;
    bool stopped = false;  ///< Stopped before all runs were done: only complete pairs count.
    std::int64_t runs_done = 0;
    std::int64_t runs_wanted = 0;
};
BOOST_DESCRIBE_STRUCT(CompareReport, (),
                      (first_seed, hours, interval_s, arms, comparisons, stopped, runs_done,
                       runs_wanted))

/// Called with the number of runs done and of all runs; returning false stops it.
using Progress = std::function<bool(std::int64_t done, std::int64_t of)>;

/// Every arm meets the same arrivals and faults. Fails if there is no such scenario, fewer than two
/// arms, or a seed that is not for tests or that something learned from. If it was stopped, the
/// report covers the complete pairs and says so; `gone` if no scenario has two of them.
[[nodiscard]] Result<CompareReport> compare(const Plan& plan, const Progress& progress);

}  // namespace parley::experiment
