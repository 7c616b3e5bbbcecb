// Kube: the parts that objects of all kinds share, from JSON: metadata, amounts, times, labels,
// selectors. All go on from where the walk is; what is at fault is blamed on the walk.

#pragma once

#include "kube/decode/decode_json.h"
#include "kube/decode/objects.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::kube {

/// Metadata as views into the text; labels are only marked, as most kinds do not need them.
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
    Labels ours;
    JsonWalk::Place labels = nullptr;
};

void decode_meta(JsonWalk& walk, RawMeta& out);

/// Blames the walk if there is no name or uid.
Meta finish_meta(JsonWalk& walk, const RawMeta& raw);
void demand_identity(JsonWalk& walk, const RawMeta& raw);

/// `namespace/name`, for people.
std::string shown_name(const RawMeta& raw);

/// 8-4-4-4-12 digits; any other text becomes a hash of itself, never zero. Empty: none.
model::Uid uid_of(std::string_view text);

/// 0 if it is not a number.
std::uint64_t version_of(std::string_view text);

/// As Name::of, without its lock for what this thread has seen lately.
Name name_of(std::string_view text);

/// What a reference means by its kind and API group.
OwnerKind owner_kind_of(std::string_view kind, std::string_view api_version);

std::optional<std::int64_t> decode_millicores(JsonWalk& walk);
std::optional<std::int64_t> decode_bytes(JsonWalk& walk);
std::optional<TimePoint> decode_time(JsonWalk& walk);
/// A whole number that fits; anything else is blamed.
std::optional<std::int32_t> decode_count(JsonWalk& walk);

/// Keys and texts of an object, sorted by key.
Labels decode_labels(JsonWalk& walk);

/// Whether there is an object; null is none. What it holds is passed over.
bool decode_presence(JsonWalk& walk);

/// matchLabels and matchExpressions; nothing if it is null.
std::optional<Selector> decode_optional_selector(JsonWalk& walk);
/// A list of {key, operator, values}.
void decode_requirements(JsonWalk& walk, Selector& out);
std::vector<std::string> decode_texts(JsonWalk& walk);

/// For short reading: `out` is written only if there is a value.
void decode_into(JsonWalk& walk, std::string& out);
void decode_into(JsonWalk& walk, std::string_view& out);
void decode_into(JsonWalk& walk, bool& out);
void decode_into(JsonWalk& walk, std::int32_t& out);

}  // namespace parley::kube
