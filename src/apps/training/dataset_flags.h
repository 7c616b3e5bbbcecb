// App: the flags of `parley dataset risk` and `parley dataset demand`, and the runs they name.

#pragma once

#include "apps/terminal/cli.h"
#include "apps/training/node_training.h"

#include <string>
#include <vector>

namespace parley::app {

struct DatasetFlags {
    std::vector<std::string> from;
    std::string seeds;  ///< For simulated runs: FIRST-LAST; empty: none.
    std::string length = "24h";
    bool length_given = false;
    std::string out;
    Format format = Format::table;
};

void add_dataset_flags(Command& command, DatasetFlags& into, bool risk);

/// Recorded or simulated runs, in the form of a training. Refuses neither, both, and a length for
/// recorded runs, which have one already.
[[nodiscard]] Result<NodeTraining> dataset_runs(const DatasetFlags& flags);

}  // namespace parley::app
