#include "learn/fit/bootstrap.h"

#include "base/check.h"
#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace parley::learn {

namespace {

/// Days are drawn independently of entities.
constexpr std::uint64_t kDayDraws = std::uint64_t{1} << 40;

/// One grouping of rows, drawn with replacement.
class Drawn {
public:
    Drawn(std::span<const std::int32_t> of_row, std::uint64_t first) : first_(first) {
        std::vector<std::int32_t> names(of_row.begin(), of_row.end());
        std::ranges::sort(names);
        names.erase(std::unique(names.begin(), names.end()), names.end());
        times_.resize(names.size());
        for (const std::int32_t each : of_row) {
            place_.push_back(
                static_cast<std::uint32_t>(std::ranges::lower_bound(names, each) - names.begin()));
        }
    }

    bool several() const { return times_.size() > 1; }

    void draw_anew(std::uint64_t seed, int sample) {
        std::ranges::fill(times_, 0.0F);
        for (std::size_t k = 0; k < times_.size(); ++k) {
            const auto bits =
                draw(seed, Stream::policy, static_cast<std::uint64_t>(sample), first_ + k);
            times_[random::below(bits, times_.size())] += 1;
        }
    }

    float times(std::size_t row) const { return times_[place_[row]]; }

private:
    std::uint64_t first_;
    std::vector<std::uint32_t> place_;  ///< The group of each row.
    std::vector<float> times_;
};

}  // namespace

Interval bootstrap(const Clusters& clusters, std::span<const float> weight,
                   const std::function<double(std::span<const float>)>& statistic,
                   const BootstrapOptions& options) {
    PARLEY_CHECK(clusters.entity.size() == weight.size());
    PARLEY_CHECK(clusters.day.empty() || clusters.day.size() == weight.size());
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    Drawn entities(clusters.entity, 0);
    Drawn days(clusters.day, kDayDraws);
    std::vector<double> values;
    std::vector<float> resampled(weight.size());
    for (int sample = 0; sample < options.resamples && !weight.empty(); ++sample) {
        entities.draw_anew(options.seed, sample);
        if (days.several()) days.draw_anew(options.seed, sample);
        for (std::size_t i = 0; i < weight.size(); ++i) {
            const float by_day = days.several() ? days.times(i) : 1.0F;
            resampled[i] = weight[i] * entities.times(i) * by_day;
        }
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
