#include "kube/write/order_objects.h"

#include "base/json_read.h"
#include "base/number.h"
#include "base/time_text.h"
#include "kube/decode/mark_text.h"
#include "kube/write/json_parts.h"
#include "kube/write/mark_json.h"

#include <limits>

namespace parley::kube {

using namespace model;

namespace {

constexpr std::int64_t kWhole = 1'000'000;
constexpr std::string_view kOurLabel = "app.kubernetes.io/managed-by";
constexpr const char* kLabels = R"("labels":{"app.kubernetes.io/managed-by":"parley"})";

/// For whoever is refused or held: the ConfigMap has no sentence of the round.
constexpr const char* kWhy = "pods that are there already wait for room";

bool is_ours(const Json* meta) {
    return text_or_none(part_at(meta, "labels"), kOurLabel) == "parley";
}

OwnObject own(const Json* meta) {
    return {std::string(text_or_none(meta, "uid")),
            std::string(text_or_none(meta, "resourceVersion"))};
}

/// "a,b": the form in which the policies look a namespace up.
std::string joined(const std::vector<Name>& spaces) {
    std::string text;
    for (const Name& each : spaces) text += (text.empty() ? "" : ",") + each.str();
    return text;
}

std::vector<Name> split(std::string_view text) {
    std::vector<Name> out;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        out.push_back(Name::of(text.substr(0, comma)));
        text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    }
    return out;
}

SetAdmission order_of(const Json* data) {
    const auto mode = enum_from_name<AdmissionWish>(text_or_none(data, "mode"));
    const auto decision = parse_decision(text_or_none(data, "decision"));
    const auto until = parse_time(text_or_none(data, "until"));
    if (!mode || !decision || !until) return {};
    return {*mode, *decision, *until, split(text_or_none(data, "spaces"))};
}

std::string metadata(std::string_view name, std::string_view space, const OwnObject* object,
                     const std::string& more) {
    std::string out = R"("metadata":{"name":)" + quoted(name) + R"(,"namespace":)" + quoted(space);
    if (object != nullptr) {
        out +=
            R"(,"uid":)" + quoted(object->uid) + R"(,"resourceVersion":)" + quoted(object->version);
    }
    return out + "," + kLabels + more + "}";
}

}  // namespace

Result<AdmissionSeen> read_admission(std::string_view body) {
    const auto json = parse_json(body);
    if (!json) return tl::unexpected(json.error());
    const Json* meta = json->find("metadata");
    if (!is_ours(meta)) {
        return fail(
            ErrorCode::denied,
            "it is not labelled as Parley's, so it is somebody else's: rename or delete it");
    }
    return AdmissionSeen{own(meta), order_of(json->find("data"))};
}

std::string admission_body(std::string_view home, const SetAdmission& order,
                           const AdmissionSeen* seen) {
    return R"({"apiVersion":"v1","kind":"ConfigMap",)" +
           metadata(kAdmissionName, home, seen != nullptr ? &seen->object : nullptr, "") +
           R"(,"data":{"mode":)" + quoted(enum_name(order.mode)) + R"(,"decision":)" +
           quoted(order.decision.text()) + R"(,"until":)" + quoted(print_time(order.until)) +
           R"(,"spaces":)" + quoted(joined(order.spaces)) + R"(,"why":)" + quoted(kWhy) + "}}";
}

bool in_force(const SetAdmission& wanted, const SetAdmission* found, TimePoint now) {
    const bool stands =
        found != nullptr && found->mode != AdmissionWish::admit && now < found->until;
    if (wanted.mode == AdmissionWish::admit) return !stands;
    return stands && *found == wanted;
}

Result<std::vector<QuotaSeen>> read_quotas(std::string_view body) {
    const auto json = parse_json(body);
    if (!json) return tl::unexpected(json.error());
    const Json* list = json->find("items");
    const JsonItems* items = list != nullptr ? list->items() : nullptr;
    std::vector<QuotaSeen> out;
    if (items == nullptr) return out;
    for (const Json& each : *items) {
        const Json* meta = each.find("metadata");
        if (text_or_none(meta, "name") != kQuotaName || !is_ours(meta)) continue;
        const auto mark = mark_in(part_at(meta, "annotations"));
        out.push_back({std::string(text_or_none(meta, "namespace")), own(meta),
                       mark ? mark->decision : DecisionId{}, mark ? mark->expires : TimePoint{}});
    }
    return out;
}

Result<std::int64_t> count_of(std::string_view page) {
    const auto json = parse_json(page);
    if (!json) return tl::unexpected(json.error());
    const Json* list = json->find("items");
    const JsonItems* items = list != nullptr ? list->items() : nullptr;
    const auto here = static_cast<std::int64_t>(items != nullptr ? items->size() : 0);
    const Json* more = part_at(json->find("metadata"), "remainingItemCount");
    if (more == nullptr) return here;
    const auto left = parse_int64(more->raw, 0, std::numeric_limits<std::int32_t>::max());
    if (!left) return fail(ErrorCode::malformed, "its remainingItemCount is no count");
    return here + *left;
}

bool lifts(const SetBatchCap& cap) { return cap.cpu_ppm >= kWhole && cap.memory_ppm >= kWhole; }

std::string quota_body(std::string_view space, const SetBatchCap& cap, std::int64_t jobs,
                       const QuotaSeen* seen) {
    const Mark mark{cap.decision, cap.until, ActionKind::resource_cap, {}};
    return R"({"apiVersion":"v1","kind":"ResourceQuota",)" +
           metadata(kQuotaName, space, seen != nullptr ? &seen->object : nullptr,
                    R"(,"annotations":{)" + mark_members(mark) + "}") +
           R"(,"spec":{"hard":{"count/jobs.batch":")" + std::to_string(jobs) + R"("}}})";
}

std::string deletion_body(const OwnObject& object) {
    return R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":)" +
           quoted(object.uid) + R"(,"resourceVersion":)" + quoted(object.version) + "}}";
}

}  // namespace parley::kube
