// Web: what is known of a run in, what lists and pages say of it as a whole out.

#pragma once

#include "base/file.h"
#include "web/run/run_known.h"
#include "web/views/round_view.h"

namespace parley::web {

RunCard card_of(const RunKnown& known);

/// Looks on the disk for what there is beside the record.
RunDetail detail_of(Disk& disk, const RunKnown& known, const RunAbout& about);

/// What the view of a round says of its run. Its header is the one that is known.
RunContext context_of(const RunKnown& known);

}  // namespace parley::web
