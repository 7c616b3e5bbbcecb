// App: the requests that the simulated cluster carried out, kept beside the run's record.
//
// A real cluster outlives the process that sends it requests. The simulated one ends with it, so
// requests are logged before they are carried out; a resumed run rebuilds the same world from the
// log, including requests whose answer Parley never got. It is the cluster's memory, not Parley's:
// no decision reads it.

#pragma once

#include "apps/runs/cluster_owed.h"
#include "base/file.h"
#include "sim/world/cluster.h"
#include "store/run_format.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// Identifies the run that a log belongs to; its first entry, so that no other run's log is used.
struct ClusterBond {
    std::uint64_t seed = 0;
    std::string scenario;  ///< Its SHA-256.
    std::string policy;    ///< Its SHA-256.
    std::string born;      ///< See store::RunFacts; empty if the record has lost it.
};
ClusterBond bond_of(const store::RunHeader& header, const std::string& born);

class ClusterLog {
public:
    /// Reads `folder`/cluster.log without changing it. Fails if something before its end is
    /// damaged, since what followed cannot be known, or if it belongs to another run. A missing one
    /// is empty.
    [[nodiscard]] static Result<ClusterLog> read(Disk& disk, const std::string& folder,
                                                 const ClusterBond& bond);

    const std::vector<sim::Remembered>& remembered() const { return remembered_; }
    /// Fails if something is missing that the cluster carried out by the record. Each entry is
    /// written before the answer is recorded, so the log is never behind the record.
    [[nodiscard]] Result<void> reaches(const ClusterOwed& owed) const;

    /// Opens it for append(): an unfinished end is cut off, and a new log gets its first entry.
    /// `born` must be known.
    [[nodiscard]] Result<void> begin(Disk& disk, const ClusterBond& bond);

    /// Survives the end of the process, but not of the machine.
    [[nodiscard]] Result<void> append(const sim::Remembered& remembered);

    /// Fails if the file was moved away or cut since: then the world could not be rebuilt.
    [[nodiscard]] Result<void> in_place() const { return file_->in_place(end_); }

private:
    [[nodiscard]] Result<void> write(const std::string& body);
    const model::Ledger* ledger_at(std::uint64_t version) const;

    std::string path_;
    std::unique_ptr<File> file_;
    bool bound_ = false;
    std::uint64_t end_ = 0;
    model::Ledger ledger_;  ///< The last one; the next is written as the difference to it.
    std::vector<sim::Remembered> remembered_;
};

/// The content of a log, whichever run it belongs to.
[[nodiscard]] Result<std::vector<sim::Remembered>> read_cluster_log(Disk& disk,
                                                                    const std::string& folder);

/// The last round in which the simulated cluster of a run got a request; 0 if that is not known.
std::uint64_t last_round_asked(Disk& disk, const std::string& folder, Duration interval);

}  // namespace parley::app
