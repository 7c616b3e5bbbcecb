// Store: removes old payloads from a journal; the frames stay, say so, and the chain still
// verifies.

#pragma once

#include "base/file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::store {

struct Retention {
    std::uint64_t before_sequence = 0;  ///< Frames from here on keep their payload.
    std::vector<std::uint8_t> kinds;    ///< Payloads of other kinds are kept.
    std::uint16_t version_max = 1;      ///< As in ReaderOptions.
    /// The last segment, too, which a writer has open: only when nobody writes.
    bool last_too = false;
};

struct RetentionReport {
    std::uint64_t frames_dropped = 0;
    std::uint64_t bytes_freed = 0;
    std::vector<std::uint32_t> segments_skipped;  ///< Damaged ones, which are left as they are.
};

/// Rewrites segments, each atomically: after a crash a segment is either the old or the new one.
/// Call it from the journal's writer, or when nobody writes. Keyframes are not special: reading can
/// begin only at those that keep their payload. Positions in these segments that somebody holds are
/// void.
[[nodiscard]] Result<RetentionReport> drop_payloads(Disk& disk, const std::string& folder,
                                                    const Retention& retention);

}  // namespace parley::store
