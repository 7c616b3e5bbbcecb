#include "learn/demand/demand_cover.h"

#include "learn/fit/conformal.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

namespace parley::learn {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
/// With fewer rows, a share says little about a single series.
constexpr std::size_t kSeriesRowsMin = 96;

/// The interval given for each row of the test slice.
struct Said {
    std::vector<double> width;  ///< In scales.
    std::vector<char> inside;
};

/// One level for all series of a run, and how often it missed.
class SharedLevel {
public:
    /// `errors` in order of size; borrowed.
    SharedLevel(std::span<const double> errors, const ConformalOptions& options)
        : errors_(errors), options_(options), miss_(options.miss) {}

    double width() const {
        if (errors_.empty()) return std::numeric_limits<double>::infinity();
        const double at = (1 - miss_) * static_cast<double>(errors_.size() - 1);
        return errors_[static_cast<std::size_t>(std::ceil(at))];
    }
    void feed(double missed_share) {
        miss_ = std::clamp(miss_ + options_.gamma * (options_.miss - missed_share), 0.0, 1.0);
    }

private:
    std::span<const double> errors_;
    ConformalOptions options_;
    double miss_;
};

/// Rows of one run by time: places in the test slice.
using Timeline = std::map<std::int64_t, std::vector<std::size_t>>;

/// Forecasts that wait for their outcome, one per series at a time and in turns, as in serving.
struct Waiting {
    std::int64_t due = 0;
    std::vector<std::size_t> places;
};

void play_run(const DemandRows& demand, const ForecastSlice& test, const Timeline& timeline,
              std::span<const double> errors, SharedLevel level, Said& said) {
    const auto steps = static_cast<std::int64_t>(demand.steps);
    std::deque<Waiting> waiting;
    for (const auto& [time, places] : timeline) {
        while (!waiting.empty() && waiting.front().due <= time) {
            double missed = 0;
            for (const std::size_t k : waiting.front().places) missed += said.inside[k] ? 0 : 1;
            level.feed(missed / static_cast<double>(waiting.front().places.size()));
            waiting.pop_front();
        }
        Waiting held{.due = time + demand.step.us * steps};
        for (const std::size_t k : places) {
            said.width[k] = level.width();
            said.inside[k] = errors[k] <= said.width[k] ? 1 : 0;
            const std::int32_t series = demand.rows.entity[test.numbers[k]];
            if ((time / demand.step.us + series) % steps == 0) held.places.push_back(k);
        }
        if (!held.places.empty()) waiting.push_back(std::move(held));
    }
}

/// The lowest share over a rolling day; for a shorter run, over all of it.
double worst_day_of(const Timeline& timeline, const Said& said) {
    const std::int64_t day = hours(24).us;
    double inside = 0;
    double count = 0;
    double worst = 1;
    bool whole_day = false;
    auto first = timeline.begin();
    const auto move = [&](const std::vector<std::size_t>& places, double sign) {
        for (const std::size_t k : places) inside += sign * said.inside[k];
        count += sign * static_cast<double>(places.size());
    };
    for (const auto& [time, places] : timeline) {
        move(places, 1);
        for (; time - first->first >= day; ++first) {
            move(first->second, -1);
            whole_day = true;
        }
        if (whole_day) worst = std::min(worst, inside / count);
    }
    return whole_day ? worst : inside / count;
}

double worst_day_together(const DemandRows& demand, const ForecastSlice& calibrate,
                          const ForecastSlice& test, std::span<const double> errors, Said& said) {
    std::vector<double> start = scaled_errors(demand, calibrate);
    std::erase_if(start, [](double error) { return !std::isfinite(error); });
    std::ranges::sort(start);
    std::map<std::int32_t, Timeline> runs;
    for (std::size_t k = 0; k < test.numbers.size(); ++k) {
        const std::uint32_t i = test.numbers[k];
        runs[demand.rows.group[i]][demand.rows.time[i].us].push_back(k);
    }
    double worst = 1;
    for (const auto& [group, timeline] : runs) {
        play_run(demand, test, timeline, errors, SharedLevel(start, {}), said);
        worst = std::min(worst, worst_day_of(timeline, said));
    }
    return worst;
}

/// Handles series one after the other, in the order of rows.
double worst_day_apart(const DemandRows& demand, const ForecastSlice& calibrate,
                       const ForecastSlice& test, std::span<const double> errors, Said& said) {
    const auto start = scaled_errors(demand, calibrate);
    // A share of few values says little: with one a day, the worst day would always be 0.
    constexpr std::size_t kDayMin = 24;
    const auto day = std::max(kDayMin, static_cast<std::size_t>(hours(24).us / demand.step.us));
    double worst = 1;
    for (std::size_t from = 0; from < errors.size();) {
        const std::int32_t series = demand.rows.entity[test.numbers[from]];
        std::size_t to = from;
        while (to < errors.size() && demand.rows.entity[test.numbers[to]] == series) ++to;
        std::vector<double> own;
        for (std::size_t k = 0; k < start.size(); ++k)
            if (demand.rows.entity[calibrate.numbers[k]] == series) own.push_back(start[k]);
        // If a series has no calibration rows, those of the others are used.
        if (own.empty()) own = start;
        const Rolled rolled =
            roll(Conformal(own, {}), errors.subspan(from, to - from), demand.steps, day);
        worst = std::min(worst, rolled.worst_day);
        for (std::size_t k = from; k < to; ++k) {
            said.width[k] = rolled.width[k - from];
            said.inside[k] = errors[k] <= said.width[k] ? 1 : 0;
        }
        from = to;
    }
    return worst;
}

/// NaN if no series has enough rows.
double worst_series_of(const DemandRows& demand, const ForecastSlice& test, const Said& said) {
    std::map<std::int32_t, std::pair<double, std::size_t>> sums;
    for (std::size_t k = 0; k < test.numbers.size(); ++k) {
        auto& [inside, count] = sums[demand.rows.entity[test.numbers[k]]];
        inside += said.inside[k];
        ++count;
    }
    double worst = kNothing;
    for (const auto& [series, each] : sums) {
        if (each.second < kSeriesRowsMin) continue;
        const double share = each.first / static_cast<double>(each.second);
        worst = std::isfinite(worst) ? std::min(worst, share) : share;
    }
    return worst;
}

}  // namespace

std::vector<double> scaled_errors(const DemandRows& demand, const ForecastSlice& slice) {
    std::vector<double> errors;
    for (std::size_t k = 0; k < slice.numbers.size(); ++k) {
        const std::uint32_t i = slice.numbers[k];
        errors.push_back(std::fabs(demand.truth[i] - slice.forecast[k]) / demand.scale[i]);
    }
    return errors;
}

Coverage cover(const DemandRows& demand, const ForecastSlice& calibrate, const ForecastSlice& test,
               double persistence_mae) {
    const auto errors = scaled_errors(demand, test);
    Said said{.width = std::vector<double>(errors.size()),
              .inside = std::vector<char>(errors.size())};
    const auto play = demand.share_level ? worst_day_together : worst_day_apart;
    Coverage coverage{.worst_day = play(demand, calibrate, test, errors, said)};
    coverage.worst_series = worst_series_of(demand, test, said);
    const auto n = static_cast<double>(errors.size());
    double width = 0;
    for (std::size_t k = 0; k < errors.size(); ++k) {
        const std::uint32_t i = test.numbers[k];
        coverage.overall += said.inside[k];
        const double half = said.width[k] * demand.scale[i];
        if (!std::isfinite(half)) continue;
        width += 2 * half / n;
        const double over = demand.truth[i] - (test.forecast[k] + half);
        coverage.pinball_95 += std::max(0.95 * over, -0.05 * over) / n;
    }
    coverage.overall /= n;
    coverage.mean_width = persistence_mae > 0 ? width / persistence_mae : kNothing;
    return coverage;
}

}  // namespace parley::learn
