#include "kube/decode/decode_node.h"

#include <algorithm>

namespace parley::kube {
namespace {

using model::Readiness;

constexpr std::size_t kAddressesMax = 8;

void decode_taints(JsonWalk& walk, std::vector<Taint>& out) {
    walk.items([&] {
        Taint& taint = out.emplace_back();
        walk.fields([&](JsonKey key) {
            if (key == "key") decode_into(walk, taint.key);
            if (key == "value") decode_into(walk, taint.value);
            if (key == "effect") {
                taint.effect =
                    taint_effect_of(walk.text().value_or("")).value_or(TaintEffect::unknown);
            }
        });
    });
}

void decode_condition(JsonWalk& walk, Node& out) {
    std::string_view type;
    std::string_view status;
    std::optional<TimePoint> since;
    walk.fields([&](JsonKey key) {
        if (key == "type") decode_into(walk, type);
        if (key == "status") decode_into(walk, status);
        if (key == "lastTransitionTime") since = decode_time(walk);
    });
    if (type == "Ready") {
        out.ready = status == "True"    ? Readiness::yes
                    : status == "False" ? Readiness::no
                                        : Readiness::unknown;
        if (since) out.ready_since = *since;
    }
    // A pressure that the kubelet can no longer deny (Unknown) does not count as present.
    if (type == "MemoryPressure") out.memory_pressure = status == "True";
    if (type == "DiskPressure") out.disk_pressure = status == "True";
    if (type == "PIDPressure") out.pid_pressure = status == "True";
}

void decode_allocatable(JsonWalk& walk, Node& out) {
    walk.fields([&](JsonKey key) {
        if (key == "cpu") {
            out.allocatable.cpu_m = std::min(decode_millicores(walk).value_or(0), kAmountMax);
        }
        if (key == "memory") {
            out.allocatable.memory = std::min(decode_bytes(walk).value_or(0), kAmountMax);
        }
        if (key == "pods") {
            const std::int64_t pods = decode_bytes(walk).value_or(0);
            if (!std::in_range<std::int32_t>(pods)) {
                walk.blame(std::to_string(pods) + " pods are out of range");
            } else {
                out.pods_allocatable = static_cast<std::int32_t>(pods);
            }
        }
    });
}

void decode_addresses(JsonWalk& walk, std::vector<std::string>& out) {
    walk.items([&] {
        walk.fields([&](JsonKey key) {
            if (key != "address") return;
            const auto address = walk.text();
            if (address && out.size() < kAddressesMax) out.emplace_back(*address);
        });
    });
}

}  // namespace

std::optional<TaintEffect> taint_effect_of(std::string_view text) {
    if (text.empty()) return std::nullopt;
    return text == "NoSchedule"         ? TaintEffect::no_schedule
           : text == "PreferNoSchedule" ? TaintEffect::prefer_no_schedule
           : text == "NoExecute"        ? TaintEffect::no_execute
                                        : TaintEffect::unknown;
}

Node decode_node(JsonWalk& walk, RawMeta& raw) {
    Node node;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "spec") {
            walk.fields([&](JsonKey name) {
                if (name == "taints") decode_taints(walk, node.taints);
                if (name == "unschedulable") decode_into(walk, node.unschedulable);
            });
        }
        if (key == "status") {
            walk.fields([&](JsonKey name) {
                if (name == "conditions") walk.items([&] { decode_condition(walk, node); });
                if (name == "allocatable") decode_allocatable(walk, node);
                if (name == "addresses") decode_addresses(walk, node.addresses);
            });
        }
    });
    if (walk.broken()) return node;
    if (raw.labels != nullptr) {
        const JsonWalk::Place here = walk.place();
        walk.go_to(raw.labels);
        node.labels = decode_labels(walk);
        walk.go_to(here);
    }
    node.meta = finish_meta(walk, raw);
    return node;
}

Lease decode_lease(JsonWalk& walk, RawMeta& raw) {
    Lease lease;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "spec") {
            walk.fields([&](JsonKey name) {
                if (name != "renewTime") return;
                if (const auto time = decode_time(walk)) lease.renewed = *time;
            });
        }
    });
    if (!walk.broken()) lease.meta = finish_meta(walk, raw);
    return lease;
}

NodePool decode_node_pool(JsonWalk& walk, RawMeta& raw) {
    NodePool pool;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
    });
    if (!walk.broken()) pool.meta = finish_meta(walk, raw);
    return pool;
}

NodeClaim decode_node_claim(JsonWalk& walk, RawMeta& raw) {
    NodeClaim claim;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "status") {
            walk.fields([&](JsonKey name) {
                if (name == "nodeName") decode_into(walk, claim.node);
            });
        }
    });
    if (!walk.broken()) claim.meta = finish_meta(walk, raw);
    return claim;
}

}  // namespace parley::kube
