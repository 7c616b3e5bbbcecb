#include "learn/bootstrap.h"

#include "base/check.h"
#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace parley::learn {

Interval bootstrap(std::span<const std::int32_t> entity, std::span<const float> weight,
                   const std::function<double(std::span<const float>)>& statistic,
                   const BootstrapOptions& options) {
    PARLEY_CHECK(entity.size() == weight.size());
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::int32_t> names(entity.begin(), entity.end());
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::vector<std::uint32_t> place(entity.size());
    for (std::size_t i = 0; i < entity.size(); ++i) {
        place[i] =
            static_cast<std::uint32_t>(std::ranges::lower_bound(names, entity[i]) - names.begin());
    }
    std::vector<double> values;
    std::vector<float> times(names.size());
    std::vector<float> resampled(weight.size());
    for (int sample = 0; sample < options.resamples && !names.empty(); ++sample) {
        std::ranges::fill(times, 0.0F);
        for (std::size_t k = 0; k < names.size(); ++k) {
            const auto bits =
                draw(options.seed, Stream::policy, static_cast<std::uint64_t>(sample), k);
            times[random::below(bits, names.size())] += 1;
        }
        for (std::size_t i = 0; i < weight.size(); ++i) resampled[i] = weight[i] * times[place[i]];
        const double value = statistic(resampled);
        if (std::isfinite(value)) values.push_back(value);
    }
    Interval interval{statistic(weight), kNothing, kNothing};
    if (values.size() < 20) return interval;
    std::ranges::sort(values);
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    interval.low = at(0.025);
    interval.high = at(0.975);
    return interval;
}

}  // namespace parley::learn
