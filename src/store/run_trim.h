// Store: drops the oldest rounds of a run. Frames, numbers and chain stay; what they held is gone.

#pragma once

#include "store/journal_retention.h"
#include "store/run_reader.h"

#include <cstdint>
#include <optional>
#include <string>

namespace parley::store {

/// Where a run can be cut so that every round from `keep_from` on can still be read: the last
/// keyframe before it, since rounds are kept as differences. Nothing if none lies behind `first`,
/// the first round that can be read.
[[nodiscard]] Result<std::optional<KeyframePlace>> cut_before(Disk& disk, const std::string& run,
                                                              std::uint64_t first,
                                                              std::uint64_t keep_from);

/// Drops everything of rounds that lies before the cut. Only while lock_journal() is held. If it
/// fails in the middle, some of it is dropped, each segment as a whole, and it can be called again.
[[nodiscard]] Result<RetentionReport> drop_rounds(Disk& disk, const std::string& run,
                                                  const KeyframePlace& cut);

/// "rounds 1 to 80 were dropped by `parley trim`"; empty: none was.
std::string dropped_text(const std::vector<NumberRange>& dropped);

}  // namespace parley::store
