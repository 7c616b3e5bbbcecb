// Kube: what a pod counts on its node, exactly as the scheduler sums it up. Pure.

#pragma once

#include "kube/decode/objects.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace parley::kube {

/// Nothing: not named, which for a request is not the same as 0.
struct Resources {
    std::optional<std::int64_t> cpu_m;
    std::optional<std::int64_t> memory;
};

struct ContainerSize {
    std::string_view name;
    Resources request;
    Resources limit;
    bool is_sidecar = false;  ///< An init container with restartPolicy Always.
};

/// What the kubelet reports of a container: it differs from what was asked while a resize is
/// under way.
struct ContainerActual {
    std::string_view name;
    bool known = false;   ///< status.resources is there; else nothing is taken from here.
    Resources request;    ///< status.resources.requests.
    Resources allocated;  ///< status.allocatedResources.
};

struct PodSize {
    std::vector<ContainerSize> containers;
    std::vector<ContainerSize> init;
    std::vector<ContainerActual> actual;  ///< Of both.
    Resources overhead;
    Resources whole_request;         ///< spec.resources: it stands for the sum of the containers.
    Resources whole_limit;           ///< Likewise.
    bool resize_infeasible = false;  ///< What was asked will not come: only what is counts.

    /// For the next pod; memory is kept.
    void clear();
};

/// The scheduler's sum: containers and sidecars together, or the peak of the init containers with
/// the sidecars started before them, whichever is more, or what the pod itself asks for; and its
/// overhead. While a container is resized, the largest of what is asked, allocated and in force. A
/// request that is not named is its limit, or 0. At most kAmountMax of each.
Amounts scheduler_request(const PodSize& pod);

/// The sum of the limits; 0 where some container that runs on has none.
Amounts limit_of(const PodSize& pod);

}  // namespace parley::kube
