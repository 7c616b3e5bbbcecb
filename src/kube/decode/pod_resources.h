// Kube: what a pod takes of its node, summed exactly as the scheduler does. Pure.

#pragma once

#include "kube/decode/objects.h"
#include "model/container.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace parley::kube {

/// Nothing: not specified, which for a request is not the same as 0.
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

struct ContainerEnded {
    std::optional<TimePoint> at;  ///< Nothing: nobody saw when.
    std::int32_t exit_code = 0;
    model::Ending how = model::Ending::other;
};

/// What the kubelet reports of a container. Its resources differ from what was asked while a resize
/// is under way.
struct ContainerActual {
    std::string_view name;
    bool known = false;   ///< status.resources is there; otherwise nothing here is used.
    Resources request;    ///< status.resources.requests.
    Resources allocated;  ///< status.allocatedResources.
    std::int32_t restarts = 0;
    std::optional<ContainerEnded> ended;  ///< How it ended, or ended before it was started again.
};

struct PodSize {
    std::vector<ContainerSize> containers;
    std::vector<ContainerSize> init;
    std::vector<ContainerActual> actual;  ///< Of containers and init containers.
    Resources overhead;
    Resources whole_request;  ///< spec.resources, which replaces the sum of the containers.
    Resources whole_limit;    ///< The same for limits.
    /// The requested resize will not happen: only the present values count.
    bool resize_infeasible = false;

    /// Clears it for the next pod; keeps its memory.
    void clear();
};

/// The scheduler's sum: containers and sidecars together, or the peak of the init containers with
/// the sidecars started before them, whichever is more; or what the pod itself requests; plus its
/// overhead. During a resize the largest of requested, allocated and actual counts. An unspecified
/// request equals the limit, or 0. At most kAmountMax of each.
Amounts scheduler_request(const PodSize& pod);

/// The sum of the limits; 0 if a container that keeps running has none.
Amounts limit_of(const PodSize& pod);

}  // namespace parley::kube
