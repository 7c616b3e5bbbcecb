#include "kube/write/seen.h"

#include "base/json_read.h"
#include "base/number.h"
#include "base/quantity.h"
#include "kube/decode/decode_meta.h"
#include "kube/decode/mark_text.h"
#include "kube/decode/objects.h"
#include "kube/write/json_parts.h"
#include "kube/write/mark_json.h"

#include <limits>

namespace parley::kube {
namespace {

constexpr std::int32_t kInt32Max = std::numeric_limits<std::int32_t>::max();

tl::unexpected<Error> odd(const std::string& what) {
    return fail(ErrorCode::malformed, "what the API server shows of it cannot be used: " + what);
}

/// A whole number, `otherwise` if it is absent; nothing if it is something else.
std::optional<std::int32_t> count_at(const Json* from, std::string_view name,
                                     std::int32_t otherwise) {
    const Json* found = part_at(from, name);
    if (found == nullptr || found->is_null()) return otherwise;
    const auto value = parse_int64(found->raw, 0, kInt32Max);
    return value ? std::optional(static_cast<std::int32_t>(*value)) : std::nullopt;
}

Result<void> read_meta(const Json* meta, Seen& seen) {
    seen.uid_text = text_or_none(meta, "uid");
    seen.uid = uid_of(seen.uid_text);
    const auto version = parse_uint64(text_or_none(meta, "resourceVersion"), 1);
    if (seen.uid.none()) return odd("it has no uid");
    if (!version) return odd("its resourceVersion is no number");
    seen.version = *version;
    seen.terminating = !text_or_none(meta, "deletionTimestamp").empty();
    const Json* annotations = part_at(meta, "annotations");
    seen.mark = mark_in(annotations);
    for (const std::string_view key :
         {kDecisionAnnotation, kExpiresAnnotation, kKindAnnotation, kChangesAnnotation}) {
        seen.has_annotations = seen.has_annotations || part_at(annotations, key) != nullptr;
    }
    const std::string_view cost = text_or_none(annotations, kDeletionCost);
    const auto number = parse_int64(cost, std::numeric_limits<std::int32_t>::min(), kInt32Max);
    if (number) seen.deletion_cost = static_cast<std::int32_t>(*number);
    return {};
}

void read_taints(const Json* spec, Seen& seen) {
    const Json* taints = part_at(spec, "taints");
    const JsonItems* items = taints != nullptr ? taints->items() : nullptr;
    if (items == nullptr) return;
    seen.has_taints = true;
    for (std::size_t i = 0; i < items->size(); ++i) {
        const Json& each = (*items)[i];
        if (text_or_none(&each, "key") != kQuarantineTaint) continue;
        seen.ours.push_back(i);
        const std::string_view effect = text_or_none(&each, "effect");
        const bool soft = effect == "PreferNoSchedule" && seen.taint == model::Taint::none;
        seen.taint = soft ? model::Taint::prefer_no_schedule : model::Taint::no_schedule;
    }
}

/// Nothing where it asks for none.
template <class Parse>
std::optional<std::int64_t> amount(const Json* amounts, std::string_view name, Parse parse,
                                   bool& fine) {
    const Json* found = part_at(amounts, name);
    if (found == nullptr || found->is_null()) return std::nullopt;
    const std::string* text = found->text();
    const auto value =
        parse(text != nullptr ? std::string_view(*text) : found->raw, Sign::not_negative);
    if (!value) fine = false;
    return value ? std::optional(*value) : std::nullopt;
}

Result<void> read_containers(const Json* spec, Seen& seen) {
    const Json* list = part_at(spec, "containers");
    const JsonItems* items = list != nullptr ? list->items() : nullptr;
    if (items == nullptr) return {};
    for (const Json& each : *items) {
        bool fine = true;
        const Json* resources = part_at(&each, "resources");
        const Json* requests = part_at(resources, "requests");
        const Json* limits = part_at(resources, "limits");
        seen.containers.push_back({Name::of(text_or_none(&each, "name")),
                                   amount(requests, "cpu", parse_millicores, fine),
                                   amount(limits, "cpu", parse_millicores, fine),
                                   amount(requests, "memory", parse_bytes, fine),
                                   amount(limits, "memory", parse_bytes, fine)});
        if (!fine) return odd("an amount of container " + seen.containers.back().container.str());
    }
    return {};
}

}  // namespace

Result<Seen> read_seen(std::string_view body) {
    const auto json = parse_json(body);
    if (!json) return tl::unexpected(json.error());
    Seen seen;
    if (auto read = read_meta(part_at(&*json, "metadata"), seen); !read) {
        return tl::unexpected(read.error());
    }
    const Json* spec = part_at(&*json, "spec");
    const Json* status = part_at(&*json, "status");
    read_taints(spec, seen);
    const auto replicas = count_at(spec, "replicas", 1);
    const auto available = count_at(status, "availableReplicas", 0);
    if (!replicas || !available) return odd("its number of replicas");
    seen.replicas = *replicas;
    seen.available = *available;
    const Json* suspend = part_at(spec, "suspend");
    seen.suspended = suspend != nullptr && suspend->raw == "true";
    const std::string_view phase = text_or_none(status, "phase");
    seen.ended = phase == "Succeeded" || phase == "Failed";
    if (auto read = read_containers(spec, seen); !read) return tl::unexpected(read.error());
    return seen;
}

}  // namespace parley::kube
