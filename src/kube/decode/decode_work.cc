#include "kube/decode/decode_work.h"

#include "base/number.h"
#include "kube/access/kubeconfig_text.h"
#include "kube/decode/decode_pod.h"

#include <algorithm>

namespace parley::kube {
namespace {

/// Spec and status of a workload of any kind, before interpreting them.
struct RawWork {
    std::optional<std::int32_t> replicas;
    std::optional<std::int32_t> parallelism;
    std::optional<std::int32_t> completions;
    std::int32_t desired = 0;    ///< Of a DaemonSet: nodes that should run it.
    std::int32_t succeeded = 0;  ///< Of a Job.
    bool suspended = false;
    bool finished = false;  ///< A Job that is complete or failed.
    JsonWalk::Place pod = nullptr;
};

/// Only one node may mount it: it has a mode for one node and none for more.
bool one_node(const std::vector<std::string>& modes) {
    const auto has = [&](std::string_view mode) { return std::ranges::count(modes, mode) > 0; };
    return (has("ReadWriteOnce") || has("ReadWriteOncePod")) && !has("ReadWriteMany") &&
           !has("ReadOnlyMany");
}

bool decode_claim_spec(JsonWalk& walk, std::string* volume = nullptr) {
    bool one = false;
    walk.fields([&](JsonKey key) {
        if (key == "accessModes") one = one_node(decode_texts(walk));
        if (key == "volumeName" && volume != nullptr) decode_into(walk, *volume);
    });
    return one;
}

void decode_claim_templates(JsonWalk& walk, Work& out) {
    walk.items([&] {
        out.has_claims = true;
        walk.fields([&](JsonKey key) {
            if (key == "spec" && decode_claim_spec(walk)) out.claims_one_node = true;
        });
    });
}

void decode_spec(JsonWalk& walk, RawWork& raw, Work& out) {
    walk.fields([&](JsonKey key) {
        if (key == "replicas") raw.replicas = decode_count(walk);
        if (key == "parallelism") raw.parallelism = decode_count(walk);
        if (key == "completions") raw.completions = decode_count(walk);
        if (key == "suspend") decode_into(walk, raw.suspended);
        if (key == "template") raw.pod = walk.place();
        if (key == "volumeClaimTemplates") decode_claim_templates(walk, out);
        if (key == "strategy") {
            walk.fields([&](JsonKey name) {
                if (name == "type") out.recreate = walk.text() == "Recreate";
            });
        }
    });
}

void decode_status(JsonWalk& walk, RawWork& raw) {
    walk.fields([&](JsonKey key) {
        if (key == "desiredNumberScheduled") decode_into(walk, raw.desired);
        if (key == "succeeded") decode_into(walk, raw.succeeded);
        if (key != "conditions") return;
        walk.items([&] {
            std::string_view type;
            std::string_view status;
            walk.fields([&](JsonKey name) {
                if (name == "type") decode_into(walk, type);
                if (name == "status") decode_into(walk, status);
            });
            if (status == "True" && (type == "Complete" || type == "Failed")) raw.finished = true;
        });
    });
}

/// From managedFields: whether anybody but us declares the replicas. Who merely updated them once
/// is not meant: everything has been created by somebody.
bool decode_applied_replicas(JsonWalk& walk) {
    bool applied = false;
    walk.items([&] {
        std::string_view manager;
        std::string_view operation;
        bool replicas = false;
        walk.fields([&](JsonKey key) {
            if (key == "manager") decode_into(walk, manager);
            if (key == "operation") decode_into(walk, operation);
            if (key != "fieldsV1") return;
            walk.fields([&](JsonKey part) {
                if (part != "f:spec") return;
                walk.fields([&](JsonKey field) {
                    if (field == "f:replicas") replicas = true;
                });
            });
        });
        applied = applied || (replicas && operation == "Apply" && manager != "parley");
    });
    return applied;
}

/// What only some kinds need of the metadata.
void decode_marks(JsonWalk& walk, const RawMeta& raw, Work& out) {
    const JsonWalk::Place here = walk.place();
    if (out.kind == Kind::job && raw.labels != nullptr) {
        walk.go_to(raw.labels);
        out.queued = is_queued(decode_labels(walk));
    }
    const bool scales = out.kind == Kind::deployment || out.kind == Kind::stateful_set;
    if (scales && raw.managed != nullptr) {
        walk.go_to(raw.managed);
        out.replicas_applied = decode_applied_replicas(walk);
    }
    walk.go_to(here);
}

/// How many pods a Job has at once as long as it is not suspended.
std::int32_t job_pods(const RawWork& raw) {
    if (raw.finished) return 0;
    const std::int32_t at_once = raw.parallelism.value_or(1);
    if (!raw.completions) return at_once;
    return std::clamp(*raw.completions - raw.succeeded, 0, std::max(at_once, 0));
}

/// How many pods it wants now.
std::int32_t wanted_of(Kind kind, const RawWork& raw) {
    if (kind == Kind::daemon_set) return raw.desired;
    if (kind == Kind::cron_job) return 0;
    if (kind != Kind::job) return raw.replicas.value_or(1);
    return raw.suspended ? 0 : job_pods(raw);
}

void decode_target(JsonWalk& walk, Autoscaler& out) {
    std::string_view kind;
    std::string_view api = "apps/";  // KEDA's and old HPAs' default.
    walk.fields([&](JsonKey key) {
        if (key == "kind") decode_into(walk, kind);
        if (key == "apiVersion") decode_into(walk, api);
        if (key == "name") decode_into(walk, out.target);
    });
    out.target_kind = kind.empty() ? OwnerKind::deployment : owner_kind_of(kind, api);
}

void decode_container_defaults(JsonWalk& walk, LimitRange& out) {
    bool of_containers = false;
    Amounts request;
    Amounts limit;
    const auto amounts = [&](Amounts& to) {
        walk.fields([&](JsonKey key) {
            if (key == "cpu") to.cpu_m = decode_millicores(walk).value_or(0);
            if (key == "memory") to.memory = decode_bytes(walk).value_or(0);
        });
    };
    walk.fields([&](JsonKey key) {
        if (key == "type") of_containers = walk.text() == "Container";
        if (key == "defaultRequest") amounts(request);
        if (key == "default") amounts(limit);
    });
    if (!of_containers) return;
    out.request = request;
    out.limit = limit;
}

/// Amounts by name; a quota may count anything, so all are read in the same unit.
std::vector<std::pair<std::string_view, std::int64_t>> decode_quota_amounts(JsonWalk& walk) {
    std::vector<std::pair<std::string_view, std::int64_t>> out;
    walk.fields([&](JsonKey key) {
        if (const auto amount = decode_millicores(walk)) out.emplace_back(key, *amount);
    });
    return out;
}

}  // namespace

bool is_queued(const Labels& labels) {
    return std::ranges::any_of(
        labels, [](const auto& each) { return each.first.starts_with("kueue.x-k8s.io/"); });
}

Work decode_work(JsonWalk& walk, RawMeta& raw, Kind kind) {
    Work work;
    work.kind = kind;
    RawWork parts;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "spec") decode_spec(walk, parts, work);
        if (key == "status") decode_status(walk, parts);
    });
    if (walk.broken()) return work;
    work.meta = finish_meta(walk, raw);
    work.wanted = std::max(wanted_of(kind, parts), 0);
    if (kind == Kind::job && parts.suspended) work.suspended = std::max(job_pods(parts), 0);
    work.completions = std::max(parts.succeeded, 0);
    decode_marks(walk, raw, work);
    const bool needs_pod = kind != Kind::cron_job &&
                           !(kind == Kind::replica_set && raw.owner_kind == OwnerKind::deployment);
    if (needs_pod && parts.pod != nullptr) {
        const JsonWalk::Place here = walk.place();
        walk.go_to(parts.pod);
        work.pod = std::make_shared<const PodTemplate>(decode_template(walk));
        walk.go_to(here);
    } else if (needs_pod) {
        work.pod = std::make_shared<const PodTemplate>();
    }
    return work;
}

Claim decode_claim(JsonWalk& walk, RawMeta& raw) {
    Claim claim;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "spec") claim.one_node = decode_claim_spec(walk, &claim.volume);
        if (key == "status") {
            walk.fields([&](JsonKey name) {
                if (name != "phase") return;
                const auto phase = walk.text();
                claim.phase = phase == "Bound"     ? ClaimPhase::bound
                              : phase == "Pending" ? ClaimPhase::pending
                              : phase == "Lost"    ? ClaimPhase::lost
                                                   : ClaimPhase::unknown;
            });
        }
    });
    if (!walk.broken()) claim.meta = finish_meta(walk, raw);
    return claim;
}

Volume decode_volume(JsonWalk& walk, RawMeta& raw) {
    Volume volume;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key != "spec") return;
        walk.fields([&](JsonKey name) {
            if (name != "nodeAffinity") return;
            walk.fields([&](JsonKey what) {
                if (what == "required") volume.nodes = decode_node_terms(walk);
            });
        });
    });
    if (!walk.broken()) volume.meta = finish_meta(walk, raw);
    return volume;
}

Budget decode_budget(JsonWalk& walk, RawMeta& raw) {
    Budget budget;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "spec") {
            walk.fields([&](JsonKey name) {
                if (name == "selector") budget.selector = decode_optional_selector(walk);
            });
        }
        if (key == "status") {
            walk.fields([&](JsonKey name) {
                if (name == "disruptionsAllowed") decode_into(walk, budget.allowed);
            });
        }
    });
    budget.allowed = std::max(budget.allowed, 0);
    if (!walk.broken()) budget.meta = finish_meta(walk, raw);
    return budget;
}

Autoscaler decode_autoscaler(JsonWalk& walk, RawMeta& raw, Kind kind) {
    Autoscaler scaler;
    scaler.kind = kind;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key != "spec") return;
        walk.fields([&](JsonKey name) {
            if (name == "scaleTargetRef" || name == "targetRef") decode_target(walk, scaler);
            // `policy` is the MPA's own; older ones have the VPA's.
            if (name == "updatePolicy" || (name == "policy" && kind == Kind::mpa)) {
                walk.fields([&](JsonKey what) {
                    if (what == "updateMode") scaler.acts = walk.text() != "Off";
                });
            }
        });
    });
    if (!walk.broken()) scaler.meta = finish_meta(walk, raw);
    return scaler;
}

LimitRange decode_limit_range(JsonWalk& walk, RawMeta& raw) {
    LimitRange range;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "spec") {
            walk.fields([&](JsonKey name) {
                if (name == "limits") walk.items([&] { decode_container_defaults(walk, range); });
            });
        }
    });
    if (!walk.broken()) range.meta = finish_meta(walk, raw);
    return range;
}

Quota decode_quota(JsonWalk& walk, RawMeta& raw) {
    Quota quota;
    std::vector<std::pair<std::string_view, std::int64_t>> hard;
    std::vector<std::pair<std::string_view, std::int64_t>> used;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "status") {
            walk.fields([&](JsonKey name) {
                if (name == "hard") hard = decode_quota_amounts(walk);
                if (name == "used") used = decode_quota_amounts(walk);
            });
        }
    });
    for (const auto& [name, amount] : used) {
        const auto limit =
            std::ranges::find(hard, name, [](const auto& each) { return each.first; });
        if (limit != hard.end() && amount >= limit->second) quota.exhausted = true;
    }
    if (!walk.broken()) quota.meta = finish_meta(walk, raw);
    return quota;
}

PriorityClass decode_priority_class(JsonWalk& walk, RawMeta& raw) {
    PriorityClass priority;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "value") decode_into(walk, priority.value);
        if (key == "globalDefault") decode_into(walk, priority.by_default);
    });
    if (!walk.broken()) priority.meta = finish_meta(walk, raw);
    return priority;
}

Event decode_warning(JsonWalk& walk, RawMeta& raw) {
    Event event;
    std::string_view kind;
    std::string_view api;
    std::string_view uid;
    std::string_view message;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "reason") decode_into(walk, event.reason);
        if (key == "message") decode_into(walk, message);
        if (key == "count") decode_into(walk, event.count);
        if (key == "lastTimestamp" || key == "eventTime") {
            const auto time = decode_time(walk);
            if (time) event.last = std::max(event.last, *time);
        }
        if (key == "involvedObject") {
            walk.fields([&](JsonKey name) {
                if (name == "kind") decode_into(walk, kind);
                if (name == "apiVersion") decode_into(walk, api);
                if (name == "uid") decode_into(walk, uid);
            });
        }
    });
    if (walk.broken()) return event;
    demand_identity(walk, raw);
    event.meta.uid = uid_of(raw.uid);
    event.meta.version = version_of(raw.version);
    event.meta.created = raw.created;
    event.about_kind = owner_kind_of(kind, api);
    event.about = uid_of(uid);
    event.about_pod = kind == "Pod";
    if (event.about_pod) event.message = one_line(message, kSaysBytesMax);
    return event;
}

Space decode_space(JsonWalk& walk, RawMeta& raw) {
    Space space;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
    });
    if (!walk.broken()) space.meta = finish_meta(walk, raw);
    return space;
}

}  // namespace parley::kube
