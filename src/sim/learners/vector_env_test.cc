#include "sim/learners/vector_env.h"

#include "base/random.h"
#include "sim/world/world.h"
#include "sim/world/world_pods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace parley::sim {
namespace {

constexpr std::int64_t kMiB = 1'048'576;

bool near(double a, double b) {
    return std::fabs(a - b) <= 1e-9 * std::max({1.0, std::fabs(a), std::fabs(b)});
}

/// A world that gets the same actions as an environment, as requests.
class Driven {
public:
    Driven(const Scenario& scenario, std::uint64_t seed)
        : world_(std::make_shared<const Scenario>(scenario), seed) {
        for (const WorkloadSpec& spec : scenario.workloads) {
            ids_.push_back({Name::of(spec.space), spec.kind, Name::of(spec.name)});
            replicas_.push_back(spec.replicas);
            cpu_m_.push_back(spec.pod.cpu_limit_m);
            memory_mib_.push_back(spec.pod.memory_limit_mib);
        }
        cluster::Batch batch;
        world_.collect(batch);
        for (const auto& change : batch.changes) {
            if (const auto* w = std::get_if<cluster::WorkloadChange>(&change)) {
                places_[w->row.uid.low] =
                    std::size_t(std::ranges::find(ids_, w->row.id) - ids_.begin());
            }
        }
        note_pods(batch, pods_);
        samples_.resize(ids_.size());
    }

    void act(std::size_t w, EnvAction action) {
        const int sign = static_cast<int>(action) % 2 == 1 ? 1 : -1;
        switch (action) {
            case EnvAction::none:
                return;
            case EnvAction::add_replica:
            case EnvAction::drop_replica:
                replicas_[w] += sign;
                return apply(model::SetReplicas{ids_[w], replicas_[w]});
            case EnvAction::more_cpu:
            case EnvAction::less_cpu:
                cpu_m_[w] += 128 * sign;
                return resize(w, {.cpu_limit_m = cpu_m_[w]});
            case EnvAction::more_memory:
            case EnvAction::less_memory:
                memory_mib_[w] += 128 * sign;
                return resize(w, {.memory_request = memory_mib_[w] * kMiB,
                                  .memory_limit = memory_mib_[w] * kMiB});
        }
    }

    void step() {
        world_.advance(world_.now() + seconds(15));
        // The samples of this step are delivered a second later; the counters are of now.
        World later = world_;
        later.advance(world_.now() + seconds(1));
        cluster::Batch batch;
        later.collect(batch);
        for (auto& sample : samples_) sample = {};
        for (const auto& sample : batch.workloads) {
            if (sample.source == model::Source::prometheus && sample.requests_per_s) {
                samples_[places_.at(sample.workload.low)] = sample;
            }
        }
    }

    const WorkloadTruth& truth(std::size_t w) const { return world_.truth().workloads[w]; }
    const cluster::WorkloadSample& sample(std::size_t w) const { return samples_[w]; }
    /// Thousandths of requests so far: offered, done, lost.
    std::array<std::int64_t, 3> counted(std::size_t w) const {
        const model::WorkCounters now = *world_.work_counters(ids_[w]);
        return {now.offered, now.done, now.lost};
    }

private:
    using Pods = std::map<std::pair<std::uint64_t, std::uint64_t>, cluster::PodChange>;

    static void note_pods(const cluster::Batch& batch, Pods& pods) {
        for (const auto& change : batch.changes) {
            if (const auto* pod = std::get_if<cluster::PodChange>(&change)) {
                pods.insert_or_assign({pod->row.uid.high, pod->row.uid.low}, *pod);
            } else if (const auto* gone = std::get_if<cluster::PodGone>(&change)) {
                pods.erase({gone->uid.high, gone->uid.low});
            }
        }
    }

    /// Every pod of a workload that has a node, by a request of its own.
    void resize(std::size_t w, model::ContainerResize to) {
        World fork = world_;  // What is asked of it is still news to the world itself.
        cluster::Batch batch;
        fork.collect(batch);
        Pods pods = pods_;
        note_pods(batch, pods);
        to.container = container_name();
        for (const auto& [uid, pod] : pods) {
            if (places_.at(pod.workload.low) != w || pod.node.none()) continue;
            apply(model::ResizePod{pod.row.uid, {}, "p", {to}});
        }
    }

    void apply(const model::Request& request) {
        const auto applied = world_.apply(request, {});
        ASSERT_TRUE(applied.has_value()) << applied.error().message;
    }

    World world_;
    std::vector<model::WorkloadId> ids_;
    Pods pods_;  ///< As they were first told.
    std::vector<std::int32_t> replicas_;
    std::vector<std::int64_t> cpu_m_, memory_mib_;
    std::map<std::uint64_t, std::size_t> places_;
    std::vector<cluster::WorkloadSample> samples_;
};

EnvAction random_legal(std::uint64_t seed, std::size_t w, int step, std::uint8_t legal) {
    EnvAction allowed[kEnvActions];
    std::size_t count = 0;
    for (std::size_t a = 0; a < kEnvActions; ++a) {
        if ((legal >> a & 1) != 0) allowed[count++] = static_cast<EnvAction>(a);
    }
    return allowed[random::below(draw(seed, Stream::policy, w, static_cast<std::uint64_t>(step)),
                                 count)];
}

struct Case {
    const char* name;
    Scenario scenario;
    std::uint64_t seed;
    bool calm = false;  ///< Without actions.
    std::uint8_t allowed = 0x7f;
    bool as_template = true;
};

std::vector<Case> cases() {
    std::vector<Case> out;
    out.push_back({"nobody_acts", learner_cluster(8, 8, 6), 3, true});
    out.push_back({"everything", learner_cluster(8, 8, 6), 4, false, 0x3f});
    out.push_back({"full_size", learner_cluster(32, 32, 8), 5, false, 0x3f});
    Scenario crowded = learner_cluster(4, 8, 5);
    crowded.nodes[0].cpu_m = 3'500;
    crowded.nodes[0].speed = 0.8;
    crowded.nodes.push_back({.name = "fast", .count = 2, .cpu_m = 4'000, .speed = 1.3});
    out.push_back({"crowded_nodes", crowded, 6, false, 0x1f});
    Scenario overload = learner_cluster(6, 6, 4);
    for (WorkloadSpec& w : overload.workloads) {
        w.service->rate.scale = 2.5;
        w.service->retry_ratio = 0.4;
        w.service->queue_max = 300.0;
        w.service->payload = {.kind = SeriesKind::points,
                              .scale = 1.0,
                              .repeat = seconds(600),
                              .points = {{seconds(0), 1.0}, {seconds(300), 1.6}}};
    }
    out.push_back({"overload_with_retries", overload, 7, false, 0x1f});
    Scenario leaking = learner_cluster(6, 6, 4);
    for (WorkloadSpec& w : leaking.workloads) {
        w.pod.leak_mib_hour = 40.0;
        w.pod.memory_noise = 0.1;
    }
    out.push_back({"leaks_and_kills", leaking, 8, false, 0x1f});
    Scenario full = learner_cluster(2, 6, 6);
    full.nodes[0].cpu_m = 20 * 128;
    out.push_back({"no_room_for_more", full, 9, false, 0x1f});
    Scenario slim = learner_cluster(6, 6, 4);
    for (WorkloadSpec& w : slim.workloads) {
        w.pod.memory_mib = 64.0;
        w.pod.memory_request_mb = 0.01;
    }
    out.push_back({"memory_up_and_down", slim, 12});
    // Changing only replicas, or only CPU, gives the same whether or not new pods take the new
    // size.
    out.push_back({"replicas_only", learner_cluster(6, 6, 4), 10, false, 0x07, false});
    out.push_back({"cpu_only", learner_cluster(6, 6, 4), 11, false, 0x19, false});
    return out;
}

/// A cluster of any shape and state: crowded or roomy, calm or overloaded, with leaks and retries.
Case any_case(std::uint64_t seed) {
    const auto u = [&](std::uint64_t n) { return draw(seed, Stream::jitter, 1, n); };
    const auto whole = [&](std::uint64_t n, std::uint64_t from, std::uint64_t to) {
        return static_cast<std::int32_t>(from + random::below(u(n), to - from + 1));
    };
    const std::int32_t workloads = whole(0, 2, 10);
    const std::int32_t replicas = whole(1, 1, 8);
    const std::int32_t nodes = whole(2, 3, 10);
    Scenario s = learner_cluster(nodes, workloads, replicas);
    s.nodes[0].speed = random::uniform(u(3), 0.7, 1.4);
    // Only small pods can always be given less memory. For more, a world is asked node by node, so
    // no node may refuse.
    const bool slim = seed % 2 == 0;
    if (slim) s.nodes[0].memory_mib = 1'000'000;
    for (std::size_t i = 0; i < s.workloads.size(); ++i) {
        const auto v = [&](std::uint64_t n) { return draw(seed, Stream::jitter, 2 + i, n); };
        WorkloadSpec& w = s.workloads[i];
        w.service->rate.scale = random::log_uniform(v(0), 0.2, 3.0);
        w.service->demand_cv2 = random::uniform(v(1), 0.25, 2.0);
        w.service->retry_ratio = random::uniform(v(2), 0.0, 0.5);
        w.service->queue_max = random::log_uniform(v(3), 10.0, 2'000.0);
        w.pod.memory_noise = random::uniform(v(4), 0.0, 0.1);
        if (slim) {
            w.pod.memory_mib = 64.0;
            w.pod.memory_request_mb = 0.01;
        } else {
            w.pod.leak_mib_hour = random::uniform(v(5), 0.0, 40.0);
        }
    }
    return {"any", s, seed, false, static_cast<std::uint8_t>(slim ? 0x7f : 0x1f)};
}

/// What the environment counted since it was reset.
struct Sums {
    double offered = 0.0, done = 0.0, lost = 0.0;
};

void compare(const VectorEnv& env, const Driven& world, std::size_t w, Sums& sums) {
    const EnvTruth mine = env.truth(w);
    ASSERT_EQ(mine.serving, world.truth(w).serving);
    ASSERT_PRED2(near, mine.queued, world.truth(w).queued);
    sums.offered += mine.offered;
    sums.done += mine.done;
    sums.lost += mine.lost;
    // The world's counters are whole thousandths, rounded down: over the steps this is 1e-9 too.
    const auto [offered, done, lost] = world.counted(w);
    ASSERT_NEAR(sums.offered * 1000.0, double(offered) + 0.5, 0.501);
    ASSERT_NEAR(sums.done * 1000.0, double(done) + 0.5, 0.501);
    ASSERT_NEAR(sums.lost * 1000.0, double(lost) + 0.5, 0.501);
    const auto& sample = world.sample(w);
    const auto [requests, latency] = env.exported_figures(w);
    ASSERT_EQ(requests >= 0.0, sample.requests_per_s.has_value());
    ASSERT_EQ(latency >= 0.0, sample.latency_p95_s.has_value());
    if (requests >= 0.0) ASSERT_PRED2(near, requests, *sample.requests_per_s);
    if (latency >= 0.0) ASSERT_PRED2(near, latency, *sample.latency_p95_s);
    if (!sample.cpu_m) return;
    const double* state = env.states().data() + w * kEnvInputs;
    // The world exports whole millicores and bytes.
    const double cpu_m = state[3] * state[0] * 2048.0;
    if (state[3] < 1.0) ASSERT_NEAR(cpu_m, double(sample.cpu_m->p50), 0.5 + 1e-6);
    const double memory = state[4] * state[1] * 3072.0 * double(kMiB);
    if (state[4] < 1.0) ASSERT_NEAR(memory, double(sample.memory->p50), 0.5 + 1e-3);
}

/// Drives both with the same actions and compares them after each step; counts the kills.
void agree(const Case& c, int steps, std::int64_t& kills) {
    EnvOptions options;
    options.new_pods_as_template = c.as_template;
    auto env = VectorEnv::make(c.scenario, options);
    ASSERT_TRUE(env.has_value()) << env.error().message;
    env->reset(c.seed);
    Driven world(c.scenario, c.seed);
    std::vector<EnvAction> actions(env->workloads());
    std::vector<Sums> sums(env->workloads());
    for (int step = 0; step < steps; ++step) {
        for (std::size_t w = 0; w < actions.size(); ++w) {
            const auto mask = static_cast<std::uint8_t>(env->legal()[w] & (c.calm ? 1 : c.allowed));
            actions[w] = random_legal(c.seed, w, step, mask);
            world.act(w, actions[w]);
            if (::testing::Test::HasFatalFailure()) return;
        }
        env->step(actions);
        world.step();
        for (std::size_t w = 0; w < actions.size(); ++w) {
            SCOPED_TRACE("step " + std::to_string(step) + " workload " + std::to_string(w));
            kills += env->truth(w).oom_kills;
            compare(*env, world, w, sums[w]);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

class EnvAndWorld : public ::testing::TestWithParam<Case> {};

TEST_P(EnvAndWorld, agree_on_every_figure_after_every_step) {
    const Case& c = GetParam();
    std::int64_t kills = 0;
    agree(c, c.scenario.nodes[0].count >= 32 ? 150 : 400, kills);
    if (std::string(c.name) == "leaks_and_kills") EXPECT_GT(kills, 0);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EnvAndWorld, ::testing::ValuesIn(cases()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(EnvAndWorldBySeed, agree_whatever_the_cluster_the_seed_and_the_actions) {
    std::int64_t kills = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        agree(any_case(seed), 120, kills);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(kills, 0) << "none of them ran out of memory";
}

// --- The environment by itself. ------------------------------------------------------------------

/// One workload of two pods on two nodes, without any noise.
Scenario plain() {
    Scenario s{.name = "plain"};
    s.nodes.push_back({.name = "node", .count = 2, .cpu_m = 8'000, .memory_mib = 16'384});
    WorkloadSpec w{.space = "learn", .name = "app", .replicas = 2};
    w.pod.cpu_request_m = 128;
    w.pod.cpu_limit_m = 1'024;
    w.pod.memory_request_mib = w.pod.memory_limit_mib = 512;
    w.pod.memory_noise = 0.0;
    w.service = Service{};
    w.service->rate = {.base = 50.0};
    w.service->demand_ms = 10.0;
    w.service->objective = milliseconds(200);
    s.workloads.push_back(w);
    for (SourceSpec& source : s.sources) source.noise = 0.0;
    return s;
}

VectorEnv env_of(const Scenario& scenario, EnvOptions options = {}) {
    auto env = VectorEnv::make(scenario, options);
    EXPECT_TRUE(env.has_value()) << (env ? "" : env.error().message);
    return std::move(*env);
}

void step_once(VectorEnv& env, EnvAction action = EnvAction::none) {
    const std::vector<EnvAction> actions(env.workloads(), action);
    env.step(actions);
}

double input(const VectorEnv& env, EnvInput which) {
    return env.states()[static_cast<std::size_t>(which)];
}
bool is_valid(const VectorEnv& env, EnvInput which) {
    return (env.valid()[0] >> static_cast<unsigned>(which) & 1) != 0;
}
bool is_legal(const VectorEnv& env, EnvAction action) {
    return (env.legal()[0] >> static_cast<unsigned>(action) & 1) != 0;
}

TEST(VectorEnv, shows_sizes_after_reset_and_figures_after_a_step) {
    VectorEnv env = env_of(plain());
    env.reset(1);
    EXPECT_EQ(env.valid()[0], 0b111);
    EXPECT_EQ(input(env, EnvInput::cpu_limit), 0.5);
    EXPECT_DOUBLE_EQ(input(env, EnvInput::memory_limit), 512.0 / 3072.0);
    EXPECT_EQ(input(env, EnvInput::replicas), 0.1);
    step_once(env);
    EXPECT_EQ(env.valid()[0], 0x1ff) << "everything but a change of load";
    const EnvTruth t = env.truth(0);
    EXPECT_NEAR(input(env, EnvInput::cpu_use), t.cpu_core_s / 15.0 / 2.0 / 1.024, 1e-12);
    EXPECT_NEAR(input(env, EnvInput::memory_use), t.memory_bytes / (512.0 * kMiB), 1e-12);
    EXPECT_NEAR(input(env, EnvInput::net_use), t.done * 10e3 / 15.0 / 2.0 / 1.25e9, 1e-12);
    EXPECT_EQ(input(env, EnvInput::io_use), 0.0);
    EXPECT_EQ(input(env, EnvInput::sp_latency), 1.0);
    EXPECT_NEAR(input(env, EnvInput::sp_throughput), 1.0, 1e-6);
    const double before = t.offered / 15.0;
    step_once(env);
    const double now = env.truth(0).offered / 15.0;
    EXPECT_EQ(env.valid()[0], 0x3ff);
    EXPECT_NEAR(input(env, EnvInput::load_change), (now - before) / std::max(now, before), 1e-12);
}

TEST(VectorEnv, earns_by_the_formula_and_weighs_by_alpha) {
    for (const double alpha : {0.0, 0.5, 1.0}) {
        VectorEnv env = env_of(plain(), {.alpha = alpha});
        step_once(env);
        const double use = input(env, EnvInput::cpu_use) + input(env, EnvInput::memory_use);
        EXPECT_NEAR(env.rewards_true()[0], alpha * 2.0 + (1.0 - alpha) * use, 1e-12);
        EXPECT_NEAR(env.rewards_measured()[0], env.rewards_true()[0], 1e-12);
    }
}

TEST(VectorEnv, measures_with_noise_and_judges_without) {
    Scenario noisy = plain();
    for (SourceSpec& source : noisy.sources) source.noise = 0.1;
    VectorEnv exact = env_of(plain());
    VectorEnv env = env_of(noisy);
    step_once(exact);
    step_once(env);
    EXPECT_EQ(env.rewards_true()[0], exact.rewards_true()[0]);
    EXPECT_NE(env.rewards_measured()[0], env.rewards_true()[0]);
}

TEST(VectorEnv, pays_less_for_a_broken_promise_and_counts_lost_requests_at_the_time_out) {
    Scenario overloaded = plain();
    overloaded.workloads[0].service->rate.base = 5'000.0;
    VectorEnv env = env_of(overloaded);
    step_once(env);
    step_once(env);
    const EnvTruth t = env.truth(0);
    EXPECT_GT(t.lost, t.done);
    const double counted =
        (t.done * std::min(t.latency_p95_s, 5.0) + t.lost * 5.0) / (t.done + t.lost);
    EXPECT_NEAR(input(env, EnvInput::sp_latency), 0.2 / counted, 1e-9);
    EXPECT_NEAR(input(env, EnvInput::sp_throughput), t.done / t.offered, 1e-9);
}

TEST(VectorEnv, keeps_every_promise_when_nobody_comes_and_none_when_nobody_serves) {
    Scenario quiet = plain();
    quiet.workloads[0].service->rate.base = 0.0;
    VectorEnv idle = env_of(quiet);
    step_once(idle);
    EXPECT_EQ(input(idle, EnvInput::sp_latency), 1.0);
    EXPECT_EQ(input(idle, EnvInput::sp_throughput), 1.0);

    Scenario unplaced = plain();
    unplaced.nodes[0].memory_mib = 256;
    VectorEnv nobody = env_of(unplaced);
    step_once(nobody);
    EXPECT_TRUE(is_valid(nobody, EnvInput::sp_latency));
    EXPECT_EQ(input(nobody, EnvInput::sp_latency), 0.0);
    EXPECT_EQ(input(nobody, EnvInput::sp_throughput), 0.0);
    EXPECT_FALSE(is_valid(nobody, EnvInput::cpu_use));
    EXPECT_EQ(nobody.rewards_true()[0], 0.0);
}

TEST(VectorEnv, gives_nothing_for_memory_in_a_step_with_a_kill) {
    Scenario leaking = plain();
    leaking.workloads[0].pod.leak_mib_hour = 3'000.0;
    VectorEnv env = env_of(leaking);
    int kills = 0;
    for (int step = 0; step < 100; ++step) {
        step_once(env);
        if (env.truth(0).oom_kills == 0) continue;
        ++kills;
        const double sp = input(env, EnvInput::sp_latency);
        if (is_valid(env, EnvInput::cpu_use)) {
            EXPECT_NEAR(env.rewards_true()[0], sp + 0.5 * input(env, EnvInput::cpu_use), 1e-9);
        }
    }
    EXPECT_GT(kills, 0);
}

TEST(VectorEnv, allows_each_action_up_to_its_bound) {
    struct BoundCase {
        EnvStart start;
        EnvAction action;
        bool legal;
    };
    constexpr BoundCase kCases[] = {
        {{20, 1'024, 512}, EnvAction::add_replica, false},
        {{19, 1'024, 512}, EnvAction::add_replica, true},
        {{1, 1'024, 512}, EnvAction::drop_replica, false},
        {{2, 1'024, 512}, EnvAction::drop_replica, true},
        {{2, 2'048, 512}, EnvAction::more_cpu, false},
        {{2, 1'920, 512}, EnvAction::more_cpu, true},
        {{2, 255, 512}, EnvAction::less_cpu, false},
        {{2, 256, 512}, EnvAction::less_cpu, true},
        {{2, 1'024, 3'072}, EnvAction::more_memory, false},
        {{2, 1'024, 2'944}, EnvAction::more_memory, true},
        {{2, 1'024, 383}, EnvAction::less_memory, false},
        {{2, 1'024, 384}, EnvAction::less_memory, true},
        {{20, 1'024, 1'536}, EnvAction::more_memory, false},  // No node has room for ten of them.
    };
    for (const BoundCase& c : kCases) {
        SCOPED_TRACE(static_cast<int>(c.action));
        VectorEnv env = env_of(plain());
        env.reset(1, std::span(&c.start, 1));
        EXPECT_EQ(is_legal(env, c.action), c.legal);
        EXPECT_TRUE(is_legal(env, EnvAction::none));
        step_once(env, c.action);
        EXPECT_EQ(env.rewards_true()[0] == -1.0, !c.legal);
        EXPECT_EQ(env.rewards_measured()[0] == -1.0, !c.legal);
    }
}

TEST(VectorEnv, carries_out_one_step_in_one_dimension) {
    struct EffectCase {
        EnvAction action;
        double cpu, memory, replicas;
    };
    constexpr EffectCase kCases[] = {
        {EnvAction::none, 1'024, 512, 2},         {EnvAction::add_replica, 1'024, 512, 3},
        {EnvAction::drop_replica, 1'024, 512, 1}, {EnvAction::more_cpu, 1'152, 512, 2},
        {EnvAction::less_cpu, 896, 512, 2},       {EnvAction::more_memory, 1'024, 640, 2},
        {EnvAction::less_memory, 1'024, 384, 2},
    };
    for (const EffectCase& c : kCases) {
        VectorEnv env = env_of(plain());
        step_once(env, c.action);
        EXPECT_DOUBLE_EQ(input(env, EnvInput::cpu_limit) * 2048.0, c.cpu);
        EXPECT_DOUBLE_EQ(input(env, EnvInput::memory_limit) * 3072.0, c.memory);
        EXPECT_DOUBLE_EQ(input(env, EnvInput::replicas) * 20.0, c.replicas);
        step_once(env);
        EXPECT_EQ(env.truth(0).serving, static_cast<int>(c.replicas));
    }
}

TEST(VectorEnv, cuts_an_episode_off_after_its_steps_and_goes_on_if_asked) {
    VectorEnv env = env_of(plain());
    for (int step = 1; step <= 201; ++step) {
        step_once(env);
        EXPECT_EQ(env.truncated(), step == 100 || step == 200) << step;
    }
    env.reset(1);
    EXPECT_FALSE(env.truncated());
}

TEST(VectorEnv, repeats_a_seed_and_differs_with_another) {
    VectorEnv a = env_of(plain());
    VectorEnv b = env_of(plain());
    a.reset(3);
    step_once(a);
    b.reset(9);
    step_once(b, EnvAction::add_replica);
    EXPECT_NE(a.truth(0).offered, b.truth(0).offered);
    b.reset(3);
    step_once(b);
    EXPECT_EQ(a.truth(0).offered, b.truth(0).offered);
    EXPECT_TRUE(std::ranges::equal(a.states(), b.states()));
}

TEST(VectorEnv, says_which_scenarios_it_does_not_take) {
    const auto refused = [](auto change) {
        Scenario s = plain();
        change(s);
        const auto env = VectorEnv::make(s);
        return env ? std::string("taken") : env.error().message;
    };
    EXPECT_EQ(refused([](Scenario&) {}), "taken");
    EXPECT_NE(refused([](Scenario& s) { s.faults.failures = 1.0; }).find("faults"),
              std::string::npos);
    EXPECT_NE(refused([](Scenario& s) { s.workloads[0].service.reset(); }).find("learn/app"),
              std::string::npos);
    EXPECT_NE(refused([](Scenario& s) { s.workloads[0].replicas = 21; }).find("replicas"),
              std::string::npos);
    EXPECT_NE(refused([](Scenario& s) { s.workloads[0].pod.cpu_limit_m = 0; }).find("cpu_limit_m"),
              std::string::npos);
    EXPECT_NE(refused([](Scenario& s) {
                  s.workloads[0].pod.memory_limit_mib = 640;
              }).find("memory_limit_mib"),
              std::string::npos);
    EXPECT_NE(refused([](Scenario& s) { s.sources.back().period = seconds(30); }).find("source"),
              std::string::npos);
}

}  // namespace
}  // namespace parley::sim
