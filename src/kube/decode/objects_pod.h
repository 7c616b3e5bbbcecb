// Kube: decoded pods and pod templates.

#pragma once

#include "kube/decode/objects.h"
#include "model/pod.h"

#include <memory>

namespace parley::kube {

enum class TaintEffect : std::uint8_t { no_schedule, prefer_no_schedule, no_execute, unknown };
BOOST_DESCRIBE_ENUM(TaintEffect, no_schedule, prefer_no_schedule, no_execute, unknown)

struct Toleration {
    std::string key;  ///< Empty with `exists`: every taint.
    bool exists = false;
    std::string value;
    std::optional<TaintEffect> effect;  ///< Nothing: every effect.
    friend bool operator==(const Toleration&, const Toleration&) = default;
};

/// One term of a required node affinity; all parts must match.
struct NodeTerm {
    Selector labels;
    Selector fields;  ///< Only metadata.name exists.
    friend bool operator==(const NodeTerm&, const NodeTerm&) = default;
};

/// One term of a required pod affinity or anti-affinity, or a mandatory spread.
struct PodTerm {
    std::optional<Selector> selector;  ///< Nothing: matches no pod.
    std::vector<std::string> spaces;   ///< Empty: the pod's own namespace, unless all_spaces.
    bool all_spaces = false;           ///< Set for any namespaceSelector, which we do not evaluate.
    std::string topology;              ///< The label of nodes that defines its domains.
    std::int32_t skew_max = 1;         ///< For a spread.
    friend bool operator==(const PodTerm&, const PodTerm&) = default;
};

/// What determines where a pod may run, and what its workload shows of it.
struct PodTemplate {
    Labels labels;
    Amounts request;  ///< The scheduler's sum.
    Amounts limit;    ///< 0: some container has none.
    Labels node_selector;
    std::optional<std::vector<NodeTerm>> node_terms;  ///< One of them must match.
    std::vector<PodTerm> near;
    std::vector<PodTerm> apart;
    std::vector<PodTerm> spread;  ///< whenUnsatisfiable: DoNotSchedule.
    std::vector<Toleration> tolerations;
    std::vector<std::string> claims;  ///< By name, in its own namespace.
    std::vector<std::string> ports;   ///< Of the host: `TCP/0.0.0.0/80`, the address as given.
    bool devices = false;             ///< It claims devices that depend on the node.
    std::vector<std::string> gates;
    std::string scheduler;  ///< Empty: the default one.
    std::string priority_class;
    std::optional<std::int32_t> priority;  ///< As resolved at admission; pods only.
    friend bool operator==(const PodTemplate&, const PodTemplate&) = default;
};

/// Whether it may be limited to some nodes.
bool is_picky(const PodTemplate& pod);

/// What the scheduler's message mentions. Only evidence, never the cause by itself.
struct Evidence {
    bool unschedulable = false;  ///< PodScheduled is False, with that reason.
    bool volume = false;
    bool affinity = false;
    bool resource = false;  ///< A resource other than CPU, memory and number of pods.
    bool port = false;
    bool claim = false;  ///< A claimed device.
    friend bool operator==(const Evidence&, const Evidence&) = default;
};

/// A pod. It has a template only while it is not bound, if it is_picky(), or if no built-in
/// controller owns it; other pods do not need one.
struct Pod {
    model::Uid uid;
    std::uint64_t version = 0;
    Name space;
    Name node;  ///< Empty: not bound.
    model::PodName name;
    OwnerKind owner_kind = OwnerKind::none;
    Name owner_name;  ///< Only if its controller is of a kind that is no workload of ours.
    model::Uid owner;
    TimePoint created;
    model::PodPhase phase = model::PodPhase::unknown;
    bool ready = false;
    bool terminating = false;
    /// The API server says so: evicted, preempted, or lost with its node.
    bool disrupted = false;
    bool is_mirror = false;      ///< Static: the kubelet runs it, the API only shows it.
    bool local_storage = false;  ///< hostPath, or emptyDir that is not in memory.
    bool image_trouble = false;  ///< An image that cannot be pulled.
    /// Something that a container's configuration refers to is missing.
    bool config_trouble = false;
    bool crash_trouble = false;  ///< A container keeps ending, or cannot be started at all.
    Evidence evidence;
    OptOuts opt_outs;
    std::int32_t restarts = 0;   ///< Over all containers.
    Amounts request;             ///< What the scheduler counts now; nothing once it has ended.
    model::After started;        ///< status.startTime.
    model::After ready_changed;  ///< When its condition Ready last changed.
    std::shared_ptr<const model::PodShape> shape;
    /// Containers that restarted or ended, in no order; null: none did.
    std::shared_ptr<const std::vector<model::ContainerRow>> containers;
    std::shared_ptr<const PodTemplate> pod;
    std::shared_ptr<const std::string> says;  ///< While it waits or crashes: the cluster's words.
};

}  // namespace parley::kube
