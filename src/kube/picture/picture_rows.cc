#include "kube/picture/picture_rows.h"

#include "kube/picture/pending.h"

#include <algorithm>
#include <array>
#include <limits>

namespace parley::kube {
namespace {

using model::PodPhase;

constexpr std::array<std::string_view, 8> kPoolLabels = {
    "karpenter.sh/nodepool",
    "eks.amazonaws.com/nodegroup",
    "cloud.google.com/gke-nodepool",
    "kubernetes.azure.com/agentpool",
    "agentpool",
    "alpha.eksctl.io/nodegroup-name",
    "doks.digitalocean.com/node-pool",
    "node.kubernetes.io/pool",
};

constexpr std::string_view kShutdownTaint = "node.cloudprovider.kubernetes.io/shutdown";

constexpr std::array<std::string_view, 6> kMaintenanceTaints = {
    "karpenter.sh/disrupted",
    "karpenter.sh/disruption",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
    "node.kubernetes.io/out-of-service",
    kShutdownTaint,
};

/// Taints that only repeat a condition or the cordon.
constexpr std::array<std::string_view, 6> kEchoes = {
    "node.kubernetes.io/not-ready",     "node.kubernetes.io/unreachable",
    "node.kubernetes.io/unschedulable", "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/disk-pressure", "node.kubernetes.io/pid-pressure",
};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::count(names, name) > 0;
}

Name first_of(const Labels& labels, std::span<const std::string_view> keys) {
    for (const std::string_view key : keys) {
        const std::string* value = label_of(labels, key);
        if (value != nullptr && !value->empty()) return Name::of(*value);
    }
    return {};
}

/// What we switched a node to, as its mark says; `on` if we did not.
model::Power marked_power(const Node& node) {
    if (node.ready == model::Readiness::yes || !node.meta.mark) return model::Power::on;
    for (const model::MarkedChange& change : node.meta.mark->changes) {
        if (change.field != model::MarkedField::power) continue;
        const auto wish = static_cast<model::PowerWish>(change.wanted);
        if (wish == model::PowerWish::sleep) return model::Power::sleep;
        if (wish == model::PowerWish::off) return model::Power::off;
    }
    return model::Power::on;
}

void read_taint(const Taint& taint, model::NodeRow& row) {
    // A cloud repeats by it that the machine is off, which is no maintenance if that is known.
    if (taint.key == kShutdownTaint && row.power != model::Power::on) return;
    if (among(kMaintenanceTaints, taint.key)) row.maintenance = true;
    const bool soft = taint.effect == TaintEffect::prefer_no_schedule;
    if (taint.key.starts_with(kDomain)) {
        (soft ? row.avoided : row.quarantined) = true;
    } else if (!soft && !among(kEchoes, taint.key)) {
        row.foreign_taint = true;
    }
}

}  // namespace

model::NodeRow row_of(const Node& node, std::optional<TimePoint> lease, bool leaving,
                      const NodePower& provided) {
    constexpr std::array<std::string_view, 2> kZones = {"topology.kubernetes.io/zone",
                                                        "failure-domain.beta.kubernetes.io/zone"};
    constexpr std::array<std::string_view, 1> kRacks = {"topology.kubernetes.io/rack"};
    model::NodeRow row;
    row.id.name = Name::of(node.meta.name);
    row.uid = node.meta.uid;
    row.zone = first_of(node.labels, kZones);
    row.rack = first_of(node.labels, kRacks);
    row.pool = first_of(node.labels, kPoolLabels);
    const bool control =
        label_of(node.labels, "node-role.kubernetes.io/control-plane") != nullptr ||
        label_of(node.labels, "node-role.kubernetes.io/master") != nullptr;
    row.role = control ? model::NodeRole::control_plane : model::NodeRole::worker;
    row.ready = node.ready;
    row.ready_since = node.ready_since;
    row.memory_pressure = node.memory_pressure;
    row.disk_pressure = node.disk_pressure;
    row.pid_pressure = node.pid_pressure;
    if (lease) {
        row.lease = model::Reading<TimePoint>(
            *lease, {.received = *lease, .measured = *lease, .source = model::Source::api});
    }
    row.cordoned = node.unschedulable;
    row.maintenance = leaving || node.meta.deleted.has_value();
    // Whoever forbids autoscalers to remove it does not want it switched off either.
    const OptOuts& asks = node.meta.opt_outs;
    row.can_power = provided.can_power && !asks.scale_down_disabled && !asks.do_not_disrupt;
    row.can_clock = provided.can_clock;
    row.power = provided.power ? *provided.power : marked_power(node);
    row.clock_ppm = provided.clock_ppm.value_or(row.clock_ppm);
    for (const Taint& taint : node.taints) read_taint(taint, row);
    row.cpu_allocatable_m = node.allocatable.cpu_m;
    row.memory_allocatable = node.allocatable.memory;
    row.pods_allocatable = node.pods_allocatable;
    row.mark = node.meta.mark;
    row.version = node.meta.version;
    return row;
}

bool asks_to_be_left(const OptOuts& asks, TimePoint now) {
    return asks.opted_out || (asks.paused_until && now < *asks.paused_until);
}

bool is_evictable(const Pod& pod) {
    const OptOuts& asks = pod.opt_outs;
    if (asks.unsafe_to_evict || asks.do_not_disrupt || asks.prefer_no_eviction) return false;
    if (pod.is_mirror || pod.owner_kind == OwnerKind::none) return false;
    return asks.safe_to_evict || !pod.local_storage;
}

model::PodRow row_of(const Pod& pod) {
    model::PodRow row;
    row.uid = pod.uid;
    row.name = pod.name;
    row.phase = pod.phase;
    row.ready = pod.ready;
    row.terminating = pod.terminating;
    row.evictable = is_evictable(pod);
    row.restarts = pod.restarts;
    row.deletion_cost = pod.opt_outs.deletion_cost;
    row.created = pod.created;
    constexpr std::int64_t kCpuMax = std::numeric_limits<std::int32_t>::max();
    row.cpu_request_m = static_cast<std::int32_t>(std::min(pod.request.cpu_m, kCpuMax));
    row.memory_request = pod.request.memory;
    row.started = pod.started;
    row.ready_changed = pod.ready_changed;
    if (!pod.containers) return row;
    for (const model::ContainerRow& each : *pod.containers) {
        if (each.at == 0) row.first = each.state;
    }
    return row;
}

bool is_made_anew(const Pod& pod) {
    return pod.owner_kind == OwnerKind::replica_set || pod.owner_kind == OwnerKind::stateful_set ||
           pod.owner_kind == OwnerKind::daemon_set || pod.owner_kind == OwnerKind::job;
}

bool is_about_mounts(const Event& event) {
    return event.about_pod &&
           (event.reason == "FailedMount" || event.reason == "FailedAttachVolume");
}

model::CauseSet stuck_causes(const Pod& pod, const Node* node, const Event* mount) {
    using model::Cause;
    model::CauseSet causes;
    if (pod.image_trouble) causes = causes.with(Cause::image);
    if (pod.config_trouble) causes = causes.with(Cause::config);
    if (node == nullptr || node->ready != model::Readiness::yes) {
        causes = causes.with(Cause::dead_node);
    }
    if (mount == nullptr || !causes.empty()) return causes;
    const auto says = [&](std::string_view words) {
        return mount->message.find(words) != std::string::npos;
    };
    const bool config = says("configmap") || says("secret");
    return causes.with(config ? Cause::config : Cause::volume);
}

bool is_protected(Name space, const PodTemplate& pod) {
    const std::string_view name = space.view();
    if (name == "kube-system" || name == "kube-public" || name == "kube-node-lease") return true;
    if (pod.priority_class.starts_with("system-")) return true;
    const std::string* app = label_of(pod.labels, "app.kubernetes.io/name");
    return app != nullptr && *app == "parley";
}

bool is_quorum(const Work& work, bool has_budget) {
    constexpr std::int32_t kMembersMin = 3;
    if (work.kind != Kind::stateful_set) return false;
    return has_budget || (work.has_claims && work.wanted >= kMembersMin);
}

Kind kind_of(const Object& object) {
    struct Teller {
        Kind operator()(const Pod&) const { return Kind::pod; }
        Kind operator()(const Node&) const { return Kind::node; }
        Kind operator()(const Lease&) const { return Kind::lease; }
        Kind operator()(const Work& work) const { return work.kind; }
        Kind operator()(const Space&) const { return Kind::space; }
        Kind operator()(const Claim&) const { return Kind::claim; }
        Kind operator()(const Budget&) const { return Kind::budget; }
        Kind operator()(const Autoscaler& scaler) const { return scaler.kind; }
        Kind operator()(const LimitRange&) const { return Kind::limit_range; }
        Kind operator()(const Quota&) const { return Kind::quota; }
        Kind operator()(const PriorityClass&) const { return Kind::priority_class; }
        Kind operator()(const Event&) const { return Kind::event; }
        Kind operator()(const NodePool&) const { return Kind::node_pool; }
        Kind operator()(const NodeClaim&) const { return Kind::node_claim; }
        Kind operator()(const Volume&) const { return Kind::volume; }
    };
    return std::visit(Teller(), object);
}

model::WorkloadKind workload_kind_of(Kind kind) {
    switch (kind) {
        case Kind::deployment:
            return model::WorkloadKind::deployment;
        case Kind::stateful_set:
            return model::WorkloadKind::stateful_set;
        case Kind::daemon_set:
            return model::WorkloadKind::daemon_set;
        case Kind::job:
            return model::WorkloadKind::job;
        default:
            return model::WorkloadKind::bare;
    }
}

OwnerKind owner_kind_of(Kind kind) {
    switch (kind) {
        case Kind::deployment:
            return OwnerKind::deployment;
        case Kind::stateful_set:
            return OwnerKind::stateful_set;
        case Kind::daemon_set:
            return OwnerKind::daemon_set;
        case Kind::job:
            return OwnerKind::job;
        default:
            return OwnerKind::other;
    }
}

model::WorkloadRow row_of(const WorkFacts& facts) {
    model::WorkloadRow row;
    row.id = facts.id;
    row.uid = facts.uid;
    row.priority = facts.priority;
    row.wanted = facts.wanted;
    row.completions = facts.completions;
    row.cpu_request_m = facts.request.cpu_m;
    row.cpu_limit_m = facts.limit.cpu_m;
    row.memory_request = facts.request.memory;
    row.memory_limit = facts.limit.memory;
    row.recreate = facts.recreate;
    row.rwo_volume = facts.rwo_volume;
    row.quorum = facts.quorum;
    row.protect = facts.protect;
    row.batch = facts.id.kind == model::WorkloadKind::job;
    row.deliberate = facts.deliberate;
    row.scale_owner = facts.scale_owner;
    row.size_owner = facts.size_owner;
    row.has_budget = facts.has_budget;
    row.disruptions_allowed = facts.disruptions_allowed;
    row.mark = facts.mark;
    row.version = facts.version;
    row.rolled_out = facts.rolled_out;
    row.held = facts.held;
    return row;
}

}  // namespace parley::kube
