// Web: what lists and pages say about a run as a whole.

#pragma once

#include "base/file.h"
#include "web/run/run_known.h"
#include "web/views/round_view.h"

namespace parley::web {

RunCard card_of(const RunKnown& known);

/// Looks on the disk for files beside the record.
RunDetail detail_of(Disk& disk, const RunKnown& known, const RunAbout& about);

/// What the view of a round says about its run. The header must be known.
RunContext context_of(const RunKnown& known);

}  // namespace parley::web
