#include "sim/world/world_resize.h"

#include "sim/world/scheduler.h"
#include "sim/world/world_load.h"
#include "sim/world/world_pods.h"

namespace parley::sim {
namespace {

/// What a pod asks for; a limit of 0 is none.
struct Size {
    std::int64_t cpu_request_m = 0, cpu_limit_m = 0, memory_request = 0, memory_limit = 0;
    friend bool operator==(const Size&, const Size&) = default;
};

Size size_of(const PodState& pod) {
    return {pod.cpu_request_m, pod.cpu_limit_next_m, pod.memory_request, pod.memory_limit};
}

Size with(Size size, const std::vector<model::ContainerResize>& wanted) {
    for (const model::ContainerResize& each : wanted) {
        size.cpu_request_m = each.cpu_request_m.value_or(size.cpu_request_m);
        size.cpu_limit_m = each.cpu_limit_m.value_or(size.cpu_limit_m);
        size.memory_request = each.memory_request.value_or(size.memory_request);
        size.memory_limit = each.memory_limit.value_or(size.memory_limit);
    }
    return size;
}

bool is_guaranteed(const Size& size) {
    return size.cpu_limit_m > 0 && size.memory_limit > 0 &&
           size.cpu_limit_m == size.cpu_request_m && size.memory_limit == size.memory_request;
}

/// Why it may never be so; empty: it may. `guaranteed`: it was made so. A pod of another class may
/// come to ask for its limits here: learners lower them to the requests, and raise them again.
std::string forbidden(const Size& had, const Size& wants, bool guaranteed) {
    const auto at_odds = [](std::int64_t before, std::int64_t limit, std::int64_t request,
                            const std::string& what) -> std::string {
        if (before <= 0 && limit > 0) return "has no " + what + " limit, and one cannot be added";
        if (before > 0 && limit <= 0) return "has a " + what + " limit, which cannot be removed";
        if (limit > 0 && limit < request)
            return "cannot have a " + what + " limit below its request";
        return {};
    };
    std::string why = at_odds(had.cpu_limit_m, wants.cpu_limit_m, wants.cpu_request_m, "CPU");
    if (why.empty()) {
        why = at_odds(had.memory_limit, wants.memory_limit, wants.memory_request, "memory");
    }
    const bool asks_for_nothing = (wants.memory_request <= 0 && had.memory_request > 0) ||
                                  (wants.cpu_request_m <= 0 && had.cpu_request_m > 0) ||
                                  wants.memory_request < 0 || wants.cpu_request_m < 0;
    if (why.empty() && asks_for_nothing) why = "must ask for more than 0";
    if (why.empty() && guaranteed && !is_guaranteed(wants)) why = "cannot get another QoS class";
    return why;
}

/// What it asks for counts at once: on its node, of its workload, of all Jobs.
void recount(State& s, Index p, const Size& wants) {
    PodState& pod = s.pods[p];
    WorkState& work = s.works[pod.work];
    const std::int64_t cpu_m = wants.cpu_request_m - pod.cpu_request_m;
    const std::int64_t memory = wants.memory_request - pod.memory_request;
    pod.cpu_request_m = wants.cpu_request_m;
    pod.memory_request = wants.memory_request;
    pod.memory_limit = wants.memory_limit;
    if (pod.node == kNone || (cpu_m == 0 && memory == 0)) return;
    account(s, pod.work);
    NodeState& node = s.nodes[pod.node];
    node.cpu_requested_m += cpu_m;
    node.memory_requested += memory;
    work.reserved_m += cpu_m;
    work.reserved_bytes += memory;
    if (work.batch) {
        s.batch_cpu_m += cpu_m;
        s.batch_memory += memory;
    }
    if (cpu_m != 0) touch(s, pod.work);
    node_changed(s, pod.node);
    request_schedule(s, kScheduleRetry);
}

}  // namespace

Result<void> resize_pod(State& s, Index p, const std::vector<model::ContainerResize>& wanted) {
    PodState& pod = s.pods[p];
    const WorkState& work = s.works[pod.work];
    const auto denied = [&](const std::string& why) {
        return fail(ErrorCode::denied, "a pod of " + work.id.text() + " " + why);
    };
    for (const model::ContainerResize& each : wanted) {
        if (each.container != container_name()) {
            return denied("has no container " + each.container.str());
        }
    }
    const Size had = size_of(pod);
    const Size wants = with(had, wanted);
    const bool guaranteed = is_guaranteed(
        {work.cpu_request_m, work.cpu_limit_m, work.memory_request, work.memory_limit});
    if (std::string why = forbidden(had, wants, guaranteed); !why.empty()) return denied(why);
    const bool tighter = pod.node != kNone && wants.memory_limit < had.memory_limit;
    if (tighter && out_of_memory(memory_of(s, p), static_cast<double>(wants.memory_limit))) {
        return denied("holds more memory than that");
    }
    if (pod.node != kNone) {
        const NodeState& node = s.nodes[pod.node];
        const std::int64_t cpu_m = wants.cpu_request_m - had.cpu_request_m;
        const std::int64_t memory = wants.memory_request - had.memory_request;
        if ((memory > 0 && node.memory_requested + memory > node.memory) ||
            (cpu_m > 0 && node.cpu_requested_m + cpu_m > node.cpu_m)) {
            return denied("has no room for that on node " + node.id.text());
        }
    }
    if (wants == had) return {};
    recount(s, p, wants);
    if (wants.cpu_limit_m != had.cpu_limit_m) {
        // Pods of a workload that are asked in one moment have it in one: docs/decisions/0030.
        const Ms at = s.now + resize_ms(s.seed, work.entity, s.now);
        pod.cpu_limit_next_m = wants.cpu_limit_m;
        s.queue.push(at, EventKind::pod_resized, p, ++pod.resize);
    }
    pod.version = ++s.versions;
    pod_changed(s, p);
    return {};
}

bool has_size(const PodState& pod, const std::vector<model::ContainerResize>& wanted) {
    return with(size_of(pod), wanted) == size_of(pod);
}

}  // namespace parley::sim
