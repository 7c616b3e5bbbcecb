// Web: what changed between the views of two rounds, as paths. Pure.

#pragma once

#include "web/views/views_round.h"
#include "web/views/views_run.h"

namespace parley::web {

/// Paths use names if rows have some: "worth.node-07.risk.value", "proposals.safety.score",
/// "cluster.sources.metrics.age_s"; otherwise indexes. Values are as in JSON, texts without quotes;
/// what is missing on one side reads "-". At most `most` changes.
DifferenceView difference_of(const RoundView& from, const RoundView& to, std::size_t most = 2'000);

}  // namespace parley::web
