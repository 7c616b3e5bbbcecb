// Kube: a pod, or the template of pods, from JSON.

#pragma once

#include "kube/decode/decode_meta.h"
#include "kube/decode/objects_pod.h"

namespace parley::kube {

/// The walk is at a Pod. `raw` gets its metadata, also if the rest is at fault.
/// What a scheduler or kubelet says is kept and shown up to here.
inline constexpr std::size_t kSaysBytesMax = 240;

/// A node selector: `nodeSelectorTerms`.
std::vector<NodeTerm> decode_node_terms(JsonWalk& walk);

Pod decode_pod(JsonWalk& walk, RawMeta& raw);

/// The walk is at the template of a workload.
PodTemplate decode_template(JsonWalk& walk);

/// Shared by the pods of an owner: what they were generated from, or what ends in a dash. The rest,
/// if it is short, is their own.
model::PodName pod_name_of(std::string_view name, std::string_view generate_name);

}  // namespace parley::kube
