#include "kube/decode/decode_pod.h"

#include "kube/decode/decode_node.h"
#include "kube/decode/decode_pod_status.h"
#include "kube/decode/pod_containers.h"
#include "kube/decode/pod_resources.h"

#include <algorithm>

namespace parley::kube {
namespace {

using model::PodPhase;

/// A partly read spec: what only waiting pods and templates need is marked and read later.
struct RawSpec {
    std::string_view node;
    std::string_view scheduler;
    std::string_view priority_class;
    std::optional<std::int32_t> priority;
    bool local_storage = false;
    std::vector<std::string_view> claims;
    std::vector<std::string_view> ephemeral;  ///< Volumes whose claims are named after the pod.
    std::vector<std::string> ports;
    bool devices = false;
    JsonWalk::Place affinity = nullptr;
    JsonWalk::Place tolerations = nullptr;
    JsonWalk::Place node_selector = nullptr;
    JsonWalk::Place gates = nullptr;
    JsonWalk::Place spread = nullptr;

    void clear() {
        std::vector<std::string_view> kept = std::move(claims);
        kept.clear();
        *this = {};  // The other members are empty for most pods.
        claims = std::move(kept);
    }
};

struct Scratch {
    PodSize size;
    RawSpec spec;
    RawTimes times;
};

/// Vectors that are filled for every pod keep their memory.
Scratch& cleared_scratch() {
    thread_local Scratch scratch;
    scratch.size.clear();
    scratch.spec.clear();
    scratch.times = {};
    return scratch;
}

/// Only ports of the host matter to others.
void decode_ports(JsonWalk& walk, std::vector<std::string>& out) {
    walk.items([&] {
        std::int32_t port = 0;
        std::string_view protocol = "TCP";
        std::string_view address = "0.0.0.0";
        walk.fields([&](JsonKey key) {
            if (key == "hostPort") port = decode_count(walk).value_or(0);
            if (key == "protocol") decode_into(walk, protocol);
            if (key == "hostIP") decode_into(walk, address);
        });
        if (port <= 0) return;
        if (address.empty() || address == "::") address = "0.0.0.0";
        out.push_back(std::string(protocol) + "/" + std::string(address) + "/" +
                      std::to_string(port));
    });
}

void decode_containers(JsonWalk& walk, std::vector<ContainerSize>& out,
                       std::vector<std::string>& ports) {
    walk.items([&] {
        ContainerSize& container = out.emplace_back();
        walk.fields([&](JsonKey key) {
            if (key == "name") return decode_into(walk, container.name);
            if (key == "resources") {
                return decode_resources(walk, container.request, container.limit);
            }
            if (key == "ports") return decode_ports(walk, ports);
            if (key == "restartPolicy") container.is_sidecar = walk.text() == "Always";
        });
    });
}

void decode_volumes(JsonWalk& walk, RawSpec& out) {
    walk.items([&] {
        std::string_view name;
        bool ephemeral = false;
        walk.fields([&](JsonKey key) {
            if (key == "name") return decode_into(walk, name);
            if (key == "ephemeral") ephemeral = decode_presence(walk);
            if (key == "hostPath" && decode_presence(walk)) out.local_storage = true;
            if (key == "emptyDir") {
                bool in_memory = !walk.at_object();  // Null is not a volume.
                walk.fields([&](JsonKey field) {
                    if (field == "medium") in_memory = walk.text() == "Memory";
                });
                out.local_storage = out.local_storage || !in_memory;
            }
            if (key == "persistentVolumeClaim") {
                walk.fields([&](JsonKey field) {
                    if (field != "claimName") return;
                    if (const auto claim = walk.text()) out.claims.push_back(*claim);
                });
            }
        });
        if (ephemeral) out.ephemeral.push_back(name);
    });
}

void decode_spec(JsonWalk& walk, RawSpec& out, PodSize& size) {
    walk.fields([&](JsonKey key) {
        if (key == "containers") return decode_containers(walk, size.containers, out.ports);
        if (key == "initContainers") return decode_containers(walk, size.init, out.ports);
        if (key == "volumes") return decode_volumes(walk, out);
        if (key == "nodeName") return decode_into(walk, out.node);
        if (key == "schedulerName") return decode_into(walk, out.scheduler);
        if (key == "priorityClassName") return decode_into(walk, out.priority_class);
        if (key == "resourceClaims") {
            walk.items([&] { out.devices = decode_presence(walk) || out.devices; });
            return;
        }
        if (key == "overhead") return decode_amounts(walk, size.overhead);
        if (key == "resources") {
            return decode_resources(walk, size.whole_request, size.whole_limit);
        }
        if (key == "priority") {
            out.priority = decode_count(walk);
            return;
        }
        if (key == "affinity") out.affinity = walk.place();
        if (key == "tolerations") out.tolerations = walk.place();
        if (key == "nodeSelector") out.node_selector = walk.place();
        if (key == "schedulingGates") out.gates = walk.place();
        if (key == "topologySpreadConstraints") out.spread = walk.place();
    });
}

void decode_node_affinity(JsonWalk& walk, PodTemplate& out) {
    walk.fields([&](JsonKey key) {
        if (key != "requiredDuringSchedulingIgnoredDuringExecution") return;
        out.node_terms = decode_node_terms(walk);
    });
}

PodTerm decode_pod_term(JsonWalk& walk, bool& must_hold) {
    PodTerm term;
    walk.fields([&](JsonKey key) {
        if (key == "labelSelector") term.selector = decode_optional_selector(walk);
        if (key == "namespaces") term.spaces = decode_texts(walk);
        if (key == "namespaceSelector") term.all_spaces = decode_presence(walk);
        if (key == "topologyKey") decode_into(walk, term.topology);
        if (key == "maxSkew") term.skew_max = decode_count(walk).value_or(1);
        if (key == "whenUnsatisfiable") must_hold = walk.text() != "ScheduleAnyway";
    });
    return term;
}

void decode_pod_affinity(JsonWalk& walk, std::vector<PodTerm>& out) {
    walk.fields([&](JsonKey key) {
        if (key != "requiredDuringSchedulingIgnoredDuringExecution") return;
        bool must_hold = true;
        walk.items([&] { out.push_back(decode_pod_term(walk, must_hold)); });
    });
}

void decode_tolerations(JsonWalk& walk, std::vector<Toleration>& out) {
    walk.items([&] {
        Toleration& toleration = out.emplace_back();
        walk.fields([&](JsonKey key) {
            if (key == "key") decode_into(walk, toleration.key);
            if (key == "operator") toleration.exists = walk.text() == "Exists";
            if (key == "value") decode_into(walk, toleration.value);
            if (key == "effect") toleration.effect = taint_effect_of(walk.text().value_or(""));
        });
    });
}

/// Reads what was only marked, and returns to the walk's position. `pod_name` is empty for a
/// template, whose pods are not named yet.
PodTemplate finish_template(JsonWalk& walk, const RawSpec& raw, const PodSize& size,
                            JsonWalk::Place labels, std::string_view pod_name) {
    const JsonWalk::Place here = walk.place();
    const auto revisit = [&walk](JsonWalk::Place place, auto&& read) {
        if (place == nullptr) return;
        walk.go_to(place);
        read();
    };
    PodTemplate out;
    out.request = scheduler_request(size);
    out.limit = limit_of(size);
    out.scheduler = raw.scheduler == "default-scheduler" ? "" : raw.scheduler;
    out.priority_class = raw.priority_class;
    out.priority = raw.priority;
    out.claims.assign(raw.claims.begin(), raw.claims.end());
    for (const std::string_view volume : raw.ephemeral) {
        if (!pod_name.empty())
            out.claims.push_back(std::string(pod_name) + "-" + std::string(volume));
    }
    out.ports = raw.ports;
    out.devices = raw.devices;
    revisit(labels, [&] { out.labels = decode_labels(walk); });
    revisit(raw.node_selector, [&] { out.node_selector = decode_labels(walk); });
    revisit(raw.tolerations, [&] { decode_tolerations(walk, out.tolerations); });
    revisit(raw.affinity, [&] {
        walk.fields([&](JsonKey key) {
            if (key == "nodeAffinity") decode_node_affinity(walk, out);
            if (key == "podAffinity") decode_pod_affinity(walk, out.near);
            if (key == "podAntiAffinity") decode_pod_affinity(walk, out.apart);
        });
    });
    revisit(raw.spread, [&] {
        walk.items([&] {
            bool must_hold = true;
            PodTerm term = decode_pod_term(walk, must_hold);
            if (must_hold) out.spread.push_back(std::move(term));
        });
    });
    revisit(raw.gates, [&] {
        walk.items([&] {
            walk.fields([&](JsonKey key) {
                if (key == "name") decode_into(walk, out.gates.emplace_back());
            });
        });
    });
    walk.go_to(here);
    return out;
}

bool is_bare(OwnerKind kind) {
    return kind != OwnerKind::replica_set && kind != OwnerKind::stateful_set &&
           kind != OwnerKind::daemon_set && kind != OwnerKind::job;
}

/// Without reading what was only marked. A merely preferred affinity does not matter, which shows
/// only when it is read.
bool may_be_picky(const RawSpec& spec) {
    return spec.affinity != nullptr || spec.node_selector != nullptr || spec.spread != nullptr ||
           !spec.claims.empty() || !spec.ephemeral.empty() || !spec.ports.empty() || spec.devices ||
           (!spec.scheduler.empty() && spec.scheduler != "default-scheduler");
}

void finish_pod(JsonWalk& walk, const RawMeta& raw, const Scratch& scratch, Pod& pod) {
    demand_identity(walk, raw);
    pod.uid = uid_of(raw.uid);
    pod.version = version_of(raw.version);
    pod.space = name_of(raw.space);
    pod.node = name_of(scratch.spec.node);
    pod.name = pod_name_of(raw.name, raw.generate_name);
    pod.owner_kind = raw.owner_kind;
    pod.owner = uid_of(raw.owner_uid);
    const bool named_after_owner = is_bare(raw.owner_kind) && raw.owner_kind != OwnerKind::node;
    if (named_after_owner) pod.owner_name = name_of(raw.owner_name);
    pod.created = raw.created;
    const auto after = [&](const std::optional<TimePoint>& at) {
        return at ? model::After::of(pod.created, *at) : model::After{};
    };
    pod.started = after(scratch.times.started);
    pod.ready_changed = after(scratch.times.ready_changed);
    put_containers(scratch.size, pod);
    pod.terminating = raw.deleted.has_value();
    pod.is_mirror = raw.mirror || raw.owner_kind == OwnerKind::node;
    pod.local_storage = scratch.spec.local_storage && !raw.local_volumes_safe;
    pod.opt_outs = raw.opt_outs;
    const bool ended = pod.phase == PodPhase::succeeded || pod.phase == PodPhase::failed;
    if (!ended) pod.request = scheduler_request(scratch.size);
    // What a scheduler said is outdated once the pod runs; what a kubelet says about crashes is
    // not.
    const bool crashes = pod.crash_trouble && !pod.evidence.unschedulable;
    if (pod.phase != PodPhase::pending && !crashes) pod.says.reset();
    const bool waits = scratch.spec.node.empty() && !ended;
    // Pods of a DaemonSet stay with their node.
    const bool picky =
        !ended && raw.owner_kind != OwnerKind::daemon_set && may_be_picky(scratch.spec);
    if (waits || picky || is_bare(raw.owner_kind)) {
        pod.pod = std::make_shared<const PodTemplate>(
            finish_template(walk, scratch.spec, scratch.size, raw.labels, raw.name));
    }
}

}  // namespace

std::vector<NodeTerm> decode_node_terms(JsonWalk& walk) {
    std::vector<NodeTerm> terms;
    walk.fields([&](JsonKey name) {
        if (name != "nodeSelectorTerms") return;
        walk.items([&] {
            NodeTerm& term = terms.emplace_back();
            walk.fields([&](JsonKey what) {
                if (what == "matchExpressions") decode_requirements(walk, term.labels);
                if (what == "matchFields") decode_requirements(walk, term.fields);
            });
        });
    });
    return terms;
}

bool is_picky(const PodTemplate& pod) {
    return !pod.node_selector.empty() || pod.node_terms || !pod.near.empty() ||
           !pod.apart.empty() || !pod.spread.empty() || !pod.claims.empty() || !pod.ports.empty() ||
           pod.devices || !pod.scheduler.empty();
}

model::PodName pod_name_of(std::string_view name, std::string_view generate_name) {
    std::size_t stem = 0;
    if (!generate_name.empty() && name.starts_with(generate_name)) {
        stem = generate_name.size();
    } else {
        stem = name.rfind('-') + 1;  // npos + 1 is 0.
    }
    model::PodName out;
    const std::string_view tail = name.substr(stem);
    if (stem == 0 || tail.size() > out.tail.size()) {
        out.stem = name_of(name);
        return out;
    }
    out.stem = name_of(name.substr(0, stem));
    std::ranges::copy(tail, out.tail.begin());
    return out;
}

Pod decode_pod(JsonWalk& walk, RawMeta& raw) {
    Pod pod;
    Scratch& scratch = cleared_scratch();
    walk.fields([&](JsonKey key) {
        if (key == "metadata") return decode_meta(walk, raw);
        if (key == "spec") return decode_spec(walk, scratch.spec, scratch.size);
        if (key == "status") return decode_pod_status(walk, pod, scratch.size, scratch.times);
    });
    if (!walk.broken()) finish_pod(walk, raw, scratch, pod);
    return pod;
}

PodTemplate decode_template(JsonWalk& walk) {
    Scratch& scratch = cleared_scratch();
    RawMeta raw;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") return decode_meta(walk, raw);
        if (key == "spec") return decode_spec(walk, scratch.spec, scratch.size);
    });
    if (walk.broken()) return {};
    return finish_template(walk, scratch.spec, scratch.size, raw.labels, {});
}

}  // namespace parley::kube
