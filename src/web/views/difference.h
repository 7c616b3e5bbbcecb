// Web: the views of two rounds in, what changed between them out, as paths. Pure.

#pragma once

#include "web/views/views_round.h"
#include "web/views/views_run.h"

namespace parley::web {

/// Paths go by names where rows have some: "worth.node-07.risk.value", "proposals.safety.score",
/// "cluster.sources.metrics.age_s"; elsewhere by place. Values are as JSON has them, texts without
/// quotes; what is not there in one of them reads "-". At most `most` changes.
DifferenceView difference_of(const RoundView& from, const RoundView& to, std::size_t most = 2'000);

}  // namespace parley::web
