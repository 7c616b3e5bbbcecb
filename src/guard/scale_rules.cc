#include "guard/scale_rules.h"

#include "base/time_text.h"
#include "guard/hard_limits.h"

#include <algorithm>

namespace parley::guard {
namespace {

using model::ContainerSize;
using model::ContainerSpec;
using model::Extent;
using model::Scale;

std::string text(std::int64_t value) { return std::to_string(value); }

std::string out_of_bounds(const std::string& what, const Extent& extent, std::int64_t least,
                          std::int64_t most) {
    if (extent.to < least) {
        return what + " would be " + text(extent.to) + "; at least " + text(least) + " must stay";
    }
    if (extent.to > most) {
        return what + " would be " + text(extent.to) + "; at most " + text(most) + " are allowed";
    }
    return {};
}

/// One replica is a single point of failure: who has two keeps two, unless somebody set a floor.
std::int64_t least_replicas(const Scale& scale, const model::WorkloadRow& workload) {
    if (scale.replicas.least > 0) return scale.replicas.least;
    return workload.wanted >= 2 ? 2 : 1;
}

Ruling amount_rule(Question& q) {
    const auto& scale = std::get<Scale>(q.action);
    const model::WorkloadRow& row = *q.workload;
    const std::string name = row.id.text();
    const Extent& replicas = scale.replicas;
    if (replicas.from != row.wanted) {
        return refuse(name + " has " + text(row.wanted) + " replicas, not " + text(replicas.from) +
                      " as the proposal says");
    }
    if (replicas.to > grown_most(replicas.from)) {
        return refuse("replicas of " + name + " would grow from " + text(replicas.from) + " to " +
                      text(replicas.to) + " at once; at most " + text(grown_most(replicas.from)) +
                      " are allowed");
    }
    return by(out_of_bounds("replicas of " + name, replicas, least_replicas(scale, row),
                            std::min(replicas.most, kReplicasMost)));
}

/// What containers ask for.
struct Resource {
    const char* unit;
    std::optional<Extent> ContainerSize::* size;
    std::optional<std::int64_t> ContainerSpec::* request;
};
constexpr Resource kCpu{"millicores", &ContainerSize::cpu_m, &ContainerSpec::cpu_request_m};
constexpr Resource kMemory{"bytes of memory", &ContainerSize::memory,
                           &ContainerSpec::memory_request};

using Shapes = std::vector<const model::PodShape*>;

/// The most that any of the pods asks for in that container: with that as `from`, what is said to
/// grow shrinks nowhere. Nothing: none asks for it.
std::optional<std::int64_t> asked(const Shapes& shapes, Name container, const Resource& of) {
    std::optional<std::int64_t> most;
    for (const model::PodShape* shape : shapes) {
        for (const ContainerSpec& spec : shape->containers) {
            if (spec.name != container || spec.kind == model::ContainerKind::init) continue;
            const auto& request = spec.*of.request;
            if (request) most = std::max(most.value_or(*request), *request);
        }
    }
    return most;
}

std::string wrong_size(const Shapes& shapes, const std::string& workload, const ContainerSize& size,
                       const Resource& of) {
    const std::optional<Extent>& extent = size.*of.size;
    if (!extent) return {};
    const std::string name = workload + "/" + size.container.str();
    const auto now = asked(shapes, size.container, of);
    if (!now) return "no pod is known to ask for " + std::string(of.unit) + " in " + name;
    if (*now != extent->from) {
        return name + " asks for " + text(*now) + " " + of.unit + ", not " + text(extent->from) +
               " as the proposal says";
    }
    return out_of_bounds(std::string(of.unit) + " of " + name, *extent,
                         std::max<std::int64_t>(extent->least, 1), extent->most);
}

/// What a pod of that shape will ask for at least: init containers, which have ended by now, could
/// ask for more. Enormous amounts stay enormous, and sum up without overflow.
std::int64_t sum_of(const model::PodShape& shape, const Scale& scale, const Resource& of) {
    constexpr std::int64_t kEnormous = std::int64_t{1} << 60;
    std::int64_t sum = 0;
    for (const ContainerSpec& spec : shape.containers) {
        if (spec.kind == model::ContainerKind::init) continue;
        std::int64_t asks = (spec.*of.request).value_or(0);
        for (const ContainerSize& size : scale.sizes) {
            if (size.container == spec.name && size.*of.size) asks = (size.*of.size)->to;
        }
        sum = std::min(sum + std::clamp<std::int64_t>(asks, 0, kEnormous), kEnormous);
    }
    return sum;
}

Ruling size_rule(Question& q) {
    const auto& scale = std::get<Scale>(q.action);
    const std::string name = q.workload->id.text();
    const Shapes shapes = q.facts.shapes_of(q.facts.slot_of(q.workload->id));
    for (const ContainerSize& size : scale.sizes) {
        for (const Resource* of : {&kCpu, &kMemory}) {
            std::string why = wrong_size(shapes, name, size, *of);
            if (!why.empty()) return refuse(std::move(why));
        }
    }
    for (const model::PodShape* shape : shapes) {
        const std::int64_t cpu_m = sum_of(*shape, scale, kCpu);
        const std::int64_t memory = sum_of(*shape, scale, kMemory);
        if (q.facts.could_hold(cpu_m, memory)) continue;
        return refuse("a pod of " + name + " would ask for " + text(cpu_m) + " millicores and " +
                      text(memory) + " bytes of memory, which no node has");
    }
    return pass();
}

bool names_sizes(const Question& q) {
    const auto* scale = std::get_if<Scale>(&q.action);
    return scale != nullptr && !scale->sizes.empty();
}

Ruling open_rule(Question& q) {
    if (!q.facts.is_scaling(q.workload->id)) return pass();
    return refuse("an earlier scaling of " + q.workload->id.text() + " is still on its way");
}

Ruling cool_down_rule(Question& q) {
    const model::WorkFold* fold = q.facts.fold_of(*q.workload);
    if (fold == nullptr || fold->scaled == TimePoint{}) return pass();
    const Duration ago = q.facts.now() - fold->scaled;
    const Duration pause = q.facts.rules().cool_down_scale;
    if (ago >= pause) return pass();
    return refuse(q.workload->id.text() + " was scaled " + print_age(ago) + " ago; " +
                  print_duration(pause) + " must lie between two");
}

/// Whatever a policy or a metric says: a cluster is not scaled away in one go.
Ruling scale_down_rule(Question& q) {
    return by(scale_down_forbidden(q.facts, 0, replicas_taken(q.action)));
}

bool takes_replicas(const Question& q) { return replicas_taken(q.action) > 0; }

constexpr Rule kRules[] = {
    {"scale-amount", is<Scale>, amount_rule},
    {"scale-size", names_sizes, size_rule},
    {"scale-open", is<Scale>, open_rule},
    {"scale-cool-down", is<Scale>, cool_down_rule},
    {"scale-down", takes_replicas, scale_down_rule},
};

}  // namespace

std::span<const Rule> scale_rules() { return kRules; }

std::int64_t replicas_taken(const model::Action& action) {
    const auto* scale = std::get_if<Scale>(&action);
    if (scale == nullptr) return 0;
    // Nobody has asked yet whether these are figures that a workload can have.
    const std::int64_t from = std::max<std::int64_t>(scale->replicas.from, 0);
    const std::int64_t to = std::max<std::int64_t>(scale->replicas.to, 0);
    return std::max<std::int64_t>(from - to, 0);
}

std::string scale_down_forbidden(const Facts& facts, std::int64_t taken_now, std::int64_t more) {
    const model::GuardRules& rules = facts.rules();
    std::int64_t taken = taken_now;
    for (const model::ScaledDown& each : facts.ledger().scaled_down) {
        if (each.at > facts.now() - rules.scale_down_window) taken += each.replicas;
    }
    // What was taken already belongs to the whole that the share is of.
    const auto all = static_cast<double>(facts.replicas() + taken - taken_now);
    const auto allowed =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(all * rules.scale_down_share));
    if (taken + more <= allowed) return {};
    return "replicas scaled down within " + print_duration(rules.scale_down_window) + " would be " +
           std::to_string(taken + more) + " of " + std::to_string(static_cast<std::int64_t>(all)) +
           "; " + std::to_string(allowed) + " are allowed";
}

}  // namespace parley::guard
