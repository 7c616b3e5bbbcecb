// Kube: nodes with their leases and NodeClaims, and what pods take of them. Used by the picture.

#pragma once

#include "cluster/changes.h"
#include "kube/decode/kinds.h"
#include "kube/decode/objects_node.h"
#include "kube/picture/node_power.h"
#include "kube/picture/pending.h"
#include "kube/picture/picture_store.h"

#include <cstdint>
#include <set>
#include <unordered_set>

namespace parley::kube {

class NodeBook {
public:
    static bool keeps(Kind kind);

    void begin_list(Kind kind);
    std::size_t end_list(Kind kind);
    void put(const Node& node);
    /// A lease is as old as our first sight of its last renewal, whatever its own clock says.
    void put(const Lease& lease, TimePoint received);
    void put(const NodeClaim& claim);
    void remove(Kind kind, const model::Uid& uid);

    /// What a provider says of the node of this name, which need not be known yet.
    void set_power(Name node, const NodePower& power);

    /// Adds (+1) or removes (-1) what a pod takes of its node, if it takes anything.
    void hold(const Pod& pod, std::int32_t sign);

    /// None: not known.
    model::Uid uid_of(Name name) const;
    const Node* find(const model::Uid& uid) const;
    std::optional<std::uint64_t> version_of(const model::Uid& uid) const {
        return nodes_.version_of(uid);
    }
    std::vector<NodeRoom> rooms() const;
    template <class F>
    void for_each(F&& f) const {
        nodes_.for_each([&](const model::Uid& uid, const NodeEntry& entry) { f(uid, entry.node); });
    }
    bool any_matches(const Labels& node_selector) const;

    /// Changes whenever something changes that affects whether pods can be placed.
    std::uint64_t version() const { return version_; }
    /// Since the last call: what selectors see of nodes has changed.
    bool take_labels_changed() { return std::exchange(labels_changed_, false); }
    /// Since the last call: names that now belong to another node, by handle.
    std::unordered_set<std::uint32_t> take_renamed() { return std::exchange(renamed_, {}); }

    /// The most changes that the next two will report.
    std::size_t changed() const { return dirty_.size() + gone_.size(); }
    void tell_changed(TimePoint now, std::vector<cluster::Change>& out);
    void tell_gone(std::vector<cluster::Change>& out);

private:
    struct NodeEntry {
        Node node;
        bool told = false;
        bool dirty = false;
    };
    struct LeaseEntry {
        Name node;
        TimePoint renewed;  ///< By the node's clock.
        TimePoint seen;     ///< By our clock, when that changed.
    };
    struct ClaimEntry {
        Name node;
        bool leaving = false;
    };
    struct Held {
        Amounts request;
        std::int32_t pods = 0;
    };
    template <class T>
    using ByName = boost::unordered_flat_map<std::uint32_t, T>;  ///< By the handle of the name.

    void drop(const model::Uid& uid, const NodeEntry& entry);
    void drop(const model::Uid& uid, const LeaseEntry& entry);
    void drop(const model::Uid& uid, const ClaimEntry& entry);
    template <class F>
    void with_store(Kind kind, F&& f);
    void mark_dirty(const model::Uid& uid, NodeEntry& entry);
    void mark_dirty(Name name);
    model::NodeRow row(const NodeEntry& entry, TimePoint now) const;
    void end_pauses(TimePoint now);

    Store<NodeEntry> nodes_;
    Store<LeaseEntry> leases_;
    Store<ClaimEntry> claims_;
    ByName<model::Uid> node_names_;
    ByName<model::Uid> lease_names_;
    ByName<Held> held_;  ///< Includes nodes that are not known.
    ByName<NodePower> powers_;
    std::unordered_set<std::uint32_t> renamed_;
    std::set<model::Uid> paused_;  ///< Told as paused; that ends without anything being said.
    std::vector<model::Uid> dirty_;
    std::vector<model::Uid> gone_;
    std::uint64_t version_ = 1;
    bool labels_changed_ = false;
};

}  // namespace parley::kube
