// App: `parley release`: gives back what marks on a real cluster say, and tells of every step.

#pragma once

#include "apps/live/access_flags.h"
#include "apps/terminal/cli.h"

#include <string>

namespace parley::app {

struct ReleaseFlags {
    bool all = false;
    bool expired = false;
    std::string decision;
    bool dry_run = false;
    std::string home = "parley-system";  ///< Where orders are.
    std::string config;                  ///< Settings that name providers; empty: none.
    Format format = Format::table;
};

/// Returns the exit status: failed if something could not be listed or given back.
int release_run(const ChosenCluster& cluster, const ReleaseFlags& flags);

}  // namespace parley::app
