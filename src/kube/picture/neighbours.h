// Kube: where bound pods are, by workload, for terms of others that speak of them.

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

/// Made anew for each look: it borrows nodes and templates.
class Neighbours {
public:
    /// A pod of the workload, which has these labels, is bound to the node.
    void add(Name space, const model::Uid& workload, const PodTemplate* what, const Node* node);

    /// `space`: of who has the term.
    DomainCounts counts(const PodTerm& term, Name space) const;

private:
    struct Band {
        const PodTemplate* what = nullptr;
        boost::unordered_flat_map<const Node*, std::int32_t> nodes;
    };
    using Bands = ByUid<Band>;

    static void count(const PodTerm& term, const Bands& bands, DomainCounts& out);

    boost::unordered_flat_map<std::uint32_t, Bands> spaces_;  ///< By the handle of the name.
};

}  // namespace parley::kube
