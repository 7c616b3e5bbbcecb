// Kube, what the exerciser sends and reads: bodies of requests, and the meaning of answers. Pure.

#pragma once

#include "base/result.h"
#include "cluster/stage.h"

#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

/// On everything that an exerciser creates; it deletes nothing without it.
inline constexpr std::string_view kExerciserLabel = "app.kubernetes.io/part-of";
inline constexpr std::string_view kExerciserValue = "parley-exerciser";
/// Only on a namespace that an exerciser created; it never deletes any other.
inline constexpr std::string_view kMadeByAnnotation = "parley.dev/made-by";
inline constexpr std::string_view kMadeByValue = "exerciser";
/// No node has this label, so a pod that selects it waits.
inline constexpr std::string_view kNoSuchSlot = "parley.dev/exercise-slot";

std::string namespace_body(std::string_view name);

/// A Deployment of pods that reserve what they request, or use it. `image`: pause to reserve; one
/// that starts `parley` to use CPU and memory.
std::string deployment_body(const cluster::Filler& filler, std::string_view image);

struct NamespaceSeen {
    std::string uid;
    bool leaving = false;    ///< Being deleted.
    bool made_here = false;  ///< By an exerciser.
};
[[nodiscard]] Result<NamespaceSeen> read_namespace(std::string_view body);

/// Names of a list's items, at most `max` of them.
[[nodiscard]] Result<std::vector<std::string>> read_names(std::string_view body, std::size_t max);

}  // namespace parley::kube
