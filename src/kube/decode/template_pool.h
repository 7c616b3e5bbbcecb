// Kube: keeps pod templates of equal content once.

#pragma once

#include "kube/decode/objects_pod.h"

#include <map>
#include <memory>

namespace parley::kube {

/// Drops a template when nobody else holds it.
class TemplatePool {
public:
    /// A template of equal content that is already kept, or this one.
    std::shared_ptr<const PodTemplate> shared(const std::shared_ptr<const PodTemplate>& what);

private:
    /// By hash of the content.
    std::multimap<std::size_t, std::weak_ptr<const PodTemplate>> templates_;
    std::size_t tidy_at_ = 64;  ///< At this size, templates that nobody holds are dropped.
};

}  // namespace parley::kube
