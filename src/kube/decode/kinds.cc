#include "kube/decode/kinds.h"

#include <array>

namespace parley::kube {
namespace {

constexpr std::string_view kLeaseSpace = "kube-node-lease";

constexpr KindFacts core(Kind kind, std::string_view plural, std::string_view name) {
    return {.kind = kind, .group = "", .version = "v1", .plural = plural, .name = name};
}

constexpr KindFacts of_group(Kind kind, std::string_view group, std::string_view version,
                             std::string_view plural, std::string_view name) {
    return {.kind = kind, .group = group, .version = version, .plural = plural, .name = name};
}

constexpr KindFacts everywhere(KindFacts facts) {
    facts.namespaced = false;
    return facts;
}
constexpr KindFacts may_be_missing(KindFacts facts) {
    facts.optional = true;
    return facts;
}
constexpr KindFacts decisive(KindFacts facts) {
    facts.decisive = true;
    return facts;
}

constexpr std::array<KindFacts, kKindCount> kFacts = {
    everywhere(core(Kind::space, "namespaces", "Namespace")),
    decisive(everywhere(core(Kind::node, "nodes", "Node"))),
    decisive(of_group(Kind::lease, "coordination.k8s.io", "v1", "leases", "Lease")),
    decisive(core(Kind::pod, "pods", "Pod")),
    of_group(Kind::deployment, "apps", "v1", "deployments", "Deployment"),
    of_group(Kind::replica_set, "apps", "v1", "replicasets", "ReplicaSet"),
    of_group(Kind::stateful_set, "apps", "v1", "statefulsets", "StatefulSet"),
    of_group(Kind::daemon_set, "apps", "v1", "daemonsets", "DaemonSet"),
    of_group(Kind::job, "batch", "v1", "jobs", "Job"),
    of_group(Kind::cron_job, "batch", "v1", "cronjobs", "CronJob"),
    core(Kind::claim, "persistentvolumeclaims", "PersistentVolumeClaim"),
    of_group(Kind::budget, "policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"),
    of_group(Kind::hpa, "autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler"),
    core(Kind::limit_range, "limitranges", "LimitRange"),
    core(Kind::quota, "resourcequotas", "ResourceQuota"),
    everywhere(of_group(Kind::priority_class, "scheduling.k8s.io", "v1", "priorityclasses",
                        "PriorityClass")),
    // Only evidence, so nothing waits for it.
    may_be_missing(core(Kind::event, "events", "Event")),
    may_be_missing(of_group(Kind::vpa, "autoscaling.k8s.io", "v1", "verticalpodautoscalers",
                            "VerticalPodAutoscaler")),
    may_be_missing(of_group(Kind::mpa, "autoscaling.k8s.io", "v1alpha1", "multidimpodautoscalers",
                            "MultidimPodAutoscaler")),
    may_be_missing(
        everywhere(of_group(Kind::node_pool, "karpenter.sh", "v1", "nodepools", "NodePool"))),
    may_be_missing(
        everywhere(of_group(Kind::node_claim, "karpenter.sh", "v1", "nodeclaims", "NodeClaim"))),
    may_be_missing(
        of_group(Kind::scaled_object, "keda.sh", "v1alpha1", "scaledobjects", "ScaledObject")),
    // Optional: without it, it is not known where pods with volumes could be instead.
    may_be_missing(everywhere(core(Kind::volume, "persistentvolumes", "PersistentVolume"))),
};

}  // namespace

const KindFacts& facts_of(Kind kind) { return kFacts[static_cast<std::size_t>(kind)]; }

std::span<const KindFacts> all_kinds() { return kFacts; }

std::string list_path(Kind kind, std::string_view space) {
    const KindFacts& facts = facts_of(kind);
    std::string path = facts.group.empty() ? "/api/" : "/apis/" + std::string(facts.group) + "/";
    path += facts.version;
    if (kind == Kind::lease) space = kLeaseSpace;
    if (facts.namespaced && !space.empty()) path.append("/namespaces/").append(space);
    return path.append("/").append(facts.plural);
}

std::string_view list_query(Kind kind) {
    return kind == Kind::event ? "fieldSelector=type%3DWarning" : std::string_view();
}

}  // namespace parley::kube
