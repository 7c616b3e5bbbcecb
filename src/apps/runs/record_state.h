// App: whether and how the record of a run folder can be continued. Reads without changing
// anything.

#pragma once

#include "apps/runs/cluster_owed.h"
#include "base/file.h"
#include "layers/prediction/brains.h"
#include "store/run_format.h"
#include "store/run_gaps.h"
#include "store/run_reader.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::app {

/// A record read to its end, and locked.
struct RecordState {
    std::unique_ptr<FileLock> lock;
    store::RunHeader header;
    store::Keyframe last;              ///< After the last readable round.
    store::Acknowledged acknowledged;  ///< The last round that may have been made.
    std::string born;                  ///< See store::RunFacts.
    std::uint64_t epoch = 1;
    store::RunGaps gaps;
    ClusterOwed owed;  ///< What a simulated cluster must remember.
    /// What is odd and keeps nobody from going on, in sentences.
    std::vector<std::string> notes;
    std::string trouble;  ///< Why it must not be continued, in a sentence; empty: it may be.
};

/// May refuse a record by its header, before the rest is read; may be empty.
using HeaderCheck = std::function<Result<void>(const store::RunHeader&)>;

/// Reads the whole record, its derived files and the log of its simulated cluster: damage, and
/// anything that one of them acknowledges but is missing, is trouble. Without `brains`, the models
/// kept with the run are used.
[[nodiscard]] Result<RecordState> read_state(Disk& disk, const std::string& folder,
                                             const prediction::Brains* brains,
                                             const HeaderCheck& check);

}  // namespace parley::app
