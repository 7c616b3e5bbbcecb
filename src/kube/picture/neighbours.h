// Kube: where bound pods are, by workload, for terms of other pods that refer to them.

#pragma once

#include "kube/decode/objects_node.h"
#include "kube/picture/picture_store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace parley::kube {

/// How many pods that a term matches are in each of its domains: by value of its topology label.
using DomainCounts = std::map<std::string, std::int32_t, std::less<>>;

/// Made for each use, since it borrows nodes and templates.
class Neighbours {
public:
    /// Adds a pod of the workload, with these labels, bound to the node.
    void add(Name space, const model::Uid& workload, const PodTemplate* what, const Node* node);

    /// `space` is the namespace of the pod that has the term.
    DomainCounts counts(const PodTerm& term, Name space) const;

private:
    struct Band {
        const PodTemplate* what = nullptr;
        boost::unordered_flat_map<const Node*, std::int32_t> nodes;
    };
    using Bands = ByUid<Band>;

    static void count(const PodTerm& term, const Bands& bands, DomainCounts& out);

    /// By the handle of the namespace's name.
    boost::unordered_flat_map<std::uint32_t, Bands> spaces_;
};

}  // namespace parley::kube
