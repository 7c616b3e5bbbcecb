// Tests, golden: a whole run without coroutines, so that compilers which miscompile them can make
// it, too: scenario and seed in, the digest of the record out.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>

namespace parley::golden {

/// What `parley digest` says of `parley simulate --scenario NAME --seed SEED --rounds ROUNDS`: a
/// checksum over everything observed, forecast, decided and answered. The record is kept in memory.
[[nodiscard]] Result<std::string> digest_of_run(const std::string& scenario, std::uint64_t seed,
                                                std::uint64_t rounds);

}  // namespace parley::golden
