// Layer 6, explanation: a run folder in, the files derived from its journal out. Only the journal
// is authority: they may be deleted at any time.

#pragma once

#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

struct DerivedFacts {
    bool rebuilt = false;
    std::string because;  ///< Why: "run.db is missing", "events.jsonl is behind: 12 of 40 rounds".
    std::uint64_t rounds = 0;
    std::vector<std::string> gaps;  ///< What of the record cannot be read.
    std::string beyond;             ///< See beyond(); then the files were left alone.
};

/// What run.db or events.jsonl tells of and the journal does not hold, in a sentence: of rounds
/// that were acknowledged they are then the only witness. Empty: nothing. Of the journal, how many
/// rounds can be read and the number of the last are given.
std::string beyond(Disk& disk, const std::string& run, std::uint64_t rounds, std::uint64_t last);

/// The last round that run.db or events.jsonl tells of; 0 if neither does.
std::uint64_t rounds_told(Disk& disk, const std::string& run);

/// The chain of the last frame that run.db was made from; empty if it does not tell.
std::string chain_told(Disk& disk, const std::string& run);

/// Writes events.jsonl, state.json and run.db anew from the journal. Each is replaced as a whole:
/// a reader sees the old or the new one. `disk` must be this machine's, since SQLite writes run.db
/// by itself. Fails if the run cannot be read, or with the disk's reason; the old files then stay,
/// as they do where they know more than the journal.
[[nodiscard]] Result<DerivedFacts> rebuild(Disk& disk, const std::string& run);

/// The names of all nodes that the run has had, as run.db has them; nothing where it is not as new
/// as the journal, and so cannot tell.
std::optional<std::vector<std::string>> nodes_known(Disk& disk, const std::string& run);

/// Rebuilds them if one is missing, behind the journal, damaged, edited or of another format; else
/// leaves them alone, and removes what an interrupted rebuilding left.
[[nodiscard]] Result<DerivedFacts> ensure(Disk& disk, const std::string& run);

}  // namespace parley::explanation
