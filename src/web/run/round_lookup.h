// Web: the number of a round in; where it is to be had, or why it is not, out.

#pragma once

#include "base/result.h"
#include "web/run/run_known.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace parley::web {

/// A round that lies ready, or the store that opens it, which takes a while.
struct RoundSource {
    SeenRoundPtr near;                  ///< Null: it must be opened.
    std::shared_ptr<RoundStore> store;  ///< Null: it lies ready.
    std::uint64_t number = 0;           ///< By which the store opens it.
};

/// Nothing: the newest. Fails with `gone` and a sentence that says what is whole, or with
/// `unavailable` while the record is being read.
[[nodiscard]] Result<RoundSource> find_round(const RunKnown& known,
                                             std::optional<std::uint64_t> number);

/// Those of the rounds from `first` to `last` that lie ready; nothing: the store must be read.
std::optional<std::vector<SeenRoundPtr>> near_rounds(const RunKnown& known, std::uint64_t first,
                                                     std::uint64_t last);

}  // namespace parley::web
