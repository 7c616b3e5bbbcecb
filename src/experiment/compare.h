// Experiment, compare: arms over the same scenarios and seeds in, a table with answers out.

#pragma once

#include "base/result.h"
#include "experiment/arms.h"
#include "experiment/paired.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::experiment {

/// Seeds from here on are for tests alone: nothing may have been trained or tuned on them.
inline constexpr std::uint64_t kTestSeeds = 1'000'000;
inline constexpr std::int64_t kPilotPairs = 20;

/// Seeds that a model learned from.
struct TrainedOn {
    std::uint64_t from = 0;
    std::uint64_t to = 0;  ///< Inclusive.
};

struct Plan {
    std::vector<std::string> scenarios;
    std::vector<Arm> arms;   ///< The first is the one that is compared with all others.
    std::int64_t pairs = 0;  ///< Seeds of each scenario; 0: as many as a pilot says.
    std::uint64_t first_seed = kTestSeeds;
    Span span;
    int threads = 1;
    std::vector<TrainedOn> trained_on;  ///< None of these may be run.
};

struct ArmFacts {
    std::string scenario;
    std::string arm;
    std::int64_t runs = 0;
    double cost = 0;  ///< Means over runs, in pod-minutes, from here on.
    double safety = 0;
    double efficiency = 0;
    double admission = 0;
    double scaling = 0;
    double lost_requests = 0;
    double violating_requests = 0;
    double disruptive = 0;
    double needless_per_100_node_weeks = 0;
    double failures = 0;
    std::optional<double> answered_share;  ///< Of failures, those acted on in time.
    std::optional<double> lead_minutes;    ///< Of these, on average.
    std::optional<double>
        gap_closed;  ///< (formula - this) / (formula - oracle), if there is a gap.
};
BOOST_DESCRIBE_STRUCT(ArmFacts, (),
                      (scenario, arm, runs, cost, safety, efficiency, admission, scaling,
                       lost_requests, violating_requests, disruptive, needless_per_100_node_weeks,
                       failures, answered_share, lead_minutes, gap_closed))

struct Comparison {
    std::string scenario;
    std::string arm;        ///< The first.
    std::string against;    ///< Another.
    Paired cost;            ///< First minus other: less is better.
    double adjusted_p = 1;  ///< By Holm, over the scenarios.
    double delta = 0;       ///< What counts as a difference: 5 % of the other's cost.
    Answer answer = Answer::unresolved;
    Paired disruptions;
    bool disruptions_not_inferior = false;
};
BOOST_DESCRIBE_STRUCT(Comparison, (),
                      (scenario, arm, against, cost, adjusted_p, delta, answer, disruptions,
                       disruptions_not_inferior))

struct CompareReport {
    std::uint64_t first_seed = 0;
    double hours = 0;       ///< Of each run.
    double interval_s = 0;  ///< Between rounds.
    std::vector<ArmFacts> arms;
    std::vector<Comparison> comparisons;
};
BOOST_DESCRIBE_STRUCT(CompareReport, (), (first_seed, hours, interval_s, arms, comparisons))

/// Told how many runs are done of how many there will be; false ends it.
using Progress = std::function<bool(std::int64_t done, std::int64_t of)>;

/// Every arm meets the same arrivals and faults. Fails if there is no such scenario, fewer than two
/// arms, seeds that are not for tests or that a model was trained on, or if it was ended.
[[nodiscard]] Result<CompareReport> compare(const Plan& plan, const Progress& progress);

}  // namespace parley::experiment
