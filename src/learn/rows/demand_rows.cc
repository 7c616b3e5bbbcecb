#include "learn/rows/demand_rows.h"

#include "base/number.h"
#include "base/time_text.h"
#include "learn/rows/baselines.h"
#include "learn/rows/rows_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace parley::learn {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr Duration kDay = hours(24);
constexpr std::size_t kPastMin = 24;  // Steps before the first row.
constexpr std::array<std::size_t, 8> kLags = {1, 2, 3, 6, 12, 24, 48, 96};
constexpr std::array<std::size_t, 3> kMeans = {6, 24, 144};

std::vector<Column> columns() {
    std::vector<Column> all;
    for (const std::size_t lag : kLags)
        all.push_back({"change_over_" + std::to_string(lag), "scales"});
    for (const std::size_t length : kMeans)
        all.push_back({"above_mean_of_" + std::to_string(length), "scales"});
    all.push_back({"above_yesterday", "scales"});
    all.push_back({"change_yesterday", "scales"});
    all.push_back({"from_here_to_yesterday", "scales"});
    all.push_back({"above_last_week", "scales"});
    all.push_back({"change_last_week", "scales"});
    all.push_back({"from_here_to_last_week", "scales"});
    all.push_back({"roughness", "scales"});
    all.push_back({"scale_over_level", "share"});
    all.push_back({"time_of_day", "share"});
    all.push_back({"day_of_week", "day"});
    return all;
}

/// Values of a series with running sums, so that a mean takes two lookups.
class Past {
public:
    explicit Past(std::span<const double> values) : values_(values) {
        sum_.resize(values.size() + 1);
        count_.resize(values.size() + 1);
        rough_.resize(values.size() + 1);
        for (std::size_t t = 0; t < values.size(); ++t) {
            const bool known = std::isfinite(values[t]);
            sum_[t + 1] = sum_[t] + (known ? values[t] : 0);
            count_[t + 1] = count_[t] + (known ? 1 : 0);
            const double change = t > 0 ? std::fabs(values[t] - values[t - 1]) : kNothing;
            rough_[t + 1] = rough_[t] + (std::isfinite(change) ? change : 0);
        }
    }
    /// `back` steps before t, NaN where there is none.
    double at(std::size_t t, std::size_t back) const {
        return back <= t && t < values_.size() ? values_[t - back] : kNothing;
    }
    double mean(std::size_t t, std::size_t length) const {
        const std::size_t from = t + 1 >= length ? t + 1 - length : 0;
        const double n = count_[t + 1] - count_[from];
        return n > 0 ? (sum_[t + 1] - sum_[from]) / n : kNothing;
    }
    /// Mean |change in one step|.
    double roughness(std::size_t t, std::size_t length) const {
        if (t < length) return kNothing;
        return (rough_[t + 1] - rough_[t + 1 - length]) / static_cast<double>(length);
    }

private:
    std::span<const double> values_;
    std::vector<double> sum_;
    std::vector<double> count_;
    std::vector<double> rough_;
};

/// Median of |change over `ahead`| among changes known at t, of the last `window` steps.
double scale_at(std::span<const double> values, std::size_t t, std::size_t ahead,
                std::size_t window, std::vector<double>& buffer) {
    buffer.clear();
    for (std::size_t u = t; u >= ahead && t - u < window; --u) {
        const double change = std::fabs(values[u] - values[u - ahead]);
        if (std::isfinite(change)) buffer.push_back(change);
        if (u == 0) break;
    }
    double scale = 0;
    if (!buffer.empty()) {
        const auto middle = buffer.begin() + static_cast<std::ptrdiff_t>(buffer.size() / 2);
        std::ranges::nth_element(buffer, middle);
        scale = *middle;
        // If half of the changes are zero, the mean is used instead.
        if (!(scale > 0)) {
            double sum = 0;
            for (const double change : buffer) sum += change;
            scale = sum / static_cast<double>(buffer.size());
        }
    }
    return std::max(scale, 1e-3 * std::fabs(values[t]) + 1e-9);
}

class Builder {
public:
    Builder(std::size_t ahead, Duration step) : ahead_(ahead) {
        out_.rows.columns = columns();
        out_.steps = ahead;
        out_.step = step;
        day_ = static_cast<std::size_t>(kDay.us / step.us);
    }

    Result<void> add(const Series& series, std::int32_t number) {
        const std::span<const double> values = series.values;
        const Past past(values);
        // Its rates come from the training part.
        const auto head =
            static_cast<std::size_t>(kPartShares[0] * static_cast<double>(values.size()));
        const auto holt_all = holt(values, ahead_, choose_holt(values.first(head), ahead_));
        for (std::size_t t = kPastMin; t + ahead_ < values.size(); ++t) {
            if (!std::isfinite(values[t]) || !std::isfinite(values[t + ahead_])) continue;
            if (out_.rows.size() == kRowsMax)
                return fail(ErrorCode::malformed, "series: there are too many values; give fewer");
            const double scale =
                scale_at(values, t, ahead_, std::max<std::size_t>(day_, 24), buffer_);
            add_features(series, past, t, scale);
            const double truth = values[t + ahead_];
            const double label = std::clamp((truth - values[t]) / scale, -kLabelMost, kLabelMost);
            out_.rows.label.push_back(static_cast<float>(label));
            out_.rows.weight.push_back(1);
            out_.rows.time.push_back(series.start + series.step * static_cast<std::int64_t>(t));
            out_.rows.entity.push_back(number);
            out_.rows.group.push_back(0);
            out_.rows.event.push_back(kNoEvent);
            out_.now.push_back(values[t]);
            out_.truth.push_back(truth);
            out_.scale.push_back(scale);
            out_.daily.push_back(past.at(t + ahead_, day_));
            out_.weekly.push_back(past.at(t + ahead_, 7 * day_));
            out_.holt.push_back(holt_all[t]);
        }
        return {};
    }

    DemandRows finish() { return std::move(out_); }

private:
    void add_features(const Series& series, const Past& past, std::size_t t, double scale) {
        auto& values = out_.rows.values;
        const double now = past.at(t, 0);
        const auto push = [&](double value) {
            values.push_back(static_cast<float>(std::clamp(value, -1e6, 1e6)));
        };
        for (const std::size_t lag : kLags) push((now - past.at(t, lag)) / scale);
        for (const std::size_t length : kMeans) push((now - past.mean(t, length)) / scale);
        for (const std::size_t period : {day_, 7 * day_}) {
            // What followed this time yesterday is known.
            const double then = past.at(t, period);
            const double after = ahead_ <= period ? past.at(t, period - ahead_) : kNothing;
            push((now - then) / scale);
            push((after - then) / scale);
            push((after - now) / scale);
        }
        push(past.roughness(t, kPastMin) / scale);
        push(scale / (std::fabs(now) + scale));
        const std::int64_t time = series.start.us + series.step.us * static_cast<std::int64_t>(t);
        const std::int64_t into_day = ((time % kDay.us) + kDay.us) % kDay.us;
        push(static_cast<double>(into_day) / static_cast<double>(kDay.us));
        push(static_cast<double>(((time / kDay.us) % 7 + 7) % 7));
    }

    std::size_t ahead_;
    std::size_t day_ = 0;
    DemandRows out_;
    std::vector<double> buffer_;
};

}  // namespace

Result<DemandRows> demand_rows(std::span<const Series> series, std::size_t ahead) {
    if (series.empty()) return fail(ErrorCode::malformed, "series: there is none");
    const Duration step = series.front().step;
    if (step.us <= 0 || step > kDay) {
        return fail(ErrorCode::malformed, "series " + in_quotes(series.front().name) +
                                              ": its step must be above 0 and at most a day");
    }
    if (ahead == 0 || ahead > static_cast<std::size_t>(kDay.us / step.us)) {
        return fail(ErrorCode::denied, "series: forecasts reach from one step to a day ahead");
    }
    Builder builder(ahead, step);
    std::int32_t number = 0;
    for (const Series& each : series) {
        if (each.step != step) {
            return fail(ErrorCode::malformed, "series " + in_quotes(each.name) + " has a step of " +
                                                  print_duration(each.step) + ", others " +
                                                  print_duration(step) + "; train them apart");
        }
        if (auto done = builder.add(each, number++); !done) return tl::unexpected(done.error());
    }
    return builder.finish();
}

Result<Split> split_series(const DemandRows& demand) {
    const Duration embargo = demand.step * static_cast<std::int64_t>(demand.steps);
    const Rows& rows = demand.rows;
    Split all{.part = std::vector<Part>(rows.size(), Part::left_out)};
    // Rows of a series stand together.
    for (std::size_t from = 0; from < rows.size();) {
        std::size_t to = from;
        Rows times;
        for (; to < rows.size() && rows.entity[to] == rows.entity[from]; ++to) {
            times.label.push_back(0);
            times.time.push_back(rows.time[to]);
        }
        // A series too short for all four parts is left out.
        if (const auto one = split_by_time(times, embargo)) {
            std::ranges::copy(one->part, all.part.begin() + static_cast<std::ptrdiff_t>(from));
            all.rule = "each series: " + one->rule;
        }
        from = to;
    }
    if (all.rule.empty())
        return fail(ErrorCode::malformed, "split: no series is long enough to be split");
    return all;
}

}  // namespace parley::learn
