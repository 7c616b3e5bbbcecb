#include "kube/decode/template_pool.h"

#include <functional>
#include <string_view>

namespace parley::kube {
namespace {

void mix(std::size_t& hash, std::size_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
}

void mix(std::size_t& hash, std::string_view text) {
    mix(hash, std::hash<std::string_view>()(text));
}

/// A hash over what differs most; equality compares everything.
std::size_t hash_of(const PodTemplate& pod) {
    std::size_t hash = 0;
    mix(hash, static_cast<std::size_t>(pod.request.cpu_m));
    mix(hash, static_cast<std::size_t>(pod.request.memory));
    for (const auto& [key, value] : pod.labels) {
        mix(hash, key);
        mix(hash, value);
    }
    for (const auto& [key, value] : pod.node_selector) mix(hash, value);
    for (const std::string& claim : pod.claims) mix(hash, claim);
    for (const std::string& gate : pod.gates) mix(hash, gate);
    if (!pod.node_terms) return hash;
    for (const NodeTerm& term : *pod.node_terms) {  // Distinguishes the pods of a DaemonSet.
        for (const Requirement& field : term.fields) {
            for (const std::string& value : field.values) mix(hash, value);
        }
    }
    return hash;
}

}  // namespace

std::shared_ptr<const PodTemplate> TemplatePool::shared(
    const std::shared_ptr<const PodTemplate>& what) {
    if (templates_.size() > tidy_at_) {
        std::erase_if(templates_, [](const auto& each) { return each.second.expired(); });
        tidy_at_ = 2 * templates_.size() + 64;
    }
    const std::size_t hash = hash_of(*what);
    for (auto [it, end] = templates_.equal_range(hash); it != end; ++it) {
        const auto kept = it->second.lock();
        if (kept && *kept == *what) return kept;
    }
    templates_.emplace(hash, what);
    return what;
}

}  // namespace parley::kube
