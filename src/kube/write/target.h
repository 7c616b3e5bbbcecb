// Kube, the object that a request is about: where the API serves it, and how people call it. Pure.

#pragma once

#include "base/result.h"
#include "kube/decode/kinds.h"
#include "model/request.h"

#include <string>

namespace parley::kube {

struct ObjectPlace {
    Kind kind = Kind::node;
    std::string path;  ///< Without a subresource.
    std::string said;  ///< "node worker-1", "deployment shop/web", "pod shop/web-1".
};

/// `denied` with the reason where there is no such object on a real cluster: what only a provider
/// can do, requests of earlier releases, kinds that have no replicas. A name that no object can
/// have is `malformed`, since it would be a path of its own.
[[nodiscard]] Result<ObjectPlace> place_of(const model::Request& request);
[[nodiscard]] Result<ObjectPlace> place_of(const model::Target& target);

}  // namespace parley::kube
