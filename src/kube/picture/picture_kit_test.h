// Kube, for tests: objects made by hand, and what a reader of the seam would know about them.

#pragma once

#include "kube/picture/picture.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace parley::kube {

inline TimePoint at_s(std::int64_t s) { return {s * 1'000'000}; }

inline Meta meta_named(const std::string& name, std::uint64_t number, std::uint64_t version = 1) {
    Meta meta;
    meta.space = Name::of("shop");
    meta.name = name;
    meta.uid = {number, number};
    meta.version = version;
    return meta;
}

inline Node make_node(const std::string& name, std::uint64_t number, std::uint64_t version = 1) {
    Node node;
    node.meta = meta_named(name, number, version);
    node.meta.space = {};
    node.ready = model::Readiness::yes;
    node.labels = {{"kubernetes.io/hostname", name}};
    node.allocatable = {4000, std::int64_t{8} << 30};
    node.pods_allocatable = 110;
    return node;
}

inline Work make_work(Kind kind, const std::string& name, std::uint64_t number, std::int32_t wanted,
                      std::uint64_t version = 1) {
    Work work;
    work.kind = kind;
    work.meta = meta_named(name, number, version);
    work.wanted = wanted;
    PodTemplate pod;
    pod.labels = {{"app", name}};
    pod.request = {100, 1 << 20};
    work.pod = std::make_shared<const PodTemplate>(pod);
    return work;
}

inline Work make_set(const std::string& name, std::uint64_t number, OwnerKind owner,
                     std::uint64_t owner_number, const std::string& owner_name = "") {
    Work set = make_work(Kind::replica_set, name, number, 1);
    if (owner == OwnerKind::deployment) set.pod = nullptr;
    if (owner != OwnerKind::none)
        set.meta.owner = {owner, {owner_number, owner_number}, owner_name};
    return set;
}

inline Pod make_pod(const std::string& tail, std::uint64_t number, OwnerKind owner,
                    std::uint64_t owner_number, const std::string& node = "n1",
                    std::uint64_t version = 1) {
    Pod pod;
    pod.uid = {number, number};
    pod.version = version;
    pod.space = Name::of("shop");
    pod.name = model::PodName::of("p-", tail);
    pod.owner_kind = owner;
    pod.owner = {owner_number, owner_number};
    pod.node = Name::of(node);
    pod.phase = node.empty() ? model::PodPhase::pending : model::PodPhase::running;
    pod.ready = !node.empty();
    pod.request = {100, 1 << 20};
    const bool bare =
        owner == OwnerKind::none || owner == OwnerKind::other || owner == OwnerKind::node;
    if (owner == OwnerKind::other)
        pod.owner_name = Name::of("spark-" + std::to_string(owner_number));
    if (bare || node.empty()) {
        PodTemplate what;
        what.request = pod.request;
        what.labels = {{"app", "p"}};
        pod.pod = std::make_shared<const PodTemplate>(what);
    }
    return pod;
}

/// The sum of all batches, as text.
class Mirror {
public:
    void take(const cluster::Batch& batch) {
        if (batch.complete) {
            nodes_.clear();
            works_.clear();
            pods_.clear();
        }
        for (const cluster::Change& change : batch.changes) {
            std::visit([this](const auto& each) { apply(each); }, change);
        }
    }

    std::string node(const std::string& name) const {
        for (const auto& [uid, row] : nodes_) {
            if (row.id.text() == name) return shown(row);
        }
        return "none";
    }
    std::string work(const std::string& name) const {
        std::string out;
        for (const auto& [uid, row] : works_) {
            if (row.id.text() == name) out += shown(row);
        }
        return out.empty() ? "none" : out;
    }
    std::string pod(std::uint64_t number) const {
        const auto found = pods_.find({number, number});
        return found == pods_.end() ? "none" : shown(found->second);
    }
    std::string everything() const {
        std::set<std::string> lines;
        for (const auto& [uid, row] : nodes_) lines.insert("node " + shown(row));
        for (const auto& [uid, row] : works_) lines.insert("work " + row.id.text() + shown(row));
        for (const auto& [uid, change] : pods_) lines.insert("pod " + uid.text() + shown(change));
        std::string out;
        for (const std::string& line : lines) out += line + "\n";
        return out;
    }
    const std::map<model::Uid, model::NodeRow>& nodes() const { return nodes_; }
    const std::map<model::Uid, model::WorkloadRow>& works() const { return works_; }
    const std::vector<cluster::PodRestarted>& restarts() const { return restarts_; }
    const std::vector<cluster::PodDisrupted>& disrupted() const { return disrupted_; }

private:
    void apply(const cluster::NodeChange& change) {
        nodes_.insert_or_assign(change.row.uid, change.row);
    }
    void apply(const cluster::NodeGone& gone) {
        EXPECT_EQ(nodes_.erase(gone.uid), 1U);
        for (auto& [uid, pod] : pods_) {
            if (pod.node == gone.uid) pod.node = {};
        }
    }
    void apply(const cluster::WorkloadChange& change) {
        works_.insert_or_assign(change.row.uid, change.row);
    }
    void apply(const cluster::WorkloadGone& gone) {
        EXPECT_EQ(works_.erase(gone.uid), 1U);
        for (const auto& [uid, pod] : pods_)
            EXPECT_NE(pod.workload, gone.uid) << "it still has pods";
    }
    void apply(const cluster::PodChange& change) {
        EXPECT_TRUE(works_.contains(change.workload)) << "its workload comes first";
        EXPECT_TRUE(change.node.none() || nodes_.contains(change.node)) << "so does its node";
        pods_.insert_or_assign(change.row.uid, change);
    }
    void apply(const cluster::PodGone& gone) { EXPECT_EQ(pods_.erase(gone.uid), 1U); }
    void apply(const cluster::PodRestarted& restart) { restarts_.push_back(restart); }
    void apply(const cluster::PodDisrupted& pod) { disrupted_.push_back(pod); }

    static std::string shown(const model::NodeRow& row) {
        const TimePoint* lease = row.lease.value();
        return row.id.text() + " " + row.uid.text() + " cpu " +
               std::to_string(row.cpu_allocatable_m) +
               (lease == nullptr ? " no lease"
                                 : " lease " + std::to_string(lease->us / 1'000'000)) +
               (row.cordoned ? " cordoned" : "") + (row.maintenance ? " maintenance" : "") + " v" +
               std::to_string(row.version);
    }
    static std::string shown(const model::WorkloadRow& row) {
        std::string out = " wants " + std::to_string(row.wanted) + " cpu " +
                          std::to_string(row.cpu_request_m) + " v" + std::to_string(row.version);
        if (row.has_budget) out += " budget " + std::to_string(row.disruptions_allowed);
        if (row.scale_owner != model::ScaleOwner::nobody) {
            out += " scaled by " + std::string(enum_name(row.scale_owner));
        }
        if (row.size_owner != model::ScaleOwner::nobody) {
            out += " sized by " + std::string(enum_name(row.size_owner));
        }
        if (row.priority != 0) out += " priority " + std::to_string(row.priority);
        if (row.rwo_volume) out += " rwo";
        if (row.quorum) out += " quorum";
        if (row.protect) out += " protected";
        if (row.deliberate) out += " deliberate";
        return out;
    }
    std::string shown(const cluster::PodChange& change) const {
        const auto work = works_.find(change.workload);
        const auto node = nodes_.find(change.node);
        return " " + change.row.name.text() + " of " +
               (work == works_.end() ? "?" : work->second.id.text()) + " on " +
               (node == nodes_.end() ? "-" : node->second.id.text()) + " " +
               std::string(enum_name(change.row.phase)) +
               (change.row.evictable ? "" : " unmovable") +
               (change.row.pending.empty() ? ""
                                           : " waits " + std::to_string(change.row.pending.bits));
    }

    std::map<model::Uid, model::NodeRow> nodes_;
    std::map<model::Uid, model::WorkloadRow> works_;
    std::map<model::Uid, cluster::PodChange> pods_;
    std::vector<cluster::PodRestarted> restarts_;
    std::vector<cluster::PodDisrupted> disrupted_;
};

/// Lists every kind that was not listed yet, as empty.
inline void list_nothing(Picture& picture) {
    for (const KindFacts& facts : all_kinds()) {
        picture.begin_list(facts.kind);
        picture.end_list(facts.kind);
    }
}

}  // namespace parley::kube
