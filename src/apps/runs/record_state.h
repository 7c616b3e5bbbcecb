// App: a run folder in, whether and how its record can be gone on with out. Reads, and changes
// nothing.

#pragma once

#include "base/file.h"
#include "layers/prediction/brains.h"
#include "store/run_format.h"
#include "store/run_gaps.h"
#include "store/run_reader.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace parley::app {

/// A record as it was read to its end, with everybody else kept away from it.
struct RecordState {
    std::unique_ptr<FileLock> lock;
    store::RunHeader header;
    store::Keyframe last;              ///< Behind the last round that can be read.
    store::Acknowledged acknowledged;  ///< The last round that may have been made.
    std::string born;                  ///< See store::RunFacts.
    std::uint64_t epoch = 1;
    store::RunGaps gaps;
    std::string trouble;  ///< Why it must not be gone on with, in a sentence; empty: it may.
};

/// May refuse a record by its header, before all of it is read; may be empty.
using HeaderCheck = std::function<Result<void>(const store::RunHeader&)>;

/// Reads all of a record, the files derived from it and the memory of its simulated cluster: what
/// is damaged, or acknowledged by one of them and not there, is trouble. Without `brains`, those
/// that are kept with the run decide again.
[[nodiscard]] Result<RecordState> read_state(Disk& disk, const std::string& folder,
                                             const prediction::Brains* brains,
                                             const HeaderCheck& check);

}  // namespace parley::app
