// A part of what bench/load_model_error measures, small enough for every build.

#include "base/math.h"
#include "base/random.h"
#include "bench/request_simulation.h"
#include "sim/load/load.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::sim {
namespace {

using bench::Demand;
using bench::Sojourn;

Settled modelled(double demand_s, double cv2, double limit_cores, double load) {
    const WorkloadModel model{
        .demand_core_s = demand_s, .demand_cv2 = cv2, .parallelism_cores = 64.0};
    const PodService pod = pod_service(model, {.cpu_limit_cores = limit_cores});
    return settle(model, pod, {},
                  {.rate_per_s = load * pod.rate_per_s, .interval_s = 15.0, .pods = 1});
}

double miss(double model, double truth) { return std::fabs(model / truth - 1.0); }

TEST(LoadAccuracy, whole_cores_are_within_8_percent_in_the_mean_and_18_in_the_tail) {
    for (const Demand demand : {Demand::gamma, Demand::lognormal}) {
        for (const double cv2 : {0.25, 2.0}) {
            const auto requests = bench::draw_requests(11, 300'000, cv2, demand);
            for (const int servers : {1, 3, 20}) {
                for (const double load : {0.1, 0.5, 0.9}) {
                    SCOPED_TRACE(testing::Message() << cv2 << ' ' << servers << ' ' << load);
                    const Sojourn truth = bench::simulate_servers(requests, servers, load);
                    const Settled s = modelled(1.0, cv2, servers, load);
                    EXPECT_LT(miss(s.latency_mean_s, truth.mean), 0.08);
                    EXPECT_LT(miss(s.latency_p95_s, truth.p95), 0.18);
                    EXPECT_LT(miss(s.latency_p99_s, truth.p99), 0.18);
                }
            }
        }
    }
}

// If a quota stops few requests, a percentile jumps from one hump to the other, and interpolation
// lies between them: the bench reports the worst error.
TEST(LoadAccuracy, a_throttled_core_is_within_25_percent_in_the_mean_and_mostly_in_the_tail) {
    int tails_right = 0;
    for (std::uint64_t i = 0; i < 40; ++i) {
        const auto u = [&](std::uint64_t n) { return draw(31, Stream::jitter, i, n); };
        const double service = random::log_uniform(u(0), 0.01, 5.0);
        const double quota = random::uniform(u(1), 0.1, 0.97);
        const double load = random::uniform(u(2), 0.1, 0.9);
        const double cv2 = random::log_uniform(u(3), 0.25, 2.0);
        SCOPED_TRACE(testing::Message() << service << ' ' << quota << ' ' << load << ' ' << cv2);
        const auto requests = bench::draw_requests(500 + i, 50'000, cv2, Demand::gamma);
        const Sojourn truth = bench::simulate_throttled(requests, {service, quota, load});
        const Settled s = modelled(service * kCfsPeriod_s, cv2, quota, load);
        EXPECT_LT(miss(s.latency_mean_s, truth.mean * kCfsPeriod_s), 0.25);
        for (const double tail : {miss(s.latency_p95_s, truth.p95 * kCfsPeriod_s),
                                  miss(s.latency_p99_s, truth.p99 * kCfsPeriod_s)}) {
            EXPECT_LT(tail, 0.4);
            tails_right += tail < 0.25;
        }
    }
    EXPECT_GE(tails_right, 78);  // Out of 80.
}

// For requests of many periods the quota is a constant slower core, for which the exact result is
// known: even beyond the table, at a quota of 0.05 and at a load of 0.975.
TEST(LoadAccuracy, a_throttled_core_is_a_slower_core_for_long_requests) {
    for (const double quota : {0.5, 0.05}) {
        for (const double load : {0.5, 0.9, 0.975}) {
            SCOPED_TRACE(testing::Message() << quota << ' ' << load);
            const double mean_s = 0.5 / quota / (1.0 - load);
            const Settled s = modelled(0.5, 1.0, quota, load);
            EXPECT_LT(miss(s.latency_mean_s, mean_s), 0.05);
            EXPECT_LT(miss(s.latency_p99_s, mean_s * math::log(100.0)), 0.12);
        }
    }
}

TEST(RequestSimulation, agrees_with_what_is_known_of_one_server) {
    const auto requests = bench::draw_requests(3, 300'000, 1.0, Demand::gamma);
    // M/M/1: exponential sojourn with mean 1 / (1 - load).
    const Sojourn half = bench::simulate_servers(requests, 1, 0.5);
    EXPECT_NEAR(half.mean, 2.0, 0.03);
    EXPECT_NEAR(half.p99, 2.0 * math::log(100.0), 0.2);
    // A quota of the whole period throttles nothing.
    const Sojourn whole = bench::simulate_throttled(requests, {0.3, 1.0, 0.5});
    EXPECT_NEAR(whole.mean, 0.6, 0.01);
    // Long requests see a slower core: the quota is spread over many periods.
    const Sojourn slow = bench::simulate_throttled(requests, {50.0, 0.25, 0.5});
    EXPECT_NEAR(slow.mean, 400.0, 4.0);
    // Alone with a quota of half a period, a short request is not delayed.
    const Sojourn alone = bench::simulate_throttled(requests, {0.001, 0.5, 0.001});
    EXPECT_NEAR(alone.mean, 0.001, 0.00001);
}

}  // namespace
}  // namespace parley::sim
