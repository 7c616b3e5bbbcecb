// Layer 5, execution: what a throttle, a balloon or a scaling asks of one pod, and what gives it
// back.

#pragma once

#include "model/containers.h"
#include "model/policy.h"
#include "model/request.h"

#include <optional>
#include <vector>

namespace parley::execution {

/// To what a pod is resized, and to what it is resized back: what that very pod had.
struct Resized {
    model::ResizePod there;
    model::ResizePod back;
};

/// Only containers that have a CPU limit above their request: a limit cannot be removed later, and
/// the QoS class may not change. Nothing: it has none.
std::optional<Resized> throttled(const model::PodRow& pod, Name space,
                                 const std::vector<model::ContainerSeen>& containers);

/// The pod asks for `request` bytes of memory, each container for its part of it. Where request and
/// limit are equal they stay equal; of several containers, such a one is lowered only if its own
/// use is known and leaves a margin. Nothing: no container can be lowered.
std::optional<Resized> ballooned(const model::PodRow& pod, Name space,
                                 const std::vector<model::ContainerSeen>& containers,
                                 std::int64_t request, const model::Policy& policy, TimePoint now);

/// The named containers ask for so much. A limit keeps its proportion to the request, so that the
/// QoS class stays what it is. Nothing: none of them is there, or all ask for that already.
std::optional<Resized> scaled(const model::PodRow& pod, Name space, const model::PodShape& shape,
                              const std::vector<model::ContainerSize>& sizes);

}  // namespace parley::execution
