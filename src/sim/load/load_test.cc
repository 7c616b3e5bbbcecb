#include "sim/load/load.h"

#include "base/math.h"
#include "base/random.h"
#include "sim/load/cpu_share.h"
#include "sim/load/load_table.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace parley::sim {
namespace {

// A case of a property: parameters drawn over the ranges that scenarios may use.
class Drawn {
public:
    explicit Drawn(std::uint64_t number) : number_(number) {}
    double between(double lo, double hi) { return random::uniform(next(), lo, hi); }
    double log_between(double lo, double hi) { return random::log_uniform(next(), lo, hi); }
    bool chance(double p) { return random::bernoulli(next(), p); }
    int whole(int lo, int hi) { return static_cast<int>(random::between(next(), lo, hi)); }

    WorkloadModel model() {
        return {.demand_core_s = log_between(0.0005, 2.0),
                .demand_cv2 = chance(0.1) ? 0.0 : log_between(0.1, 4.0),
                .arrival_cv2 = log_between(0.5, 4.0),
                .parallelism_cores = between(0.5, 8.0),
                .fixed_latency_s = chance(0.5) ? 0.0 : log_between(0.001, 0.1),
                .io_bytes = chance(0.5) ? 0.0 : log_between(1e3, 1e6),
                .net_bytes = chance(0.5) ? 0.0 : log_between(1e3, 1e6),
                .memory_pressure_cost = between(0.0, 2.0),
                .timeout_s = log_between(0.05, 60.0),
                .queue_max = chance(0.1) ? 0.0 : log_between(1.0, 1e5),
                .retry_ratio = chance(0.5) ? 0.0 : between(0.0, 0.9),
                .objective_s = chance(0.2) ? kUnlimited : log_between(0.005, 5.0),
                .balance = chance(0.5) ? Balance::pooled : Balance::random};
    }
    PodPlace place() {
        return {.cpu_limit_cores = chance(0.1) ? kUnlimited : log_between(0.02, 8.0),
                .cpu_share_cores = chance(0.5) ? kUnlimited : log_between(0.02, 8.0),
                .phi = log_between(0.2, 1.5),
                .payload = log_between(0.2, 8.0),
                .warmup = between(1.0, 3.0),
                .memory_ratio = between(0.0, 1.0),
                .io_share_bytes_per_s = log_between(1e5, 1e9),
                .net_share_bytes_per_s = log_between(1e5, 1e9),
                .io_utilisation = between(0.0, 1.0),
                .net_utilisation = between(0.0, 1.0)};
    }
    LoadState state() {
        return {.queued = chance(0.5) ? 0.0 : log_between(0.1, 1e5),
                .lost_per_s = chance(0.5) ? 0.0 : log_between(0.1, 1e3)};
    }
    Offer offer(const PodService& pod) {
        const int pods = whole(1, 20);
        const double full = pods * pod.rate_per_s;
        return {.rate_per_s = chance(0.05) ? 0.0 : full * between(0.0, 1.6),
                .interval_s = log_between(0.001, 60.0),
                .pods = pods,
                .dying = chance(0.8) ? 0 : whole(1, pods)};
    }

private:
    std::uint64_t next() { return draw(5, Stream::jitter, number_, index_++); }
    std::uint64_t number_;
    std::uint64_t index_ = 0;
};

constexpr std::uint64_t kCases = 20'000;

bool near(double a, double b, double tolerance) {
    return std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b));
}

// Pods of 1 core that serve 1.5 requests a second, on a node of 8 cores.
TEST(Load, reproduces_the_unsaturated_rows_of_the_table_environment) {
    const WorkloadModel model{.demand_core_s = 1.0 / 1.5, .timeout_s = 1e6};
    int rows = 0;
    for (int n = 1; n <= 20; ++n) {
        const std::vector<CpuWant> wants(static_cast<std::size_t>(n), {1.0, 1.0});
        std::vector<double> shares(wants.size());
        water_fill(8.0, wants, shares);
        ServiceSum sum;
        for (const double share : shares) {
            sum.add(pod_service(model, {.cpu_limit_cores = 1.0, .cpu_share_cores = share}));
        }
        for (int arrivals = 0; arrivals <= 8; ++arrivals) {
            if (arrivals >= 1.5 * n) continue;
            ++rows;
            const Settled s = settle(
                model, sum.mean(), {},
                {.rate_per_s = static_cast<double>(arrivals), .interval_s = 15.0, .pods = n});
            const double latency =
                1.0 / (1.5 * std::min(1.0, 8.0 / n) - static_cast<double>(arrivals) / n);
            EXPECT_TRUE(near(s.latency_mean_s, latency, 1e-9)) << n << ' ' << arrivals;
            EXPECT_TRUE(near(s.cpu_core_s / (15.0 * n), arrivals / (1.5 * n), 1e-9));
        }
    }
    EXPECT_EQ(rows, 159);
}

TEST(Load, conserves_requests_and_stays_finite_whatever_is_drawn) {
    for (std::uint64_t i = 0; i < kCases; ++i) {
        Drawn drawn(i);
        const WorkloadModel model = drawn.model();
        const PodService pod = pod_service(model, drawn.place());
        const LoadState state = drawn.state();
        Offer offer = drawn.offer(pod);
        if (drawn.chance(0.05)) offer.pods = offer.dying = 0;
        const Settled s = settle(model, pod, state, offer);
        ASSERT_TRUE(near(s.offered + state.queued, s.done + s.lost + s.next.queued, 1e-12)) << i;
        for (const double value :
             {s.offered, s.done, s.timed_out, s.overflowed, s.killed, s.lost, s.next.queued,
              s.next.lost_per_s, s.utilisation, s.latency_mean_s, s.latency_p95_s, s.latency_p99_s,
              s.latency_sd_log, s.violating_share, s.cpu_core_s, s.io_bytes, s.net_bytes,
              s.in_flight_per_pod}) {
            ASSERT_TRUE(std::isfinite(value) && value >= 0.0) << i;
        }
        ASSERT_LE(s.utilisation, 1.0) << i;
        ASSERT_LE(s.violating_share, 1.0 + 1e-12) << i;
        ASSERT_LE(s.next.queued, model.queue_max) << i;
        ASSERT_LE(s.cpu_core_s,
                  (1.0 + 1e-9) * offer.pods * pod.rate_per_s * pod.demand_core_s * offer.interval_s)
            << i;
    }
}

// Compares two settlings of the same offer; `b` has more to work with.
void expect_no_slower(const Settled& a, const Settled& b, std::uint64_t number) {
    const double slack = 1.0 + 1e-9;
    ASSERT_LE(b.latency_mean_s, a.latency_mean_s * slack) << number;
    ASSERT_LE(b.latency_p95_s, a.latency_p95_s * slack) << number;
    ASSERT_LE(b.latency_p99_s, a.latency_p99_s * slack) << number;
    ASSERT_LE(b.next.queued, a.next.queued * slack) << number;
}

TEST(Load, settles_several_together_to_the_bits_of_each_alone) {
    constexpr std::uint64_t kTogether = 7;
    for (std::uint64_t i = 0; i < kCases / kTogether; ++i) {
        WorkloadModel models[kTogether];
        PodService pods[kTogether];
        Settling all[kTogether];
        for (std::uint64_t k = 0; k < kTogether; ++k) {
            Drawn drawn(i * kTogether + k);
            models[k] = drawn.model();
            pods[k] = pod_service(models[k], drawn.place());
            all[k] = {.model = &models[k], .pod = &pods[k], .state = drawn.state()};
            all[k].offer = drawn.offer(pods[k]);
            if (drawn.chance(0.05)) all[k].offer.interval_s = 0.0;
            if (drawn.chance(0.05)) all[k].offer.pods = all[k].offer.dying = 0;
        }
        settle(std::span(all).first(i % kTogether + 1));
        for (std::uint64_t k = 0; k <= i % kTogether; ++k) {
            ASSERT_EQ(all[k].settled, settle(models[k], pods[k], all[k].state, all[k].offer)) << i;
        }
    }
}

TEST(Load, a_higher_cpu_limit_never_raises_latency) {
    for (std::uint64_t i = 0; i < kCases; ++i) {
        Drawn drawn(i);
        const WorkloadModel model = drawn.model();
        PodPlace place = drawn.place();
        place.cpu_limit_cores = drawn.log_between(0.02, 4.0);
        const PodService less = pod_service(model, place);
        const LoadState state = drawn.state();
        Offer offer = drawn.offer(less);
        offer.dying = 0;
        place.cpu_limit_cores *= drawn.log_between(1.0001, 4.0);
        const PodService more = pod_service(model, place);
        expect_no_slower(settle(model, less, state, offer), settle(model, more, state, offer), i);
    }
}

TEST(Load, more_replicas_never_raise_latency) {
    for (std::uint64_t i = 0; i < kCases; ++i) {
        Drawn drawn(i);
        const WorkloadModel model = drawn.model();
        const PodService pod = pod_service(model, drawn.place());
        const LoadState state = drawn.state();
        Offer offer = drawn.offer(pod);
        offer.dying = 0;
        const Settled fewer = settle(model, pod, state, offer);
        offer.pods += drawn.whole(1, 3);
        expect_no_slower(fewer, settle(model, pod, state, offer), i);
    }
}

/// The mean latency while nothing is queued up.
double calm_mean_s(const WorkloadModel& model, const PodService& pod, double rate_per_s, int pods) {
    return settle(model, pod, {}, {.rate_per_s = rate_per_s, .pods = pods}).latency_mean_s;
}

/// The latency that a share `p` (0 < p < 1) of served requests stays below.
double latency_quantile_s(const Settled& settled, double p) {
    const double z95 = math::normal_quantile(0.95);
    const double z = math::normal_quantile(p) - z95;
    const double p95_s = settled.latency_p95_s;
    const double tail_sd_log =
        math::log(settled.latency_p99_s / p95_s) / (math::normal_quantile(0.99) - z95);
    return p95_s * math::exp(z * (z > 0.0 ? tail_sd_log : settled.latency_sd_log));
}

TEST(Load, throttling_ends_without_a_step_at_one_core) {
    const WorkloadModel model{.demand_core_s = 0.05, .parallelism_cores = 2.0};
    const auto latency = [&](double limit) {
        const PodService pod = pod_service(model, {.cpu_limit_cores = limit});
        const Settled s =
            settle(model, pod, {}, {.rate_per_s = 10.0, .interval_s = 10.0, .pods = 1});
        return s.latency_mean_s + s.latency_p95_s + s.latency_p99_s;
    };
    EXPECT_TRUE(near(latency(1.0 - 1e-9), latency(1.0), 1e-6));
    EXPECT_TRUE(near(latency(1.0 + 1e-9), latency(1.0), 1e-6));
    EXPECT_GT(latency(0.8), 1.02 * latency(1.0));
}

TEST(Load, a_share_slows_evenly_where_a_limit_stops_and_starts) {
    const WorkloadModel model{.demand_core_s = 0.01};
    const PodService shared = pod_service(model, {.cpu_share_cores = 0.5});
    const PodService limited = pod_service(model, {.cpu_limit_cores = 0.5});
    EXPECT_EQ(shared.rate_per_s, limited.rate_per_s);
    EXPECT_DOUBLE_EQ(calm_mean_s(model, shared, 0.0, 1), 0.02);
    // A short request usually finds quota left, and then has a whole core.
    EXPECT_NEAR(calm_mean_s(model, limited, 0.0, 1), 0.01, 0.0005);
    const PodService both = pod_service(model, {.cpu_limit_cores = 0.5, .cpu_share_cores = 0.5});
    EXPECT_EQ(both, shared);
}

TEST(LoadTable, falls_along_the_quota_and_rises_along_the_load) {
    using namespace table;
    const auto entry = [](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
        return kThrottle[((i * kQuotas + j) * kLoads + k) * kSpreads + l];
    };
    for (std::size_t i = 0; i < kServices; ++i) {
        for (std::size_t j = 0; j < kQuotas; ++j) {
            for (std::size_t k = 0; k < kLoads; ++k) {
                for (std::size_t l = 0; l < kSpreads; ++l) {
                    const Entry here = entry(i, j, k, l);
                    for (const auto figure : {&Entry::mean, &Entry::p95, &Entry::p99}) {
                        if (j > 0) {
                            ASSERT_LE(here.*figure, entry(i, j - 1, k, l).*figure);
                        }
                        if (k > 0) {
                            ASSERT_GE(here.*figure, entry(i, j, k - 1, l).*figure);
                        }
                    }
                }
            }
        }
    }
    EXPECT_NEAR(kServiceAxis[0], math::log(kServicePeriods[0]), 1e-12);
    EXPECT_NEAR(kQuotaAxis[kQuotas - 1], math::log(kQuota[kQuotas - 1]), 1e-12);
    EXPECT_EQ(kQuotaAxis[kQuotas], 0.0);
    EXPECT_NEAR(kLoadAxis[kLoads - 1], -math::log(1.0 - kLoad[kLoads - 1]), 1e-12);
}

// Two pods that serve 50 requests a second each, with room for 100 in the queue.
const WorkloadModel kModel{.demand_core_s = 0.02, .timeout_s = 1000.0, .queue_max = 100.0};
const PodService kPod = pod_service(kModel, {});

TEST(Settle, without_arrivals_nothing_happens_and_latency_is_that_of_an_idle_pod) {
    const Settled s = settle(kModel, kPod, {}, {.interval_s = 10.0, .pods = 2});
    EXPECT_EQ(s.offered, 0.0);
    EXPECT_EQ(s.done, 0.0);
    EXPECT_EQ(s.cpu_core_s, 0.0);
    EXPECT_EQ(s.violating_share, 0.0);
    EXPECT_DOUBLE_EQ(s.latency_mean_s, 0.02);
}

TEST(Settle, without_pods_everything_is_lost_at_the_time_out) {
    const Settled s =
        settle(kModel, kPod, {.queued = 5.0}, {.rate_per_s = 3.0, .interval_s = 10.0});
    EXPECT_EQ(s.lost, 35.0);
    EXPECT_EQ(s.done, 0.0);
    EXPECT_EQ(s.next, (LoadState{.queued = 0.0, .lost_per_s = 3.5}));
    EXPECT_EQ(s.latency_mean_s, 1000.0);
    EXPECT_EQ(s.violating_share, 1.0);
    const Settled idle = settle(kModel, kPod, {}, {.interval_s = 10.0});
    EXPECT_EQ(idle, Settled{});
}

TEST(Settle, a_pod_without_cpu_or_disk_serves_nothing) {
    EXPECT_EQ(pod_service(kModel, {.cpu_limit_cores = 0.0}), PodService{});
    EXPECT_EQ(pod_service(kModel, {.cpu_share_cores = 0.0}), PodService{});
    WorkloadModel disk = kModel;
    disk.io_bytes = 1000.0;
    EXPECT_EQ(pod_service(disk, {.io_share_bytes_per_s = 0.0}), PodService{});
    EXPECT_EQ(settle(kModel, {}, {}, {.rate_per_s = 1.0, .interval_s = 1.0, .pods = 1}).lost, 1.0);
}

struct QueueCase {
    const char* name;
    double queued, rate_per_s, interval_s;
    double queued_after, overflowed, wait_s;  // The wait is that in the queue, over the interval.
};
const QueueCase kQueueCases[] = {
    {"grows", 10.0, 110.0, 5.0, 60.0, 0.0, 0.35},
    {"just_fills", 0.0, 110.0, 10.0, 100.0, 0.0, 0.5},
    {"overflows", 0.0, 110.0, 20.0, 100.0, 100.0, 0.75},
    {"is_full", 100.0, 110.0, 10.0, 100.0, 100.0, 1.0},
    {"is_over_full", 130.0, 110.0, 10.0, 100.0, 130.0, 1.0},
    {"shrinks", 60.0, 90.0, 3.0, 30.0, 0.0, 0.45},
    {"just_empties", 60.0, 90.0, 6.0, 0.0, 0.0, 0.3},
    {"empties_early", 60.0, 90.0, 12.0, 0.0, 0.0, 0.15},
    {"holds", 60.0, 100.0, 12.0, 60.0, 0.0, 0.6},
    {"no_time_passes", 60.0, 90.0, 0.0, 60.0, 0.0, 0.6},
};

TEST(Settle, queues_what_the_pods_cannot_serve) {
    for (const QueueCase& c : kQueueCases) {
        SCOPED_TRACE(c.name);
        const Settled s =
            settle(kModel, kPod, {.queued = c.queued},
                   {.rate_per_s = c.rate_per_s, .interval_s = c.interval_s, .pods = 2});
        EXPECT_NEAR(s.next.queued, c.queued_after, 1e-9);
        EXPECT_NEAR(s.overflowed, c.overflowed, 1e-9);
        EXPECT_NEAR(s.latency_mean_s - calm_mean_s(kModel, kPod, c.rate_per_s, 2), c.wait_s, 1e-9);
    }
}

TEST(Settle, an_overloaded_pod_is_fully_used_even_if_every_client_left) {
    WorkloadModel model = kModel;
    model.timeout_s = 0.3;
    model.queue_max = 1000.0;
    const Settled s = settle(model, kPod, {.queued = 1000.0},
                             {.rate_per_s = 150.0, .interval_s = 10.0, .pods = 2});
    EXPECT_NEAR(s.cpu_core_s, 20.0, 1e-9);
    EXPECT_NEAR(s.utilisation, 1.0, 1e-12);
    EXPECT_NEAR(s.timed_out, 1000.0, 1.0);
    EXPECT_NEAR(s.violating_share, 1.0, 1e-3);
}

TEST(Settle, dying_pods_lose_what_they_hold) {
    const Offer offer{.rate_per_s = 80.0, .interval_s = 10.0, .pods = 2, .dying = 1};
    const Settled s = settle(kModel, kPod, {}, offer);
    EXPECT_NEAR(s.in_flight_per_pod, 4.0, 1e-9);  // 0.8 / (1 - 0.8), as in every M/M/1.
    EXPECT_NEAR(s.killed, 4.0, 1e-9);
    EXPECT_NEAR(s.done, 796.0, 1e-9);
    EXPECT_NEAR(s.violating_share, 4.0 / 800.0, 1e-9);
}

TEST(Settle, lost_requests_come_again_in_the_next_interval) {
    WorkloadModel model = kModel;
    model.retry_ratio = 0.5;
    const Settled s = settle(model, kPod, {.lost_per_s = 10.0},
                             {.rate_per_s = 20.0, .interval_s = 10.0, .pods = 2});
    EXPECT_DOUBLE_EQ(s.offered, 250.0);
}

TEST(Settle, percentiles_and_violations_are_of_one_lognormal) {
    WorkloadModel model = kModel;
    const Offer offer{.rate_per_s = 70.0, .interval_s = 10.0, .pods = 2};
    const Settled s = settle(model, kPod, {}, offer);
    const double z = math::normal_quantile(0.99) - math::normal_quantile(0.95);
    EXPECT_TRUE(near(s.latency_p99_s, s.latency_p95_s * math::exp(z * s.latency_sd_log), 1e-12));
    model.objective_s = s.latency_p95_s;
    EXPECT_NEAR(settle(model, kPod, {}, offer).violating_share, 0.05, 1e-9);
    model.timeout_s = s.latency_p99_s;
    const Settled late = settle(model, kPod, {}, offer);
    EXPECT_NEAR(late.timed_out / late.offered, 0.01, 1e-9);
    EXPECT_NEAR(late.violating_share, 0.05, 1e-9);
}

TEST(Settle, percentiles_and_violations_agree_under_a_limit_too) {
    // Short requests of a pod that may use a third of a core: most run at once, some wait 70 ms.
    WorkloadModel model{.demand_core_s = 0.005, .timeout_s = 1000.0};
    const PodService pod = pod_service(model, {.cpu_limit_cores = 0.33});
    const Offer offer{.rate_per_s = 40.0, .interval_s = 10.0, .pods = 1};
    const Settled s = settle(model, pod, {}, offer);
    EXPECT_GT(s.latency_p95_s, 2.0 * s.latency_mean_s);
    double before = 1.0;
    for (const double p : {0.05, 0.3, 0.5, 0.8, 0.9, 0.95, 0.97, 0.99, 0.999}) {
        model.objective_s = latency_quantile_s(s, p);
        const double share = settle(model, pod, {}, offer).violating_share;
        EXPECT_NEAR(share, 1.0 - p, 1e-9);
        EXPECT_LT(share, before);
        before = share;
    }
}

TEST(Settle, a_pooled_queue_waits_less_than_one_per_pod) {
    WorkloadModel model = kModel;
    const Offer offer{.rate_per_s = 180.0, .interval_s = 10.0, .pods = 4};
    const double own = settle(model, kPod, {}, offer).latency_mean_s;
    model.balance = Balance::pooled;
    const double pooled = settle(model, kPod, {}, offer).latency_mean_s;
    EXPECT_DOUBLE_EQ(own, 0.2);
    EXPECT_LT(pooled, 0.07);
}

TEST(Settle, the_slowest_of_cpu_disk_and_network_bounds_the_rate) {
    WorkloadModel model = kModel;
    model.io_bytes = 1000.0;
    model.net_bytes = 500.0;
    PodPlace place{.payload = 2.0,
                   .io_share_bytes_per_s = 40'000.0,
                   .net_share_bytes_per_s = 15'000.0,
                   .io_utilisation = 0.5};
    const PodService by_net = pod_service(model, place);
    EXPECT_DOUBLE_EQ(by_net.rate_per_s, 15.0);
    EXPECT_DOUBLE_EQ(by_net.transfer_s, 2000.0 / 40'000.0 / 0.5 + 1000.0 / 15'000.0);
    place.net_share_bytes_per_s = 1e9;
    EXPECT_DOUBLE_EQ(pod_service(model, place).rate_per_s, 20.0);
    place.io_share_bytes_per_s = 1e9;
    EXPECT_DOUBLE_EQ(pod_service(model, place).rate_per_s, 25.0);
}

TEST(Settle, traffic_is_counted_with_the_payload) {
    WorkloadModel model = kModel;
    model.io_bytes = 1000.0;
    model.net_bytes = 500.0;
    const PodService pod = pod_service(model, {.payload = 2.0});
    const Settled s = settle(model, pod, {}, {.rate_per_s = 10.0, .interval_s = 10.0, .pods = 1});
    EXPECT_DOUBLE_EQ(s.io_bytes, 200'000.0);
    EXPECT_DOUBLE_EQ(s.net_bytes, 100'000.0);
}

TEST(Settle, demand_grows_with_payload_warm_up_memory_pressure_and_a_slow_node) {
    WorkloadModel model = kModel;
    model.memory_pressure_cost = 0.5;
    const PodService pod =
        pod_service(model, {.phi = 0.8, .payload = 2.0, .warmup = 1.5, .memory_ratio = 0.9});
    EXPECT_DOUBLE_EQ(pod.demand_core_s, 0.02 * 2.0 * 1.5 * 1.25 / 0.8);
    EXPECT_DOUBLE_EQ(pod.rate_per_s, 1.0 / pod.demand_core_s);
}

TEST(Settle, bursty_arrivals_wait_longer_with_and_without_a_limit) {
    for (const double limit : {1.0, 0.3}) {
        WorkloadModel model = kModel;
        model.demand_cv2 = 0.5;
        const PodService pod = pod_service(model, {.cpu_limit_cores = limit});
        const double smooth = calm_mean_s(model, pod, 0.9 * pod.rate_per_s, 1);
        model.arrival_cv2 = 2.0;
        const double bursty = calm_mean_s(model, pod, 0.9 * pod.rate_per_s, 1);
        EXPECT_NEAR(bursty / smooth, 2.5 / 1.5, 0.2) << limit;
    }
}

TEST(ServiceSum, settles_unequal_pods_as_equal_ones_of_their_mean_rate) {
    ServiceSum sum;
    EXPECT_EQ(sum.mean(), PodService{});
    const PodService fast = pod_service(kModel, {});
    const PodService slow = pod_service(kModel, {.phi = 0.5});
    sum.add(fast);
    sum.add(slow);
    sum.add(PodService{});
    const PodService mean = sum.mean();
    EXPECT_EQ(sum.pods(), 3);
    EXPECT_DOUBLE_EQ(mean.rate_per_s, 25.0);
    const Settled s = settle(kModel, mean, {.queued = 100.0},
                             {.rate_per_s = 90.0, .interval_s = 10.0, .pods = 3});
    EXPECT_NEAR(s.cpu_core_s, 20.0, 1e-9);  // Two cores, and no more.
}

TEST(Export, noise_is_a_factor_and_percentiles_of_few_requests_are_the_noisiest) {
    EXPECT_EQ(exported(3.0, 0.0, 1.7), 3.0);
    EXPECT_DOUBLE_EQ(exported(3.0, 0.5, 2.0), 3.0 * math::exp(1.0));
    EXPECT_EQ(percentile_sigma(0.8, 0.0), 0.5);
    EXPECT_EQ(percentile_sigma(0.8, 11.0), 0.5);
    EXPECT_DOUBLE_EQ(percentile_sigma(0.8, 400.0), 0.084);
}

struct Golden {
    double limit, rate_per_s, queued;
    std::uint64_t mean, p99, violating;
};
// Written by the dev build; every compiler and every CPU must give these bits.
const Golden kGolden[] = {
    {2.0, 60.0, 0.0, 0x3fa1a4cef0602755, 0x3fc4d47469dac155, 0x3f8aad8082c35014},
    {0.4, 30.0, 0.0, 0x3fc819e2f2363f39, 0x3ff1234d66f1f5de, 0x3fd5b09f60fc2e9a},
    {0.07, 5.0, 12.0, 0x3ff4ebbbc120d144, 0x4017605a04af5539, 0x3fef49a5ec531168},
    {1.0, 200.0, 40.0, 0x401e1c2302070e5e, 0x4027c7fa50e9aaf8, 0x3ff0000000000000},
};

TEST(Settle, gives_the_same_bits_from_every_build) {
    const WorkloadModel model{.demand_core_s = 0.023,
                              .demand_cv2 = 1.3,
                              .parallelism_cores = 2.0,
                              .fixed_latency_s = 0.004,
                              .objective_s = 0.15};
    for (const Golden& golden : kGolden) {
        const PodService pod =
            pod_service(model, {.cpu_limit_cores = golden.limit, .phi = 0.93, .payload = 1.1});
        const Settled s = settle(model, pod, {.queued = golden.queued},
                                 {.rate_per_s = golden.rate_per_s, .interval_s = 15.0, .pods = 3});
        EXPECT_EQ(std::bit_cast<std::uint64_t>(s.latency_mean_s), golden.mean) << s.latency_mean_s;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(s.latency_p99_s), golden.p99) << s.latency_p99_s;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(s.violating_share), golden.violating)
            << s.violating_share;
    }
}

}  // namespace
}  // namespace parley::sim
