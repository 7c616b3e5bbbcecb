#include "sim/world/world_requests.h"

#include "sim/world/scheduler.h"
#include "sim/world/world_jobs.h"
#include "sim/world/world_load.h"
#include "sim/world/world_nodes.h"
#include "sim/world/world_pods.h"
#include "sim/world/world_replicas.h"
#include "sim/world/world_resize.h"

#include <algorithm>

namespace parley::sim {
namespace {

using model::Live;
using model::Power;
using model::PowerWish;

constexpr std::int64_t kMillion = 1'000'000;

tl::unexpected<Error> gone(const std::string& what) {
    return fail(ErrorCode::gone, what + " does not exist; read it again");
}
tl::unexpected<Error> denied(std::string sentence) {
    return fail(ErrorCode::denied, std::move(sentence));
}

Result<void> holds(const model::Uid& uid, std::uint64_t version, const std::string& what,
                   const model::Precondition& only_if) {
    if (!only_if.uid.none() && only_if.uid != uid) {
        return fail(ErrorCode::gone, what + " is another object now; read it again");
    }
    if (only_if.version != 0 && only_if.version != version) {
        return fail(ErrorCode::conflict, what + " has changed since it was read; read it again");
    }
    return {};
}

void bump_node(State& s, Index n) {
    s.nodes[n].version = ++s.versions;
    node_changed(s, n);
}
void bump_work(State& s, Index w) {
    s.works[w].version = ++s.versions;
    work_changed(s, w);
}
void bump_pod(State& s, Index p) {
    s.pods[p].version = ++s.versions;
    pod_changed(s, p);
}

/// Finds what the request is about, checks the precondition, and applies it.
struct Apply {
    State& s;
    const model::Precondition& only_if;

    template <class F>
    Result<void> to_node(const model::NodeId& id, F&& change) const {
        const Index n = find_node(s, id);
        if (n == kNone) return gone("node " + id.text());
        const auto held = holds(s.nodes[n].uid, s.nodes[n].version, "node " + id.text(), only_if);
        if (!held) return held;
        const Result<void> changed = change(n);
        if (changed) bump_node(s, n);
        return changed;
    }

    template <class F>
    Result<void> to_work(const model::WorkloadId& id, F&& change) const {
        const Index w = find_work(s, id);
        if (w == kNone) return gone(id.text());
        const auto held = holds(s.works[w].uid, s.works[w].version, id.text(), only_if);
        if (!held) return held;
        const Result<void> changed = change(w);
        if (changed) bump_work(s, w);
        return changed;
    }

    template <class F>
    Result<void> to_pod(const model::Uid& uid, const std::string& name, F&& change) const {
        const Index p = find_pod(s, uid);
        if (p == kNone) return gone("pod " + name);
        const auto held = holds(uid, s.pods[p].version, "pod " + name, only_if);
        if (!held) return held;
        return change(p);
    }

    Result<void> operator()(const model::PutMark& r) const {
        std::optional<model::Mark> mark;
        if (!r.decision.none()) mark = model::Mark{r.decision, r.expires, r.kind, r.changes};
        if (const auto* node = std::get_if<model::NodeId>(&r.target)) {
            return to_node(*node, [&](Index n) {
                s.nodes[n].mark = mark;
                return Result<void>{};
            });
        }
        if (const auto* work = std::get_if<model::WorkloadId>(&r.target)) {
            return to_work(*work, [&](Index w) {
                s.works[w].mark = mark;
                return Result<void>{};
            });
        }
        if (const auto* space = std::get_if<model::NamespaceId>(&r.target)) {
            std::erase_if(s.space_marks,
                          [&](const NamedMark& m) { return m.space == space->name; });
            if (mark) s.space_marks.push_back({space->name, *mark});
        } else {
            s.cluster_mark = mark;
        }
        ++s.cluster_version;
        return {};
    }

    Result<void> operator()(const model::SetTaint& r) const {
        return to_node(r.node, [&](Index n) {
            const bool opens = s.nodes[n].taint == model::Taint::no_schedule;
            s.nodes[n].taint = r.taint;
            if (opens) request_schedule(s, kScheduleRetry);
            return Result<void>{};
        });
    }

    Result<void> operator()(const model::SetReplicas& r) const {
        return to_work(r.workload, [&](Index w) -> Result<void> {
            const WorkState& work = s.works[w];
            if (work.batch || work.every_node || work.id.kind == model::WorkloadKind::bare) {
                return denied(r.workload.text() + " has no number of replicas to set");
            }
            if (r.replicas < 0 || r.replicas > 100'000) {
                return denied("replicas of " + r.workload.text() + " must be 0 to 100000");
            }
            set_wanted(s, w, r.replicas);
            return {};
        });
    }

    Result<void> operator()(const model::EvictPod& r) const {
        return to_pod(r.pod, r.name, [&](Index p) -> Result<void> {
            const PodState& pod = s.pods[p];
            const WorkState& work = s.works[pod.work];
            if (pod.stage == Stage::terminating || pod.stage == Stage::succeeded) return {};
            const bool budgeted = work.budget_min >= 0 || work.budget_max >= 0;
            // A pod that is not ready does not count, so evicting it harms nobody.
            if (budgeted && pod.shown_ready && disruptions_allowed(s, pod.work) <= 0) {
                return fail(ErrorCode::blocked, "the disruption budget of " + work.id.text() +
                                                    " allows no eviction now; try later");
            }
            terminate_pod(s, p, true);
            return {};
        });
    }

    Result<void> operator()(const model::SetDeletionCost& r) const {
        return to_pod(r.pod, r.name, [&](Index p) {
            s.pods[p].deletion_cost = r.cost;
            bump_pod(s, p);
            return Result<void>{};
        });
    }

    Result<void> operator()(const model::MarkPod& r) const {
        return to_pod(r.pod, r.name, [&](Index p) {
            s.pods[p].mark = r.mark.decision;
            bump_pod(s, p);
            return Result<void>{};
        });
    }

    Result<void> operator()(const model::ResizePod& r) const {
        return to_pod(r.pod, r.name, [&](Index p) { return resize_pod(s, p, r.containers); });
    }

    // Two requests of earlier releases, which a ledger may still hold.
    Result<void> operator()(const model::SetCpuLimit& r) const {
        return to_each(r.workload, r.node, [&](const PodState&) {
            return model::ContainerResize{.container = container_name(),
                                          .cpu_limit_m = r.cpu_limit_m};
        });
    }
    Result<void> operator()(const model::SetMemoryRequest& r) const {
        return to_each(r.workload, r.node, [&](const PodState& pod) {
            model::ContainerResize resize{.container = container_name(),
                                          .memory_request = r.memory_request};
            const bool equal = pod.memory_limit > 0 && pod.memory_limit == pod.memory_request;
            if (equal) resize.memory_limit = r.memory_request;  // They stay equal.
            return resize;
        });
    }

    template <class F>
    Result<void> to_each(const model::WorkloadId& id, const model::NodeId& on, F&& wanted) const {
        const Index n = find_node(s, on);
        if (n == kNone) return gone("node " + on.text());
        return to_work(id, [&](Index w) -> Result<void> {
            for (const Index p : s.works[w].pods) {
                if (s.pods[p].node != n) continue;
                const auto resized = resize_pod(s, p, {wanted(s.pods[p])});
                if (!resized) return resized;
            }
            return {};
        });
    }

    Result<void> operator()(const model::SetPower& r) const {
        return to_node(r.node, [&](Index n) -> Result<void> {
            const NodeState& node = s.nodes[n];
            if (!s.scenario->nodes[node.group].can_power) {
                return denied("nothing can switch node " + r.node.text());
            }
            if (!node.worker) return denied("node " + r.node.text() + " is of the control plane");
            if (r.state != PowerWish::on && own_pods(s, n) > 0) {
                return denied("node " + r.node.text() + " still has " +
                              std::to_string(own_pods(s, n)) + " pods; empty it first");
            }
            if (node.down) return denied("node " + r.node.text() + " does not answer");
            set_power(s, n, r.state);
            return {};
        });
    }

    Result<void> operator()(const model::SetClock& r) const {
        return to_node(r.node, [&](Index n) -> Result<void> {
            NodeState& node = s.nodes[n];
            if (!s.scenario->nodes[node.group].can_clock) {
                return denied("nothing can set the clock of node " + r.node.text());
            }
            if (r.clock_ppm < kMillion / 10 || r.clock_ppm > kMillion) {
                return denied("the clock of node " + r.node.text() + " must be 10 to 100 %");
            }
            node.clock_ppm = r.clock_ppm;
            speed_changed(s, n);
            for (const Index w : node.works) touch(s, w);
            return {};
        });
    }

    Result<void> operator()(const model::SetAdmission& r) const {
        set_order(s, {r.mode, r.decision, r.until, r.spaces});
        ++s.cluster_version;
        return {};
    }

    Result<void> operator()(const model::ResumeJob& r) const {
        return denied(r.job.text() + " carries no mark of an order: Jobs here start with its end");
    }

    Result<void> operator()(const model::SetBatchCap& r) const {
        if (r.cpu_ppm < 0 || r.cpu_ppm > kMillion || r.memory_ppm < 0 || r.memory_ppm > kMillion) {
            return denied("a batch cap must be 0 to 100 %");
        }
        const bool lifts = r.cpu_ppm == kMillion && r.memory_ppm == kMillion;
        set_cap(s, r.cpu_ppm, r.memory_ppm, lifts ? 0 : r.until.us / 1000, r.spaces);
        ++s.cluster_version;
        return {};
    }
};

struct Look {
    const State& s;

    Live of_node(const model::NodeId& id) const {
        const Index n = find_node(s, id);
        if (n == kNone) return {};
        const NodeState& node = s.nodes[n];
        return {.exists = true,
                .uid = node.uid,
                .version = node.version,
                .mark = node.mark ? node.mark->decision : model::DecisionId{}};
    }
    Live of_work(const model::WorkloadId& id) const {
        const Index w = find_work(s, id);
        if (w == kNone) return {};
        const WorkState& work = s.works[w];
        return {.exists = true,
                .uid = work.uid,
                .version = work.version,
                .mark = work.mark ? work.mark->decision : model::DecisionId{},
                .ready = shown_ready(s, w)};
    }
    Live of_pod(const model::Uid& uid) const {
        const Index p = find_pod(s, uid);
        if (p == kNone) return {};
        return {.exists = true, .uid = uid, .version = s.pods[p].version, .mark = s.pods[p].mark};
    }
    Live of_cluster() const {
        return {.exists = true,
                .version = s.cluster_version,
                .mark = s.cluster_mark ? s.cluster_mark->decision : model::DecisionId{}};
    }

    Live operator()(const model::PutMark& r) const {
        Live live = of_cluster();
        if (const auto* node = std::get_if<model::NodeId>(&r.target)) live = of_node(*node);
        if (const auto* work = std::get_if<model::WorkloadId>(&r.target)) live = of_work(*work);
        if (const auto* space = std::get_if<model::NamespaceId>(&r.target)) {
            const auto found = std::ranges::find(s.space_marks, space->name, &NamedMark::space);
            live.mark = found != s.space_marks.end() ? found->mark.decision : model::DecisionId{};
        }
        live.applied = live.exists && live.mark == r.decision;
        return live;
    }
    Live operator()(const model::SetTaint& r) const {
        Live live = of_node(r.node);
        if (live.exists) live.applied = s.nodes[find_node(s, r.node)].taint == r.taint;
        return live;
    }
    Live operator()(const model::SetReplicas& r) const {
        Live live = of_work(r.workload);
        if (live.exists) live.applied = s.works[find_work(s, r.workload)].wanted == r.replicas;
        return live;
    }
    Live operator()(const model::EvictPod& r) const {
        Live live = of_pod(r.pod);
        const Index p = find_pod(s, r.pod);
        live.applied = p != kNone && s.pods[p].stage == Stage::terminating;
        return live;
    }
    Live operator()(const model::SetDeletionCost& r) const {
        Live live = of_pod(r.pod);
        const Index p = find_pod(s, r.pod);
        live.applied = p != kNone && s.pods[p].deletion_cost == r.cost;
        return live;
    }
    Live operator()(const model::MarkPod& r) const {
        Live live = of_pod(r.pod);
        live.applied = live.exists && live.mark == r.mark.decision;
        return live;
    }
    Live operator()(const model::ResizePod& r) const {
        Live live = of_pod(r.pod);
        const Index p = find_pod(s, r.pod);
        live.applied = p != kNone && has_size(s.pods[p], r.containers);
        return live;
    }
    template <class F>
    Live of_pods(const model::WorkloadId& work, const model::NodeId& node, F&& wanted) const {
        Live live = of_work(work);
        const Index n = find_node(s, node);
        if (!live.exists || n == kNone) return live;
        live.applied = std::ranges::all_of(s.works[find_work(s, work)].pods, [&](Index p) {
            return s.pods[p].node != n || wanted(s.pods[p]);
        });
        return live;
    }
    Live operator()(const model::SetCpuLimit& r) const {
        return of_pods(r.workload, r.node,
                       [&](const PodState& pod) { return pod.cpu_limit_next_m == r.cpu_limit_m; });
    }
    Live operator()(const model::SetMemoryRequest& r) const {
        return of_pods(r.workload, r.node,
                       [&](const PodState& pod) { return pod.memory_request == r.memory_request; });
    }
    Live operator()(const model::SetPower& r) const {
        Live live = of_node(r.node);
        if (!live.exists) return live;
        const Power power = s.nodes[find_node(s, r.node)].power;
        live.applied = r.state == PowerWish::sleep ? power == Power::sleep
                       : r.state == PowerWish::off ? power == Power::off
                                                   : power == Power::on || power == Power::booting;
        return live;
    }
    Live operator()(const model::SetClock& r) const {
        Live live = of_node(r.node);
        if (live.exists) live.applied = s.nodes[find_node(s, r.node)].clock_ppm == r.clock_ppm;
        return live;
    }
    Live operator()(const model::SetAdmission& r) const {
        Live live = of_cluster();
        const bool lapsed = time_of(s.now) >= s.order.until;
        const auto mode = lapsed ? model::AdmissionWish::admit : s.order.mode;
        live.applied =
            r.mode == model::AdmissionWish::admit
                ? mode == r.mode
                : s.order == AdmissionOrder{r.mode, r.decision, r.until, r.spaces} && !lapsed;
        return live;
    }
    Live operator()(const model::ResumeJob&) const { return {}; }
    Live operator()(const model::SetBatchCap& r) const {
        Live live = of_cluster();
        const bool lifts = r.cpu_ppm == kMillion && r.memory_ppm == kMillion;
        const bool lapsed = s.now >= s.cap_until;
        live.applied = lifts ? lapsed
                             : !lapsed && s.cap_cpu_ppm == r.cpu_ppm &&
                                   s.cap_memory_ppm == r.memory_ppm && s.cap_spaces == r.spaces &&
                                   s.cap_until == r.until.us / 1000;
        return live;
    }
};

}  // namespace

Index find_node(const State& s, const model::NodeId& id) {
    for (Index n = 0; n < s.nodes.size(); ++n) {
        if (s.nodes[n].id == id && s.nodes[n].exists) return n;
    }
    return kNone;
}

Index find_work(const State& s, const model::WorkloadId& id) {
    for (Index w = 0; w < s.works.size(); ++w) {
        if (s.works[w].id == id && s.works[w].exists) return w;
    }
    return kNone;
}

Result<void> apply_request(State& s, const model::Request& request,
                           const model::Precondition& only_if) {
    return std::visit(Apply{s, only_if}, request);
}

Live read_request(const State& s, const model::Request& request) {
    return std::visit(Look{s}, request);
}

}  // namespace parley::sim
