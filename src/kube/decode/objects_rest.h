// Kube: decoded workloads and objects that concern them, and one value that holds any object.

#pragma once

#include "kube/decode/kinds.h"
#include "kube/decode/objects_node.h"
#include "kube/decode/objects_pod.h"

#include <variant>

namespace parley::kube {

struct Space {
    Meta meta;
};

/// A Deployment, ReplicaSet, StatefulSet, DaemonSet, Job or CronJob.
struct Work {
    Kind kind = Kind::deployment;
    Meta meta;
    std::int32_t wanted = 0;
    std::int32_t suspended = 0;    ///< Pods that a Job would have but for being suspended.
    std::int64_t completions = 0;  ///< For a Job: pods that succeeded.
    bool recreate = false;
    bool claims_one_node = false;  ///< A volumeClaimTemplate that only one node may mount.
    bool has_claims = false;       ///< Any volumeClaimTemplate.
    bool queued = false;           ///< A Job that Kueue admits.
    /// Of a Deployment or StatefulSet: somebody else declares its replicas by server-side apply,
    /// and would put them back.
    bool replicas_applied = false;
    std::shared_ptr<const PodTemplate> pod;  ///< None for a CronJob and a Deployment's ReplicaSet.
};

enum class ClaimPhase : std::uint8_t { pending, bound, lost, unknown };
BOOST_DESCRIBE_ENUM(ClaimPhase, pending, bound, lost, unknown)

struct Claim {
    Meta meta;
    ClaimPhase phase = ClaimPhase::unknown;
    bool one_node = false;  ///< ReadWriteOnce or ReadWriteOncePod, and no mode for more.
    std::string volume;     ///< The PersistentVolume that it is bound to; empty: none.
};
struct Volume {
    Meta meta;
    /// One of these must match a node that mounts it; empty: any node.
    std::vector<NodeTerm> nodes;
};
struct Budget {
    Meta meta;
    std::optional<Selector> selector;  ///< Nothing: matches no pod.
    std::int32_t allowed = 0;          ///< disruptionsAllowed now.
};
/// An HPA, VPA, MPA or ScaledObject, and the workload whose replicas or sizes it decides.
struct Autoscaler {
    Kind kind = Kind::hpa;
    Meta meta;
    OwnerKind target_kind = OwnerKind::none;
    std::string target;
    bool acts = true;  ///< False: a VPA or MPA that only recommends.
};
struct LimitRange {
    Meta meta;
    Amounts request;  ///< For a container that specifies none; 0: none.
    Amounts limit;
};
struct Quota {
    Meta meta;
    bool exhausted = false;  ///< Some hard limit is used up.
};
struct PriorityClass {
    Meta meta;
    std::int32_t value = 0;
    bool by_default = false;
};
struct Event {
    Meta meta;  ///< Without name and namespace, since events come and go.
    OwnerKind about_kind = OwnerKind::none;
    model::Uid about;
    bool about_pod = false;
    std::string reason;
    std::string message;  ///< If it is about a pod: one line, fit to be shown.
    std::int32_t count = 1;
    TimePoint last;
};
using Object = std::variant<Pod, Node, Lease, Work, Space, Claim, Budget, Autoscaler, LimitRange,
                            Quota, PriorityClass, Event, NodePool, NodeClaim, Volume>;

}  // namespace parley::kube
