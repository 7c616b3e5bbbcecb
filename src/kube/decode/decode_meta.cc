#include "kube/decode/decode_meta.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/time_text.h"
#include "kube/decode/mark_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace parley::kube {
namespace {

constexpr std::size_t kOurAnnotationsMax = 32;
constexpr std::size_t kOurAnnotationBytesMax = 1024;

/// Converts eight hexadecimal digits, the first in the lowest byte. `good` loses its bits if one is
/// not a digit. Eight at a time, because every pod has two uids.
std::uint64_t eight_digits(std::uint64_t text, std::uint64_t& good) {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    constexpr std::uint64_t kTops = kOnes << 7;
    const auto at_least = [](std::uint64_t bytes, unsigned least) {  // For bytes below 0x80.
        return bytes + kOnes * (0x80 - least);
    };
    const std::uint64_t plain = text & ~kTops;
    const std::uint64_t lower = plain | kOnes * 0x20;
    const std::uint64_t digit = at_least(plain, '0') & ~at_least(plain, '9' + 1);
    const std::uint64_t letter = at_least(lower, 'a') & ~at_least(lower, 'f' + 1);
    good &= (digit | letter) & ~text;
    const std::uint64_t each = (plain & kOnes * 15) + ((plain >> 6) & kOnes) * 9;
    const std::uint64_t pairs = (each << 4 | each >> 8) & 0x00ff00ff00ff00ffULL;
    const std::uint64_t fours = (pairs << 8 | pairs >> 16) & 0x0000ffff0000ffffULL;
    return (fours << 16 | fours >> 32) & 0xffffffffULL;
}

std::optional<model::Uid> uuid(std::string_view text) {
    static_assert(std::endian::native == std::endian::little);
    if (text.size() != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' ||
        text[23] != '-') {
        return std::nullopt;
    }
    const auto four = [&text](std::size_t at) {
        std::uint32_t bytes = 0;
        std::memcpy(&bytes, text.data() + at, sizeof bytes);
        return std::uint64_t{bytes};
    };
    constexpr std::uint64_t kTops = 0x8080808080808080ULL;
    std::uint64_t good = kTops;
    const auto value = [&](std::size_t first, std::size_t then) {
        return eight_digits(four(first) | four(then) << 32, good);
    };
    const model::Uid uid{value(0, 4) << 32 | value(9, 14), value(19, 24) << 32 | value(28, 32)};
    return good == kTops ? std::optional(uid) : std::nullopt;
}

/// Up to nine digits and a common suffix; everything else is left to base/quantity.
std::optional<std::int64_t> short_amount(std::string_view text, std::int64_t per_unit) {
    std::int64_t value = 0;
    std::size_t i = 0;
    for (; i < text.size() && i < 10 && text[i] >= '0' && text[i] <= '9'; ++i) {
        value = value * 10 + (text[i] - '0');
    }
    if (i == 0 || i > 9) return std::nullopt;
    const std::string_view suffix = text.substr(i);
    if (suffix.empty()) return value * per_unit;
    if (suffix == "m" && per_unit == 1000) return value;
    if (suffix == "Ki") return value * (per_unit << 10);
    if (suffix == "Mi" && per_unit == 1) return value * (std::int64_t{1} << 20);
    if (suffix == "Gi" && per_unit == 1) return value * (std::int64_t{1} << 30);
    return std::nullopt;
}

template <class Parse>
std::optional<std::int64_t> amount(JsonWalk& walk, std::int64_t per_unit, Parse parse) {
    const auto text = walk.text();
    if (!text) return std::nullopt;
    if (const auto quick = short_amount(*text, per_unit)) return quick;
    const auto value = parse(*text, Sign::not_negative);
    if (value) return *value;
    walk.blame(value.error().message);
    return std::nullopt;
}

int two_digits(const char* p) { return (p[0] - '0') * 10 + (p[1] - '0'); }

/// `2025-03-01T12:00:00Z`, the only form the API server writes for metadata.
std::optional<TimePoint> whole_second(std::string_view text) {
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
    if (text.size() != kForm.size()) return std::nullopt;
    for (std::size_t i = 0; i < kForm.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (kForm[i] == 'd' ? !digit : text[i] != kForm[i]) return std::nullopt;
    }
    const char* p = text.data();
    const std::int64_t year = two_digits(p) * 100 + two_digits(p + 2);
    const std::int64_t month = two_digits(p + 5);
    const std::int64_t day = two_digits(p + 8);
    const std::int64_t hour = two_digits(p + 11);
    const std::int64_t minute = two_digits(p + 14);
    const std::int64_t second = two_digits(p + 17);
    // Days 29 to 31 and the end of a minute are left to the strict parser.
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 ||
        second > 59) {
        return std::nullopt;
    }
    const std::int64_t y = month <= 2 ? year - 1 : year;  // A year that begins in March.
    const std::int64_t m = (month + 9) % 12;
    const std::int64_t days =
        y * 365 + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 719'468;
    return TimePoint{(((days * 24 + hour) * 60 + minute) * 60 + second) * 1'000'000};
}

bool is_true(JsonWalk& walk) { return walk.text().value_or("") == "true"; }

void decode_our_annotation(JsonWalk& walk, std::string_view key, RawMeta& out) {
    const auto value = walk.text();
    if (!value) return;
    if (key == kDecisionAnnotation) out.decision = *value;
    if (key == kExpiresAnnotation) out.expires = *value;
    if (key == kKindAnnotation) out.kind = *value;
    if (key == kChangesAnnotation) out.changes = *value;
    if (key == kOptOutAnnotation) out.opt_outs.opted_out = *value != "false";
    if (key == kPauseAnnotation) {
        constexpr TimePoint kNever{std::numeric_limits<std::int64_t>::max()};
        out.opt_outs.paused_until = parse_time(*value).value_or(kNever);
    }
    if (out.ours.size() < kOurAnnotationsMax && value->size() <= kOurAnnotationBytesMax) {
        out.ours.emplace_back(key.substr(kDomain.size()), *value);
    }
}

void decode_autoscaler_annotation(JsonWalk& walk, std::string_view rest, RawMeta& out) {
    if (rest == "safe-to-evict") {
        const auto value = walk.text();
        out.opt_outs.safe_to_evict = value == "true";
        out.opt_outs.unsafe_to_evict = value && value != "true";
    } else if (rest == "scale-down-disabled") {
        out.opt_outs.scale_down_disabled = is_true(walk);
    } else if (rest == "safe-to-evict-local-volumes") {
        out.local_volumes_safe = walk.text().has_value();
    }
}

void decode_annotation(JsonWalk& walk, std::string_view key, RawMeta& out) {
    constexpr std::string_view kAutoscaler = "cluster-autoscaler.kubernetes.io/";
    if (key.starts_with(kDomain)) {
        decode_our_annotation(walk, key, out);
    } else if (key.starts_with(kAutoscaler)) {
        decode_autoscaler_annotation(walk, key.substr(kAutoscaler.size()), out);
    } else if (key == "karpenter.sh/do-not-disrupt") {
        out.opt_outs.do_not_disrupt = is_true(walk);
    } else if (key == "descheduler.alpha.kubernetes.io/prefer-no-eviction") {
        out.opt_outs.prefer_no_eviction = walk.text().has_value();  // Its presence is enough.
    } else if (key == "controller.kubernetes.io/pod-deletion-cost") {
        const auto cost =
            parse_int64(walk.text().value_or(""), std::numeric_limits<std::int32_t>::min(),
                        std::numeric_limits<std::int32_t>::max());
        if (cost) out.opt_outs.deletion_cost = static_cast<std::int32_t>(*cost);
    } else if (key == "autoscaling.keda.sh/paused") {
        out.opt_outs.scaling_paused = out.opt_outs.scaling_paused || is_true(walk);
    } else if (key == "autoscaling.keda.sh/paused-replicas") {
        out.opt_outs.scaling_paused = out.opt_outs.scaling_paused || walk.text().has_value();
    } else if (key == "kubernetes.io/config.mirror") {
        out.mirror = walk.text().has_value();
    } else if (key == "k8s.io/initial-events-end") {
        out.initial_events_end = is_true(walk);
    }
}

void decode_owner(JsonWalk& walk, RawMeta& out) {
    std::string_view kind;
    std::string_view api;
    std::string_view name;
    std::string_view uid;
    bool controller = false;
    walk.fields([&](JsonKey key) {
        if (key == "kind") decode_into(walk, kind);
        if (key == "apiVersion") decode_into(walk, api);
        if (key == "name") decode_into(walk, name);
        if (key == "uid") decode_into(walk, uid);
        if (key == "controller") decode_into(walk, controller);
    });
    if (!controller) return;
    if (name.empty() || uid.empty()) walk.blame("its controller has no name or uid");
    out.owner_kind = owner_kind_of(kind, api);
    out.owner_name = name;
    out.owner_uid = uid;
}

}  // namespace

void decode_meta(JsonWalk& walk, RawMeta& out) {
    walk.fields([&](JsonKey key) {
        if (key == "name") return decode_into(walk, out.name);
        if (key == "generateName") return decode_into(walk, out.generate_name);
        if (key == "namespace") return decode_into(walk, out.space);
        if (key == "uid") return decode_into(walk, out.uid);
        if (key == "resourceVersion") return decode_into(walk, out.version);
        if (key == "creationTimestamp") {
            if (const auto time = decode_time(walk)) out.created = *time;
            return;
        }
        if (key == "deletionTimestamp") {
            out.deleted = decode_time(walk);
            return;
        }
        if (key == "labels") {
            out.labels = walk.place();
            return;
        }
        if (key == "managedFields") {
            out.managed = walk.place();
            return;
        }
        if (key == "annotations") {
            return walk.fields([&](JsonKey name) { decode_annotation(walk, name, out); });
        }
        if (key == "ownerReferences") return walk.items([&] { decode_owner(walk, out); });
    });
}

void demand_identity(JsonWalk& walk, const RawMeta& raw) {
    if (raw.name.empty()) walk.blame("it has no name");
    if (raw.uid.empty()) walk.blame("it has no uid");
}

Meta finish_meta(JsonWalk& walk, const RawMeta& raw) {
    demand_identity(walk, raw);
    Meta meta;
    meta.space = name_of(raw.space);
    meta.name = raw.name;
    meta.uid = uid_of(raw.uid);
    meta.version = version_of(raw.version);
    meta.created = raw.created;
    meta.deleted = raw.deleted;
    meta.owner = {raw.owner_kind, uid_of(raw.owner_uid), std::string(raw.owner_name)};
    meta.opt_outs = raw.opt_outs;
    meta.ours = raw.ours;
    std::ranges::sort(meta.ours);
    if (!raw.decision.empty())
        meta.mark = mark_of(raw.decision, raw.expires, raw.kind, raw.changes);
    return meta;
}

std::string shown_name(const RawMeta& raw) {
    const std::string name(raw.name.empty() ? "(without a name)" : raw.name.substr(0, 253));
    return raw.space.empty() ? name : std::string(raw.space.substr(0, 63)) + "/" + name;
}

model::Uid uid_of(std::string_view text) {
    if (text.empty()) return {};
    if (const auto id = uuid(text)) return *id;
    const Digest digest = sha256(text);
    model::Uid uid;
    for (std::size_t i = 0; i < 8; ++i) {
        uid.high = (uid.high << 8) | digest[i];
        uid.low = (uid.low << 8) | digest[8 + i];
    }
    uid.low |= 1;  // Never zero, which means none.
    return uid;
}

std::uint64_t version_of(std::string_view text) {
    std::uint64_t value = 0;
    if (text.empty() || text.size() > 19) return parse_uint64(text).value_or(0);
    for (const char c : text) {
        if (c < '0' || c > '9') return 0;
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
}

Name name_of(std::string_view text) {
    if (text.empty()) return {};            // The view may be null.
    constexpr std::size_t kSlots = 16'384;  // Nodes and stems of pods of a large cluster.
    struct Seen {
        std::string_view text;  // The name's own.
        Name name;
    };
    thread_local std::array<Seen, kSlots> slots{};
    std::uint64_t hash = text.size();
    const auto mix = [&hash](std::uint64_t bytes) {
        hash = (hash ^ bytes) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32;
    };
    std::uint64_t eight = 0;
    std::size_t at = 0;
    for (; at + sizeof eight <= text.size(); at += sizeof eight) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        mix(eight);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, text.data() + at, text.size() - at);
    mix(rest);
    Seen& slot = slots[hash % kSlots];
    if (slot.text != text) {
        slot.name = Name::of(text);
        slot.text = slot.name.view();
    }
    return slot.name;
}

OwnerKind owner_kind_of(std::string_view kind, std::string_view api_version) {
    struct Known {
        std::string_view kind;
        std::string_view group;
        OwnerKind owner;
    };
    static constexpr Known kKnown[] = {
        {"ReplicaSet", "apps/", OwnerKind::replica_set},
        {"DaemonSet", "apps/", OwnerKind::daemon_set},
        {"StatefulSet", "apps/", OwnerKind::stateful_set},
        {"Job", "batch/", OwnerKind::job},
        {"Deployment", "apps/", OwnerKind::deployment},
        {"CronJob", "batch/", OwnerKind::cron_job},
        {"Node", "v1", OwnerKind::node},
        {"ScaledObject", "keda.sh/", OwnerKind::scaled_object},
    };
    for (const Known& known : kKnown) {
        if (kind == known.kind && api_version.starts_with(known.group)) return known.owner;
    }
    return OwnerKind::other;
}

std::optional<std::int64_t> decode_millicores(JsonWalk& walk) {
    return amount(walk, 1000, parse_millicores);
}

std::optional<std::int64_t> decode_bytes(JsonWalk& walk) { return amount(walk, 1, parse_bytes); }

std::optional<TimePoint> decode_time(JsonWalk& walk) {
    const auto text = walk.text();
    if (!text) return std::nullopt;
    if (const auto quick = whole_second(*text)) return quick;
    const auto time = parse_time(*text);
    if (time) return *time;
    walk.blame(time.error().message);
    return std::nullopt;
}

std::optional<std::int32_t> decode_count(JsonWalk& walk) {
    const auto value = walk.whole();
    if (!value) return std::nullopt;
    if (std::in_range<std::int32_t>(*value)) return static_cast<std::int32_t>(*value);
    walk.blame(std::to_string(*value) + " is out of range");
    return std::nullopt;
}

Labels decode_labels(JsonWalk& walk) {
    Labels labels;
    walk.fields([&](JsonKey key) {
        if (const auto value = walk.text()) labels.emplace_back(key, *value);
    });
    std::ranges::sort(labels);
    return labels;
}

std::vector<std::string> decode_texts(JsonWalk& walk) {
    std::vector<std::string> texts;
    walk.items([&] {
        if (const auto text = walk.text()) texts.emplace_back(*text);
    });
    return texts;
}

void decode_requirements(JsonWalk& walk, Selector& out) {
    walk.items([&] {
        Requirement requirement;
        std::string_view op;
        walk.fields([&](JsonKey key) {
            if (key == "key") decode_into(walk, requirement.key);
            if (key == "operator") decode_into(walk, op);
            if (key == "values") requirement.values = decode_texts(walk);
        });
        requirement.op = op == "In"             ? Operator::in
                         : op == "NotIn"        ? Operator::not_in
                         : op == "Exists"       ? Operator::exists
                         : op == "DoesNotExist" ? Operator::absent
                         : op == "Gt"           ? Operator::greater
                         : op == "Lt"           ? Operator::less
                                                : Operator::unknown;
        out.push_back(std::move(requirement));
    });
}

bool decode_presence(JsonWalk& walk) {
    const bool there = walk.at_object();
    walk.fields([](std::string_view) {});
    return there;
}

std::optional<Selector> decode_optional_selector(JsonWalk& walk) {
    const bool there = walk.at_object();
    Selector selector;
    walk.fields([&](JsonKey key) {
        if (key == "matchLabels") {
            for (auto& [name, value] : decode_labels(walk)) {
                selector.push_back({name, Operator::in, {value}});
            }
        } else if (key == "matchExpressions") {
            decode_requirements(walk, selector);
        }
    });
    if (!there) return std::nullopt;
    return selector;
}

void decode_into(JsonWalk& walk, std::string& out) {
    if (const auto text = walk.text()) out = *text;
}
void decode_into(JsonWalk& walk, std::string_view& out) {
    if (const auto text = walk.text()) out = *text;
}
void decode_into(JsonWalk& walk, bool& out) {
    if (const auto value = walk.truth()) out = *value;
}
void decode_into(JsonWalk& walk, std::int32_t& out) {
    if (const auto value = decode_count(walk)) out = *value;
}

}  // namespace parley::kube
