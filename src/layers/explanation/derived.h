// Layer 6, explanation: a run folder in, the files derived from its journal out. Only the journal
// is authority: they may be deleted at any time.

#pragma once

#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

struct DerivedFacts {
    bool rebuilt = false;
    std::string because;  ///< Why: "run.db is missing", "events.jsonl is behind: 12 of 40 rounds".
    std::uint64_t rounds = 0;
    std::vector<std::string> gaps;  ///< What of the record cannot be read.
};

/// Writes events.jsonl, state.json and run.db anew from the journal. Each is replaced as a whole:
/// a reader sees the old or the new one. `disk` must be this machine's, since SQLite writes run.db
/// by itself. Fails if the run cannot be read, or with the disk's reason; the old files then stay.
[[nodiscard]] Result<DerivedFacts> rebuild(Disk& disk, const std::string& run);

/// Rebuilds them if one is missing, behind the journal, damaged or of another format; else leaves
/// them alone.
[[nodiscard]] Result<DerivedFacts> ensure(Disk& disk, const std::string& run);

}  // namespace parley::explanation
