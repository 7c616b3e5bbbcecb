// Tuner: the possible values of a parameter, in Optuna's terms, and their JSON.
//
// Every value has an internal representation as a double, which files store: the number itself, or
// the index of the choice.

#pragma once

#include "base/json_value.h"
#include "base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley::tuner {

struct FloatRange {
    double low = 0;
    double high = 1;             ///< Inclusive.
    bool log = false;            ///< Requires low > 0 and no step.
    std::optional<double> step;  ///< Counted from `low`.

    friend bool operator==(const FloatRange&, const FloatRange&) = default;
};

struct IntRange {
    std::int64_t low = 0;
    std::int64_t high = 1;  ///< Inclusive.
    bool log = false;       ///< Requires low >= 1 and a step of 1.
    std::int64_t step = 1;

    friend bool operator==(const IntRange&, const IntRange&) = default;
};

struct Choices {
    std::vector<std::string> choices;  ///< Each as canonical JSON: "\"a\"", "null", "2.5".

    friend bool operator==(const Choices&, const Choices&) = default;
};

using Distribution = std::variant<FloatRange, IntRange, Choices>;
/// Shared by many trials.
using DistributionPtr = std::shared_ptr<const Distribution>;

/// Larger whole numbers are not exact as doubles.
inline constexpr std::int64_t kIntMax = std::int64_t{1} << 53;
inline constexpr std::size_t kChoicesMax = 100'000;

/// Checks and normalises as Optuna does: bounds in order and finite, `high` moved down to the last
/// step. `malformed` otherwise.
[[nodiscard]] Result<Distribution> checked(Distribution distribution);

/// Whether only one value is possible.
bool single(const Distribution& distribution);
bool contains(const Distribution& distribution, double internal);
/// Whether a study may hold both under one name: the same kind, the same `log`, the same choices.
bool compatible(const Distribution& a, const Distribution& b);

/// {"name": "FloatDistribution", "attributes": {...}}, as Optuna spells it.
std::string to_json(const Distribution& distribution);
/// Also reads the names that Optuna 2 wrote, and the short form with "type".
[[nodiscard]] Result<Distribution> distribution_from_json(std::string_view text);

/// The value as Optuna's users see it, in JSON: 3, 0.5, "a".
std::string external_json(const Distribution& distribution, double internal);
/// The reverse; nothing if the value does not fit.
std::optional<double> internal_of(const Distribution& distribution, const Json& external);

}  // namespace parley::tuner
