// Kube: the containers of a pod as a snapshot keeps them, from what was decoded of its spec and its
// status. Pure.

#pragma once

#include "kube/decode/objects_pod.h"
#include "kube/decode/pod_resources.h"

#include <memory>
#include <optional>
#include <string_view>

namespace parley::kube {

/// By the kubelet's reason.
model::Ending ending_of(std::string_view reason);

/// Containers as the spec asks for them: main ones, then sidecars and others of initContainers.
/// Pods that were decoded lately and ask alike share one.
std::shared_ptr<const model::PodShape> shape_of(const PodSize& size);

/// Writes shape, restarts and endings of the containers. Its time of creation is known. An init
/// container that did its work at the first try is not worth a row.
void put_containers(const PodSize& size, Pod& pod);

}  // namespace parley::kube
