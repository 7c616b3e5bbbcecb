#include "kube/watch/permissions.h"

#include "base/json.h"
#include "kube/decode/decode.h"
#include "kube/decode/decode_json.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace parley::kube {
namespace {

/// What is missing for people if a kind cannot be read.
std::string_view loss_of(Kind kind) {
    switch (kind) {
        case Kind::node:
            return "no node is seen, so nothing is decided";
        case Kind::pod:
            return "no pod is seen, so nothing is decided";
        case Kind::lease:
            return "a lost node is noticed up to 40s later";
        case Kind::budget:
            return "disruption budgets are not known";
        case Kind::hpa:
        case Kind::vpa:
        case Kind::mpa:
        case Kind::scaled_object:
            return "who owns the scale of a workload is not known";
        case Kind::claim:
            return "volumes that keep pods waiting or in place are not known";
        case Kind::volume:
            return "where pods with volumes could be instead is not known";
        case Kind::priority_class:
            return "priorities read 0";
        case Kind::event:
            return "pods that could never be created are not counted";
        default:
            return "workloads lose their names or sizes";
    }
}

}  // namespace

std::vector<Need> needs_of_observing(const std::vector<std::string>& spaces) {
    std::vector<std::string> places = spaces;
    if (places.empty()) places.emplace_back();  // All namespaces.
    std::vector<Need> needs;
    for (const KindFacts& kind : all_kinds()) {
        const bool each = listed_by_namespace(kind);
        for (std::size_t i = 0; i < (each ? places.size() : 1); ++i) {
            for (const char* verb : {"list", "watch"}) {
                Need need{.group = std::string(kind.group),
                          .resource = std::string(kind.plural),
                          .verb = verb,
                          .optional = !kind.decisive,
                          .why = std::string(loss_of(kind.kind))};
                if (each) need.space = places[i];
                if (kind.kind == Kind::lease) need.space = "kube-node-lease";
                needs.push_back(std::move(need));
            }
        }
    }
    const auto measured = [&](const char* resource, const std::string& space) {
        needs.push_back({.group = "metrics.k8s.io",
                         .resource = resource,
                         .verb = "list",
                         .space = space,
                         .optional = true,
                         .why = "use of CPU and memory is not known"});
    };
    measured("nodes", "");
    for (const std::string& space : places) measured("pods", space);
    needs.push_back({.resource = "namespaces",
                     .verb = "get",
                     .name = "kube-system",
                     .optional = true,
                     .why = "another cluster behind the same address is not noticed"});
    return needs;
}

std::vector<Need> needs_of_leading(const std::string& home) {
    std::vector<Need> needs;
    const auto add = [&](const char* group, const char* resource, const char* name) {
        for (const char* verb : {"create", "get", "update"}) {
            const bool creates = std::string_view(verb) == "create";  // A name cannot bound that.
            needs.push_back({.group = group,
                             .resource = resource,
                             .verb = verb,
                             .space = home,
                             .name = creates ? "" : name,
                             .why = "nothing can be sent"});
        }
    };
    add("", "configmaps", "parley-ledger");
    add("coordination.k8s.io", "leases", "parley-leader");
    for (const char* verb : {"list", "watch", "update"}) {
        needs.push_back({.resource = "configmaps",
                         .verb = verb,
                         .space = home,
                         .name = "parley-stop",
                         .why = "whether everything was stopped is not known, so that nothing is "
                                "sent"});
    }
    return needs;
}

namespace {

/// Agent C's orders: a ConfigMap at home that our admission policies read, Jobs that are freed.
std::vector<Need> needs_of_admission(const std::string& space, const std::string& home) {
    const std::string why = "orders cannot be given or lifted";
    std::vector<Need> needs;
    for (const char* verb : {"get", "update"}) {
        needs.push_back({.resource = "configmaps",
                         .verb = verb,
                         .space = home,
                         .name = "parley-admission",
                         .why = why});
    }
    for (const char* verb : {"get", "patch"}) {
        needs.push_back(
            {.group = "batch", .resource = "jobs", .verb = verb, .space = space, .why = why});
    }
    const auto policy = [&](const char* resource, const char* name) {
        needs.push_back({.group = "admissionregistration.k8s.io",
                         .resource = resource,
                         .verb = "get",
                         .name = name,
                         .why = "whether an order would be carried out is not known"});
    };
    policy("validatingadmissionpolicies", "parley-reject");
    policy("mutatingadmissionpolicies", "parley-queue");
    return needs;
}

}  // namespace

std::optional<std::vector<Need>> needs_of_acting(model::ActionKind kind, const std::string& space,
                                                 const std::string& home) {
    using model::ActionKind;
    const std::string place = space.ends_with('*') ? "" : space;
    const std::string why = std::string(enum_name(kind)) + " cannot be carried out";
    std::vector<Need> needs;
    const auto add = [&](const char* group, const char* resource, const char* verb, bool spaced) {
        needs.push_back({.group = group,
                         .resource = resource,
                         .verb = verb,
                         .space = spaced ? place : "",
                         .why = why});
    };
    if (kind == ActionKind::admission) return needs_of_admission(place, home);
    if (kind == ActionKind::resource_cap) {
        add("", "resourcequotas", "create", true);
        for (const char* verb : {"update", "delete"}) {
            add("", "resourcequotas", verb, true);
            needs.back().name = "parley-batch-cap";
        }
        return needs;
    }
    add("", "nodes", "get", false);
    add("", "nodes", "patch", false);
    if (kind == ActionKind::dvfs) return needs;  // Its clock is set by a provider.
    add("", "pods", "get", true);
    add("", "pods", "patch", true);
    switch (kind) {
        case ActionKind::migrate:
            add("", "pods/eviction", "create", true);
            return needs;
        case ActionKind::replicate:
            add("", "pods/eviction", "create", true);
            for (const char* resource : {"deployments", "statefulsets"}) {
                add("apps", resource, "get", true);
                add("apps", resource, "patch", true);
            }
            add("apps", "deployments/scale", "update", true);
            add("apps", "statefulsets/scale", "update", true);
            return needs;
        case ActionKind::throttle:
        case ActionKind::memory_balloon:
            add("", "pods/resize", "patch", true);
            return needs;
        case ActionKind::power_state:  // Its power is switched by a provider.
            add("", "pods/eviction", "create", true);
            add("", "pods", "list", false);
            return needs;
        case ActionKind::noop:
        case ActionKind::dvfs:
        case ActionKind::admission:
        case ActionKind::resource_cap:
        case ActionKind::scale:
            break;
    }
    return std::nullopt;
}

std::vector<Need> needs_of_telling(const std::string& space) {
    std::vector<Need> needs;
    for (const char* verb : {"create", "patch"}) {
        needs.push_back({.group = "events.k8s.io",
                         .resource = "events",
                         .verb = verb,
                         .space = space.ends_with('*') ? "" : space,
                         .optional = true,
                         .why = "no Events tell of what is done"});
    }
    return needs;
}

std::vector<Need> needs_of_webhook() {
    const std::string why = "queue and deprioritize orders are not carried out";
    std::vector<Need> needs;
    for (const char* verb : {"create", "get", "update", "delete"}) {
        const bool creates = std::string_view(verb) == "create";
        needs.push_back({.group = "admissionregistration.k8s.io",
                         .resource = "mutatingwebhookconfigurations",
                         .verb = verb,
                         .name = creates ? "" : "parley-queue",
                         .why = why});
    }
    needs.push_back({.group = "scheduling.k8s.io",
                     .resource = "priorityclasses",
                     .verb = "get",
                     .name = "parley-batch",
                     .why = why});
    return needs;
}

std::string lacking_text(const std::vector<Need>& denied) {
    std::string text;
    for (const Need& need : denied) {
        std::string one = need.verb + " " + need.resource;
        if (!need.space.empty()) one += " in " + need.space;
        text += (text.empty() ? "may not " : " nor ") + one;
    }
    return text;
}

std::string review_of(const Need& need) {
    std::string attributes;
    const auto add = [&](std::string_view key, const std::string& value) {
        if (value.empty()) return;
        attributes += attributes.empty() ? "" : ",";
        append_json_text(attributes, key);
        attributes += ':';
        append_json_text(attributes, value);
    };
    add("namespace", need.space);
    add("verb", need.verb);
    add("group", need.group);
    const std::size_t slash = need.resource.find('/');
    add("resource", need.resource.substr(0, slash));
    if (slash != std::string::npos) add("subresource", need.resource.substr(slash + 1));
    add("name", need.name);
    return R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":)"
           R"({"resourceAttributes":{)" +
           attributes + "}}}";
}

Result<bool> allowed_by(std::string_view body) {
    const auto marks = mark_json(body, kObjectBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    std::optional<bool> allowed;
    walk.fields([&](std::string_view key) {
        if (key != "status") return;
        walk.fields([&](std::string_view inner) {
            if (inner == "allowed") allowed = walk.truth();
        });
    });
    if (walk.broken() || !allowed) {
        return fail(ErrorCode::malformed, "the answer is no review of access");
    }
    return *allowed;
}

std::string rules_yaml(const std::vector<Need>& needs) {
    // Verbs by resource, then resources by group, namespace, name and verbs.
    using Place = std::tuple<std::string, std::string, std::string>;  // Group, name, resource.
    std::map<Place, std::set<std::string>> verbs;
    for (const Need& need : needs) verbs[{need.group, need.name, need.resource}].insert(need.verb);
    std::map<std::tuple<std::string, std::string, std::set<std::string>>, std::vector<std::string>>
        rules;
    for (const auto& [place, set] : verbs) {
        rules[{std::get<0>(place), std::get<1>(place), set}].push_back(std::get<2>(place));
    }
    const auto listed = [](const auto& words) {
        std::string out;
        for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
        return out;
    };
    std::string out;
    for (const auto& [key, resources] : rules) {
        const auto& [group, name, set] = key;
        out += "- apiGroups: [" + (group.empty() ? "\"\"" : group) + "]\n";
        out += "  resources: [" + listed(resources) + "]\n";
        if (!name.empty()) out += "  resourceNames: [" + name + "]\n";
        out += "  verbs: [" + listed(set) + "]\n";
    }
    return out;
}

}  // namespace parley::kube
