// Experiment, objective of tuning: values of parameters in, a policy and what it comes to in a
// simulated run out.

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

/// Tuned on these, then judged on the fresh ones. Seeds for tests (compare.h) are touched by
/// neither.
inline constexpr std::uint64_t kTuningSeeds = 100'000;
inline constexpr std::uint64_t kFreshSeeds = 150'000;
inline constexpr std::int64_t kSeedsMax = 50'000;

/// A parameter that is tuned. Of profile `parley` these decide; what the account is priced with is
/// none of them: whoever may change the prices wins by making everything cheap. Of profile
/// `prototype` they are the weights of its reward, as it had it.
struct Tunable {
    std::string_view name;  ///< In a study; its unit stands at the end.
    std::string_view path;  ///< In model::Policy, and under `policy` in a settings file.
    double low = 0;
    double high = 1;     ///< Included.
    bool whole = false;  ///< A whole number; durations are whole minutes.
    bool log = false;    ///< Drawn evenly in its logarithm.
};

/// All of a profile's, in the order in which values stand.
std::span<const Tunable> tunables(model::Profile profile = model::Profile::parley);

/// What trials begin with: everything is allowed, all else as by default.
model::Policy untuned(model::Profile profile = model::Profile::parley);

/// The values that a policy has, of the tunables of its profile.
std::vector<double> values_of(const model::Policy& policy);

/// Sets them. Malformed, and nothing is set, if there are more or fewer than tunables() of the
/// policy's profile, or one is out of its range or not whole where it must be.
[[nodiscard]] Result<void> set_values(std::span<const double> values, model::Policy& policy);

/// The account's total in pod-minutes at the evaluation prices, whatever prices the policy has.
/// Pure. Denied if no scenario has that name; unavailable if too little could be read.
[[nodiscard]] Result<double> cost_of(const model::Policy& policy, std::string_view scenario,
                                     std::uint64_t seed, const Span& span,
                                     const OwnScenarios& own = {});

/// What the prototype's reward comes to in a round, on average, in its profile. Pure; denied as
/// above.
[[nodiscard]] Result<model::PrototypeReward> reward_of(const model::Policy& policy,
                                                       std::string_view scenario,
                                                       std::uint64_t seed, const Span& span,
                                                       const OwnScenarios& own = {});

/// What a trial is judged by on one seed: the cost of a run, or the prototype's reward in a round.
/// May be asked by several threads.
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
    /// The prototype's weights decide nothing, so that a seed is run once and then weighed.
    std::mutex mutex_;
    std::map<std::uint64_t, model::PrototypeReward> known_;
};

/// Of a profile's objective.
inline bool more_is_better(model::Profile profile) { return profile == model::Profile::prototype; }
/// What it is, for people: "cost in pod-minutes of service; less is better".
std::string objective_text(model::Profile profile);
/// A value of it: "41.2"; rewards, which are small, as "7.25".
std::string value_text(double value, model::Profile profile);

/// SHA-256 of the evaluation prices and weights: costs under another hash cannot be compared.
std::string prices_hash();

}  // namespace parley::experiment
