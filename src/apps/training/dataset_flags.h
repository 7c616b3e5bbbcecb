// App: the flags of `parley dataset risk` and `parley dataset demand`: a command line in, the runs
// that rows are built from out.

#pragma once

#include "apps/terminal/cli.h"
#include "apps/training/node_training.h"

#include <string>
#include <vector>

namespace parley::app {

struct DatasetFlags {
    std::vector<std::string> from;
    std::string seeds;  ///< Of simulated runs: FIRST-LAST; empty: none.
    std::string length = "24h";
    bool length_given = false;
    std::string out;
    Format format = Format::table;
};

void add_dataset_flags(Command& command, DatasetFlags& into, bool risk);

/// Recorded runs or simulated ones, as a training has them. Refuses neither, both, and a length of
/// runs that have one already.
[[nodiscard]] Result<NodeTraining> dataset_runs(const DatasetFlags& flags);

}  // namespace parley::app
