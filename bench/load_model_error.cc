// How far are the formulas of sim/load from a simulation of single requests? Prints, for the mean
// and two percentiles, the worst and median errors and the bounds of the design.

#include "base/math.h"
#include "base/random.h"
#include "bench/request_simulation.h"
#include "sim/load/load.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace parley;
using bench::Demand;
using bench::Sojourn;

constexpr double kSpreads[] = {0.25, 0.5, 1.0, 2.0};

class Errors {
public:
    void add(double model, double truth, const std::string& where) {
        const double error = model / truth - 1.0;
        if (values_.empty() || std::fabs(error) > std::fabs(worst_)) {
            worst_ = error;
            where_ = where;
        }
        values_.push_back(std::fabs(error));
    }
    void print(const char* set, const char* what, double bound) {
        std::sort(values_.begin(), values_.end());
        const auto at = [&](double p) {
            return 100.0 * values_[static_cast<std::size_t>(p * double(values_.size() - 1))];
        };
        std::printf("%-30s %-5s %4zu cases  median %5.1f %%  p95 %5.1f %%  worst %+6.1f %%", set,
                    what, values_.size(), at(0.5), at(0.95), 100.0 * worst_);
        if (bound > 0.0) {
            const auto within = std::upper_bound(values_.begin(), values_.end(), bound);
            std::printf("  (bound %.0f %%: %s, %td cases within)", 100.0 * bound,
                        std::fabs(worst_) <= bound ? "holds" : "broken", within - values_.begin());
        }
        std::printf("  at %s\n", where_.c_str());
    }

private:
    std::vector<double> values_;
    double worst_ = 0.0;
    std::string where_;
};

struct ErrorsOf {
    Errors mean, p95, p99;
    void add(const sim::Settled& model, const Sojourn& truth, double unit_s,
             const std::string& where) {
        mean.add(model.latency_mean_s, truth.mean * unit_s, where);
        p95.add(model.latency_p95_s, truth.p95 * unit_s, where);
        p99.add(model.latency_p99_s, truth.p99 * unit_s, where);
    }
    void print(const char* set, double mean_bound, double tail_bound) {
        mean.print(set, "mean", mean_bound);
        p95.print(set, "p95", tail_bound);
        p99.print(set, "p99", tail_bound);
    }
};

sim::Settled modelled(double demand_s, double cv2, const sim::PodPlace& place, double load) {
    const sim::WorkloadModel model{
        .demand_core_s = demand_s, .demand_cv2 = cv2, .parallelism_cores = 64.0};
    const sim::PodService pod = sim::pod_service(model, place);
    return sim::settle(model, pod, {},
                       {.rate_per_s = load * pod.rate_per_s, .interval_s = 15.0, .pods = 1});
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

void whole_cores(Demand demand, const char* set, double mean_bound, double tail_bound) {
    ErrorsOf errors;
    for (const double cv2 : kSpreads) {
        const auto requests = bench::draw_requests(11, 1'000'000, cv2, demand);
        for (const int servers : {1, 2, 3, 4, 6, 8, 12, 16, 20}) {
            for (const double load : {0.1, 0.3, 0.5, 0.7, 0.8, 0.9}) {
                const Sojourn truth = bench::simulate_servers(requests, servers, load);
                const auto model = modelled(1.0, cv2, {.cpu_limit_cores = double(servers)}, load);
                errors.add(model, truth, 1.0,
                           "cs2 " + number(cv2) + " m " + number(servers) + " r " + number(load));
            }
        }
    }
    errors.print(set, mean_bound, tail_bound);
}

// The points lie between the nodes of the table, and use another seed.
void throttled(const char* set) {
    ErrorsOf errors;
    Errors formula_alone;
    for (std::uint64_t i = 0; i < 300; ++i) {
        const auto u = [&](std::uint64_t n) { return draw(21, Stream::jitter, i, n); };
        const double service = random::log_uniform(u(0), 0.01, 5.0);
        const double quota = random::uniform(u(1), 0.1, 0.97);
        const double load = random::uniform(u(2), 0.1, 0.9);
        const double cv2 = random::log_uniform(u(3), 0.25, 2.0);
        const auto requests = bench::draw_requests(1000 + i, 200'000, cv2, Demand::gamma);
        const Sojourn truth = bench::simulate_throttled(requests, {service, quota, load});
        const std::string at = "S0/P " + number(service) + " c " + number(quota) + " r " +
                               number(load) + " cs2 " + number(cv2);
        const double period = sim::kCfsPeriod_s;
        errors.add(modelled(service * period, cv2, {.cpu_limit_cores = quota}, load), truth, period,
                   at);
        const double stepwise = service + (std::ceil(service / quota) - 1.0) * (1.0 - quota);
        const double waiting = service / quota * load / (1.0 - load) * (1.0 + cv2) / 2.0;
        formula_alone.add(stepwise + waiting, truth.mean, at);
    }
    errors.print(set, 0.25, 0.25);
    formula_alone.print("  without the table", "mean", 0.0);
}

void time_per_settle() {
    const sim::WorkloadModel model{.parallelism_cores = 2.0, .objective_s = 0.2};
    constexpr int kTimes = 2'000'000;
    for (const double limit : {1.0, 2.0, 0.4}) {
        sim::PodService pods[8];
        for (int i = 0; i < 8; ++i) {
            pods[i] =
                sim::pod_service(model, {.cpu_limit_cores = limit, .payload = 1.0 + 0.001 * i});
        }
        sim::LoadState states[32];  // Of as many workloads, as in a cluster.
        double sum = 0.0;
        // CPU time of this process, since the machine may be busy.
        const std::clock_t start = std::clock();
        for (int i = 0; i < kTimes; ++i) {
            const auto s =
                sim::settle(model, pods[i % 8], states[i % 32],
                            {.rate_per_s = 40.0 + i % 13, .interval_s = 15.0, .pods = 3});
            states[i % 32] = s.next;
            sum += s.latency_p99_s;
        }
        const double took_ns = 1e9 * double(std::clock() - start) / CLOCKS_PER_SEC;
        std::printf("settle at a limit of %.1f cores: %.0f ns (checksum %.6g)\n", limit,
                    took_ns / kTimes, sum);
    }
}

}  // namespace

int main() {
    whole_cores(Demand::gamma, "c >= 1, gamma demands", 0.08, 0.18);
    whole_cores(Demand::lognormal, "c >= 1, lognormal demands", 0.08, 0.18);
    throttled("c < 1, gamma demands");
    time_per_settle();
}
