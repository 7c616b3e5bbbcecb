// Kube: the kinds of objects, where the API serves them, and which of them may be missing.

#pragma once

#include "base/describe.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace parley::kube {

enum class Kind : std::uint8_t {
    space,  ///< Namespaces.
    node,
    lease,  ///< Only those of nodes, in kube-node-lease.
    pod,
    deployment,
    replica_set,
    stateful_set,
    daemon_set,
    job,
    cron_job,
    claim,   ///< PersistentVolumeClaims.
    budget,  ///< PodDisruptionBudgets.
    hpa,
    limit_range,
    quota,
    priority_class,
    event,  ///< Warnings only.
    vpa,
    mpa,
    node_pool,
    node_claim,
    scaled_object,
    volume,  ///< PersistentVolumes, for the nodes from which they can be reached.
};
BOOST_DESCRIBE_ENUM(Kind, space, node, lease, pod, deployment, replica_set, stateful_set,
                    daemon_set, job, cron_job, claim, budget, hpa, limit_range, quota,
                    priority_class, event, vpa, mpa, node_pool, node_claim, scaled_object, volume)

inline constexpr std::size_t kKindCount = 23;

struct KindFacts {
    Kind kind = Kind::space;
    std::string_view group;  ///< Empty: the core group.
    std::string_view version;
    std::string_view plural;
    std::string_view name;  ///< As in `kind:` of a manifest.
    bool namespaced = true;
    bool optional = false;  ///< A cluster without it is complete; it is not waited for.
    bool decisive = false;  ///< Without it, nothing may be decided.
};

const KindFacts& facts_of(Kind kind);

/// Whether it is listed in each namespace if only some are watched. Leases are all in one.
inline bool listed_by_namespace(const KindFacts& facts) {
    return facts.namespaced && facts.kind != Kind::lease;
}

/// In the order of the enumeration.
std::span<const KindFacts> all_kinds();

/// Where to list and watch it: in all namespaces, or in `space` if it is not empty and the kind has
/// one. Leases are always those of kube-node-lease.
std::string list_path(Kind kind, std::string_view space = {});

/// What the query needs besides limit and version, encoded; empty for most.
std::string_view list_query(Kind kind);

}  // namespace parley::kube
