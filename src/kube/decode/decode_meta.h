// Kube: parts that objects of all kinds share, from JSON: metadata, amounts, times, labels,
// selectors. All read from the walk's position and report faults to the walk.

#pragma once

#include "kube/decode/decode_json.h"
#include "kube/decode/objects.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::kube {

/// Metadata as views into the text; labels are only marked, since most kinds do not need them.
struct RawMeta {
    std::string_view space;
    std::string_view name;
    std::string_view generate_name;
    std::string_view uid;
    std::string_view version;
    TimePoint created;
    std::optional<TimePoint> deleted;
    OwnerKind owner_kind = OwnerKind::none;
    std::string_view owner_name;
    std::string_view owner_uid;
    OptOuts opt_outs;
    bool mirror = false;              ///< kubernetes.io/config.mirror.
    bool initial_events_end = false;  ///< k8s.io/initial-events-end: true.
    bool local_volumes_safe = false;  ///< cluster-autoscaler.../safe-to-evict-local-volumes.
    std::string_view decision;
    std::string_view expires;
    std::string_view kind;
    std::string_view changes;
    Labels ours;
    JsonWalk::Place labels = nullptr;
    JsonWalk::Place managed = nullptr;  ///< managedFields; only marked, like labels.
};

void decode_meta(JsonWalk& walk, RawMeta& out);

/// Reports a fault to the walk if name or uid is missing.
Meta finish_meta(JsonWalk& walk, const RawMeta& raw);
void demand_identity(JsonWalk& walk, const RawMeta& raw);

/// `namespace/name`, for people.
std::string shown_name(const RawMeta& raw);

/// 8-4-4-4-12 digits; any other text becomes its hash, never zero. Empty text gives none.
model::Uid uid_of(std::string_view text);

/// 0 if it is not a number.
std::uint64_t version_of(std::string_view text);

/// Like Name::of, but without its lock for names that this thread has seen recently.
Name name_of(std::string_view text);

/// The kind of an owner, from the kind and API group of the reference.
OwnerKind owner_kind_of(std::string_view kind, std::string_view api_version);

std::optional<std::int64_t> decode_millicores(JsonWalk& walk);
std::optional<std::int64_t> decode_bytes(JsonWalk& walk);
std::optional<TimePoint> decode_time(JsonWalk& walk);
/// A whole number that fits; anything else is reported as a fault.
std::optional<std::int32_t> decode_count(JsonWalk& walk);

/// Keys and texts of an object, sorted by key.
Labels decode_labels(JsonWalk& walk);

/// Whether there is an object; null counts as none. Its content is skipped.
bool decode_presence(JsonWalk& walk);

/// matchLabels and matchExpressions; nothing if it is null.
std::optional<Selector> decode_optional_selector(JsonWalk& walk);
/// A list of {key, operator, values}.
void decode_requirements(JsonWalk& walk, Selector& out);
std::vector<std::string> decode_texts(JsonWalk& walk);

/// Convenience: writes `out` only if there is a value.
void decode_into(JsonWalk& walk, std::string& out);
void decode_into(JsonWalk& walk, std::string_view& out);
void decode_into(JsonWalk& walk, bool& out);
void decode_into(JsonWalk& walk, std::int32_t& out);

}  // namespace parley::kube
