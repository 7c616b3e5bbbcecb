// Kube: decoded objects. Only listed fields are read: nothing of env, arguments, other people's
// annotations or managedFields gets in.

#pragma once

#include "base/name.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/snapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::kube {

/// Annotations, taints and gates of our own begin with it.
inline constexpr std::string_view kDomain = "parley.dev/";

/// On a namespace, workload or pod: nothing of ours touches it. "false" takes it back.
inline constexpr std::string_view kOptOutAnnotation = "parley.dev/opt-out";
/// The same until this time, as RFC 3339.
inline constexpr std::string_view kPauseAnnotation = "parley.dev/pause-until";

enum class OwnerKind : std::uint8_t {
    none,
    deployment,
    replica_set,
    stateful_set,
    daemon_set,
    job,
    cron_job,
    scaled_object,
    node,   ///< Of static pods.
    other,  ///< A controller that is not built in.
};
BOOST_DESCRIBE_ENUM(OwnerKind, none, deployment, replica_set, stateful_set, daemon_set, job,
                    cron_job, scaled_object, node, other)

/// The owner that says `controller: true`. A kind of a foreign API group is `other`, whatever its
/// name.
struct Owner {
    OwnerKind kind = OwnerKind::none;
    model::Uid uid;
    std::string name;
};

/// What the owner of an object asks controllers, and so us, not to do.
struct OptOuts {
    bool safe_to_evict = false;        ///< cluster-autoscaler.../safe-to-evict: true.
    bool unsafe_to_evict = false;      ///< cluster-autoscaler.../safe-to-evict: false.
    bool do_not_disrupt = false;       ///< karpenter.sh/do-not-disrupt: true.
    bool prefer_no_eviction = false;   ///< descheduler.alpha.../prefer-no-eviction.
    bool scale_down_disabled = false;  ///< cluster-autoscaler.../scale-down-disabled: true.
    bool scaling_paused = false;       ///< autoscaling.keda.sh/paused and paused-replicas.
    std::int32_t deletion_cost = 0;    ///< controller.kubernetes.io/pod-deletion-cost.
    bool opted_out = false;            ///< kOptOutAnnotation, with whatever value but "false".
    /// kPauseAnnotation. What is no time is a pause without end.
    std::optional<TimePoint> paused_until = {};
    friend bool operator==(const OptOuts&, const OptOuts&) = default;
};

/// Sorted by key.
using Labels = std::vector<std::pair<std::string, std::string>>;

struct Meta {
    Name space;  ///< Empty: it belongs to no namespace.
    std::string name;
    model::Uid uid;             ///< If it is not a UUID, a hash of it.
    std::uint64_t version = 0;  ///< resourceVersion; 0 if it is not a number.
    TimePoint created;
    std::optional<TimePoint> deleted;  ///< Since when it is being deleted.
    Owner owner;
    OptOuts opt_outs;
    std::optional<model::Mark> mark;
    Labels ours;  ///< Annotations under kDomain, without that prefix; at most 32.
};

enum class Operator : std::uint8_t { in, not_in, exists, absent, greater, less, unknown };
BOOST_DESCRIBE_ENUM(Operator, in, not_in, exists, absent, greater, less, unknown)

struct Requirement {
    std::string key;
    Operator op = Operator::unknown;
    std::vector<std::string> values;
    friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// All must match; an empty one matches everything.
using Selector = std::vector<Requirement>;

/// Larger amounts are cut to this, so that sums over a cluster stay exact. No node has more.
inline constexpr std::int64_t kAmountMax = std::int64_t{1} << 46;

/// Amounts of a pod, its template, or a node.
struct Amounts {
    std::int64_t cpu_m = 0;
    std::int64_t memory = 0;
    friend bool operator==(const Amounts&, const Amounts&) = default;
};

}  // namespace parley::kube
