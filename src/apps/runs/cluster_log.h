// App: what the simulated cluster remembers of the requests it carried out, beside the run's
// record.
//
// A real cluster outlives the process that asks it for things. The simulated one dies with it, so
// what it carries out is written down first; a run that goes on rebuilds the same world
// from it, with requests that Parley never heard the answer of. It is the cluster's memory, not
// Parley's: no decision reads it.

#pragma once

#include "base/file.h"
#include "sim/world/cluster.h"
#include "store/run_format.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// Which run a log belongs to: its first entry, so that that of another is not taken for it.
struct ClusterBond {
    std::uint64_t seed = 0;
    std::string scenario;  ///< SHA-256 of it.
    std::string policy;    ///< Likewise.
    std::string born;      ///< See store::RunFacts; empty where the record has lost it.
};
ClusterBond bond_of(const store::RunHeader& header, const std::string& born);

class ClusterLog {
public:
    /// Reads `folder`/cluster.log, and changes nothing. Fails if something before its end is
    /// damaged, as what came behind it cannot be known, or if it belongs to another run. A missing
    /// one is empty.
    [[nodiscard]] static Result<ClusterLog> read(Disk& disk, const std::string& folder,
                                                 const ClusterBond& bond);

    const std::vector<sim::Remembered>& remembered() const { return remembered_; }
    /// Fails if something is missing at its end. The cluster was left a ledger before anything was
    /// asked of it, so what it remembers is never behind the ledger that the record ends with.
    [[nodiscard]] Result<void> reaches(const model::Ledger& recorded) const;

    /// Opens it for append(): what an earlier process left unfinished at its end is cut off, and a
    /// new log says whose it is. `born` must be known.
    [[nodiscard]] Result<void> begin(Disk& disk, const ClusterBond& bond);

    /// Survives the end of the process, not that of the machine.
    [[nodiscard]] Result<void> append(const sim::Remembered& remembered);

private:
    [[nodiscard]] Result<void> write(const std::string& body);

    std::string path_;
    std::unique_ptr<File> file_;
    bool bound_ = false;
    std::uint64_t end_ = 0;
    model::Ledger ledger_;  ///< The last one: the next is written as the difference to it.
    std::vector<sim::Remembered> remembered_;
};

/// What a log holds, whosever it is.
[[nodiscard]] Result<std::vector<sim::Remembered>> read_cluster_log(Disk& disk,
                                                                    const std::string& folder);

/// The number of the last round in which the simulated cluster of a run was asked for something;
/// 0 if it cannot be known.
std::uint64_t last_round_asked(Disk& disk, const std::string& folder, Duration interval);

}  // namespace parley::app
