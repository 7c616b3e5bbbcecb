// App: a run folder that was read in, its derived files whole again out.

#pragma once

#include "base/file.h"

#include <string>

namespace parley::app {

struct Mended {
    std::string text;    ///< What there is to say, for people; usually nothing.
    bool whole = true;   ///< False: the files tell of rounds that the journal does not hold.
    std::string beyond;  ///< What they tell of then; an answer from the journal must say it.
};

/// Makes events.jsonl, state.json and run.db anew if one is missing, behind or damaged. Leaves a
/// run alone that another process writes, or that may not be written to, and files that are the
/// only witness of rounds that were lost.
Mended mend_derived(Disk& disk, const std::string& run);

/// Says it on the error stream; the status that a command ends with, which had `status` so far.
int report_mended(const Mended& mended, int status);

}  // namespace parley::app
