// Kube: on which nodes bound pods could be instead, regardless of free room: everything that the
// scheduler filters by, except resources. Pods with the same constraints share an answer.

#pragma once

#include "cluster/changes.h"
#include "kube/decode/template_pool.h"
#include "kube/picture/neighbours.h"
#include "kube/picture/pending.h"
#include "kube/picture/picture_store.h"

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace parley::kube {

/// The state of the cluster for computing places.
struct PlaceWorld {
    std::vector<std::pair<model::Uid, const Node*>> nodes;  ///< Sorted by uid.
    std::map<Name, const Node*> by_name;                    ///< The same nodes.
    /// By term and the namespace of the pod that has it.
    std::function<DomainCounts(const PodTerm&, Name space)> counts;
    /// Terms of the node affinity of the volume behind a claim; a volume without terms: every node.
    /// Nothing: it cannot be read.
    std::function<std::optional<std::vector<NodeTerm>>(Name space, const std::string& claim)>
        volume;
};

/// Not thread-safe. Recomputes only what changed.
class PlaceBook {
public:
    /// The pod is bound to that node and is_picky(); call it again when something changes.
    void put(const model::Uid& pod, Name space, const PodTemplate& what, Name node);
    void remove(const model::Uid& pod);

    bool empty() const { return pods_.empty(); }
    /// Whether some pod has no answer yet.
    bool has_new() const { return !ungrouped_.empty(); }
    /// Whether any answer depends on where other pods are.
    bool has_terms() const { return with_terms_ > 0; }
    /// The value of `PodRow::places`; 0: any node, or not settled yet.
    std::uint32_t id_of(const model::Uid& pod) const;

    struct Look {
        bool nodes = false;       ///< Labels or taints of nodes, claims, or volumes changed.
        bool neighbours = false;  ///< Pods came, went or moved.
    };
    /// Reports what changed. Returns the pods whose id changed.
    std::vector<model::Uid> settle(const PlaceWorld& world, Look look, cluster::Batch& out);

private:
    struct Key {
        const PodTemplate* what = nullptr;
        Name space;  ///< Only if terms refer to pods.
        /// For each of its terms whose topology label is shared by several nodes, the domain it is
        /// in: a pod that leaves a zone makes room there. Then the nodes of its volumes, as text.
        std::vector<std::string> own;
        friend bool operator==(const Key&, const Key&) = default;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    /// Node affinity of each volume; nothing: one cannot be read.
    using VolumeTerms = std::optional<std::vector<std::vector<NodeTerm>>>;
    struct Group {
        std::shared_ptr<const PodTemplate> what;
        VolumeTerms volumes;
        std::uint32_t id = 0;  ///< 0: not reported.
        bool stale = true;
        bool known = false;
        std::vector<DomainCounts> counts;  ///< For each term, when last computed.
        std::vector<std::uint64_t> bits;
        std::set<model::Uid> pods;
    };
    struct Kept {
        std::shared_ptr<const PodTemplate> what;
        std::vector<std::string> claims;
        Name space;
        Name node;
        Key key;  ///< Of its group, once it has one.
        bool grouped = false;
    };

    static VolumeTerms volumes_of(const Kept& pod, const PlaceWorld& world);
    static Key key_of(const Kept& pod, const PlaceWorld& world, const VolumeTerms& volumes);
    void regroup(const PlaceWorld& world);
    void join(const model::Uid& uid, Kept& pod, const PlaceWorld& world);
    void leave(const model::Uid& uid, Kept& pod);
    /// Whether the answer may have changed since last time.
    static bool must_look(const Key& key, Group& group, const PlaceWorld& world, Look look);
    void work_out(const Key& key, Group& group, const PlaceWorld& world) const;
    /// Nodes on which a pod holds a port of the host that this one needs.
    std::set<Name> ports_taken(const PodTemplate& pod) const;

    TemplatePool templates_;
    ByUid<Kept> pods_;
    std::map<Key, Group> groups_;
    std::set<model::Uid> ungrouped_;
    std::vector<std::uint32_t> free_ids_;
    std::uint32_t ids_ = 0;
    std::int32_t with_terms_ = 0;  ///< Number of pods with terms.
};

}  // namespace parley::kube
