#include "bench/request_simulation.h"

#include "base/check.h"
#include "base/math.h"
#include "base/random.h"

#include <algorithm>
#include <cmath>

namespace parley::bench {
namespace {

// Marsaglia and Tsang's method: a cubed normal, rejected now and then.
double gamma(std::uint64_t seed, std::uint64_t entity, double shape) {
    const double d = std::max(shape, shape + (shape < 1.0 ? 1.0 : 0.0)) - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (std::uint64_t attempt = 1;; ++attempt) {
        const random::Bits128 bits = draw128(seed, Stream::payload, entity, attempt);
        const double x = random::normal(bits.first);
        const double cube = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
        if (!(cube > 0.0)) continue;
        const double u = random::uniform_open(bits.second);
        if (math::log(u) >= 0.5 * x * x + d - d * cube + d * math::log(cube)) continue;
        if (shape >= 1.0) return d * cube;
        const double v = random::uniform_open(draw(seed, Stream::payload, entity, 0));
        return d * cube * math::pow(v, 1.0 / shape);
    }
}

double demand_of(std::uint64_t seed, std::uint64_t entity, double cv2, Demand demand) {
    if (cv2 <= 0.0) return 1.0;
    if (demand == Demand::gamma) return gamma(seed, entity, 1.0 / cv2);
    const double sigma = std::sqrt(math::log1p(cv2));
    return math::exp(sigma * random::normal(draw(seed, Stream::payload, entity, 0)));
}

double mean_of(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

void scale_to_mean_one(std::vector<double>& values) {
    const double mean = mean_of(values);
    for (double& value : values) value /= mean;
}

double quantile(std::vector<double>& values, double p) {
    const auto rank = static_cast<std::ptrdiff_t>(p * static_cast<double>(values.size()));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
}

Sojourn summary(std::vector<double>& sojourns) {
    return {mean_of(sojourns), quantile(sojourns, 0.95), quantile(sojourns, 0.99)};
}

}  // namespace

Requests draw_requests(std::uint64_t seed, std::size_t count, double cv2, Demand demand) {
    PARLEY_CHECK(count >= 1000);
    Requests requests{cv2, std::vector<double>(count), std::vector<double>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        requests.gaps[i] = random::exponential(draw(seed, Stream::arrival, i, 0));
        requests.demands[i] = demand_of(seed, i, cv2, demand);
    }
    scale_to_mean_one(requests.gaps);
    scale_to_mean_one(requests.demands);
    return requests;
}

Sojourn simulate_servers(const Requests& requests, int servers, double load) {
    std::vector<double> free_at(static_cast<std::size_t>(servers), 0.0);
    std::vector<double> sojourns;
    sojourns.reserve(requests.gaps.size());
    const double gap = 1.0 / (load * servers);
    double now = 0.0;
    for (std::size_t i = 0; i < requests.gaps.size(); ++i) {
        now += requests.gaps[i] * gap;
        const auto first = std::min_element(free_at.begin(), free_at.end());
        *first = std::max(now, *first) + requests.demands[i];
        sojourns.push_back(*first - now);
    }
    return summary(sojourns);
}

Sojourn simulate_throttled(const Requests& requests, const Throttled& server) {
    const double quota = server.quota;
    const double gap = server.service / (server.load * quota);
    std::vector<double> sojourns;
    sojourns.reserve(requests.gaps.size());
    double now = 0.0;
    double free_at = 0.0;
    double period = 0.0;  // The period in which `left` of the quota remains.
    double left = quota;
    double slow_free_at = 0.0;  // For a server of constant speed `quota` with the same requests.
    double slow_sum = 0.0;
    for (std::size_t i = 0; i < requests.gaps.size(); ++i) {
        now += requests.gaps[i] * gap;
        double work = requests.demands[i] * server.service;
        slow_free_at = std::max(now, slow_free_at) + work / quota;
        slow_sum += slow_free_at - now;
        const double start = std::max(now, free_at);
        if (std::floor(start) > period) {
            period = std::floor(start);
            left = quota;
        }
        const double at_once = std::min(left, period + 1.0 - start);
        if (work <= at_once) {
            left -= work;
            free_at = start + work;
        } else {
            work -= at_once;
            const double whole_periods = std::ceil(work / quota) - 1.0;
            period += 1.0 + whole_periods;
            work -= whole_periods * quota;
            left = quota - work;
            free_at = period + work;
        }
        sojourns.push_back(free_at - now);
    }
    // The mean of the constant server is known. Chance affected both servers in proportion to their
    // means, so correcting for it saves most of the requests. Where chance matters, in long queues,
    // percentiles move with the mean.
    const Sojourn result = summary(sojourns);
    const double slow_mean = slow_sum / static_cast<double>(requests.gaps.size());
    const double slow_true = server.service / quota *
                             (1.0 + server.load / (1.0 - server.load) * (1.0 + requests.cv2) / 2.0);
    const double corrected =
        result.mean - (slow_mean - slow_true) * std::min(1.0, result.mean / slow_mean);
    const double factor = corrected / result.mean;
    return {corrected, result.p95 * factor, result.p99 * factor};
}

}  // namespace parley::bench
