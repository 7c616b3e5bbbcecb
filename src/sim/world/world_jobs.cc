#include "sim/world/world_jobs.h"

#include "sim/world/scheduler.h"
#include "sim/world/series.h"
#include "sim/world/world_pods.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::sim {
namespace {

constexpr Ms kHour = 3'600'000;

void want(State& s, Index w, std::int32_t more) {
    s.works[w].wanted += more;
    work_changed(s, w);
}

double drawn_work(const State& s, const WorkState& work, std::uint32_t number, std::int32_t pod) {
    const std::uint64_t index = (std::uint64_t{number} << 16) | static_cast<std::uint64_t>(pod);
    return random::lognormal(draw(s.seed, Stream::payload, work.entity, index),
                             work.job->work_core_s, work.job->work_spread);
}

Index take_run(State& s) {
    if (s.free_runs.empty()) {
        s.runs.emplace_back();
        return static_cast<Index>(s.runs.size() - 1);
    }
    const Index run = s.free_runs.back();
    s.free_runs.pop_back();
    return run;
}

void add_pod(State& s, Index run, std::int32_t number, std::int32_t priority, bool gated) {
    const Index w = s.runs[run].work;
    const Index p = create_pod(s, w, run, gated);
    s.pods[p].priority = priority;
    s.pods[p].work_left = drawn_work(s, s.works[w], s.runs[run].number, number);
}

/// Releases Jobs that the order in force does not hold.
void release_held(State& s) {
    const bool holds =
        s.order.mode == model::AdmissionWish::queue && time_of(s.now) < s.order.until;
    std::vector<Index> held;
    held.swap(s.held_runs);
    for (const Index run : held) {
        const WorkState& work = s.works[s.runs[run].work];
        if (holds && meant_for(s.order.spaces, work.id.space.view())) {
            s.held_runs.push_back(run);
            continue;
        }
        s.runs[run].held = false;
        // Sorted by creation, which is the order of serials.
        std::vector<Index> pods;
        for (const Index p : s.works[s.runs[run].work].pods) {
            if (s.pods[p].run == run && s.pods[p].stage == Stage::gated) pods.push_back(p);
        }
        std::ranges::sort(pods, {}, [&](Index p) { return s.pods[p].serial; });
        for (const Index p : pods) ungate_pod(s, p);
    }
}

}  // namespace

void plan_job(State& s, Index w, Ms at) {
    const Index run = take_run(s);
    s.runs[run] = {
        .work = w, .number = s.works[w].job_runs++, .pods_left = 0, .held = false, .arrived = at};
    s.queue.push(at, EventKind::job, run);
}

void plan_arrivals(State& s) {
    const Ms step = ms_of(s.scenario->step);
    for (Index w = 0; w < s.works.size(); ++w) {
        const WorkState& work = s.works[w];
        if (!work.exists || work.job == nullptr) continue;
        const Series& series = work.job->per_hour;
        const auto k = static_cast<std::uint64_t>(s.step_number);
        const double mean =
            series_shape(series, s.now) *
            series_noise(series, s.seed, Stream::arrival, work.entity, s.step_number) *
            static_cast<double>(step) / static_cast<double>(kHour);
        const auto count =
            random::count(draw(s.seed, Stream::arrival, work.entity, k), std::min(mean, 1e6), 1.0);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint64_t index =
                (std::uint64_t{1} << 52) | (k << 20) | static_cast<std::uint64_t>(i);
            const std::uint64_t bits = draw(s.seed, Stream::arrival, work.entity, index);
            plan_job(s, w, s.now + random::between(bits, 0, step - 1));
        }
    }
}

void job_arrives(State& s, Index r) {
    JobRun& run = s.runs[r];
    WorkState& work = s.works[run.work];
    const Admitted admitted = admit(s.order, {work.id.space.view(), work.priority}, time_of(s.now));
    if (admitted.verdict == model::AdmissionWish::reject) {
        ++work.rejections;
        s.free_runs.push_back(r);
        return;
    }
    run.pods_left = work.job->parallel;
    run.held = admitted.verdict == model::AdmissionWish::queue;
    if (run.held) s.held_runs.push_back(r);
    want(s, run.work, work.job->parallel);
    const bool held = run.held;
    for (std::int32_t i = 0; i < work.job->parallel; ++i) {
        add_pod(s, r, i, admitted.priority, held);
    }
}

void set_order(State& s, const AdmissionOrder& order) {
    s.order = order;
    if (order.mode != model::AdmissionWish::admit && time_of(s.now) < order.until) {
        // The first whole millisecond at which it no longer holds.
        s.queue.push((order.until.us + 999) / 1000, EventKind::order_expires, 0);
    }
    release_held(s);
}

void order_expires(State& s) {
    if (time_of(s.now) >= s.order.until && !s.held_runs.empty()) release_held(s);
}

void set_cap(State& s, std::int64_t cpu_ppm, std::int64_t memory_ppm, Ms until,
             std::vector<Name> spaces) {
    s.cap_spaces = std::move(spaces);
    s.cap_cpu_ppm = cpu_ppm;
    s.cap_memory_ppm = memory_ppm;
    s.cap_until = until;
    if (until > s.now) s.queue.push(until, EventKind::order_expires, 1);
    request_schedule(s, kScheduleRetry);
}

void start_work(State& s, Index p) {
    PodState& pod = s.pods[p];
    if (!serves(pod)) return;
    if (pod.work_rate > 0.0) {
        pod.work_left -= pod.work_rate * seconds_of(s.now - pod.work_at);
    }
    const NodeState& node = s.nodes[pod.node];
    const std::int64_t cap_m =
        pod.cpu_limit_m > 0 ? pod.cpu_limit_m : std::max<std::int64_t>(pod.cpu_request_m, 1000);
    const double cores =
        std::min(static_cast<double>(cap_m) / 1000.0, node.contended ? pod.share : node.cores);
    pod.work_rate = std::max(1e-3, cores / node.slowness);
    pod.work_at = s.now;
    ++pod.generation;
    const double left_ms = std::max(0.0, pod.work_left) / pod.work_rate * 1000.0;
    s.queue.push(s.now + static_cast<Ms>(std::ceil(std::min(left_ms, 1e12))), EventKind::pod, p,
                 pod.generation);
}

void pause_work(State& s, Index p) {
    PodState& pod = s.pods[p];
    if (pod.work_rate > 0.0) {
        pod.work_left -= pod.work_rate * seconds_of(s.now - pod.work_at);
    }
    pod.work_rate = 0.0;
    ++pod.generation;
}

void finish_work(State& s, Index p) {
    PodState& pod = s.pods[p];
    const Index run = pod.run;
    pod.run = kNone;
    want(s, pod.work, -1);
    succeed_pod(s, p);
    if (run != kNone && --s.runs[run].pods_left == 0) s.free_runs.push_back(run);
}

void retry_in_run(State& s, Index p) {
    const Index run = s.pods[p].run;
    const std::int32_t priority = s.pods[p].priority;
    s.pods[p].run = kNone;
    const Index w = s.runs[run].work;
    if (!s.works[w].exists) return;
    add_pod(s, run, s.works[w].job->parallel + static_cast<std::int32_t>(s.pods[p].ordinal % 1024),
            priority, s.runs[run].held);
}

}  // namespace parley::sim
