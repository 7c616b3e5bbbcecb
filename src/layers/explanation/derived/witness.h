// Layer 6, explanation: a run folder in; out, what its derived files know of rounds that the
// journal may have lost. Then they are the only evidence of them.

#pragma once

#include "base/file.h"
#include "layers/explanation/derived/run_database.h"

#include <cstdint>
#include <optional>
#include <string>

namespace parley::explanation {

/// What can be read of the journal.
struct JournalHolds {
    std::string born;          ///< See store::RunFacts; empty if it is lost.
    std::uint64_t rounds = 0;  ///< How many.
    std::uint64_t last = 0;    ///< The last of them.
};

struct Witnesses {
    /// What they know and the journal has lost, in a sentence; empty: nothing.
    std::string beyond;
    std::uint64_t rounds = 0;  ///< The last round that one of them knows of; 0: none does.
    std::string chain;    ///< Of the last frame that run.db was made from; empty: it does not say.
    std::string foreign;  ///< Which of them is another run's, and so not believed; empty: none.
};

/// Reads them without changing anything.
Witnesses ask_witnesses(Disk& disk, const std::string& run, const JournalHolds& holds);

/// What a run.db says of itself; nothing if it was edited since it was made. Formats before the
/// seal are believed.
std::optional<DerivedMeta> sealed_meta(Disk& disk, const std::string& path);

/// Whether two runs are known, by store::RunFacts::born, not to be the same.
bool is_of_another_run(const std::string& born, const std::string& ours);

}  // namespace parley::explanation
