#include "sim/world/world.h"

#include "base/hash.h"
#include "base/json.h"
#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace parley::sim {
namespace {

/// A request of any kind about anything, real or not, drawn from the bits.
model::Request some_request(const Watched& seen, std::uint64_t i) {
    const auto lot = [&](std::uint64_t use, std::uint64_t n) {
        return random::below(draw(99, Stream::policy, use, i), n);
    };
    const auto node = [&] {
        auto it = seen.nodes.begin();
        std::advance(it, lot(1, seen.nodes.size()));
        return it->second.id;
    };
    const auto work = [&] {
        auto it = seen.works.begin();
        std::advance(it, lot(2, seen.works.size()));
        return it->second.id;
    };
    const auto pod = [&] {
        if (seen.pods.empty() || lot(4, 10) == 0) return model::Uid{i, i};
        auto it = seen.pods.begin();
        std::advance(it, lot(3, seen.pods.size()));
        return it->second.row.uid;
    };
    const TimePoint until{static_cast<std::int64_t>(lot(5, 4'000'000'000))};
    const model::DecisionId id{i, lot(6, 3)};
    switch (lot(0, 11)) {
        case 0:
            return model::PutMark{lot(7, 2) == 0 ? model::Target(node()) : model::Target(work()),
                                  id, until};
        case 1:
            return model::SetTaint{node(), static_cast<model::Taint>(lot(7, 3))};
        case 2:
            return model::SetReplicas{work(), static_cast<std::int32_t>(lot(7, 14)) - 1};
        case 3:
            return model::EvictPod{pod(), "p"};
        case 4:
            return model::SetDeletionCost{pod(), "p", static_cast<std::int32_t>(lot(7, 200)) - 100};
        case 5:
            return model::ResizePod{pod(),
                                    {},
                                    "p",
                                    {{.container = container_name(),
                                      .cpu_limit_m = static_cast<std::int64_t>(lot(7, 3'000))}}};
        case 6:
            return model::ResizePod{
                pod(),
                {},
                "p",
                {{.container = container_name(),
                  .memory_request = static_cast<std::int64_t>(lot(7, 2'000)) * kMib}}};
        case 7:
            return model::SetPower{node(), static_cast<model::PowerWish>(lot(7, 3))};
        case 8:
            return model::SetClock{node(), static_cast<std::int64_t>(lot(7, 1'100'000))};
        case 9:
            return model::SetAdmission{static_cast<model::AdmissionWish>(lot(7, 4)), id, until};
        default:
            return model::SetBatchCap{static_cast<std::int64_t>(lot(7, 1'000'001)), 1'000'000, id,
                                      until};
    }
}

/// A digest of everything that a batch holds.
class Hasher {
public:
    void add(const cluster::Batch& batch) {
        for (const cluster::Change& change : batch.changes) {
            word(change.index());
            std::visit([&](const auto& c) { part(c); }, change);
        }
        for (const auto& s : batch.nodes) {
            uid(s.node);
            word(static_cast<std::uint64_t>(s.measured.us));
            for (const auto& v : {s.cpu_m, s.memory_bytes, s.disk_share, s.net_share, s.power_w}) {
                number(v);
            }
            if (s.counters) word(static_cast<std::uint64_t>(s.counters->energy_mj));
        }
        for (const auto& s : batch.workloads) {
            uid(s.workload);
            for (const auto& v : {s.requests_per_s, s.latency_p95_s, s.startup_p95_s}) number(v);
            if (s.cpu_m) word(static_cast<std::uint64_t>(s.cpu_m->sum));
            if (s.counters) word(static_cast<std::uint64_t>(s.counters->done));
        }
    }
    std::string text() { return hex(hash_.finish()); }

private:
    void word(std::uint64_t w) { hash_.update({reinterpret_cast<const char*>(&w), sizeof w}); }
    void uid(const model::Uid& u) { word(u.high), word(u.low); }
    void number(std::optional<double> v) { word(v ? std::bit_cast<std::uint64_t>(*v) : 1); }
    void part(const cluster::NodeChange& c) { hash_.update(to_json(c.row)); }
    void part(const cluster::WorkloadChange& c) { hash_.update(to_json(c.row)); }
    void part(const cluster::PodChange& c) {
        hash_.update(to_json(c.row));
        uid(c.workload), uid(c.node);
    }
    void part(const cluster::PodRestarted& c) {
        uid(c.pod), word(static_cast<std::uint64_t>(c.at.us));
    }
    void part(const cluster::PodDisrupted& c) { uid(c.pod); }
    template <class Gone>
    void part(const Gone& c) {
        uid(c.uid);
    }
    Sha256 hash_;
};

std::string digest_of_run(const std::string& name, std::uint64_t seed, bool act) {
    World world = builtin_world(name, seed);
    Hasher hasher;
    Watched seen;
    for (std::int64_t round = 0; round < 200; ++round) {
        world.advance(at_s(3 * round));
        seen.look(world);
        hasher.add(seen.batch);
        const auto i = static_cast<std::uint64_t>(round);
        if (act) static_cast<void>(world.apply(some_request(seen, i), {}));
    }
    return hasher.text();
}

TEST(World, the_same_seed_and_actions_give_the_same_bytes_and_another_seed_others) {
    for (const char* name : {"failing-node", "batch-queue", "mixed", "exercise-random"}) {
        EXPECT_EQ(digest_of_run(name, 7, true), digest_of_run(name, 7, true)) << name;
        EXPECT_NE(digest_of_run(name, 7, false), digest_of_run(name, 8, false)) << name;
    }
}

TEST(World, forks_given_the_same_actions_stay_equal_and_others_do_not) {
    World world = builtin_world("mixed", 4);
    Watched seen;
    world.advance(at_s(500));
    seen.look(world);
    World fork = world;
    World idle = world;
    for (std::uint64_t i = 0; i < 200; ++i) {
        const model::Request request = some_request(seen, i);
        const auto a = world.apply(request, {});
        const auto b = fork.apply(request, {});
        EXPECT_EQ(a.has_value(), b.has_value());
        const TimePoint t = at_s(500 + 7 * static_cast<std::int64_t>(i));
        world.advance(t);
        fork.advance(t);
        idle.advance(t);
        EXPECT_EQ(world.fingerprint(), fork.fingerprint()) << i;
    }
    EXPECT_NE(world.fingerprint(), idle.fingerprint());
}

TEST(World, time_in_one_leap_or_many_steps_is_the_same) {
    for (const char* name : {"failing-node", "batch-queue", "mixed"}) {
        World leap = builtin_world(name, 2);
        World steps = leap;
        leap.advance(at_s(2000));
        for (std::int64_t t = 1; t <= 2000; ++t) steps.advance(at_s(t));
        EXPECT_EQ(leap.fingerprint(), steps.fingerprint()) << name;
        leap.advance(at_s(1000));
        EXPECT_EQ(leap.now(), at_s(2000)) << "time does not go back";
    }
}

/// What no policy can influence, at one moment.
std::string fate_of(const World& world) {
    std::string out;
    for (const WorkloadTruth& work : world.truth().workloads) {
        out += work.id.text() + " " + to_json(work.offered_per_s) + "\n";
    }
    return out;
}

TEST(World, arrivals_and_faults_are_the_same_whatever_is_done) {
    Scenario scenario = *builtin_scenario("mixed", 6);
    scenario.faults.load_slope = 0.0;
    for (WorkloadSpec& w : scenario.workloads) {
        if (w.service) w.service->retry_ratio = 0.0;
    }
    World idle = world_of(scenario, 6);
    World busy = idle;
    Watched seen;
    for (std::int64_t t = 0; t < 3 * 3600; t += 15) {
        idle.advance(at_s(t));
        busy.advance(at_s(t));
        seen.look(busy);
        ASSERT_EQ(fate_of(idle), fate_of(busy)) << t;
        for (std::uint64_t i = 0; i < 3; ++i) {
            const auto request = some_request(seen, static_cast<std::uint64_t>(t) * 3 + i);
            // A powered-down node cannot fail; all other requests leave its hazard unchanged.
            if (std::holds_alternative<model::SetPower>(request)) continue;
            static_cast<void>(busy.apply(request, {}));
        }
    }
    EXPECT_EQ(idle.truth().failures, busy.truth().failures);
    EXPECT_FALSE(idle.truth().failures.empty());
    for (std::size_t n = 0; n < idle.truth().nodes.size(); ++n) {
        EXPECT_EQ(idle.truth().nodes[n].would_fail_at, busy.truth().nodes[n].would_fail_at);
        EXPECT_EQ(idle.truth().nodes[n].severity, busy.truth().nodes[n].severity);
    }
}

TEST(World, survives_thousands_of_random_requests) {
    for (const char* name : {"calm", "mixed", "rack-down", "batch-queue", "exercise-random"}) {
        World world = builtin_world(name, 13);
        Watched seen;
        int applied = 0;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            if (i % 3 == 0) {
                world.advance(at_s(static_cast<std::int64_t>(i)));
                seen.look(world);
            }
            const model::Request request = some_request(seen, i);
            const model::Live live = world.read(request);
            applied += world.apply(request, {live.uid, live.version}) ? 1 : 0;
        }
        EXPECT_GT(applied, 300) << name;
        for (const auto& [uid, node] : seen.nodes) {
            EXPECT_LE(node.cpu_requested_m, node.cpu_allocatable_m);
            EXPECT_GE(node.cpu_requested_m, 0);
        }
        for (const WorkloadTruth& work : world.truth().workloads) {
            const auto c = world.work_counters(work.id);
            if (!c) continue;
            EXPECT_GE(c->offered - c->done - c->lost, -5) << work.id.text();
            EXPECT_GE(c->pending_ms, 0);
        }
    }
}

TEST(World, knows_no_counters_of_what_is_not_there) {
    const World world = builtin_world("calm");
    EXPECT_FALSE(world.work_counters(deployment("nope")));
    EXPECT_FALSE(world.node_counters(node_id("nope")));
    EXPECT_TRUE(world.work_counters(deployment("web", "shop")));
    EXPECT_EQ(world.seed(), 7U);
    EXPECT_EQ(world.scenario().name, "calm");
    EXPECT_GT(world.events(), 0U);
}

TEST(World, writes_down_each_event_if_asked_and_in_no_fork) {
    World world = builtin_world("failing-node");
    World unasked = world;
    std::vector<Happening> written;
    world.write_down(&written);
    const std::uint64_t before = world.events();
    world.advance(TimePoint{} + minutes(5));
    EXPECT_EQ(written.size(), world.events() - before);
    EXPECT_TRUE(std::ranges::is_sorted(written, {}, &Happening::at));
    // Each workload is settled at least once in each step, and at most once in each moment.
    const auto settled = [&](const Happening& h) {
        return h.thing == static_cast<std::uint64_t>(Happened::load_settled) << 56;
    };
    EXPECT_GE(std::ranges::count_if(written, settled), 5 * 60 / 15);
    World fork = world;
    unasked = world;
    const std::size_t size = written.size();
    fork.advance(TimePoint{} + minutes(6));
    unasked.advance(TimePoint{} + minutes(6));
    EXPECT_EQ(written.size(), size);
    world.advance(TimePoint{} + minutes(6));
    EXPECT_GT(written.size(), size);
    EXPECT_EQ(world.fingerprint(), fork.fingerprint());
    world.write_down(nullptr);
    const std::size_t end = written.size();
    world.advance(TimePoint{} + minutes(7));
    EXPECT_EQ(written.size(), end);
}

TEST(World, begins_at_zero_and_counts_whole_milliseconds) {
    World world = builtin_world("calm");
    EXPECT_EQ(world.now(), TimePoint{0});
    world.advance(TimePoint{1'999});
    EXPECT_EQ(world.now(), TimePoint{1'000});
}

}  // namespace
}  // namespace parley::sim
