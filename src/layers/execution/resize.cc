#include "layers/execution/resize.h"

#include "layers/execution/plan.h"

#include <algorithm>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

constexpr std::int64_t kMiB = 1'048'576;

/// The containers that run as long as the pod does. Init containers have ended by now and cannot be
/// resized.
std::vector<const ContainerSeen*> running(const std::vector<ContainerSeen>& containers) {
    std::vector<const ContainerSeen*> out;
    for (const ContainerSeen& each : containers) {
        if (each.spec->kind != ContainerKind::init) out.push_back(&each);
    }
    return out;
}

struct Draft {
    Resized resized;

    Draft(const PodRow& pod, Name space) {
        resized.there = {pod.uid, space, pod.name.text(), {}};
        resized.back = resized.there;
    }
    void add(ContainerResize there, ContainerResize back) {
        resized.there.containers.push_back(there);
        resized.back.containers.push_back(back);
    }
    std::optional<Resized> done() && {
        if (resized.there.containers.empty()) return std::nullopt;
        return std::move(resized);
    }
};

std::int64_t upwards(std::int64_t bytes) { return (bytes + kMiB - 1) / kMiB; }

/// Its part of what the whole pod asks for from now on, in whole MiB, where there are others.
std::int64_t part_of(std::int64_t own, std::int64_t all, std::int64_t request) {
    if (own == all) return request;
    const std::int64_t product = upwards(own) * upwards(request);
    return (product + upwards(all) - 1) / upwards(all) * kMiB;
}

/// Its limit may come down to that: it was measured of late, and has a margin left.
bool leaves_margin(const ContainerSeen& container, TimePoint created, std::int64_t limit,
                   const Policy& policy, TimePoint now) {
    const auto use = container.state.use(created);
    if (!use || now - use->measured > policy.guard.metrics_age_max) return false;
    return static_cast<double>(use->memory) * policy.efficiency.balloon_margin <=
           static_cast<double>(limit);
}

/// One resource of a container on its way to another request; nothing: it stays.
struct Moved {
    std::optional<std::int64_t> request;
    std::optional<std::int64_t> limit;
};

Moved moved(const std::optional<Extent>& extent, const std::optional<std::int64_t>& request,
            const std::optional<std::int64_t>& limit) {
    if (!extent || !request || *request <= 0 || *request == extent->to) return {};
    const std::int64_t to = extent->to;
    if (!limit) return {to, std::nullopt};
    if (*limit == *request) return {to, to};
    const double share = static_cast<double>(*limit) / static_cast<double>(*request);
    constexpr double kMost = 1e18;  // No machine has that; the sum below still fits.
    const auto scaled = static_cast<std::int64_t>(std::min(static_cast<double>(to) * share, kMost));
    return {to, std::max(scaled, to + 1)};  // Equal would be another class.
}

}  // namespace

std::optional<Resized> throttled(const PodRow& pod, Name space,
                                 const std::vector<ContainerSeen>& containers) {
    Draft draft(pod, space);
    for (const ContainerSeen* each : running(containers)) {
        const ContainerSpec& spec = *each->spec;
        if (!spec.cpu_limit_m) continue;
        const std::int64_t had = *spec.cpu_limit_m;
        const std::int64_t less = had * kThrottlePpm / 1'000'000;
        // At both limits it would become guaranteed, which is another class.
        const bool at_memory = spec.memory_limit && spec.memory_limit == spec.memory_request;
        const std::int64_t least = spec.cpu_request_m.value_or(had) + (at_memory ? 1 : 0);
        const std::int64_t limit = std::max(less, least);
        if (limit <= 0 || limit >= had) continue;
        draft.add({.container = spec.name, .cpu_limit_m = limit},
                  {.container = spec.name, .cpu_limit_m = had});
    }
    return std::move(draft).done();
}

std::optional<Resized> ballooned(const PodRow& pod, Name space,
                                 const std::vector<ContainerSeen>& containers, std::int64_t request,
                                 const Policy& policy, TimePoint now) {
    Draft draft(pod, space);
    const auto all = running(containers);
    for (const ContainerSeen* each : all) {
        const ContainerSpec& spec = *each->spec;
        if (!spec.memory_request || *spec.memory_request <= 0) continue;
        const std::int64_t had = *spec.memory_request;
        const std::int64_t less = part_of(had, pod.memory_request, request);
        if (less <= 0 || less >= had) continue;
        ContainerResize there{.container = spec.name, .memory_request = less};
        ContainerResize back{.container = spec.name, .memory_request = had};
        if (spec.memory_limit == had) {
            if (all.size() > 1 && !leaves_margin(*each, pod.created, less, policy, now)) continue;
            there.memory_limit = less;
            back.memory_limit = had;
        }
        draft.add(there, back);
    }
    return std::move(draft).done();
}

std::optional<Resized> scaled(const PodRow& pod, Name space, const PodShape& shape,
                              const std::vector<ContainerSize>& sizes) {
    Draft draft(pod, space);
    for (const ContainerSize& size : sizes) {
        const auto spec = std::ranges::find(shape.containers, size.container, &ContainerSpec::name);
        if (spec == shape.containers.end() || spec->kind == ContainerKind::init) continue;
        const Moved cpu = moved(size.cpu_m, spec->cpu_request_m, spec->cpu_limit_m);
        const Moved memory = moved(size.memory, spec->memory_request, spec->memory_limit);
        if (!cpu.request && !memory.request) continue;
        const auto had = [](const auto& change, const auto& value) {
            return change ? value : std::nullopt;
        };
        draft.add(
            {spec->name, cpu.request, cpu.limit, memory.request, memory.limit},
            {spec->name, had(cpu.request, spec->cpu_request_m), had(cpu.limit, spec->cpu_limit_m),
             had(memory.request, spec->memory_request), had(memory.limit, spec->memory_limit)});
    }
    return std::move(draft).done();
}

}  // namespace parley::execution
