#include "base/check.h"
#include "sim/scheduler.h"
#include "sim/vector_env_arrays.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace parley::sim {
namespace {

// As in the scheduler of the world: so many feasible nodes are compared, ties go by lot.
constexpr Index kEnough = 100;
std::uint64_t lot_of(std::uint64_t drawn, std::uint64_t node) {
    std::uint64_t x = (drawn ^ node) * 0xff51afd7ed558ccd;
    x ^= x >> 33;
    return x * 0xc4ceb9fe1a85ec53;
}

// Draws of one pod, as in the world.
std::uint64_t place(const EnvArrays& e, Index p, std::uint64_t use) {
    return (std::uint64_t{e.pods.ordinal[p]} << 4) | use;
}

std::size_t first_of_node(const EnvArrays& e, Index n) { return std::size_t{n} * e.nodes.room; }
std::size_t first_of_work(const EnvArrays& e, Index w) { return std::size_t{w} * e.works.room; }

void request_schedule(EnvArrays& e, Ms delay) {
    const Ms at = e.now + delay;
    if (e.schedule_at <= at || e.waiting.empty()) return;
    e.schedule_at = at;
    e.queue.push(at, EventKind::schedule, 0, ++e.schedule_generation);
}

void put_in_node(EnvArrays& e, std::size_t at, Index p, Index w) {
    e.nodes.pods[at] = p;
    e.nodes.works[at] = w;
}

void leave_node(EnvArrays& e, Index p) {
    EnvNodes& nodes = e.nodes;
    const Index n = e.pods.node[p];
    if (n == kNone) return;
    const Index w = e.pods.work[p];
    nodes.cpu_requested_m[n] -= e.works.cpu_request_m[w];
    nodes.memory_requested[n] -= e.pods.memory_limit[p];
    --e.works.in_zone[std::size_t{w} * e.works.zones + nodes.zone[n]];
    const std::size_t first = first_of_node(e, n);
    const Index last = --nodes.bound[n];
    const Index mine = e.pods.in_node[p];
    put_in_node(e, first + mine, nodes.pods[first + last], nodes.works[first + last]);
    e.pods.in_node[nodes.pods[first + mine]] = mine;
    e.pods.node[p] = kNone;
}

void set_active(EnvArrays& e, Index p, bool active) {
    EnvNodes& nodes = e.nodes;
    const Index n = e.pods.node[p];
    if (n == kNone) return;
    const Index mine = e.pods.in_node[p];
    const bool was = mine < nodes.active[n];
    if (was == active) return;
    if (was) --nodes.active[n];
    const Index other = nodes.active[n];
    if (!was) ++nodes.active[n];
    const std::size_t first = first_of_node(e, n);
    std::swap(nodes.pods[first + mine], nodes.pods[first + other]);
    std::swap(nodes.works[first + mine], nodes.works[first + other]);
    e.pods.in_node[nodes.pods[first + mine]] = mine;
    e.pods.in_node[nodes.pods[first + other]] = other;
}

void become(EnvArrays& e, Index p, Stage stage) {
    const Index w = e.pods.work[p];
    const bool served = serves(e, p);
    e.pods.stage[p] = stage;
    ++e.pods.generation[p];
    const bool now = serves(e, p);
    if (served != now) {
        e.works.serving[w] += now ? 1 : -1;
        touch(e, w);
    }
    set_active(e, p, now);
}

void begin_start(EnvArrays& e, Index p) {
    const Index w = e.pods.work[p];
    const Index n = e.pods.node[p];
    std::uint8_t& image = e.nodes.images[std::size_t{n} * e.works.size + w];
    const double limit = static_cast<double>(e.pods.cpu_limit_m[p]) / 1000.0;
    const double u =
        random::uniform01(draw(e.seed, Stream::startup, e.works.entity[w], place(e, p, 1)));
    const double cores = std::min({limit, e.pods.share[p], 1.0}) / e.nodes.slowness[n];
    const double start_s = startup_s(e.works.nature[w],
                                     {.bind_s = 0.3 + 0.7 * u,
                                      .image_cached = image != 0,
                                      .bandwidth_bytes_per_s = e.nodes.net_bytes_s[n],
                                      .cpu_cores = std::max(cores, 0.01)});
    image = 1;
    e.queue.push(e.now + static_cast<Ms>(std::ceil(start_s * 1000.0)), EventKind::pod, p,
                 e.pods.generation[p]);
}

void bind_pod(EnvArrays& e, Index p, Index n) {
    EnvNodes& nodes = e.nodes;
    const Index w = e.pods.work[p];
    const Index at = nodes.bound[n]++;
    PARLEY_CHECK(at < nodes.room);
    e.pods.node[p] = n;
    e.pods.in_node[p] = at;
    put_in_node(e, first_of_node(e, n) + at, p, w);
    nodes.cpu_requested_m[n] += e.works.cpu_request_m[w];
    nodes.memory_requested[n] += e.pods.memory_limit[p];
    ++e.works.in_zone[std::size_t{w} * e.works.zones + nodes.zone[n]];
    become(e, p, Stage::starting);
    begin_start(e, p);
}

void create_pod(EnvArrays& e, Index w) {
    PARLEY_CHECK(!e.pods.free.empty() && e.works.count[w] < e.works.room);
    const Index p = e.pods.free.back();
    e.pods.free.pop_back();
    const bool as_template = e.options.new_pods_as_template;
    ++e.pods.generation[p];
    e.pods.serial[p] = ++e.serials;
    e.pods.work[p] = w;
    e.pods.node[p] = kNone;
    e.pods.ordinal[p] = e.works.ordinals[w]++;
    e.pods.resize[p] = 0;
    e.pods.restarts[p] = e.pods.kills[p] = 0;
    e.pods.ready_at[p] = 0;
    e.pods.share[p] = kUnlimited;
    e.pods.worked_out[p] = kNotWorkedOut;
    e.pods.cpu_limit_m[p] = e.pods.cpu_limit_next_m[p] =
        as_template ? e.works.template_cpu_m[w] : e.works.cpu_limit_m[w];
    e.pods.memory_limit[p] = as_template ? e.works.template_memory[w] : e.works.memory_limit[w];
    e.pods.stage[p] = Stage::waiting;
    e.pods.in_work[p] = e.works.count[w];
    e.works.pods[first_of_work(e, w) + e.works.count[w]++] = p;
    e.waiting.push_back({p, e.pods.generation[p]});
    request_schedule(e, kScheduleNew);
}

void remove_pod(EnvArrays& e, Index p) {
    const Index w = e.pods.work[p];
    const bool was_placed = e.pods.node[p] != kNone;
    become(e, p, Stage::terminating);
    leave_node(e, p);
    const std::size_t first = first_of_work(e, w);
    const Index last = e.works.pods[first + --e.works.count[w]];
    e.works.pods[first + e.pods.in_work[p]] = last;
    e.pods.in_work[last] = e.pods.in_work[p];
    e.pods.stage[p] = Stage::free;
    ++e.pods.generation[p];
    e.pods.free.push_back(p);
    if (was_placed) request_schedule(e, kScheduleRetry);
}

void terminate_pod(EnvArrays& e, Index p) {
    const Stage before = e.pods.stage[p];
    const Index w = e.pods.work[p];
    become(e, p, Stage::terminating);
    const std::uint64_t bits = draw(e.seed, Stream::jitter, e.works.entity[w], place(e, p, 2));
    const auto needs = static_cast<Ms>((0.5 + 2.0 * random::uniform01(bits)) * 1000.0);
    const Ms takes = before == Stage::serving ? std::min(e.works.grace[w], needs) : 0;
    if (takes == 0) {
        remove_pod(e, p);
    } else {
        e.queue.push(e.now + takes, EventKind::pod, p, e.pods.generation[p]);
    }
}

std::int32_t neighbours(const EnvArrays& e, Index p) {
    const Index n = e.pods.node[p];
    if (n == kNone) return 0;
    const Index w = e.pods.work[p];
    std::int32_t found = 0;
    for (Index i = 0; i < e.works.count[w]; ++i) {
        const Index other = e.works.pods[first_of_work(e, w) + i];
        if (e.pods.node[other] == n && e.pods.stage[other] != Stage::terminating) ++found;
    }
    return found;
}

// The order of a ReplicaSet; nobody sets costs here.
bool deleted_before(const EnvArrays& e, Index a, Index b) {
    const auto key = [&](Index p) {
        return std::tuple(e.pods.node[p] != kNone, e.pods.stage[p] != Stage::waiting,
                          serves(e, p), -neighbours(e, p), -e.pods.restarts[p]);
    };
    const auto x = key(a);
    const auto y = key(b);
    return x != y ? x < y : e.pods.serial[a] > e.pods.serial[b];
}

void count_neighbours(EnvArrays& e, Index w) {
    EnvNodes& nodes = e.nodes;
    ++e.stamp_number;
    for (Index i = 0; i < e.works.count[w]; ++i) {
        const Index other = e.works.pods[first_of_work(e, w) + i];
        const Index n = e.pods.node[other];
        if (n == kNone || e.pods.stage[other] == Stage::terminating) continue;
        if (nodes.stamp[n] != e.stamp_number) {
            nodes.stamp[n] = e.stamp_number;
            nodes.stamp_count[n] = 0;
        }
        ++nodes.stamp_count[n];
    }
}

bool takes(const EnvArrays& e, Index p, Index n) {
    const EnvNodes& nodes = e.nodes;
    const Index w = e.pods.work[p];
    return nodes.cpu_requested_m[n] + e.works.cpu_request_m[w] <= nodes.cpu_m[n] &&
           nodes.memory_requested[n] + e.pods.memory_limit[p] <= nodes.memory[n] &&
           std::cmp_less(nodes.bound[n], nodes.pods_max[n]);
}

std::int64_t score(const EnvArrays& e, Index p, Index n) {
    const EnvNodes& nodes = e.nodes;
    const Index w = e.pods.work[p];
    const std::int64_t cpu_left =
        (nodes.cpu_m[n] - nodes.cpu_requested_m[n] - e.works.cpu_request_m[w]) * 1000 /
        nodes.cpu_m[n];
    const std::int64_t memory_left =
        (nodes.memory[n] - nodes.memory_requested[n] - e.pods.memory_limit[p]) /
        (nodes.memory[n] / 1000);
    const std::int64_t uneven =
        cpu_left > memory_left ? cpu_left - memory_left : memory_left - cpu_left;
    const std::int64_t here = nodes.stamp[n] == e.stamp_number ? nodes.stamp_count[n] : 0;
    return (cpu_left + memory_left) / 2 - uneven / 4 - 400 * here -
           200 * e.works.in_zone[std::size_t{w} * e.works.zones + nodes.zone[n]];
}

Index choose_node(EnvArrays& e, Index p) {
    count_neighbours(e, e.pods.work[p]);
    const Index count = e.nodes.size;
    const std::uint64_t drawn = draw(e.seed, Stream::scheduler, e.works.entity[e.pods.work[p]],
                                     e.pods.serial[p]);
    Index best = kNone;
    std::int64_t best_score = 0;
    std::uint64_t best_draw = 0;
    Index feasible = 0;
    for (Index i = 0; i < count && feasible < kEnough; ++i) {
        Index n = e.schedule_start + i;
        if (n >= count) n -= count;
        if (!takes(e, p, n)) continue;
        ++feasible;
        const std::int64_t points = score(e, p, n);
        if (best != kNone && points < best_score) continue;
        const std::uint64_t lot = lot_of(drawn, e.nodes.entity[n]);
        if (best == kNone || points > best_score || lot < best_draw) {
            best = n;
            best_score = points;
            best_draw = lot;
        }
    }
    if (count > kEnough) e.schedule_start = (e.schedule_start + kEnough) % count;
    return best;
}

void schedule_pass(EnvArrays& e) {
    e.schedule_at = kNever;
    const auto over = [&](const Waiting& one) {
        return e.pods.generation[one.pod] != one.generation;
    };
    std::erase_if(e.waiting, over);
    std::ranges::sort(e.waiting, [&](const Waiting& a, const Waiting& b) {
        const std::int32_t x = e.works.priority[e.pods.work[a.pod]];
        const std::int32_t y = e.works.priority[e.pods.work[b.pod]];
        return x != y ? x > y : e.pods.serial[a.pod] < e.pods.serial[b.pod];
    });
    Index hopeless = kNone;
    for (const Waiting& one : e.waiting) {
        if (e.pods.work[one.pod] == hopeless) continue;
        const Index n = choose_node(e, one.pod);
        if (n == kNone) {
            hopeless = e.pods.work[one.pod];
        } else {
            bind_pod(e, one.pod, n);
        }
    }
    std::erase_if(e.waiting, over);
}

void pod_event(EnvArrays& e, Index p) {
    switch (e.pods.stage[p]) {
        case Stage::starting:
            become(e, p, Stage::serving);
            e.pods.ready_at[p] = e.now;
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
    } else if (event.kind() == EventKind::pod_resized) {
        if (e.pods.resize[p] != event.generation || e.pods.stage[p] == Stage::free) return;
        e.pods.cpu_limit_m[p] = e.pods.cpu_limit_next_m[p];
        e.pods.worked_out[p] = kNotWorkedOut;
        touch(e, e.pods.work[p]);
    } else if (e.pods.generation[p] == event.generation) {
        pod_event(e, p);
    }
}

}  // namespace

void run_events(EnvArrays& e, Ms until) {
    while (!e.queue.empty() && e.queue.top().at <= until) {
        const Event event = e.queue.pop();
        if (event.at > e.now) {
            settle_touched(e);
            e.now = event.at;
        }
        happen(e, event);
    }
}

void set_wanted(EnvArrays& e, Index w, std::int32_t wanted) {
    e.works.wanted[w] = wanted;
    const Index* pods = e.works.pods.data() + first_of_work(e, w);
    std::int32_t have = 0;
    for (Index i = 0; i < e.works.count[w]; ++i) {
        have += e.pods.stage[pods[i]] != Stage::terminating ? 1 : 0;
    }
    for (; have < wanted; ++have) create_pod(e, w);
    for (; have > wanted; --have) {
        Index victim = kNone;
        for (Index i = 0; i < e.works.count[w]; ++i) {
            const Index p = pods[i];
            if (e.pods.stage[p] == Stage::terminating) continue;
            if (victim == kNone || deleted_before(e, p, victim)) victim = p;
        }
        terminate_pod(e, victim);
    }
}

void resize_cpu(EnvArrays& e, Index w, std::int64_t limit_m) {
    e.works.cpu_limit_m[w] = limit_m;
    for (Index i = 0; i < e.works.count[w]; ++i) {
        const Index p = e.works.pods[first_of_work(e, w) + i];
        if (e.pods.cpu_limit_next_m[p] == limit_m) continue;
        if (e.pods.node[p] == kNone) {
            if (e.options.new_pods_as_template) continue;
            e.pods.cpu_limit_m[p] = e.pods.cpu_limit_next_m[p] = limit_m;
            continue;
        }
        e.pods.cpu_limit_next_m[p] = limit_m;
        const std::uint64_t index =
            (std::uint64_t{e.pods.ordinal[p]} << 20) | (++e.pods.resize[p] & 0xf'ffff);
        const double u = random::uniform01(
            draw(e.seed, Stream::jitter, e.works.entity[w], (std::uint64_t{1} << 54) | index));
        e.queue.push(e.now + static_cast<Ms>(resize_s(u) * 1000.0), EventKind::pod_resized, p,
                     e.pods.resize[p]);
    }
}

bool memory_fits(const EnvArrays& e, Index w, std::int64_t limit) {
    const double leak = e.works.nature[w].memory_leak_bytes_per_s * e.works.age_max_s[w];
    const double worst = (e.works.memory_pod[w] + leak) * e.works.memory_worst[w];
    const bool doubtful = out_of_memory(worst, static_cast<double>(limit));
    const Index* pods = e.works.pods.data() + first_of_work(e, w);
    for (Index i = 0; i < e.works.count[w]; ++i) {
        const Index p = pods[i];
        const Index n = e.pods.node[p];
        if (n == kNone) continue;
        if (doubtful && out_of_memory(memory_of(e, p), static_cast<double>(limit))) return false;
        if (limit <= e.pods.memory_limit[p]) continue;
        const std::int64_t free = e.nodes.memory[n] - e.nodes.memory_requested[n];
        const std::int64_t grows = limit - e.pods.memory_limit[p];
        if (free >= grows * e.works.count[w]) continue;
        std::int64_t together = 0;
        for (Index j = 0; j < e.works.count[w]; ++j) {
            if (e.pods.node[pods[j]] == n) together += limit - e.pods.memory_limit[pods[j]];
        }
        if (together > free) return false;
    }
    return true;
}

void resize_memory(EnvArrays& e, Index w, std::int64_t limit) {
    e.works.memory_limit[w] = limit;
    for (Index i = 0; i < e.works.count[w]; ++i) {
        const Index p = e.works.pods[first_of_work(e, w) + i];
        const Index n = e.pods.node[p];
        if (n == kNone && e.options.new_pods_as_template) continue;
        if (n != kNone) e.nodes.memory_requested[n] += limit - e.pods.memory_limit[p];
        e.pods.memory_limit[p] = limit;
    }
    request_schedule(e, kScheduleRetry);
}

void kill_container(EnvArrays& e, Index p) {
    const Index w = e.pods.work[p];
    e.works.flow[w].debt += e.works.done_per_s[w] * e.works.latency_mean_s[w] / e.works.serving[w];
    e.pods.kills[p] = kills_in_a_row(e.pods.kills[p], seconds_of(e.now - e.pods.ready_at[p]));
    ++e.pods.restarts[p];
    ++e.works.oom_kills[w];
    become(e, p, Stage::crashed);
    const auto pause = static_cast<Ms>(restart_pause_s(e.pods.kills[p]) * 1000.0);
    e.queue.push(e.now + pause, EventKind::pod, p, e.pods.generation[p]);
}

}  // namespace parley::sim
