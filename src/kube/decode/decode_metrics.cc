#include "kube/decode/decode_metrics.h"

#include "base/time_text.h"
#include "kube/decode/decode.h"
#include "kube/decode/decode_json.h"
#include "kube/decode/decode_meta.h"

#include <limits>
#include <optional>
#include <utility>

namespace parley::kube {
namespace {

/// Adds what one container, or the node, uses. Both amounts must be there: half a sample would read
/// as idle.
Amounts decode_usage(JsonWalk& walk, Amounts& sum) {
    std::optional<std::int64_t> cpu;
    std::optional<std::int64_t> memory;
    walk.fields([&](JsonKey key) {
        if (key == "cpu") cpu = decode_millicores(walk);
        if (key == "memory") memory = decode_bytes(walk);
    });
    if (!cpu || !memory) {
        walk.blame("its usage lacks cpu or memory");
        return {};
    }
    if (__builtin_add_overflow(sum.cpu_m, *cpu, &sum.cpu_m) ||
        __builtin_add_overflow(sum.memory, *memory, &sum.memory)) {
        walk.blame("its usage is out of range");
    }
    return {*cpu, *memory};
}

/// Without a name it counts for the whole alone.
void decode_container(JsonWalk& walk, UsageSample& out, bool& has_usage) {
    std::string_view name;
    std::optional<Amounts> used;
    walk.fields([&](JsonKey key) {
        if (key == "name") return decode_into(walk, name);
        if (key == "usage") used = decode_usage(walk, out.used);
    });
    has_usage = has_usage || used;
    if (used && !name.empty()) out.containers.push_back({Name::of(name), *used});
}

UsageSample decode_sample(JsonWalk& walk) {
    UsageSample sample;
    RawMeta raw;
    bool has_time = false;
    bool has_usage = false;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
        if (key == "timestamp") {
            const auto time = decode_time(walk);
            has_time = time.has_value();
            sample.measured = time.value_or(TimePoint());
        }
        if (key == "window")
            sample.window = parse_duration(walk.text().value_or("")).value_or(Duration());
        if (key == "usage") {
            has_usage = true;
            decode_usage(walk, sample.used);
        }
        if (key == "containers") {
            walk.items([&] { decode_container(walk, sample, has_usage); });
        }
    });
    if (raw.name.empty()) walk.blame("it has no name");
    if (!has_time) walk.blame("it has no timestamp");
    if (!has_usage) walk.blame("it has no usage");
    sample.space = raw.space;
    sample.name = raw.name;
    return sample;
}

Result<UsagePage> decode_list(std::string_view bytes, std::string_view kind) {
    const auto marks = mark_json(bytes, kPageBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    UsagePage page;
    bool is_list = false;
    bool has_items = false;
    walk.fields([&](JsonKey key) {
        if (key == "kind") is_list = walk.text() == kind;
        if (key != "items") return;
        has_items = true;
        bool any = false;
        walk.items([&] {
            any = true;
            walk.forget();
            UsageSample sample = decode_sample(walk);
            if (!walk.at_fault()) {
                page.samples.push_back(std::move(sample));
            } else if (page.unreadable_count++ == 0) {
                page.first_fault = walk.fault();
            }
        });
        if (any) walk.forget();
    });
    if (walk.broken() || !walk.at_end()) return fail(ErrorCode::malformed, "no JSON");
    if (!is_list || !has_items || walk.at_fault()) {
        return fail(ErrorCode::malformed, "no list of kind " + std::string(kind));
    }
    return page;
}

}  // namespace

Result<UsagePage> decode_node_metrics(std::string_view bytes) {
    return decode_list(bytes, "NodeMetricsList");
}

Result<UsagePage> decode_pod_metrics(std::string_view bytes) {
    return decode_list(bytes, "PodMetricsList");
}

}  // namespace parley::kube
