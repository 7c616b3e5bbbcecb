#include "layers/prediction/demand_features.h"

#include "base/check.h"
#include "layers/prediction/demand_trail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace parley::prediction {
namespace {

using model::DemandPast;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr std::int64_t kKnownMin = 15;
constexpr std::size_t kPairsMin = 5;
constexpr double kScaleShare = 0.01;
constexpr double kScaleLeast = 1e-6;
constexpr double kMost = 1e6;
constexpr std::array<std::int64_t, model::kDemandHorizons> kScaleLags = {1, 5, 15, 30};
constexpr std::array<std::int64_t, 8> kLags = {1, 2, 3, 5, 10, 15, 30, 60};
constexpr std::array<std::int64_t, 3> kSpans = {5, 15, 60};
constexpr std::int64_t kDay = 48;  // Half-hours.

/// Statistics over a stretch of past minutes.
struct Stretch {
    double sum = 0;
    double most = -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    double moved = 0;  ///< |change in one minute|, summed.
    std::int64_t known = 0;
    std::int64_t steps = 0;
};

Stretch stretch(const DemandPast& past, std::int64_t length) {
    Stretch out;
    std::optional<double> newer;
    for (std::int64_t back = 0; back < length; ++back) {
        const auto mean = minute_mean(past, back);
        if (mean) {
            out.sum += *mean;
            out.most = std::max(out.most, *mean);
            out.least = std::min(out.least, *mean);
            ++out.known;
            if (newer) {
                out.moved += std::fabs(*newer - *mean);
                ++out.steps;
            }
        }
        newer = mean;
    }
    return out;
}

/// Median of |change over `lag`|; nothing if there are too few.
std::optional<double> usual_change(const DemandPast& past, std::int64_t lag) {
    std::array<double, model::kMinutesKept> changes{};
    std::size_t count = 0;
    const auto kept = static_cast<std::int64_t>(model::kMinutesKept);
    for (std::int64_t back = 0; back + lag < kept; ++back) {
        const auto now = minute_mean(past, back);
        const auto then = minute_mean(past, back + lag);
        if (now && then) changes[count++] = std::fabs(*now - *then);
    }
    if (count < kPairsMin) return std::nullopt;
    const auto middle = changes.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(changes.begin(), middle, changes.begin() + static_cast<std::ptrdiff_t>(count));
    return *middle;
}

/// Fills a row from left to right, in scales.
class Row {
public:
    Row(std::span<float> out, double scale) : out_(out), scale_(scale) {}
    void put(std::optional<double> difference) {
        if (!difference) return put_raw(std::nullopt);
        put_raw(*difference / scale_);
    }
    void put_raw(std::optional<double> value) {
        out_[next_++] = value ? static_cast<float>(std::clamp(*value, -kMost, kMost)) : kMissing;
    }
    std::size_t filled() const { return next_; }

private:
    std::span<float> out_;
    double scale_;
    std::size_t next_ = 0;
};

std::optional<double> minus(std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional(*a - *b) : std::nullopt;
}

void put_minutes(const DemandPast& past, double now, Row& row) {
    for (const std::int64_t lag : kLags) row.put(minus(now, minute_mean(past, lag)));
    for (const std::int64_t length : kSpans) {
        const Stretch seen = stretch(past, length);  // Contains at least the newest minute.
        row.put(now - seen.sum / static_cast<double>(seen.known));
        row.put(seen.most - now);
        row.put(seen.least - now);
    }
    const Stretch lately = stretch(past, 15);
    row.put(lately.steps > 0 ? std::optional(lately.moved / static_cast<double>(lately.steps))
                             : std::nullopt);
}

/// What followed at this time yesterday, from the half-hours that are kept.
void put_yesterday(const DemandPast& past, double now, std::size_t horizon, Row& row) {
    const auto then = half_hour_mean(past, kDay);
    std::optional<double> peak = then;
    const std::int64_t reach = (model::kDemandHorizonsMin[horizon] + 29) / 30;
    for (std::int64_t i = 1; i <= reach; ++i) {
        const auto later = half_hour_mean(past, kDay - i);
        if (!later || !peak) {
            peak.reset();
            break;
        }
        peak = std::max(*peak, *later);
    }
    row.put(minus(now, then));
    row.put(minus(peak, then));
    row.put(minus(peak, now));
}

}  // namespace

brain::FeatureList wanted_demand_features() {
    brain::FeatureList list{.version = kDemandFeatureVersion};
    const auto add = [&](std::string name, const char* unit) {
        list.features.push_back({std::move(name), unit});
    };
    for (const std::int64_t lag : kLags) add("change_over_" + std::to_string(lag) + "m", "scales");
    for (const std::int64_t length : kSpans) {
        add("above_mean_of_" + std::to_string(length) + "m", "scales");
        add("peak_of_" + std::to_string(length) + "m", "scales");
        add("low_of_" + std::to_string(length) + "m", "scales");
    }
    add("roughness_15m", "scales");
    add("above_yesterday", "scales");
    add("rise_yesterday", "scales");
    add("up_to_yesterday", "scales");
    add("scale_over_level", "share");
    add("kind", "number");
    return list;
}

std::size_t demand_feature_count() { return kLags.size() + 3 * kSpans.size() + 6; }

bool can_forecast(const DemandPast& past) {
    return past.known >= kKnownMin && minute_mean(past, 0).has_value();
}

double demand_scale(const DemandPast& past, std::size_t horizon) {
    PARLEY_CHECK(horizon < kScaleLags.size());
    std::optional<double> usual = usual_change(past, kScaleLags[horizon]);
    for (std::size_t nearer = horizon; !usual && nearer-- > 0;) {
        usual = usual_change(past, kScaleLags[nearer]);
    }
    const double now = std::fabs(minute_mean(past, 0).value_or(0));
    return std::max(usual.value_or(0), kScaleShare * now + kScaleLeast);
}

void demand_features(const DemandPast& past, model::DemandOf of, std::size_t horizon, double scale,
                     std::span<float> out) {
    PARLEY_CHECK(out.size() == demand_feature_count() && can_forecast(past) && scale > 0);
    const double now = minute_mean(past, 0).value_or(0);
    Row row(out, scale);
    put_minutes(past, now, row);
    put_yesterday(past, now, horizon, row);
    row.put_raw(scale / (std::fabs(now) + scale));
    row.put_raw(static_cast<double>(of));
    PARLEY_CHECK(row.filled() == out.size());
}

}  // namespace parley::prediction
