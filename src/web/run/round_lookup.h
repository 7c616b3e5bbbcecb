// Web: where to find a round, or why it is missing.

#pragma once

#include "base/result.h"
#include "web/run/run_known.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace parley::web {

/// A round that is in memory, or the store that opens it, which takes a while.
struct RoundSource {
    SeenRoundPtr near;                  ///< Null: it must be opened.
    std::shared_ptr<RoundStore> store;  ///< Null: it is in memory.
    std::uint64_t number = 0;           ///< The number to open.
};

/// Nothing: the newest. Fails with `gone` and a sentence that says which rounds can be read, or
/// with `unavailable` while the record is being read.
[[nodiscard]] Result<RoundSource> find_round(const RunKnown& known,
                                             std::optional<std::uint64_t> number);

/// The rounds from `first` to `last` if all are in memory; nothing: the store must be read.
std::optional<std::vector<SeenRoundPtr>> near_rounds(const RunKnown& known, std::uint64_t first,
                                                     std::uint64_t last);

}  // namespace parley::web
