// Experiment, objective of tuning: values of parameters in; a policy, and its result in a simulated
// run, out.

#pragma once

#include "base/result.h"
#include "experiment/arms.h"
#include "experiment/worlds.h"
#include "model/policy.h"
#include "model/score.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::experiment {

/// Tuning uses these seeds, judging the fresh ones. Neither touches the seeds for tests
/// (compare.h).
inline constexpr std::uint64_t kTuningSeeds = 100'000;
inline constexpr std::uint64_t kFreshSeeds = 150'000;
inline constexpr std::int64_t kSeedsMax = 50'000;

/// A parameter that is tuned. In profile `parley` these influence decisions; prices are not among
/// them, since tuning would win by making everything cheap. In profile `prototype` they are the
/// weights of its reward, as in the prototype.
struct Tunable {
    std::string_view name;  ///< Its name in a study, with the unit at the end.
    std::string_view path;  ///< Its path in model::Policy, and under `policy` in a settings file.
    double low = 0;
    double high = 1;     ///< Inclusive.
    bool whole = false;  ///< A whole number; durations are whole minutes.
    bool log = false;    ///< Drawn uniformly in its logarithm.
};

/// All of a profile, in the order of the values.
std::span<const Tunable> tunables(model::Profile profile = model::Profile::parley);

/// The policy that trials start from: everything is allowed, the rest as by default.
model::Policy untuned(model::Profile profile = model::Profile::parley);

/// A policy's values of the tunables of its profile.
std::vector<double> values_of(const model::Policy& policy);

/// Sets the values. `malformed`, with nothing set, if their number is wrong, or one is out of range
/// or not whole although it must be.
[[nodiscard]] Result<void> set_values(std::span<const double> values, model::Policy& policy);

/// The account's total in pod-minutes at the evaluation prices, whatever prices the policy has.
/// Pure. `denied` if no scenario has that name; `unavailable` if too little could be read.
[[nodiscard]] Result<double> cost_of(const model::Policy& policy, std::string_view scenario,
                                     std::uint64_t seed, const Span& span,
                                     const OwnScenarios& own = {});

/// The mean reward of a round in profile `prototype`. Pure; errors as above.
[[nodiscard]] Result<model::PrototypeReward> reward_of(const model::Policy& policy,
                                                       std::string_view scenario,
                                                       std::uint64_t seed, const Span& span,
                                                       const OwnScenarios& own = {});

/// What a trial is judged by on one seed: the cost of a run, or the prototype's reward per round.
/// Thread-safe.
class Objective {
public:
    Objective(model::Profile profile, std::string scenario, const Span& span, OwnScenarios own = {})
        : profile_(profile), scenario_(std::move(scenario)), span_(span), own_(std::move(own)) {}

    [[nodiscard]] Result<double> operator()(std::span<const double> values, std::uint64_t seed);

private:
    Result<model::PrototypeReward> terms(std::uint64_t seed);

    model::Profile profile_;
    std::string scenario_;
    Span span_;
    OwnScenarios own_;
    /// The prototype's weights do not influence decisions, so each seed is run once and then
    /// weighted.
    std::mutex mutex_;
    std::map<std::uint64_t, model::PrototypeReward> known_;
};

/// Whether the objective of a profile is to be maximised.
inline bool more_is_better(model::Profile profile) { return profile == model::Profile::prototype; }
/// The objective in words: "cost in pod-minutes of service; less is better".
std::string objective_text(model::Profile profile);
/// A value of the objective: "41.2"; rewards, which are small, as "7.25".
std::string value_text(double value, model::Profile profile);

/// SHA-256 of the evaluation prices and weights: costs with different hashes cannot be compared.
std::string prices_hash();

}  // namespace parley::experiment
