// App: keeps the runs of a comparison in a file as they end, so that a stopped comparison can
// continue.

#pragma once

#include "base/file.h"
#include "experiment/compare.h"

#include <memory>
#include <string>
#include <vector>

namespace parley::app {

/// A digest of what outcomes depend on besides scenario, arm and seed: rules, length, interval, the
/// policy and models of every arm, and the content of the user's files.
std::string plan_digest(const experiment::Plan& plan);

/// A file with a heading and a line per run. A line that was cut off by a kill is dropped.
class KeptRuns {
public:
    /// Creates the file if it does not exist. Refuses, without changing it, a file of another
    /// comparison or of another kind.
    [[nodiscard]] static Result<KeptRuns> open(Disk& disk, const std::string& path,
                                               const experiment::Plan& plan);

    const std::vector<experiment::DoneRun>& done() const { return done_; }
    /// Appends a run; after the first error, which is kept, nothing more is written.
    void keep(const experiment::DoneRun& run);
    [[nodiscard]] Result<void> outcome() const { return outcome_; }

private:
    std::vector<experiment::DoneRun> done_;
    std::shared_ptr<File> file_;
    std::uint64_t end_ = 0;
    Result<void> outcome_;
};

}  // namespace parley::app
