// App: a run folder that was read in, its derived files whole again out.

#pragma once

#include "base/file.h"

#include <string>

namespace parley::app {

/// Makes events.jsonl, state.json and run.db anew if one is missing, behind or damaged. Leaves a
/// run alone that another process writes, or that may not be written to. Returns what there is to
/// say, for people; usually nothing.
std::string mend_derived(Disk& disk, const std::string& run);

}  // namespace parley::app
