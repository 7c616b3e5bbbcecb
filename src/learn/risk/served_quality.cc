#include "learn/risk/served_quality.h"

#include "brain/recalibrate.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace parley::learn {
namespace {

constexpr Duration kDay = hours(24);

}  // namespace

TimePoint day_of(TimePoint time) {
    const std::int64_t days = time.us >= 0 ? time.us / kDay.us : (time.us + 1) / kDay.us - 1;
    return {days * kDay.us};
}

Served serve(const RiskTest& test, Duration resolved_after) {
    const auto time_of = [&](std::size_t k) { return test.rows.time[test.numbers[k]]; };
    std::vector<std::size_t> order(test.numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return time_of(a) != time_of(b) ? time_of(a) < time_of(b) : a < b;
    });
    std::vector<brain::Resolved> rows;  // In order of time.
    for (const std::size_t k : order) {
        const std::uint32_t i = test.numbers[k];
        const double weight = test.rows.weight[i];
        const double failed = weight * test.rows.label[i];
        rows.push_back({test.rows.time[i], test.probability[k], failed, weight - failed});
    }
    Served served{.probability = std::vector<double>(order.size())};
    brain::Recalibration current;
    TimePoint today{std::numeric_limits<std::int64_t>::min()};
    std::size_t oldest = 0;  // Within the window.
    std::size_t known = 0;   // One behind the last row whose outcome is known.
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (const TimePoint day = day_of(rows[k].at); day > today) {
            today = day;
            while (known < k && rows[known].at + resolved_after <= today) ++known;
            while (oldest < known && rows[oldest].at < today - brain::kRecalibrationWindow)
                ++oldest;
            const auto window = std::span(rows).subspan(oldest, known - oldest);
            if (const auto next = brain::recalibrate(window, current)) {
                current = *next;
                ++served.adopted;
            }
        }
        served.probability[order[k]] = brain::apply(current, rows[k].probability);
    }
    return served;
}

ServedQuality judge_served(const RiskTest& test, Duration resolved_after) {
    const Served served = serve(test, resolved_after);
    RiskTest corrected{.rows = test.rows,
                       .numbers = test.numbers,
                       .probability = served.probability,
                       .step = test.step,
                       .horizon = test.horizon,
                       .seed = test.seed,
                       .resamples = test.resamples};
    const RiskQuality quality = judge_risk(corrected);
    return {.adopted = served.adopted,
            .log_loss = quality.log_loss,
            .skill = quality.skill.value,
            .calibration_error = quality.calibration_error,
            .calibration_slope = quality.calibration_slope,
            .observed_over_expected = quality.observed_over_expected,
            .observed_over_expected_top = quality.observed_over_expected_top,
            .bars = risk_bars(quality)};
}

}  // namespace parley::learn
