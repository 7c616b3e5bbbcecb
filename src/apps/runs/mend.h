// App: repairs the derived files of a run folder that was read.

#pragma once

#include "base/file.h"

#include <string>

namespace parley::app {

struct Mended {
    std::string text;    ///< What there is to say, for people; usually nothing.
    bool whole = true;   ///< False: the files know rounds that the journal does not hold.
    std::string beyond;  ///< What they know then; an answer from the journal must mention it.
};

/// Rebuilds events.jsonl, state.json and run.db if one is missing, outdated or damaged. Leaves
/// alone a run that another process writes or that may not be written to, and files that are the
/// only evidence of lost rounds.
Mended mend_derived(Disk& disk, const std::string& run);

/// Prints it to the standard error; returns the exit status of a command that had `status` so far.
int report_mended(const Mended& mended, int status);

}  // namespace parley::app
