// Kube: nodes, their leases and what provisions them, from JSON.

#pragma once

#include "kube/decode/decode_meta.h"
#include "kube/decode/objects_node.h"

namespace parley::kube {

// For each, the walk must be at the object. `raw` gets its metadata even if the rest has a fault.
Node decode_node(JsonWalk& walk, RawMeta& raw);
Lease decode_lease(JsonWalk& walk, RawMeta& raw);
NodePool decode_node_pool(JsonWalk& walk, RawMeta& raw);
NodeClaim decode_node_claim(JsonWalk& walk, RawMeta& raw);

/// Nothing: an empty text, which in a toleration means every effect.
std::optional<TaintEffect> taint_effect_of(std::string_view text);

}  // namespace parley::kube
