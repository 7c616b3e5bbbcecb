#include "sim/learners/vector_env.h"

#include "base/check.h"
#include "sim/learners/vector_env_arrays.h"
#include "sim/load/lane_draws.h"
#include "sim/world/world_build.h"

#include <algorithm>
#include <string>
#include <utility>

namespace parley::sim {
namespace {

constexpr std::uint16_t bit(EnvInput input) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(input));
}
constexpr std::uint8_t bit(EnvAction action) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(action));
}
constexpr std::uint16_t kAlwaysValid =
    bit(EnvInput::cpu_limit) | bit(EnvInput::memory_limit) | bit(EnvInput::replicas);
constexpr std::uint16_t kMeasured = bit(EnvInput::cpu_use) | bit(EnvInput::memory_use) |
                                    bit(EnvInput::io_use) | bit(EnvInput::net_use);
constexpr std::uint16_t kPromises = bit(EnvInput::sp_latency) | bit(EnvInput::sp_throughput);

tl::unexpected<Error> unfit(const std::string& what) {
    return fail(ErrorCode::denied, "this scenario is not for an environment: " + what);
}

Result<void> fits(const WorkloadSpec& w, const EnvOptions& o) {
    const std::string name = w.space + "/" + w.name;
    if (w.kind != model::WorkloadKind::deployment || !w.service) {
        return unfit(name + " must be a Deployment with a service");
    }
    if (w.zone_skew_max > 0 || !w.selector.empty() || w.recreate) {
        return unfit(name + " must have no selector, zone skew or strategy Recreate");
    }
    if (w.replicas < o.replicas_min || w.replicas > o.replicas_max) {
        return unfit(name + ": replicas must be within the bounds");
    }
    if (w.pod.cpu_limit_m < std::max(o.cpu_min_m, w.pod.cpu_request_m) ||
        w.pod.cpu_limit_m > o.cpu_max_m) {
        return unfit(name + ": cpu_limit_m must be within the bounds and not below the request");
    }
    if (w.pod.memory_limit_mib < o.memory_min_mib || w.pod.memory_limit_mib > o.memory_max_mib ||
        w.pod.memory_limit_mib != w.pod.memory_request_mib) {
        return unfit(name + ": memory_limit_mib must be within the bounds and equal the request");
    }
    return {};
}

Result<void> fits(const Scenario& s, const EnvOptions& o) {
    const FaultRules& f = s.faults;
    const double faults = f.failures + f.gray + f.rack_shocks + f.nuisances + f.crash_loops;
    if (faults > 0.0 || !s.script.empty() || !s.jobs.empty() || s.exercise) {
        return unfit("jobs, faults, script and exercise must be left out");
    }
    if (s.workloads.empty()) return unfit("it has no workloads");
    for (const NodeGroup& group : s.nodes) {
        if (group.role != model::NodeRole::worker) return unfit("all nodes must be workers");
    }
    const bool bounds = o.replicas_min >= 0 && o.replicas_min <= o.replicas_max &&
                        o.replicas_max <= 1'000 && o.cpu_step_m > 0 && o.memory_step_mib > 0 &&
                        o.episode_steps > 0 && o.alpha >= 0.0 && o.alpha <= 1.0;
    if (!bounds) return fail(ErrorCode::denied, "the environment's options are out of range");
    for (const WorkloadSpec& w : s.workloads) {
        if (auto fit = fits(w, o); !fit) return fit;
    }
    return {};
}

// Figures of a step are seen at its end, so the source closes its windows there.
Result<std::uint32_t> measuring_source(const Scenario& s) {
    std::uint32_t found = kNone;
    for (std::uint32_t i = 0; i < s.sources.size(); ++i) {
        if (s.sources[i].on) found = i;
    }
    if (found == kNone) return unfit("no source is on");
    if (s.sources[found].period != s.step || !s.sources[found].faults.empty()) {
        return unfit("the last source must have the period of a step, and no faults");
    }
    return found;
}

void find_legal(EnvArrays& e, Index w, std::int64_t free_memory) {
    const EnvWork& work = e.works[w];
    const EnvOptions& o = e.options;
    const std::int32_t wanted = work.wanted;
    const std::int64_t cpu = work.cpu_limit_m;
    const std::int64_t memory = work.memory_limit;
    const std::int64_t step = o.memory_step_mib * kMib;
    unsigned mask = bit(EnvAction::none);
    const auto allow = [&](bool condition, EnvAction action) {
        mask |= condition ? bit(action) : 0U;
    };
    allow(wanted < o.replicas_max, EnvAction::add_replica);
    allow(wanted > o.replicas_min, EnvAction::drop_replica);
    allow(cpu + o.cpu_step_m <= o.cpu_max_m, EnvAction::more_cpu);
    allow(cpu - o.cpu_step_m >= std::max(o.cpu_min_m, work.cpu_request_m), EnvAction::less_cpu);
    const auto fits = [&](std::int64_t limit) {
        return memory_surely_fits(e, w, limit, free_memory) || memory_fits(e, w, limit);
    };
    allow(memory + step <= o.memory_max_mib * kMib && fits(memory + step), EnvAction::more_memory);
    allow(memory - step >= o.memory_min_mib * kMib && fits(memory - step), EnvAction::less_memory);
    e.seen.legal[w] = static_cast<std::uint8_t>(mask);
}

void find_legal(EnvArrays& e) {
    const std::int64_t free = least_free_memory(e);
    for (Index w = 0; w < e.works.size(); ++w) find_legal(e, w, free);
}

void act(EnvArrays& e, Index w, EnvAction action) {
    const EnvOptions& o = e.options;
    const bool legal = (e.seen.legal[w] & bit(action)) != 0;
    e.seen.refused[w] = legal ? 0 : 1;
    if (!legal) return;
    const std::int64_t memory = e.works[w].memory_limit;
    const std::int64_t step = o.memory_step_mib * kMib;
    switch (action) {
        case EnvAction::none:
            return;
        case EnvAction::add_replica:
            return set_wanted(e, w, e.works[w].wanted + 1);
        case EnvAction::drop_replica:
            return set_wanted(e, w, e.works[w].wanted - 1);
        case EnvAction::more_cpu:
            return resize_cpu(e, w, e.works[w].cpu_limit_m + o.cpu_step_m);
        case EnvAction::less_cpu:
            return resize_cpu(e, w, e.works[w].cpu_limit_m - o.cpu_step_m);
        case EnvAction::more_memory:
            // Another workload may have taken the room at this very moment.
            if (memory_fits(e, w, memory + step)) resize_memory(e, w, memory + step);
            return;
        case EnvAction::less_memory:
            return resize_memory(e, w, memory - step);
    }
}

/// By how much a total grew in this step.
double grown(double& before, double now) { return now - std::exchange(before, now); }

/// Use and service of a workload in one step, true or measured.
struct Figures {
    double cpu_cores = 0.0, memory_bytes = 0.0;  ///< Of a pod.
    double latency_p95_s = 0.0;
};

struct Kept {
    double latency = 1.0;     ///< SP of latency.
    double throughput = 1.0;  ///< SP of throughput.
};

Kept kept(const EnvArrays& e, Index w, double latency_p95_s) {
    const EnvWork& work = e.works[w];
    const EnvTruth& t = e.seen.truth[w];
    const double timeout_s = work.model.timeout_s;
    const double objective_s = work.objective_s;
    if (!(t.offered > 0.0) && !(t.done + t.lost > 0.0)) return {};
    if (work.served == 0) return {0.0, 0.0};
    Kept out;
    out.throughput = t.offered > 0.0 ? std::min(1.0, t.done / t.offered) : 1.0;
    const double ended = t.done + t.lost;
    if (!(ended > 0.0)) return out;
    const double in_time = t.done > 0.0 ? std::min(latency_p95_s, timeout_s) : 0.0;
    const double counted = (t.done * in_time + t.lost * timeout_s) / ended;
    out.latency = counted > objective_s ? objective_s / counted : 1.0;
    return out;
}

double reward(const EnvArrays& e, Index w, const Figures& f, const Kept& sp) {
    const EnvWork& work = e.works[w];
    if (e.seen.refused[w] != 0) return -1.0;
    const double cpu = f.cpu_cores * 1000.0 / static_cast<double>(work.cpu_limit_m);
    const double memory = f.memory_bytes / static_cast<double>(work.memory_limit);
    const double use = std::min(1.0, cpu) + (work.oom_kills > 0 ? 0.0 : std::min(1.0, memory));
    return e.options.alpha * sp.latency * 2.0 + (1.0 - e.options.alpha) * use;
}

/// What the source exports, as the world's metric pipeline does: four figures at a time.
class Exporter {
public:
    Exporter(const EnvArrays& e, Index w)
        : seed_(e.seed),
          entity_(e.works[w].entity),
          index_((std::uint64_t{3} << 54) | (std::uint64_t{e.feed} << 48) |
                 (static_cast<std::uint64_t>(e.scrapes) << 4)) {}

    bool lost(double loss) const {
        return loss > 0.0 && random::bernoulli(draw(seed_, Stream::noise, entity_, index_), loss);
    }
    /// Figures number 1 to 4. Without noise, or of nothing, they stay what they are.
    std::array<double, 4> noisy(std::array<double, 4> values,
                                const std::array<double, 4>& sigmas) const {
        run_wide([&]() __attribute__((always_inline)) {
            const FourWords bits = draw_lanes(seed_, Stream::noise, FourWords{} + entity_,
                                              index_ | FourWords{1, 2, 3, 4});
            const Four off = exp_of(std::bit_cast<Four>(sigmas) * normal_lanes<Four>(bits));
            values = std::bit_cast<std::array<double, 4>>(std::bit_cast<Four>(values) * off);
        });
        return values;
    }

private:
    std::uint64_t seed_, entity_, index_;
};

/// Sums of a step that only the source sees.
struct Window {
    double spread = 0.0, io = 0.0, net = 0.0;
};

Window close_window(EnvArrays& e, Index w) {
    const EnvWork& work = e.works[w];
    EnvSeen& seen = e.seen;
    const Flow& f = work.flow;
    EnvTotals& before = seen.totals[w];
    EnvTruth& t = seen.truth[w];
    t.offered = grown(before.offered, f.offered_total);
    t.done = grown(before.done, f.done_total);
    t.lost = grown(before.lost, f.lost_total);
    t.cpu_core_s = grown(before.cpu, f.cpu_total);
    const double latency = grown(before.latency, f.latency_total);
    t.latency_p95_s = t.done > 0.0 ? latency / t.done : -1.0;
    t.queued = f.queued;
    t.memory_bytes = work.serving > 0 ? e.uses[w].memory : 0.0;
    t.serving = work.serving;
    t.oom_kills = work.oom_kills;
    return {grown(before.spread, f.spread_total), grown(before.io, work.io_total),
            grown(before.net, work.net_total)};
}

void set_sizes(EnvArrays& e, Index w) {
    const EnvWork& work = e.works[w];
    const EnvOptions& o = e.options;
    double* state = e.seen.states.data() + std::size_t{w} * kEnvInputs;
    const auto share = [](auto part, auto whole) {
        return std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0);
    };
    state[0] = share(work.cpu_limit_m, o.cpu_max_m);
    state[1] = share(work.memory_limit, o.memory_max_mib * kMib);
    state[2] = share(work.wanted, o.replicas_max);
    e.seen.valid[w] = kAlwaysValid;
}

void set_measured(EnvArrays& e, Index w, const Figures& f, const std::array<double, 2>& traffic) {
    const EnvWork& work = e.works[w];
    double* state = e.seen.states.data() + std::size_t{w} * kEnvInputs;
    const double limit_cores = static_cast<double>(work.cpu_limit_m) / 1000.0;
    state[3] = std::clamp(f.cpu_cores / limit_cores, 0.0, 1.0);
    state[4] = std::clamp(f.memory_bytes / static_cast<double>(work.memory_limit), 0.0, 1.0);
    state[5] = std::clamp(traffic[0] * work.io_per_byte, 0.0, 1.0);
    state[6] = std::clamp(traffic[1] * work.net_per_byte, 0.0, 1.0);
    e.seen.valid[w] |= kMeasured;
}

void set_load_change(EnvArrays& e, Index w, double before, double now) {
    double* state = e.seen.states.data() + std::size_t{w} * kEnvInputs;
    state[9] = 0.0;
    if (before < 0.0 || now < 0.0) return;
    state[9] = std::clamp((now - before) / std::max({now, before, 1.0}), -1.0, 1.0);
    e.seen.valid[w] |= bit(EnvInput::load_change);
}

void observe(EnvArrays& e, Index w) {
    EnvSeen& seen = e.seen;
    const Window window = close_window(e, w);
    const EnvTruth& t = seen.truth[w];
    const double span_ms = static_cast<double>(ms_of(e.scenario->step));
    const double pods = std::max(1, t.serving);
    const Figures truth{t.cpu_core_s * 1000.0 / span_ms / pods, t.memory_bytes, t.latency_p95_s};
    seen.rewards_true[w] = reward(e, w, truth, kept(e, w, truth.latency_p95_s));

    const Exporter source(e, w);
    const SourceSpec& spec = e.scenario->sources[e.feed];
    const bool there = t.serving > 0 && !source.lost(spec.loss);
    const double before = std::exchange(seen.requests_per_s[w], -1.0);
    seen.latency_p95_s[w] = -1.0;
    Figures measured;
    set_sizes(e, w);
    double* state = seen.states.data() + std::size_t{w} * kEnvInputs;
    std::fill(state + 3, state + kEnvInputs, 0.0);
    if (there) {
        const double sigma = spec.noise;
        const bool done = t.done > 0.0;
        // Without requests done there is no latency: -1, and no noise on it.
        const double spread = done ? percentile_sigma(window.spread / t.done, t.done) : 0.0;
        const auto exported = source.noisy({truth.cpu_cores * 1000.0, t.memory_bytes,
                                            t.offered * 1000.0 / span_ms, t.latency_p95_s},
                                           {sigma, sigma, sigma, spread});
        measured.cpu_cores = exported[0] / 1000.0;
        measured.memory_bytes = exported[1];
        seen.requests_per_s[w] = exported[2];
        measured.latency_p95_s = seen.latency_p95_s[w] = exported[3];
        const double per_pod_s = 1000.0 / span_ms / pods;
        // Traffic is read off counters, which are exact.
        set_measured(e, w, measured, {window.io * per_pod_s, window.net * per_pod_s});
    }
    set_load_change(e, w, before, seen.requests_per_s[w]);
    const Kept sp = kept(e, w, measured.latency_p95_s);
    seen.rewards_measured[w] = reward(e, w, measured, sp);
    // If no pod served, that is known even without a sample.
    if (there || e.works[w].served == 0) {
        state[7] = sp.latency;
        state[8] = sp.throughput;
        seen.valid[w] |= kPromises;
    }
}

void begin_step(EnvArrays& e) {
    for (Index w = 0; w < e.works.size(); ++w) {
        e.works[w].oom_kills = 0;
        e.works[w].served = e.works[w].serving;
    }
}

WorkloadSpec sample_workload(std::int32_t number, std::int32_t replicas) {
    WorkloadSpec w{.space = "learn", .name = "app-" + std::to_string(number), .replicas = replicas};
    w.pod.cpu_request_m = 128;
    w.pod.cpu_limit_m = 512 + 128 * (number % 5);
    w.pod.memory_request_mib = w.pod.memory_limit_mib = 768 + 128 * (number % 4);
    w.pod.memory_mib = 300.0 + 20.0 * (number % 7);
    w.pod.memory_request_mb = 0.2 + 0.4 * (number % 5);
    w.pod.startup_core_s = 0.5 + number % 6;
    w.pod.warmup_peak = number % 4 == 1 ? 1.5 : 1.0;
    w.service = Service{};
    Service& service = *w.service;
    service.demand_ms = 5.0 + 3.0 * (number % 8);
    service.demand_cv2 = 0.25 + 0.25 * (number % 7);
    service.arrival_cv2 = number % 3 == 2 ? 2.0 : 1.0;
    service.parallelism = 1.0 + number % 3;
    service.disk_kb = number % 5 == 3 ? 128.0 : 0.0;
    service.net_kb = 10.0 + 10.0 * (number % 6);
    service.objective = milliseconds(60 + 20 * (number % 10));
    service.balance = number % 6 == 5 ? Balancing::pooled : Balancing::random;
    // About half of what the pods may use.
    const double capacity = replicas * static_cast<double>(w.pod.cpu_limit_m) / service.demand_ms;
    service.rate = {.kind = SeriesKind::daily,
                    .base = 0.5 * capacity,
                    .amplitude = 0.6,
                    .peak_hour = static_cast<double>(number % 24),
                    .noise = 0.2};
    return w;
}

}  // namespace

Scenario learner_cluster(std::int32_t nodes, std::int32_t workloads, std::int32_t replicas) {
    Scenario s{.name = "learner"};
    s.description = std::to_string(nodes) + " nodes, " + std::to_string(workloads * replicas) +
                    " pods for a learner";
    s.nodes.push_back({.name = "node",
                       .count = nodes,
                       .cpu_m = 1'000 * (workloads * replicas / nodes + 1),
                       .memory_mib = std::int64_t{4'096} * (workloads * replicas / nodes + 1)});
    for (std::int32_t w = 0; w < workloads; ++w)
        s.workloads.push_back(sample_workload(w, replicas));
    return s;
}

VectorEnv::VectorEnv(std::unique_ptr<EnvArrays> arrays) : arrays_(std::move(arrays)) {}
VectorEnv::VectorEnv(VectorEnv&&) noexcept = default;
VectorEnv& VectorEnv::operator=(VectorEnv&&) noexcept = default;
VectorEnv::~VectorEnv() = default;

Result<VectorEnv> VectorEnv::make(Scenario scenario, EnvOptions options) {
    if (auto valid = validate(scenario); !valid) {
        return fail(ErrorCode::malformed, valid.error().text());
    }
    if (auto fit = fits(scenario, options); !fit) return tl::unexpected(fit.error());
    const auto feed = measuring_source(scenario);
    if (!feed) return tl::unexpected(feed.error());
    auto arrays = std::make_unique<EnvArrays>();
    arrays->scenario = std::make_shared<Scenario>(std::move(scenario));
    arrays->options = options;
    arrays->feed = *feed;
    VectorEnv env(std::move(arrays));
    env.reset(0);
    return env;
}

void VectorEnv::reset(std::uint64_t seed, std::span<const EnvStart> starts) {
    EnvArrays& e = *arrays_;
    PARLEY_CHECK(starts.empty() || starts.size() == e.scenario->workloads.size());
    bool known = !e.blank.nodes.empty();
    for (std::size_t w = 0; w < starts.size(); ++w) {
        WorkloadSpec& spec = e.scenario->workloads[w];
        known = known && spec.replicas == starts[w].replicas &&
                spec.pod.cpu_limit_m == starts[w].cpu_limit_m &&
                spec.pod.memory_limit_mib == starts[w].memory_limit_mib;
        spec.replicas = starts[w].replicas;
        spec.pod.cpu_limit_m = starts[w].cpu_limit_m;
        spec.pod.memory_limit_mib = spec.pod.memory_request_mib = starts[w].memory_limit_mib;
        PARLEY_CHECK(fits(spec, e.options).has_value());
    }
    if (!known) take_over(e, build_state(e.scenario, seed));
    start(e, seed);
    step_noise(e);
    step_load(e);
    settle_changes(e, e.now);
    for (Index w = 0; w < e.works.size(); ++w) set_sizes(e, w);
    find_legal(e);
}

void VectorEnv::step(std::span<const EnvAction> actions) {
    EnvArrays& e = *arrays_;
    PARLEY_CHECK(actions.size() == e.works.size());
    begin_step(e);
    for (Index w = 0; w < e.works.size(); ++w) act(e, w, actions[w]);
    const Ms end = e.next_step;
    run_events(e, end - 1);
    settle_changes(e, end - 1);
    e.now = end;
    // At one moment the world processes noise, load, pods and the source in this order.
    if (e.next_noise == end) step_noise(e);
    step_load(e);
    run_events(e, end);
    ++e.scrapes;
    ++e.steps;
    for (Index w = 0; w < e.works.size(); ++w) observe(e, w);
    settle_changes(e, end);
    find_legal(e);
}

std::size_t VectorEnv::workloads() const { return arrays_->works.size(); }
std::span<const double> VectorEnv::states() const { return arrays_->seen.states.all(); }
std::span<const std::uint16_t> VectorEnv::valid() const { return arrays_->seen.valid.all(); }
std::span<const double> VectorEnv::rewards_measured() const {
    return arrays_->seen.rewards_measured.all();
}
std::span<const double> VectorEnv::rewards_true() const { return arrays_->seen.rewards_true.all(); }
std::span<const std::uint8_t> VectorEnv::legal() const { return arrays_->seen.legal.all(); }
bool VectorEnv::truncated() const {
    return arrays_->steps > 0 && arrays_->steps % arrays_->options.episode_steps == 0;
}
EnvTruth VectorEnv::truth(std::size_t workload) const { return arrays_->seen.truth[workload]; }
std::array<double, 2> VectorEnv::exported_figures(std::size_t workload) const {
    return {arrays_->seen.requests_per_s[workload], arrays_->seen.latency_p95_s[workload]};
}

}  // namespace parley::sim
