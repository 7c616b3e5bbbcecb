#include "kube/picture/neighbours.h"

#include "kube/picture/pending.h"

namespace parley::kube {

void Neighbours::add(Name space, const model::Uid& workload, const PodTemplate* what,
                     const Node* node) {
    Band& band = spaces_[space.handle()][workload];
    if (band.what == nullptr) band.what = what;
    ++band.nodes[node];
}

void Neighbours::count(const PodTerm& term, const Bands& bands, DomainCounts& out) {
    for (const auto& [workload, band] : bands) {
        if (band.what == nullptr || !matches(*term.selector, band.what->labels)) continue;
        for (const auto& [node, pods] : band.nodes) {
            const std::string* value = label_of(node->labels, term.topology);
            if (value != nullptr) out[*value] += pods;
        }
    }
}

DomainCounts Neighbours::counts(const PodTerm& term, Name space) const {
    DomainCounts out;
    if (!term.selector) return out;
    if (term.all_spaces) {
        for (const auto& [name, bands] : spaces_) count(term, bands, out);
        return out;
    }
    const auto in = [&](Name name) {
        const auto bands = spaces_.find(name.handle());
        if (bands != spaces_.end()) count(term, bands->second, out);
    };
    if (term.spaces.empty()) in(space);
    for (const std::string& name : term.spaces) in(Name::of(name));
    return out;
}

}  // namespace parley::kube
