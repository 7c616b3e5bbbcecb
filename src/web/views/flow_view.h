// Web: the eight stations of the flow, from a round's view. Pure.

#pragma once

#include "web/views/views_round.h"

namespace parley::web {

/// Stimulus, cluster, forecasts, proposals, verdict, execution, score, events. `view` must be
/// complete except for its flow; `new_events` of its events are of this round.
std::vector<FlowStation> flow_of(const RoundView& view, std::int32_t new_events);

}  // namespace parley::web
