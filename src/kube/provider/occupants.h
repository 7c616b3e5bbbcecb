// Kube, providers: who is still on a node that is to be switched off: a list of pods in, a sentence
// out. Pure.

#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace parley::kube {

/// Where the pods of a node are listed, whatever their namespace.
std::string occupants_path(std::string_view node);

/// The first pod that has not ended, "shop/web-1", and how many there are; empty: nobody is left.
/// Pods of DaemonSets and of the kubelet itself stay on every node and do not count; one that is
/// ending does, since it may still need its time. `malformed`: it is no list of pods, or not the
/// whole of it.
[[nodiscard]] Result<std::string> occupants_in(std::string_view list);

}  // namespace parley::kube
