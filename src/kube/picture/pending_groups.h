// Kube: groups of pods that wait for the same reasons, so that causes are computed once per group.

#pragma once

#include "kube/decode/template_pool.h"
#include "kube/picture/pending.h"
#include "kube/picture/picture_store.h"

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace parley::kube {

/// Pods with the same namespace, template and evidence share a group. Pure, except for what it
/// keeps.
class PendingGroups {
public:
    /// The pod waits; call it again when its template or evidence changes.
    void put(const model::Uid& pod, Name space, const std::shared_ptr<const PodTemplate>& what,
             const Evidence& evidence);
    void remove(const model::Uid& pod);

    bool empty() const { return places_.empty(); }
    std::size_t size() const { return groups_.size(); }

    using Around = std::function<Surroundings(Name space, const PodTemplate&, const Evidence&)>;
    struct Settled {
        model::Uid pod;
        model::CauseSet causes;
    };
    /// Computes the causes of groups not looked at since the world had that version: the longest
    /// ago first, at most `groups_max`. Returns all their pods, sorted by uid.
    std::vector<Settled> settle(std::span<const NodeRoom> nodes, const Around& around,
                                std::uint64_t version, std::size_t groups_max);

private:
    struct Key {
        const PodTemplate* what = nullptr;
        Name space;
        int evidence = 0;
        friend bool operator==(const Key&, const Key&) = default;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Group {
        std::shared_ptr<const PodTemplate> what;
        Evidence evidence;
        std::uint64_t version = 0;  ///< Of the world when last looked at; 0: never.
        std::set<model::Uid> pods;
    };

    TemplatePool templates_;
    std::map<Key, Group> groups_;
    ByUid<Key> places_;
};

}  // namespace parley::kube
