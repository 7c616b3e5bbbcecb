// Layer 6, explanation: a run folder in, the files derived from its journal out. Only the journal
// is authoritative: these files may be deleted at any time.

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
    std::vector<std::string> gaps;  ///< What cannot be read of the record.
    std::string lost;               ///< The first of them that no repair has declared, if any.
    std::string beyond;             ///< See Witnesses. If set, the files were left alone.
};

/// Writes events.jsonl, state.json and run.db from the journal. Each is replaced as a whole: a
/// reader sees the old or the new one. `disk` must be the real one, since SQLite writes run.db by
/// itself. Fails if the run cannot be read, or with the disk's reason; then, and if they know more
/// than the journal, the old files stay.
[[nodiscard]] Result<DerivedFacts> rebuild(Disk& disk, const std::string& run);

/// Fails with `denied` if anything but a regular file is where these files, or what is written on
/// the way to them, belong. For a run that begins: afterwards it would have acted already.
[[nodiscard]] Result<void> check_derived(Disk& disk, const std::string& run);

/// The names of all nodes that the run has had, from run.db; nothing if that is older than the
/// journal, or edited.
std::optional<std::vector<std::string>> nodes_known(Disk& disk, const std::string& run);

/// Rebuilds the files if one is missing, behind the journal, damaged, edited or of another format;
/// otherwise only removes leftovers of an interrupted rebuild.
[[nodiscard]] Result<DerivedFacts> ensure(Disk& disk, const std::string& run);

}  // namespace parley::explanation
