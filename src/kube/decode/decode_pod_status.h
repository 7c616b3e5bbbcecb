// Kube: the status of a pod from JSON: conditions, and what the kubelet reports of its containers.

#pragma once

#include "kube/decode/decode_json.h"
#include "kube/decode/objects_pod.h"
#include "kube/decode/pod_resources.h"

#include <optional>

namespace parley::kube {

/// Of the status, until it is known when the pod was created.
struct RawTimes {
    std::optional<TimePoint> started;
    std::optional<TimePoint> ready_changed;
};

/// The walk is at `status`. `size` gets what the kubelet reports of each container.
void decode_pod_status(JsonWalk& walk, Pod& out, PodSize& size, RawTimes& times);

/// Names to quantities, of which CPU and memory are read.
void decode_amounts(JsonWalk& walk, Resources& out);
/// `requests` and `limits`.
void decode_resources(JsonWalk& walk, Resources& request, Resources& limit);

}  // namespace parley::kube
