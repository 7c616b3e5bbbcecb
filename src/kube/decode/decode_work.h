// Kube: workloads, and objects that concern them, from JSON.

#pragma once

#include "kube/decode/decode_meta.h"
#include "kube/decode/objects_rest.h"

namespace parley::kube {

// For each, the walk must be at the object. `raw` gets its metadata even if the rest has a fault.
Work decode_work(JsonWalk& walk, RawMeta& raw, Kind kind);
Claim decode_claim(JsonWalk& walk, RawMeta& raw);
Budget decode_budget(JsonWalk& walk, RawMeta& raw);
Autoscaler decode_autoscaler(JsonWalk& walk, RawMeta& raw, Kind kind);
LimitRange decode_limit_range(JsonWalk& walk, RawMeta& raw);
Quota decode_quota(JsonWalk& walk, RawMeta& raw);
Volume decode_volume(JsonWalk& walk, RawMeta& raw);
PriorityClass decode_priority_class(JsonWalk& walk, RawMeta& raw);
Event decode_warning(JsonWalk& walk, RawMeta& raw);
Space decode_space(JsonWalk& walk, RawMeta& raw);

/// Whether these labels, of a Job or of what its pods are made from, leave its start to Kueue.
bool is_queued(const Labels& labels);

}  // namespace parley::kube
