// Base: randomness as a pure function of where it is needed, and values made from its bits.
//
// No generator has a state: two policies that act differently still meet the same arrivals and
// faults, and a fork of the world draws what the original draws.

#pragma once

#include "base/check.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace parley {

/// What a draw is for. Recorded runs depend on the numbers: append, never reorder.
enum class Stream : std::uint8_t {
    arrival = 0,
    payload = 1,
    fault = 2,
    noise = 3,
    startup = 4,
    scheduler = 5,
    policy = 6,
    jitter = 7,
    holdout = 8,
};

namespace random {

using Words = std::array<std::uint32_t, 4>;

/// Philox 4x32-10 of Salmon, Moraes, Dror and Shaw (2011): passes BigCrush, needs no state.
constexpr Words philox(Words counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(a)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return counter;
}

struct Bits128 {
    std::uint64_t first;
    std::uint64_t second;

    friend bool operator==(const Bits128&, const Bits128&) = default;
};

}  // namespace random

/// 128 independent bits for one place in a run. Different arguments never share a counter: the key
/// is the seed, the counter the entity, the stream (8 bits) and the index, which must be below
/// 2^56.
constexpr random::Bits128 draw128(std::uint64_t seed, Stream stream, std::uint64_t entity,
                                  std::uint64_t index) {
    PARLEY_CHECK(index >> 56 == 0);
    const std::uint64_t place = index | (static_cast<std::uint64_t>(stream) << 56);
    const random::Words words = random::philox(
        {static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(place >> 32),
         static_cast<std::uint32_t>(entity), static_cast<std::uint32_t>(entity >> 32)},
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    return {words[0] | (std::uint64_t{words[1]} << 32), words[2] | (std::uint64_t{words[3]} << 32)};
}

/// The first 64 bits of draw128.
constexpr std::uint64_t draw(std::uint64_t seed, Stream stream, std::uint64_t entity,
                             std::uint64_t index) {
    return draw128(seed, stream, entity, index).first;
}

/// An entity number made from a name (FNV-1a), the same in every run; the handles of names are not.
constexpr std::uint64_t entity_of(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

namespace random {

/// In [0, 1), 53 bits.
constexpr double uniform01(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// In (0, 1), symmetric around one half: the smallest is 2^-53, the largest 1 - 2^-53.
constexpr double uniform_open(std::uint64_t bits) {
    return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

/// True with probability p.
constexpr bool bernoulli(std::uint64_t bits, double p) { return uniform01(bits) < p; }

/// In [lo, hi).
constexpr double uniform(std::uint64_t bits, double lo, double hi) {
    return lo + (hi - lo) * uniform01(bits);
}

/// In [0, n), n > 0; the chance of each is off by less than n / 2^64 of itself.
std::uint64_t below(std::uint64_t bits, std::uint64_t n);

/// In [lo, hi], lo <= hi.
std::int64_t between(std::uint64_t bits, std::int64_t lo, std::int64_t hi);

/// A value whose logarithm is uniform; in [lo, hi], 0 < lo <= hi.
double log_uniform(std::uint64_t bits, double lo, double hi);

/// Always positive; at most 36.8 times the mean.
double exponential(std::uint64_t bits, double mean = 1.0);

/// Standard normal, by the quantile; within +-8.3.
double normal(std::uint64_t bits);

/// median * exp(sigma * normal).
double lognormal(std::uint64_t bits, double median, double sigma);

/// How many events arrive where `mean` (0 to 1e15) are expected and variance / mean is
/// `dispersion`: negative binomial above 1, Poisson at 1, binomial below, as far as whole numbers
/// allow. Larger bits never give a smaller count. Up to a mean of 32 it is exact. Above, in
/// constant time, it follows Paulson's approximation (below 1 that of Cornish and Fisher), whose
/// distribution function is off by less than 0.0015 up to a dispersion of 10 and 0.004 at worst;
/// there a dispersion over 1 + mean / 2 counts as that.
std::int64_t count(std::uint64_t bits, double mean, double dispersion);

}  // namespace random
}  // namespace parley
