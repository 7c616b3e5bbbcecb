// Kube: workloads and what bears on them, from JSON.

#pragma once

#include "kube/decode/decode_meta.h"
#include "kube/decode/objects_rest.h"

namespace parley::kube {

// Each: the walk is at the object. `raw` gets its metadata, also if the rest is at fault.
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

}  // namespace parley::kube
