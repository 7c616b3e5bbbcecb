// App: runs of a comparison kept in a file as they end, so that one that was stopped goes on. Plan
// and file in, runs that need not be run again out.

#pragma once

#include "base/file.h"
#include "experiment/compare.h"

#include <memory>
#include <string>
#include <vector>

namespace parley::app {

/// What outcomes depend on besides scenario, arm and seed: rules, length, interval, and of every
/// arm its policy and models, of every file of one's own what it says.
std::string plan_digest(const experiment::Plan& plan);

/// A file with a heading and a line per run. A line that was cut short by a kill is dropped.
class KeptRuns {
public:
    /// Makes the file if it does not exist. Refuses one of another comparison, and what is no such
    /// file; nothing in it is changed then.
    [[nodiscard]] static Result<KeptRuns> open(Disk& disk, const std::string& path,
                                               const experiment::Plan& plan);

    const std::vector<experiment::DoneRun>& done() const { return done_; }
    /// Appends a run; the first error is kept, and nothing is written after it.
    void keep(const experiment::DoneRun& run);
    [[nodiscard]] Result<void> outcome() const { return outcome_; }

private:
    std::vector<experiment::DoneRun> done_;
    std::shared_ptr<File> file_;
    std::uint64_t end_ = 0;
    Result<void> outcome_;
};

/// Ranges of seeds that `parley tune` found a policy on, from the comment that it writes; none for
/// any other file.
std::vector<experiment::TrainedOn> seeds_of_policy(const std::string& path,
                                                   const std::string& text);

}  // namespace parley::app
