#include "sim/world/world_pods.h"

#include "base/check.h"
#include "sim/world/scheduler.h"
#include "sim/world/world_jobs.h"
#include "sim/world/world_load.h"
#include "sim/world/world_replicas.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace parley::sim {
namespace {

constexpr std::uint8_t kExitKilled = 137;  // 128 and SIGKILL.

// Draws of one pod begin here, so that no two uses share an index.
std::uint64_t place(const PodState& pod, std::uint64_t use) {
    return (std::uint64_t{pod.ordinal} << 4) | use;
}

void name_pod(const State& s, const WorkState& work, PodState& pod) {
    pod.tail = {};
    if (work.id.kind == model::WorkloadKind::stateful_set) {
        // The lowest number that no other pod of the set has.
        std::uint32_t number = 0;
        for (bool taken = true; taken;) {
            taken = false;
            for (const Index other : work.pods) {
                if (s.pods[other].ordinal == number) taken = true;
            }
            if (taken) ++number;
        }
        pod.ordinal = number;
        std::to_chars(pod.tail.data(), pod.tail.data() + pod.tail.size(), number);
        return;
    }
    if (work.id.kind == model::WorkloadKind::bare) return;
    constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
    std::uint64_t bits = draw(s.seed, Stream::jitter, work.entity, place(pod, 0));
    for (std::size_t i = 0; i < 5; ++i, bits /= kLetters.size()) {
        pod.tail[i] = kLetters[bits % kLetters.size()];
    }
}

void leave_node(State& s, Index p) {
    PodState& pod = s.pods[p];
    if (pod.node == kNone) return;
    NodeState& node = s.nodes[pod.node];
    WorkState& work = s.works[pod.work];
    node.cpu_requested_m -= pod.cpu_request_m;
    node.memory_requested -= pod.memory_request;
    work.reserved_m -= pod.cpu_request_m;
    work.reserved_bytes -= pod.memory_request;
    --work.in_zone[node.zone_index];
    if (work.batch) {
        s.batch_cpu_m -= pod.cpu_request_m;
        s.batch_memory -= pod.memory_request;
        --node.batch;
    }
    const auto last = static_cast<Index>(node.pods.size() - 1);
    const Index moved = node.pods[last];
    node.pods[pod.in_node] = moved;
    node.works[pod.in_node] = node.works[last];
    s.pods[moved].in_node = pod.in_node;
    node.pods.pop_back();
    node.works.pop_back();
    pod.node = kNone;
}

// Keeps the running pods of a node in front.
void set_active(State& s, Index p, bool active) {
    PodState& pod = s.pods[p];
    if (pod.node == kNone) return;
    NodeState& node = s.nodes[pod.node];
    const bool was = pod.in_node < node.active;
    if (was == active) return;
    if (was) --node.active;
    const Index other = node.active;
    if (!was) ++node.active;
    const Index mine = pod.in_node;
    std::swap(node.pods[mine], node.pods[other]);
    std::swap(node.works[mine], node.works[other]);
    s.pods[node.pods[mine]].in_node = mine;
    s.pods[node.pods[other]].in_node = other;
}

// Clients send requests to pods that are shown ready.
bool deceives(const PodState& pod) {
    return pod.stage == Stage::serving && !pod.reachable && pod.shown_ready;
}

// Every change of stage or reachability goes through here.
void become(State& s, Index p, Stage stage, bool reachable) {
    PodState& pod = s.pods[p];
    WorkState& work = s.works[pod.work];
    const bool served = serves(pod);
    const bool deceived = deceives(pod);
    const bool waited = pod.stage == Stage::waiting || pod.stage == Stage::gated;
    pod.stage = stage;
    pod.reachable = reachable;
    ++pod.generation;
    const bool now = serves(pod);
    if (served != now) {
        account(s, pod.work);
        work.serving += now ? 1 : -1;
        touch(s, pod.work);
    }
    if (deceived != deceives(pod)) {
        work.dead += deceived ? -1 : 1;
        touch(s, pod.work);
    }
    set_active(s, p, now);
    if (waited && stage != Stage::waiting && stage != Stage::gated) set_causes(s, p, {});
    pod_changed(s, p);
    if (work.budget_min >= 0 || work.budget_max >= 0 || work.batch) work_changed(s, pod.work);
}

double start_seconds(State& s, Index p, bool cached) {
    const PodState& pod = s.pods[p];
    const WorkState& work = s.works[pod.work];
    const NodeState& node = s.nodes[pod.node];
    const double limit =
        pod.cpu_limit_m > 0 ? static_cast<double>(pod.cpu_limit_m) / 1000.0 : kUnlimited;
    const double u = random::uniform01(draw(s.seed, Stream::startup, work.entity, place(pod, 1)));
    const double cores = std::min({limit, pod.share, 1.0}) / node.slowness;
    return startup_s(work.nature, {.bind_s = 0.3 + 0.7 * u,
                                   .image_cached = cached,
                                   .bandwidth_bytes_per_s = node.net_bytes_s,
                                   .cpu_cores = std::max(cores, 0.01)});
}

void begin_start(State& s, Index p) {
    PodState& pod = s.pods[p];
    WorkState& work = s.works[pod.work];
    std::uint64_t& bits = s.images[pod.node * s.image_words + pod.work / 64];
    const std::uint64_t bit = std::uint64_t{1} << (pod.work % 64);
    Ms takes = work.startup_fixed;
    if (takes < 0) {
        const double start_s = start_seconds(s, p, (bits & bit) != 0);
        takes = static_cast<Ms>(std::ceil(start_s * 1000.0));
        // An average that jumps up and falls slowly approximates the 95th percentile.
        work.startup_p95_s = std::max(start_s, work.startup_p95_s * 0.95 + start_s * 0.05);
    }
    bits |= bit;
    s.queue.push(s.now + takes, EventKind::pod, p, pod.generation);
}

void set_shown_ready(const State& s, PodState& pod, bool ready) {
    if (pod.shown_ready != ready) pod.ready_changed = s.now;
    pod.shown_ready = ready;
}

void note_ending(const State& s, PodState& pod, model::Ending how, std::uint8_t exit_code) {
    pod.ended = s.now;
    pod.ending = how;
    pod.exit_code = exit_code;
}

void become_ready(State& s, Index p) {
    become(s, p, Stage::serving, true);
    PodState& pod = s.pods[p];
    pod.ready_at = s.now;
    set_shown_ready(s, pod, true);
    if (s.works[pod.work].batch) start_work(s, p);
}

}  // namespace

bool serves(const PodState& pod) { return pod.stage == Stage::serving && pod.reachable; }

void account(State& s, Index w) {
    WorkState& work = s.works[w];
    const Ms span = s.now - work.accounted;
    if (span == 0) return;
    work.reserved_m_ms += work.reserved_m * span;
    work.reserved_mib_ms += work.reserved_bytes / kMib * span;
    work.pending_ms += work.short_pods * span;
    work.service_ms += work.serving * span;
    work.accounted = s.now;
}

Index create_pod(State& s, Index w, Index run, bool gated) {
    Index p = 0;
    if (s.free_pods.empty()) {
        p = static_cast<Index>(s.pods.size());
        s.pods.emplace_back();
    } else {
        p = s.free_pods.back();
        s.free_pods.pop_back();
    }
    WorkState& work = s.works[w];
    PodState& pod = s.pods[p];
    const std::uint32_t generation = pod.generation + 1;
    const bool listed = pod.dirty;  // The slot may be reused before the last report.
    pod = PodState{};
    pod.generation = generation;
    pod.dirty = listed;
    pod.serial = ++s.serials;
    pod.work = w;
    pod.run = run;
    pod.ordinal = work.ordinals++;
    pod.created = s.now;
    pod.priority = work.priority;
    pod.cpu_request_m = work.cpu_request_m;
    pod.cpu_limit_m = pod.cpu_limit_next_m = work.cpu_limit_m;
    pod.memory_request = work.memory_request;
    pod.memory_limit = work.memory_limit;
    // The slot is part of the uid, so that a pod is found without a table.
    pod.uid = {draw(s.seed, Stream::scheduler, work.entity, pod.ordinal), (pod.serial << 24) | p};
    PARLEY_CHECK(p < (1U << 24));
    name_pod(s, work, pod);
    pod.stage = gated ? Stage::gated : Stage::waiting;
    pod.in_work = static_cast<Index>(work.pods.size());
    work.pods.push_back(p);
    pod_changed(s, p);
    if (gated) {
        set_causes(s, p, model::CauseSet{}.with(model::Cause::our_hold));
    } else {
        s.waiting.push_back({p, pod.generation});
        request_schedule(s, kScheduleNew);
    }
    return p;
}

void ungate_pod(State& s, Index p) {
    set_causes(s, p, {});
    become(s, p, Stage::waiting, true);
    s.waiting.push_back({p, s.pods[p].generation});
    request_schedule(s, kScheduleNew);
}

void bind_pod(State& s, Index p, Index n, bool ready_now) {
    PodState& pod = s.pods[p];
    account(s, pod.work);
    NodeState& node = s.nodes[n];
    WorkState& work = s.works[pod.work];
    pod.node = n;
    pod.in_node = static_cast<Index>(node.pods.size());
    node.pods.push_back(p);
    node.works.push_back(pod.work);
    node.cpu_requested_m += pod.cpu_request_m;
    node.memory_requested += pod.memory_request;
    work.reserved_m += pod.cpu_request_m;
    work.reserved_bytes += pod.memory_request;
    ++work.in_zone[node.zone_index];
    if (work.batch) {
        s.batch_cpu_m += pod.cpu_request_m;
        s.batch_memory += pod.memory_request;
        ++node.batch;
    }
    pod.started = pod.ready_changed = s.now;  // A kubelet begins by saying that it is not ready.
    become(s, p, Stage::starting, true);
    if (ready_now) {
        s.images[n * s.image_words + pod.work / 64] |= std::uint64_t{1} << (pod.work % 64);
        become_ready(s, p);
    } else {
        begin_start(s, p);
    }
}

void set_causes(State& s, Index p, model::CauseSet causes) {
    PodState& pod = s.pods[p];
    const bool counts = causes.shortage() || causes.has(model::Cause::our_hold);
    if (counts != pod.counted) {
        account(s, pod.work);
        s.works[pod.work].short_pods += counts ? 1 : -1;
        pod.counted = counts;
    }
    if (causes == pod.causes) return;
    pod.causes = causes;
    pod_changed(s, p);
}

void pod_event(State& s, Index p) {
    PodState& pod = s.pods[p];
    switch (pod.stage) {
        case Stage::starting:
            become_ready(s, p);
            return;
        case Stage::crashed:
            become(s, p, Stage::starting, true);
            begin_start(s, p);
            return;
        case Stage::serving:
            if (s.works[pod.work].batch) finish_work(s, p);
            return;
        case Stage::terminating:
        case Stage::succeeded:
            remove_pod(s, p);
            return;
        case Stage::free:
        case Stage::gated:
        case Stage::waiting:
            return;
    }
}

void pod_resized(State& s, Index p) {
    PodState& pod = s.pods[p];
    pod.cpu_limit_m = pod.cpu_limit_next_m;
    touch(s, pod.work);
}

void kill_container(State& s, Index p, model::Ending how) {
    PodState& pod = s.pods[p];
    if (pod.stage != Stage::serving && pod.stage != Stage::starting) return;
    WorkState& work = s.works[pod.work];
    if (serves(pod)) lose_in_flight(s, pod.work, 1);
    if (work.batch) pause_work(s, p);
    const double ran_s = pod.stage == Stage::serving ? seconds_of(s.now - pod.ready_at) : 0.0;
    pod.kills = kills_in_a_row(pod.kills, ran_s);
    ++pod.restarts;
    ++work.disruptions;
    become(s, p, Stage::crashed, pod.reachable);
    set_shown_ready(s, pod, false);
    note_ending(s, pod, how, how == model::Ending::oom_killed ? kExitKilled : 1);
    const auto pause = static_cast<Ms>(restart_pause_s(pod.kills) * 1000.0);
    s.queue.push(s.now + pause, EventKind::pod, p, pod.generation);
    if (s.listing()) {
        s.restarts.push_back({pod.uid, s.nodes[pod.node].uid, time_of(s.now), 1});
    }
}

void restart_pod(State& s, Index p, bool counted) {
    PodState& pod = s.pods[p];
    if (pod.stage == Stage::terminating) {
        remove_pod(s, p);
        return;
    }
    if (counted) {
        ++pod.restarts;
        ++s.works[pod.work].disruptions;
    }
    become(s, p, Stage::starting, true);
    set_shown_ready(s, pod, false);
    if (counted) note_ending(s, pod, model::Ending::lost, kExitKilled);
    begin_start(s, p);
    if (counted && s.listing())
        s.restarts.push_back({pod.uid, s.nodes[pod.node].uid, time_of(s.now), 1});
}

void terminate_pod(State& s, Index p, bool disruption) {
    const Stage before = s.pods[p].stage;
    if (before == Stage::terminating || before == Stage::free) return;
    const Index w = s.pods[p].work;
    if (disruption) ++s.works[w].disruptions;
    if (s.works[w].batch && before == Stage::serving) pause_work(s, p);
    become(s, p, Stage::terminating, s.pods[p].reachable);
    set_shown_ready(s, s.pods[p], false);
    // A new pod may move the list of pods, so no reference into it is kept across this.
    if (s.pods[p].run != kNone) retry_in_run(s, p);
    const Index n = s.pods[p].node;
    const bool answers = n == kNone || (s.nodes[n].runs() && !s.nodes[n].cut_off);
    if (answers) {
        // A container that is not running stops at once; others get their grace period.
        const std::uint64_t bits =
            draw(s.seed, Stream::jitter, s.works[w].entity, place(s.pods[p], 2));
        const auto needs = static_cast<Ms>((0.5 + 2.0 * random::uniform01(bits)) * 1000.0);
        const Ms takes = before == Stage::serving ? std::min(s.works[w].grace, needs) : 0;
        if (takes == 0) {
            remove_pod(s, p);
        } else {
            s.queue.push(s.now + takes, EventKind::pod, p, s.pods[p].generation);
        }
    }
    reconcile(s, w);
}

void succeed_pod(State& s, Index p) {
    PodState& pod = s.pods[p];
    account(s, pod.work);
    ++s.works[pod.work].completions;
    become(s, p, Stage::succeeded, true);
    set_shown_ready(s, pod, false);
    note_ending(s, pod, model::Ending::completed, 0);
    leave_node(s, p);
    s.queue.push(s.now + kSucceededKept, EventKind::pod, p, pod.generation);
    request_schedule(s, kScheduleRetry);
}

void remove_pod(State& s, Index p) {
    const Index w = s.pods[p].work;
    account(s, w);
    if (s.pods[p].run != kNone && s.pods[p].stage != Stage::succeeded) retry_in_run(s, p);
    const bool was_placed = s.pods[p].node != kNone;
    become(s, p, Stage::terminating, false);
    set_causes(s, p, {});
    leave_node(s, p);
    WorkState& work = s.works[w];
    PodState& pod = s.pods[p];
    const Index last = work.pods.back();
    work.pods[pod.in_work] = last;
    s.pods[last].in_work = pod.in_work;
    work.pods.pop_back();
    if (pod.told && s.listing()) s.gone_pods.push_back(pod.uid);
    pod.told = false;
    pod.stage = Stage::free;
    ++pod.generation;
    s.free_pods.push_back(p);
    if (was_placed) request_schedule(s, kScheduleRetry);
    reconcile(s, w);
}

void set_reachable(State& s, Index p, bool reachable) {
    PodState& pod = s.pods[p];
    if (pod.reachable == reachable) return;
    if (!reachable && serves(pod)) {
        lose_in_flight(s, pod.work, 1);
        if (s.works[pod.work].batch) pause_work(s, p);
    }
    const std::uint32_t generation = pod.generation;
    become(s, p, pod.stage, reachable);
    // Planned events of the pod still happen if its node runs and is only cut off.
    if (s.nodes[pod.node].runs()) pod.generation = generation;
    if (reachable && serves(pod) && s.works[pod.work].batch) start_work(s, p);
}

void show_ready(State& s, Index p, bool ready) {
    PodState& pod = s.pods[p];
    if (pod.shown_ready == ready) return;
    WorkState& work = s.works[pod.work];
    const bool deceived = deceives(pod);
    set_shown_ready(s, pod, ready);
    if (deceived != deceives(pod)) {
        work.dead += deceived ? -1 : 1;
        touch(s, pod.work);
    }
    pod_changed(s, p);
    if (work.budget_min >= 0 || work.budget_max >= 0) work_changed(s, pod.work);
}

Index find_pod(const State& s, const model::Uid& uid) {
    const auto p = static_cast<Index>(uid.low & 0xff'ffff);
    if (p >= s.pods.size() || s.pods[p].stage == Stage::free || s.pods[p].uid != uid) return kNone;
    return p;
}

}  // namespace parley::sim
