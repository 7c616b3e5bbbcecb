// Experiment, objective of tuning: values of decision parameters in, a policy and what it costs in
// a simulated run out.

#pragma once

#include "base/result.h"
#include "experiment/arms.h"
#include "model/policy.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::experiment {

/// Tuned on these, then judged on the fresh ones. Seeds for tests (compare.h) are touched by
/// neither.
inline constexpr std::uint64_t kTuningSeeds = 100'000;
inline constexpr std::uint64_t kFreshSeeds = 150'000;
inline constexpr std::int64_t kSeedsMax = 50'000;

/// A decision parameter. What the account is priced with is none: whoever may change the prices
/// wins by making everything cheap.
struct Tunable {
    std::string_view name;  ///< In a study; its unit stands at the end.
    std::string_view path;  ///< In model::Policy, and under `policy` in a settings file.
    double low = 0;
    double high = 1;     ///< Included.
    bool whole = false;  ///< A whole number; durations are whole minutes.
    bool log = false;    ///< Drawn evenly in its logarithm.
};

/// All of them, in the order in which values stand.
std::span<const Tunable> tunables();

/// The values that a policy has.
std::vector<double> values_of(const model::Policy& policy);

/// Sets them. Malformed, and nothing is set, if there are more or fewer than tunables(), or one is
/// out of its range or not whole where it must be.
[[nodiscard]] Result<void> set_values(std::span<const double> values, model::Policy& policy);

/// The account's total in pod-minutes at the evaluation prices, whatever prices the policy has.
/// Pure. Denied if no built-in scenario has that name.
[[nodiscard]] Result<double> cost_of(const model::Policy& policy, std::string_view scenario,
                                     std::uint64_t seed, const Span& span);

/// SHA-256 of the evaluation prices and weights: costs under another hash cannot be compared.
std::string prices_hash();

}  // namespace parley::experiment
