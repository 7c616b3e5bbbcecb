#include "kube/write/author.h"

#include "base/json_read.h"
#include "kube/write/change.h"
#include "kube/write/json_parts.h"

#include <algorithm>
#include <string>
#include <vector>

namespace parley::kube {

using namespace model;

namespace {

using Path = std::vector<std::string>;

/// Whether an entry of managedFields has this field.
bool names(const Json& entry, const Path& path) {
    const Json* at = entry.find("fieldsV1");
    for (const std::string& part : path) at = part_at(at, part);
    return at != nullptr;
}

struct ByUs {
    const Json* meta;
    const Seen& seen;
    const DecisionId& decision;

    /// Whoever changes a field takes it over from everybody else.
    bool wrote(const Path& path) const {
        const Json* managed = part_at(meta, "managedFields");
        const JsonItems* entries = managed != nullptr ? managed->items() : nullptr;
        return entries != nullptr && std::ranges::any_of(*entries, [&](const Json& entry) {
                   return text_or_none(&entry, "manager") == kFieldManager && names(entry, path);
               });
    }

    /// Each amount that is named is of ours.
    bool sized(const ContainerResize& each) const {
        const auto fine = [&](const auto& wanted, const char* which, const char* what) {
            const std::string key = R"(k:{"name":)" + quoted(each.container.view()) + "}";
            return !wanted || wrote({"f:spec", "f:containers", key, "f:resources", which, what});
        };
        return fine(each.cpu_request_m, "f:requests", "f:cpu") &&
               fine(each.cpu_limit_m, "f:limits", "f:cpu") &&
               fine(each.memory_request, "f:requests", "f:memory") &&
               fine(each.memory_limit, "f:limits", "f:memory");
    }

    bool operator()(const PutMark& r) const { return !r.decision.none(); }
    bool operator()(const MarkPod& r) const { return !r.mark.decision.none(); }
    bool operator()(const SetTaint& r) const {
        const bool marked = seen.mark && seen.mark->decision == decision;
        return marked && r.taint != model::Taint::none;
    }
    bool operator()(const SetReplicas&) const { return wrote({"f:spec", "f:replicas"}); }
    bool operator()(const SetDeletionCost&) const {
        return wrote({"f:metadata", "f:annotations", "f:" + std::string(kDeletionCost)});
    }
    bool operator()(const ResizePod& r) const {
        return std::ranges::all_of(r.containers, [&](const auto& each) { return sized(each); });
    }
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }
};

}  // namespace

bool made_by_us(std::string_view body, const Request& request, const DecisionId& decision) {
    const auto json = parse_json(body);
    const auto seen = read_seen(body);
    if (!json || !seen || !live_of(request, *seen).applied) return false;
    return std::visit(ByUs{json->find("metadata"), *seen, decision}, request);
}

}  // namespace parley::kube
