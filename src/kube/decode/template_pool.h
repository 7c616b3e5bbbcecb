// Kube: pod templates of the same content, kept once.

#pragma once

#include "kube/decode/objects_pod.h"

#include <map>
#include <memory>

namespace parley::kube {

/// Forgets a template when nobody else keeps it.
class TemplatePool {
public:
    /// One of the same content that is kept already, or this one.
    std::shared_ptr<const PodTemplate> shared(const std::shared_ptr<const PodTemplate>& what);

private:
    std::multimap<std::size_t, std::weak_ptr<const PodTemplate>> templates_;  ///< By hash.
    std::size_t tidy_at_ = 64;  ///< So many are kept before those that nobody keeps are dropped.
};

}  // namespace parley::kube
