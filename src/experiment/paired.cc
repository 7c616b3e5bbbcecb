#include "experiment/paired.h"

#include "base/check.h"
#include "base/math.h"
#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace parley::experiment {
namespace {

constexpr double kAlpha = 0.05;
constexpr double kPairsFactor = 7.85;  // (z of 0.975 + z of 0.8) squared.
constexpr std::int64_t kPairsMin = 100;

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sd_of(std::span<const double> values) {
    const double mean = mean_of(values);
    double squares = 0;
    for (const double v : values) squares += (v - mean) * (v - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// Means of samples drawn with replacement, sorted.
std::vector<double> resampled_means(std::span<const double> values, std::uint64_t seed,
                                    std::int32_t resamples) {
    const std::uint64_t entity = entity_of("bootstrap");
    std::vector<double> means;
    means.reserve(static_cast<std::size_t>(resamples));
    std::uint64_t index = 0;
    for (std::int32_t r = 0; r < resamples; ++r) {
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::uint64_t bits = draw(seed, Stream::policy, entity, index++);
            sum += values[static_cast<std::size_t>(
                random::between(bits, 0, static_cast<std::int64_t>(values.size()) - 1))];
        }
        means.push_back(sum / static_cast<double>(values.size()));
    }
    std::ranges::sort(means);
    return means;
}

/// How skewed the mean is, from leaving out one value at a time.
double acceleration(std::span<const double> values) {
    const double mean = mean_of(values);
    double cubes = 0;
    double squares = 0;
    for (const double v :
         values) {  // The mean without v differs from the mean by (mean - v)/(n-1).
        const double d = v - mean;
        squares += d * d;
        cubes += d * d * d;
    }
    if (squares <= 0) return 0;
    return cubes / (6.0 * squares * std::sqrt(squares));
}

double at_share(const std::vector<double>& sorted, double share) {
    const double last = static_cast<double>(sorted.size() - 1);
    const auto place = static_cast<std::size_t>(std::clamp(share * last, 0.0, last));
    return sorted[place];
}

}  // namespace

Paired compare_pairs(std::span<const double> differences, std::uint64_t seed,
                     std::int32_t resamples) {
    PARLEY_CHECK(differences.size() >= 2);
    Paired out{.pairs = static_cast<std::int64_t>(differences.size()),
               .mean = mean_of(differences),
               .sd = sd_of(differences)};
    if (out.sd == 0 && out.mean == 0) return out;
    const std::vector<double> means = resampled_means(differences, seed, resamples);
    const auto below = std::ranges::lower_bound(means, out.mean) - means.begin();
    const double share = std::clamp((static_cast<double>(below) + 0.5) / (resamples + 1.0),
                                    1.0 / resamples, 1.0 - 1.0 / resamples);
    const double z0 = math::normal_quantile(share);
    const double a = acceleration(differences);
    const auto bound = [&](double level) {
        const double z = z0 + math::normal_quantile(level);
        return at_share(means, math::normal_cdf(z0 + z / (1.0 - a * z)));
    };
    out.low = bound(kAlpha / 2);
    out.high = bound(1 - kAlpha / 2);

    const std::uint64_t entity = entity_of("sign-flip");
    const double seen = std::fabs(out.mean) * (1.0 - 1e-12);
    std::int64_t as_far = 1;  // Counts the observed one.
    for (std::int32_t r = 0; r < resamples; ++r) {
        double sum = 0;
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < differences.size(); ++i) {
            if (i % 64 == 0) {
                bits = draw(seed, Stream::policy, entity,
                            static_cast<std::uint64_t>(r) * 1'000 + i / 64);
            }
            sum += (bits >> (i % 64) & 1U) != 0 ? differences[i] : -differences[i];
        }
        if (std::fabs(sum / static_cast<double>(differences.size())) >= seen) ++as_far;
    }
    out.p = static_cast<double>(as_far) / (resamples + 1.0);
    return out;
}

std::vector<double> holm(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(
        order, [&](std::size_t x, std::size_t y) { return p[x] != p[y] ? p[x] < p[y] : x < y; });
    std::vector<double> out(p.size());
    double most = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        most = std::max(most, std::min(1.0, p[order[i]] * static_cast<double>(p.size() - i)));
        out[order[i]] = most;
    }
    return out;
}

std::string answer_text(Answer answer) {
    return answer == Answer::too_few ? "too few pairs" : std::string(enum_name(answer));
}

std::int64_t pairs_to_tell(std::size_t answers) {
    std::int64_t pairs = 1;
    double least = static_cast<double>(answers);  // The p of one pair: both its signs are as far.
    for (; least >= kAlpha; ++pairs) least /= 2;
    return pairs;
}

Answer answer_of(const Paired& paired, double adjusted_p, const Bounds& bounds,
                 std::size_t answers) {
    const bool equal = paired.mean == 0 && paired.sd == 0;
    if (!equal && paired.pairs < pairs_to_tell(answers)) return Answer::too_few;
    const bool counts = adjusted_p < kAlpha && std::fabs(paired.mean) >= bounds.matters;
    if (counts && paired.high < 0) return Answer::better;
    if (counts && paired.low > 0) return Answer::worse;
    if (paired.low > -bounds.delta && paired.high < bounds.delta) return Answer::equivalent;
    return Answer::unresolved;
}

std::int64_t pairs_needed(std::span<const double> pilot, double delta) {
    if (pilot.size() < 2 || !(delta > 0)) return kPairsMin;
    const double ratio = sd_of(pilot) / delta;
    const double needed = std::ceil(kPairsFactor * ratio * ratio);
    return std::clamp(static_cast<std::int64_t>(std::min(needed, 1e9)), kPairsMin, kPairsMax);
}

bool not_inferior(const Paired& difference, double baseline_mean) {
    return difference.high <= std::max(0.05 * baseline_mean, 0.5);
}

}  // namespace parley::experiment
