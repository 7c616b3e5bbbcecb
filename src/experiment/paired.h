// Experiment, paired comparisons: the differences between two policies on the same seeds in, an
// answer with its interval out.

#pragma once

#include "base/describe.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace parley::experiment {

enum class Answer : std::uint8_t {
    better,
    worse,
    equivalent,
    unresolved,
    too_few,  ///< So few pairs cannot be told from chance, whatever they show.
};
BOOST_DESCRIBE_ENUM(Answer, better, worse, equivalent, unresolved, too_few)

/// As people read it: "too few pairs".
std::string answer_text(Answer answer);

struct Paired {
    std::int64_t pairs = 0;
    double mean = 0;
    double sd = 0;
    double low = 0;   ///< 95 % interval of the mean, BCa.
    double high = 0;  ///< The upper end.
    double p = 1;     ///< Two-sided, by flipping signs.
    friend bool operator==(const Paired&, const Paired&) = default;
};
BOOST_DESCRIBE_STRUCT(Paired, (), (pairs, mean, sd, low, high, p))

inline constexpr std::int32_t kResamples = 10'000;
/// The most seeds that a pilot may ask for.
inline constexpr std::int64_t kPairsMax = 1'000;

/// Needs at least two differences. The same seed gives the same bits.
Paired compare_pairs(std::span<const double> differences, std::uint64_t seed,
                     std::int32_t resamples = kResamples);

/// Holm's adjustment of these values, in the same order.
std::vector<double> holm(std::span<const double> p);

/// How large a difference must be to count, in the unit of what is compared.
struct Bounds {
    double delta = 0;    ///< Equivalent: the whole interval is nearer to zero than this.
    double matters = 0;  ///< Better or worse: the mean is at least as far from zero as this.
};
/// Shares of the other arm's cost.
inline constexpr double kDeltaShare = 0.05;
inline constexpr double kMattersShare = 0.005;

/// With fewer pairs p cannot be below 0.05: the signs of n differences flip in 2^n ways, of which
/// two are as extreme as all of one sign. `answers` that Holm adjusts for need more.
std::int64_t pairs_to_tell(std::size_t answers = 1);

/// The answer for a difference in cost, where less is better. Better or worse: beyond chance and
/// large enough to matter, even if it is within delta. What is equal in every pair is equivalent,
/// however few there are.
Answer answer_of(const Paired& paired, double adjusted_p, const Bounds& bounds,
                 std::size_t answers = 1);

/// How many seeds are needed to see a difference of `delta` with a power of 80 %, estimated from a
/// pilot; at least 100, at most 1,000.
std::int64_t pairs_needed(std::span<const double> pilot, double delta);

/// Whether something that should not grow did not: the upper bound of the difference is at most 5 %
/// of the baseline, or 0.5 a run if that is more.
bool not_inferior(const Paired& difference, double baseline_mean);

}  // namespace parley::experiment
