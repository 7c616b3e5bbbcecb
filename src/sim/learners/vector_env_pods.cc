#include "base/check.h"
#include "sim/learners/vector_env_arrays.h"
#include "sim/world/scheduler.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace parley::sim {
namespace {

// Draws of one pod, as in the world.
std::uint64_t place(const EnvArrays& e, Index p, std::uint64_t use) {
    return (std::uint64_t{e.pods[p].ordinal} << 4) | use;
}

std::size_t first_of_node(const EnvArrays& e, Index n) { return std::size_t{n} * e.node_room; }
std::size_t first_of_work(const EnvArrays& e, Index w) { return std::size_t{w} * e.work_room; }

void request_schedule(EnvArrays& e, Ms delay) {
    const Ms at = e.now + delay;
    if (e.schedule_at <= at || e.waiting.empty()) return;
    e.schedule_at = at;
    e.queue.push(at, EventKind::schedule, 0, ++e.schedule_generation);
}

void put_in_node(EnvArrays& e, std::size_t at, Index p, Index w) {
    e.node_pods[at] = p;
    e.node_works[at] = w;
}

void give_room(EnvArrays& e, Index n, int pods, std::int64_t cpu_m, std::int64_t memory) {
    EnvRoom& room = e.rooms[n / 4];
    room.pods[n % 4] += pods;
    room.cpu_m[n % 4] += static_cast<double>(cpu_m);
    room.memory[n % 4] += static_cast<double>(memory);
}

std::int64_t free_memory(const EnvArrays& e, Index n) {
    return static_cast<std::int64_t>(e.rooms[n / 4].memory[n % 4]);
}

void leave_node(EnvArrays& e, Index p) {
    Rows<EnvNode>& nodes = e.nodes;
    const Index n = e.pods[p].node;
    if (n == kNone) return;
    const Index w = e.pods[p].work;
    give_room(e, n, 1, e.works[w].cpu_request_m, e.pods[p].memory_limit);
    --e.in_zone[std::size_t{w} * e.zones + nodes[n].zone];
    const std::size_t first = first_of_node(e, n);
    const Index last = --nodes[n].bound;
    const Index mine = e.pods[p].in_node;
    put_in_node(e, first + mine, e.node_pods[first + last], e.node_works[first + last]);
    e.pods[e.node_pods[first + mine]].in_node = mine;
    e.pods[p].node = kNone;
}

void set_active(EnvArrays& e, Index p, bool active) {
    Rows<EnvNode>& nodes = e.nodes;
    const Index n = e.pods[p].node;
    if (n == kNone) return;
    const Index mine = e.pods[p].in_node;
    const bool was = mine < nodes[n].active;
    if (was == active) return;
    if (was) --nodes[n].active;
    const Index other = nodes[n].active;
    if (!was) ++nodes[n].active;
    const std::size_t first = first_of_node(e, n);
    std::swap(e.node_pods[first + mine], e.node_pods[first + other]);
    std::swap(e.node_works[first + mine], e.node_works[first + other]);
    e.pods[e.node_pods[first + mine]].in_node = mine;
    e.pods[e.node_pods[first + other]].in_node = other;
}

void become(EnvArrays& e, Index p, Stage stage) {
    const Index w = e.pods[p].work;
    const bool serves_next = stage == Stage::serving;
    if (serves(e, p) != serves_next) {
        change_pods(e, w);
        e.works[w].serving += serves_next ? 1 : -1;
    }
    e.pods[p].stage = stage;
    ++e.pods[p].generation;
    set_active(e, p, serves_next);
}

void begin_start(EnvArrays& e, Index p) {
    const Index w = e.pods[p].work;
    const Index n = e.pods[p].node;
    std::uint8_t& image = e.images[std::size_t{n} * e.works.size() + w];
    const bool resized = e.pods[p].resizing && e.works[w].resize_at < e.now;
    const std::int64_t limit_m = resized ? e.pods[p].cpu_limit_next_m : e.pods[p].cpu_limit_m;
    const double limit = static_cast<double>(limit_m) / 1000.0;
    const double u =
        random::uniform01(draw(e.seed, Stream::startup, e.works[w].entity, place(e, p, 1)));
    const double cores = std::min({limit, e.pods[p].share, 1.0}) / e.nodes[n].slowness;
    const double start_s =
        startup_s(e.works[w].nature, {.bind_s = 0.3 + 0.7 * u,
                                      .image_cached = image != 0,
                                      .bandwidth_bytes_per_s = e.nodes[n].net_bytes_s,
                                      .cpu_cores = std::max(cores, 0.01)});
    image = 1;
    e.queue.push(e.now + static_cast<Ms>(std::ceil(start_s * 1000.0)), EventKind::pod, p,
                 e.pods[p].generation);
}

void enter_node(EnvArrays& e, Index p, Index n) {
    Rows<EnvNode>& nodes = e.nodes;
    const Index w = e.pods[p].work;
    const Index at = nodes[n].bound++;
    PARLEY_CHECK(at < e.node_room);
    e.pods[p].node = n;
    e.pods[p].in_node = at;
    put_in_node(e, first_of_node(e, n) + at, p, w);
    give_room(e, n, -1, -e.works[w].cpu_request_m, -e.pods[p].memory_limit);
    ++e.in_zone[std::size_t{w} * e.zones + nodes[n].zone];
}

void bind_pod(EnvArrays& e, Index p, Index n) {
    enter_node(e, p, n);
    become(e, p, Stage::starting);
    begin_start(e, p);
}

void create_pod(EnvArrays& e, Index w) {
    PARLEY_CHECK(!e.free.empty() && e.works[w].count < e.work_room);
    const Index p = e.free.back();
    e.free.pop_back();
    const bool as_template = e.options.new_pods_as_template;
    ++e.pods[p].generation;
    e.pods[p].serial = ++e.serials;
    e.pods[p].work = w;
    e.pods[p].node = kNone;
    e.pods[p].ordinal = e.works[w].ordinals++;
    e.pods[p].resizing = false;
    e.pods[p].restarts = e.pods[p].kills = 0;
    e.pods[p].ready_at = 0;
    e.pods[p].share = kUnlimited;
    e.pods[p].cpu_limit_m = e.pods[p].cpu_limit_next_m =
        as_template ? e.works[w].template_cpu_m : e.works[w].cpu_limit_m;
    e.pods[p].memory_limit = as_template ? e.works[w].template_memory : e.works[w].memory_limit;
    e.pods[p].stage = Stage::waiting;
    e.pods[p].in_work = e.works[w].count;
    e.work_pods[first_of_work(e, w) + e.works[w].count++] = p;
    e.waiting.push_back({p, e.pods[p].generation});
    request_schedule(e, kScheduleNew);
}

void remove_pod(EnvArrays& e, Index p) {
    const Index w = e.pods[p].work;
    const bool was_placed = e.pods[p].node != kNone;
    become(e, p, Stage::terminating);
    leave_node(e, p);
    if (e.pods[p].in_work + 1 != e.works[w].count) change_order(e, w);
    const std::size_t first = first_of_work(e, w);
    const Index last = e.work_pods[first + --e.works[w].count];
    e.work_pods[first + e.pods[p].in_work] = last;
    e.pods[last].in_work = e.pods[p].in_work;
    e.pods[p].stage = Stage::free;
    e.pods[p].resizing = false;
    ++e.pods[p].generation;
    e.free.push_back(p);
    if (was_placed) request_schedule(e, kScheduleRetry);
}

void terminate_pod(EnvArrays& e, Index p) {
    const Stage before = e.pods[p].stage;
    const Index w = e.pods[p].work;
    become(e, p, Stage::terminating);
    const std::uint64_t bits = draw(e.seed, Stream::jitter, e.works[w].entity, place(e, p, 2));
    const auto needs = static_cast<Ms>((0.5 + 2.0 * random::uniform01(bits)) * 1000.0);
    const Ms takes = before == Stage::serving ? std::min(e.works[w].grace, needs) : 0;
    if (takes == 0) {
        remove_pod(e, p);
    } else {
        e.queue.push(e.now + takes, EventKind::pod, p, e.pods[p].generation);
    }
}

void count_neighbours(EnvArrays& e, Index w) {
    Rows<EnvNode>& nodes = e.nodes;
    ++e.stamp_number;
    for (Index i = 0; i < e.works[w].count; ++i) {
        const Index other = e.work_pods[first_of_work(e, w) + i];
        const Index n = e.pods[other].node;
        if (n == kNone || e.pods[other].stage == Stage::terminating) continue;
        if (nodes[n].stamp != e.stamp_number) {
            nodes[n].stamp = e.stamp_number;
            nodes[n].stamp_count = 0;
        }
        ++nodes[n].stamp_count;
    }
}

// How many pods of the workload are on this pod's node, by the last count_neighbours().
std::int32_t neighbours(const EnvArrays& e, Index p) {
    const Index n = e.pods[p].node;
    return n == kNone || e.nodes[n].stamp != e.stamp_number ? 0 : e.nodes[n].stamp_count;
}

// The order of a ReplicaSet; there are no deletion costs here.
bool deleted_before(const EnvArrays& e, Index a, Index b) {
    const auto key = [&](Index p) {
        return std::tuple(e.pods[p].node != kNone, e.pods[p].stage != Stage::waiting, serves(e, p),
                          -neighbours(e, p), -e.pods[p].restarts);
    };
    const auto x = key(a);
    const auto y = key(b);
    return x != y ? x < y : e.pods[a].serial > e.pods[b].serial;
}

void schedule_pass(EnvArrays& e) {
    e.schedule_at = kNever;
    const auto over = [&](const Waiting& one) {
        return e.pods[one.pod].generation != one.generation;
    };
    std::erase_if(e.waiting, over);
    std::ranges::sort(e.waiting, [&](const Waiting& a, const Waiting& b) {
        const std::int32_t x = e.works[e.pods[a.pod].work].priority;
        const std::int32_t y = e.works[e.pods[b.pod].work].priority;
        return x != y ? x > y : e.pods[a.pod].serial < e.pods[b.pod].serial;
    });
    Index hopeless = kNone;
    for (const Waiting& one : e.waiting) {
        if (e.pods[one.pod].work == hopeless) continue;
        const Index n = choose_node(e, one.pod);
        if (n == kNone) {
            hopeless = e.pods[one.pod].work;
        } else {
            bind_pod(e, one.pod, n);
        }
    }
    std::erase_if(e.waiting, over);
}

void pod_event(EnvArrays& e, Index p) {
    switch (e.pods[p].stage) {
        case Stage::starting:
            become(e, p, Stage::serving);
            e.pods[p].ready_at = e.now;
            return;
        case Stage::crashed:
            become(e, p, Stage::starting);
            begin_start(e, p);
            return;
        case Stage::terminating:
            remove_pod(e, p);
            return;
        default:
            return;
    }
}

void happen(EnvArrays& e, const Event& event) {
    const Index p = event.entity;
    if (event.kind() == EventKind::schedule) {
        if (event.generation == e.schedule_generation) schedule_pass(e);
    } else if (e.pods[p].generation == event.generation) {
        pod_event(e, p);
    }
}

// Whether the worst pod to be expected would be killed with this limit.
bool kills_some(const EnvWork& work, std::int64_t limit) {
    const double leak = work.nature.memory_leak_bytes_per_s * work.age_max_s;
    return out_of_memory((work.memory_pod + leak) * work.memory_worst, static_cast<double>(limit));
}

}  // namespace

bool place_serving(EnvArrays& e, Index p) {
    const Index n = choose_node(e, p);
    if (n == kNone) return false;
    const Index w = e.pods[p].work;
    enter_node(e, p, n);
    e.pods[p].stage = Stage::serving;
    ++e.pods[p].generation;
    set_active(e, p, true);
    ++e.works[w].serving;
    e.images[std::size_t{n} * e.works.size() + w] = 1;
    return true;
}

void run_events(EnvArrays& e, Ms until) {
    while (!e.queue.empty() && e.queue.top().at <= until) {
        const Event event = e.queue.pop();
        e.now = std::max(e.now, event.at);
        happen(e, event);
    }
}

void set_wanted(EnvArrays& e, Index w, std::int32_t wanted) {
    e.works[w].wanted = wanted;
    const Index* pods = e.work_pods.data() + first_of_work(e, w);
    std::int32_t have = 0;
    for (Index i = 0; i < e.works[w].count; ++i) {
        have += e.pods[pods[i]].stage != Stage::terminating ? 1 : 0;
    }
    for (; have < wanted; ++have) create_pod(e, w);
    for (; have > wanted; --have) {
        Index victim = kNone;
        count_neighbours(e, w);
        for (Index i = 0; i < e.works[w].count; ++i) {
            const Index p = pods[i];
            if (e.pods[p].stage == Stage::terminating) continue;
            if (victim == kNone || deleted_before(e, p, victim)) victim = p;
        }
        terminate_pod(e, victim);
    }
}

void resize_cpu(EnvArrays& e, Index w, std::int64_t limit_m) {
    EnvWork& work = e.works[w];
    work.cpu_limit_m = limit_m;
    for (Index i = 0; i < work.count; ++i) {
        EnvPod& pod = e.pods[e.work_pods[first_of_work(e, w) + i]];
        if (pod.cpu_limit_next_m == limit_m) continue;
        if (pod.node == kNone) {
            if (e.options.new_pods_as_template) continue;
            pod.cpu_limit_m = pod.cpu_limit_next_m = limit_m;
            continue;
        }
        pod.cpu_limit_next_m = limit_m;
        pod.resizing = true;
    }
    // Pods that still waited for another limit now wait for this one.
    work.resize_at = e.now + resize_ms(e.seed, work.entity, e.now);
    list_changed(e, w);
}

std::int64_t least_free_memory(const EnvArrays& e) {
    std::int64_t least = free_memory(e, 0);
    for (Index n = 1; n < e.nodes.size(); ++n) least = std::min(least, free_memory(e, n));
    return least;
}

bool memory_surely_fits(const EnvArrays& e, Index w, std::int64_t limit, std::int64_t free) {
    const EnvWork& work = e.works[w];
    if (kills_some(work, limit)) return false;
    const std::int64_t grows = limit - std::min(work.memory_limit, work.template_memory);
    return grows * work.count <= free;
}

bool memory_fits(const EnvArrays& e, Index w, std::int64_t limit) {
    const bool doubtful = kills_some(e.works[w], limit);
    const Index* pods = e.work_pods.data() + first_of_work(e, w);
    for (Index i = 0; i < e.works[w].count; ++i) {
        const Index p = pods[i];
        const Index n = e.pods[p].node;
        if (n == kNone) continue;
        if (doubtful && out_of_memory(memory_of(e, p), static_cast<double>(limit))) return false;
        if (limit <= e.pods[p].memory_limit) continue;
        const std::int64_t free = free_memory(e, n);
        const std::int64_t grows = limit - e.pods[p].memory_limit;
        if (free >= grows * e.works[w].count) continue;
        std::int64_t together = 0;
        for (Index j = 0; j < e.works[w].count; ++j) {
            if (e.pods[pods[j]].node == n) together += limit - e.pods[pods[j]].memory_limit;
        }
        if (together > free) return false;
    }
    return true;
}

void resize_memory(EnvArrays& e, Index w, std::int64_t limit) {
    e.works[w].memory_limit = limit;
    for (Index i = 0; i < e.works[w].count; ++i) {
        const Index p = e.work_pods[first_of_work(e, w) + i];
        const Index n = e.pods[p].node;
        if (n == kNone && e.options.new_pods_as_template) continue;
        if (n != kNone) give_room(e, n, 0, 0, e.pods[p].memory_limit - limit);
        e.pods[p].memory_limit = limit;
    }
    request_schedule(e, kScheduleRetry);
}

void kill_container(EnvArrays& e, Index p) {
    const Index w = e.pods[p].work;
    e.works[w].flow.debt += e.works[w].done_per_s * e.works[w].latency_mean_s / e.works[w].serving;
    e.pods[p].kills = kills_in_a_row(e.pods[p].kills, seconds_of(e.now - e.pods[p].ready_at));
    ++e.pods[p].restarts;
    ++e.works[w].oom_kills;
    become(e, p, Stage::crashed);
    const auto pause = static_cast<Ms>(restart_pause_s(e.pods[p].kills) * 1000.0);
    e.queue.push(e.now + pause, EventKind::pod, p, e.pods[p].generation);
}

}  // namespace parley::sim
