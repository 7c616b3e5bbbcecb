#include "kube/decode/pod_resources.h"

#include <algorithm>
#include <limits>

namespace parley::kube {
namespace {

using Resource = std::optional<std::int64_t> Resources::*;

/// Sums of foreign figures must not overflow.
std::int64_t plus(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t asked(const ContainerSize& container, Resource resource) {
    if (const auto& request = container.request.*resource) return *request;
    return (container.limit.*resource).value_or(0);
}

std::int64_t counted(const PodSize& pod, const ContainerSize& container, Resource resource) {
    const std::int64_t wanted = asked(container, resource);
    for (const ContainerActual& actual : pod.actual) {
        if (actual.name != container.name || !actual.known) continue;
        const std::int64_t held = std::max((actual.request.*resource).value_or(0),
                                           (actual.allocated.*resource).value_or(0));
        return pod.resize_infeasible ? held : std::max(wanted, held);
    }
    return wanted;
}

std::int64_t request_of(const PodSize& pod, Resource resource) {
    std::int64_t running = 0;
    for (const ContainerSize& container : pod.containers) {
        running = plus(running, counted(pod, container, resource));
    }
    std::int64_t sidecars = 0;
    std::int64_t starting = 0;
    for (const ContainerSize& container : pod.init) {
        if (container.is_sidecar) {
            const std::int64_t own = counted(pod, container, resource);
            running = plus(running, own);
            sidecars = plus(sidecars, own);
            starting = std::max(starting, sidecars);
        } else {
            starting = std::max(starting, plus(asked(container, resource), sidecars));
        }
    }
    std::int64_t sum = std::max(running, starting);
    if (const auto& whole = pod.whole_request.*resource) {
        sum = *whole;
    } else if (const auto& most = pod.whole_limit.*resource; most && sum == 0) {
        sum = *most;  // As the API server defaults it.
    }
    return plus(sum, (pod.overhead.*resource).value_or(0));
}

std::int64_t limit_of(const PodSize& pod, Resource resource) {
    if (const auto& whole = pod.whole_limit.*resource) return *whole;
    std::int64_t sum = 0;
    for (const ContainerSize& container : pod.containers) {
        const auto& limit = container.limit.*resource;
        if (!limit) return 0;
        sum = plus(sum, *limit);
    }
    for (const ContainerSize& container : pod.init) {
        if (!container.is_sidecar) continue;
        const auto& limit = container.limit.*resource;
        if (!limit) return 0;
        sum = plus(sum, *limit);
    }
    return sum;
}

}  // namespace

void PodSize::clear() {
    containers.clear();
    init.clear();
    actual.clear();
    overhead = whole_request = whole_limit = {};
    resize_infeasible = false;
}

Amounts scheduler_request(const PodSize& pod) {
    return {std::min(request_of(pod, &Resources::cpu_m), kAmountMax),
            std::min(request_of(pod, &Resources::memory), kAmountMax)};
}

Amounts limit_of(const PodSize& pod) {
    return {std::min(limit_of(pod, &Resources::cpu_m), kAmountMax),
            std::min(limit_of(pod, &Resources::memory), kAmountMax)};
}

}  // namespace parley::kube
