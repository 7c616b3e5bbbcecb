// Kube: what other objects say about a workload: claims, budgets, autoscalers, priorities,
// namespaces.

#pragma once

#include "kube/decode/objects_rest.h"
#include "kube/picture/picture_store.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace parley::kube {

struct BudgetFound {
    bool any = false;
    std::int32_t allowed = 0;  ///< 0 if several apply: the API then refuses every eviction.
};

/// Who sets what of a workload.
struct ScaledBy {
    model::ScaleOwner replicas = model::ScaleOwner::nobody;
    model::ScaleOwner sizes = model::ScaleOwner::nobody;
};

/// Pure, except for what it keeps. Answers do not depend on the order in which objects came.
class Joins {
public:
    /// Whether the object is of a kind kept here.
    static bool keeps(Kind kind);

    void begin_list(Kind kind, Scope scope = 0);
    void enter(Kind kind, Scope scope);
    std::size_t end_list(Kind kind);
    void put(const Object& object);
    void remove(Kind kind, const model::Uid& uid);

    /// Namespaces whose workloads must be looked at again, since the last call.
    std::set<Name> take_dirty();
    /// Since the last call: a priority class changed, so that every workload must be.
    bool take_all_dirty() { return std::exchange(all_dirty_, false); }

    /// The class's value, else that of the default class, else 0.
    std::int32_t priority_of(const PodTemplate& pod) const;
    BudgetFound budget_of(Name space, const Labels& labels) const;
    /// HPAs and KEDA own replicas, VPAs sizes. What they leave, an MPA leaves to us. Of replicas
    /// the owner is `hpa` only if nothing drives that and KEDA does not name the workload too.
    ScaledBy scaled_by(Name space, OwnerKind kind, std::string_view name) const;
    /// Namespaces that ask us to leave them alone, now.
    std::set<Name> left_alone(TimePoint now) const;
    /// Any of the claims can be mounted by one node only.
    bool one_node_volume(Name space, const std::vector<std::string>& claims) const;
    /// Any of the claims is missing, lost, or not bound while the scheduler complains of volumes.
    bool volume_trouble(Name space, const std::vector<std::string>& claims, bool complained) const;
    /// Missing claims can be noticed only if claims can be read.
    void set_claims_readable(bool readable) { claims_readable_ = readable; }

    /// From which nodes volumes can be reached, by claim; valid until something changes.
    class Volumes {
    public:
        /// Nothing: not known. Without terms: from everywhere.
        std::optional<std::vector<NodeTerm>> of(Name space, const std::string& claim) const;

    private:
        friend class Joins;
        std::map<std::pair<Name, std::string_view>, const Claim*> claims_;
        std::map<std::string_view, const Volume*> volumes_;
    };
    Volumes volumes() const;
    /// Since the last call: a claim or a volume changed.
    bool take_volumes_changed() { return std::exchange(volumes_changed_, false); }

private:
    template <class F>
    void with_store(Kind kind, F&& f);
    const Claim* claim_of(Name space, std::string_view name) const;

    Store<Claim> claims_;
    Store<Volume> volumes_;
    Store<Budget> budgets_;
    std::array<Store<Autoscaler>, 4> scalers_;
    Store<PriorityClass> classes_;
    Store<Space> spaces_;
    std::set<Name> dirty_;
    bool all_dirty_ = false;
    bool claims_readable_ = true;
    bool volumes_changed_ = false;
};

}  // namespace parley::kube
