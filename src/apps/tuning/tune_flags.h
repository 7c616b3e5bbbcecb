// App: the flags of `parley tune`: a command line in, the plan of a study out.

#pragma once

#include "apps/terminal/cli.h"
#include "apps/tuning/tune_study.h"
#include "base/file.h"

#include <string>

namespace parley::app {

struct TuneFlags {
    TunePlan plan;  ///< Values that need no further parsing.
    std::string profile = "parley";
    std::string pruner = "median";
    std::string length = "2h";
    std::string interval = "15s";
    std::string timeout;
    std::string grace = "1m";
    std::string write;
    std::string seeds;  ///< The first seed; empty: those reserved for tuning.
    Format format = Format::table;
};

void add_tune_flags(Command& command, TuneFlags& into);

/// Everything the flags say, checked; a scenario file is read.
[[nodiscard]] Result<TunePlan> tune_plan(Disk& disk, const TuneFlags& flags);
/// The time after which no trial begins; zero: none.
[[nodiscard]] Result<Duration> tune_timeout(const TuneFlags& flags);

}  // namespace parley::app
