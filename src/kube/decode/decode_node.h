// Kube: nodes, their leases and what provisions them, from JSON.

#pragma once

#include "kube/decode/decode_meta.h"
#include "kube/decode/objects_node.h"

namespace parley::kube {

// Each: the walk is at the object. `raw` gets its metadata, also if the rest is at fault.
Node decode_node(JsonWalk& walk, RawMeta& raw);
Lease decode_lease(JsonWalk& walk, RawMeta& raw);
NodePool decode_node_pool(JsonWalk& walk, RawMeta& raw);
NodeClaim decode_node_claim(JsonWalk& walk, RawMeta& raw);

/// Nothing: an empty text, which a toleration means as every effect.
std::optional<TaintEffect> taint_effect_of(std::string_view text);

}  // namespace parley::kube
