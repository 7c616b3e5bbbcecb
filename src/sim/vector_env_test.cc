#include "sim/vector_env.h"

#include "base/random.h"
#include "sim/world.h"

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

/// A world that is given what an environment is given, through requests.
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
                places_[w->row.uid.low] = std::size_t(
                    std::ranges::find(ids_, w->row.id) - ids_.begin());
            }
        }
        for (const NodeTruth& node : world_.truth().nodes) nodes_.push_back(node.id);
        samples_.resize(ids_.size());
        before_.resize(ids_.size());
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
                for (const model::NodeId& node : nodes_) {
                    apply(model::SetCpuLimit{ids_[w], node, cpu_m_[w]});
                }
                return;
            case EnvAction::more_memory:
            case EnvAction::less_memory:
                memory_mib_[w] += 128 * sign;
                for (const model::NodeId& node : nodes_) {
                    apply(model::SetMemoryRequest{ids_[w], node, memory_mib_[w] * kMiB});
                }
                return;
        }
    }

    void step() {
        before_ = counters();
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
    /// Thousandths of requests in the last step: offered, done, lost.
    std::array<std::int64_t, 3> grown(std::size_t w) const {
        const model::WorkCounters now = *world_.work_counters(ids_[w]);
        return {now.offered - before_[w].offered, now.done - before_[w].done,
                now.lost - before_[w].lost};
    }

private:
    std::vector<model::WorkCounters> counters() const {
        std::vector<model::WorkCounters> all;
        for (const auto& id : ids_) all.push_back(*world_.work_counters(id));
        return all;
    }
    void apply(const model::Request& request) {
        const auto applied = world_.apply(request, {});
        ASSERT_TRUE(applied.has_value()) << applied.error().message;
    }

    World world_;
    std::vector<model::WorkloadId> ids_;
    std::vector<model::NodeId> nodes_;
    std::vector<std::int32_t> replicas_;
    std::vector<std::int64_t> cpu_m_, memory_mib_;
    std::map<std::uint64_t, std::size_t> places_;
    std::vector<cluster::WorkloadSample> samples_;
    std::vector<model::WorkCounters> before_;
};

EnvAction random_legal(std::uint64_t seed, std::size_t w, int step, std::uint8_t legal) {
    EnvAction allowed[kEnvActions];
    std::size_t count = 0;
    for (std::size_t a = 0; a < kEnvActions; ++a) {
        if ((legal >> a & 1) != 0) allowed[count++] = static_cast<EnvAction>(a);
    }
    return allowed[random::below(
        draw(seed, Stream::policy, w, static_cast<std::uint64_t>(step)), count)];
}

struct Case {
    const char* name;
    Scenario scenario;
    std::uint64_t seed;
    bool calm = false;  ///< Nobody acts.
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
    // Replicas alone, and CPU alone, are the same whether or not new pods take the new size.
    out.push_back({"replicas_only", learner_cluster(6, 6, 4), 10, false, 0x07, false});
    out.push_back({"cpu_only", learner_cluster(6, 6, 4), 11, false, 0x19, false});
    return out;
}

class EnvAndWorld : public ::testing::TestWithParam<Case> {};

TEST_P(EnvAndWorld, agree_on_every_figure_after_every_step) {
    const Case& c = GetParam();
    EnvOptions options;
    options.new_pods_as_template = c.as_template;
    auto env = VectorEnv::make(c.scenario, options);
    ASSERT_TRUE(env.has_value()) << env.error().message;
    env->reset(c.seed);
    Driven world(c.scenario, c.seed);
    std::vector<EnvAction> actions(env->workloads());
    const int steps = c.scenario.nodes[0].count >= 32 ? 150 : 400;
    std::int64_t kills = 0;
    for (int step = 0; step < steps; ++step) {
        for (std::size_t w = 0; w < actions.size(); ++w) {
            const auto mask = static_cast<std::uint8_t>(env->legal()[w] & (c.calm ? 1 : c.allowed));
            actions[w] = random_legal(c.seed, w, step, mask);
            world.act(w, actions[w]);
            if (HasFatalFailure()) return;
        }
        env->step(actions);
        world.step();
        for (std::size_t w = 0; w < actions.size(); ++w) {
            SCOPED_TRACE("step " + std::to_string(step) + " workload " + std::to_string(w));
            const EnvTruth mine = env->truth(w);
            const WorkloadTruth& theirs = world.truth(w);
            kills += mine.oom_kills;
            ASSERT_EQ(mine.serving, theirs.serving);
            ASSERT_PRED2(near, mine.queued, theirs.queued);
            const auto [offered, done, lost] = world.grown(w);
            // The world's counters are whole thousandths.
            ASSERT_NEAR(mine.offered * 1000.0, double(offered), 1.001);
            ASSERT_NEAR(mine.done * 1000.0, double(done), 1.001);
            ASSERT_NEAR(mine.lost * 1000.0, double(lost), 1.001);
            const auto& sample = world.sample(w);
            const auto [requests, latency] = env->exported_figures(w);
            ASSERT_EQ(requests >= 0.0, sample.requests_per_s.has_value());
            ASSERT_EQ(latency >= 0.0, sample.latency_p95_s.has_value());
            if (requests >= 0.0) ASSERT_PRED2(near, requests, *sample.requests_per_s);
            if (latency >= 0.0) ASSERT_PRED2(near, latency, *sample.latency_p95_s);
            if (sample.cpu_m) {
                const double* state = env->states().data() + w * kEnvInputs;
                const double limit_m = state[0] * 2048.0;
                const double cpu_m = state[3] * limit_m;
                if (state[3] < 1.0) ASSERT_NEAR(cpu_m, double(sample.cpu_m->p50), 0.5 + 1e-6);
                const double memory = state[4] * state[1] * 3072.0 * double(kMiB);
                if (state[4] < 1.0) ASSERT_NEAR(memory, double(sample.memory->p50), 0.5 + 1e-3);
            }
        }
    }
    if (std::string(c.name) == "leaks_and_kills") EXPECT_GT(kills, 0);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EnvAndWorld, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace parley::sim
