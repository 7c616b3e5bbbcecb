// App: what the simulated cluster remembers of the requests it carried out, beside the run's
// record.
//
// A real cluster outlives the process that asks it for things. The simulated one dies with it, so
// what it carries out is written down first; a run that goes on rebuilds the same world
// from it, with requests that Parley never heard the answer of. It is the cluster's memory, not
// Parley's: no decision reads it.

#pragma once

#include "base/file.h"
#include "sim/cluster.h"

#include <memory>
#include <string>
#include <vector>

namespace parley::app {

class ClusterLog {
public:
    /// Opens or creates `folder`/cluster.log; an unfinished end is cut off. Fails if something
    /// before its end is damaged: what came behind it cannot be known.
    [[nodiscard]] static Result<ClusterLog> open(Disk& disk, const std::string& folder);

    const std::vector<sim::Remembered>& remembered() const { return remembered_; }
    /// Fails if something is missing at its end. The cluster was left a ledger before anything was
    /// asked of it, so what it remembers is never behind the ledger that the record ends with.
    [[nodiscard]] Result<void> reaches(const model::Ledger& recorded) const;

    /// Survives the end of the process, not that of the machine.
    [[nodiscard]] Result<void> append(const sim::Remembered& remembered);

private:
    std::string path_;
    std::unique_ptr<File> file_;
    std::uint64_t end_ = 0;
    model::Ledger ledger_;  ///< The last one: the next is written as the difference to it.
    std::vector<sim::Remembered> remembered_;
};

/// What a log holds, without opening it for writing.
[[nodiscard]] Result<std::vector<sim::Remembered>> read_cluster_log(Disk& disk,
                                                                    const std::string& folder);

}  // namespace parley::app
