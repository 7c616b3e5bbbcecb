// Kube: a pod, or the template of pods, from JSON.

#pragma once

#include "kube/decode/decode_meta.h"
#include "kube/decode/objects_pod.h"

namespace parley::kube {

/// Messages of a scheduler or kubelet are cut to this length.
inline constexpr std::size_t kSaysBytesMax = 240;

/// The `nodeSelectorTerms` of a node selector.
std::vector<NodeTerm> decode_node_terms(JsonWalk& walk);

Pod decode_pod(JsonWalk& walk, RawMeta& raw);

/// The walk must be at the template of a workload.
PodTemplate decode_template(JsonWalk& walk);

/// The first part is shared by the pods of an owner: the generateName, or what ends in a dash. The
/// rest, if it is short, is the pod's own.
model::PodName pod_name_of(std::string_view name, std::string_view generate_name);

}  // namespace parley::kube
