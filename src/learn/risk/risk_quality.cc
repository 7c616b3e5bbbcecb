#include "learn/risk/risk_quality.h"

#include "base/check.h"
#include "base/number.h"
#include "learn/fit/bootstrap.h"
#include "learn/fit/calibrate.h"
#include "learn/risk/served_quality.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace parley::learn {
namespace {

constexpr std::size_t kCurvePoints = 200;
constexpr double kAlarmShares[] = {0.001, 0.01, 0.05, 0.1};

/// Columns of the test rows, sorted by risk, highest first.
struct Sorted {
    std::vector<std::uint32_t> number;
    std::vector<double> probability;
    std::vector<float> label;
    std::vector<float> weight;
    std::vector<std::int32_t> entity;
    std::vector<std::int32_t> day;
    std::vector<std::int32_t> event;

    Judged judged() const { return {probability, label, weight}; }
    Judged first(std::size_t n) const {
        return {std::span(probability).first(n), std::span(label).first(n),
                std::span(weight).first(n)};
    }
};

Sorted sorted(const RiskTest& test) {
    PARLEY_CHECK(test.numbers.size() == test.probability.size());
    Sorted all;
    std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> days;  // Of each run.
    for (const std::uint32_t at : ranked(test.probability)) {
        const std::uint32_t i = test.numbers[at];
        all.number.push_back(i);
        all.probability.push_back(test.probability[at]);
        all.label.push_back(test.rows.label[i]);
        all.weight.push_back(test.rows.weight[i]);
        all.entity.push_back(test.rows.entity[i]);
        const auto day = std::pair(test.rows.group[i], day_of(test.rows.time[i]).us);
        all.day.push_back(
            days.try_emplace(day, static_cast<std::int32_t>(days.size())).first->second);
        all.event.push_back(test.rows.event[i]);
    }
    return all;
}

std::set<std::int32_t> events_among(std::span<const std::int32_t> event) {
    std::set<std::int32_t> found(event.begin(), event.end());
    found.erase(kNoEvent);
    return found;
}

/// An alarm begins if the entity's row before is quiet or missing.
std::uint64_t alarm_episodes(const RiskTest& test, std::span<const std::uint32_t> alarmed) {
    std::map<std::int32_t, std::vector<std::int64_t>> times;
    for (const std::uint32_t i : alarmed)
        times[test.rows.entity[i]].push_back(test.rows.time[i].us);
    std::uint64_t episodes = 0;
    for (auto& [entity, at] : times) {
        std::ranges::sort(at);
        for (std::size_t k = 0; k < at.size(); ++k)
            if (k == 0 || at[k] - at[k - 1] > test.step.us * 3 / 2) ++episodes;
    }
    return episodes;
}

AlarmLevel alarm_level(const RiskTest& test, const Sorted& all, double share) {
    auto n = static_cast<std::size_t>(share * static_cast<double>(all.number.size()));
    n = std::clamp<std::size_t>(n, 1, all.number.size());
    while (n < all.number.size() && all.probability[n] == all.probability[n - 1]) ++n;
    AlarmLevel level{.risk = all.probability[n - 1],
                     .row_share = static_cast<double>(n) / static_cast<double>(all.number.size()),
                     .precision = base_rate(all.first(n))};
    const auto every = events_among(all.event).size();
    const auto found = events_among(std::span(all.event).first(n)).size();
    level.event_recall =
        every == 0 ? std::nan("") : static_cast<double>(found) / static_cast<double>(every);
    if (test.step.us > 0) {
        const double weeks =
            static_cast<double>(all.number.size()) * in_seconds(test.step) / (7 * 86'400.0);
        const auto episodes = alarm_episodes(test, std::span(all.number).first(n));
        level.alarms_per_100_entity_weeks = 100 * static_cast<double>(episodes) / weeks;
    }
    return level;
}

std::string range_text(const Interval& interval, int decimals) {
    return fixed(interval.value, decimals) + " (" + fixed(interval.low, decimals) + " to " +
           fixed(interval.high, decimals) + ")";
}

bool includes(const Interval& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

RiskSlice slice_of(const RiskTest& test, std::string name, std::span<const std::size_t> places) {
    std::vector<double> probability;
    std::vector<float> label;
    std::vector<float> weight;
    for (const std::size_t at : places) {
        probability.push_back(test.probability[at]);
        label.push_back(test.rows.label[test.numbers[at]]);
        weight.push_back(test.rows.weight[test.numbers[at]]);
    }
    const Judged judged{probability, label, weight};
    return {.name = std::move(name),
            .rows = places.size(),
            .base_rate = base_rate(judged),
            .auc = auc(judged),
            .observed_over_expected = observed_over_expected(judged, 0).value};
}

std::size_t column_of(const Rows& rows, const std::string& name) {
    const auto at = std::ranges::find(rows.columns, name, &Column::name);
    return static_cast<std::size_t>(at - rows.columns.begin());
}

}  // namespace

RiskQuality judge_risk(const RiskTest& test) {
    const Sorted all = sorted(test);
    const Judged judged = all.judged();
    const std::size_t n = all.number.size();
    RiskQuality quality{.weight = std::accumulate(all.weight.begin(), all.weight.end(), 0.0),
                        .base_rate = base_rate(judged)};
    const BootstrapOptions options{.resamples = test.resamples, .seed = test.seed};
    const auto with_weights = [&](auto metric) {
        return bootstrap(
            {all.entity, all.day}, all.weight,
            [&](std::span<const float> weight) {
                return metric(Judged{all.probability, all.label, weight});
            },
            options);
    };
    quality.auc = with_weights([](const Judged& j) { return auc(j); });
    quality.skill = with_weights([](const Judged& j) { return log_loss_skill(j); });
    quality.average_precision = average_precision(judged);
    for (const std::size_t k : {10UL, 100UL, 1'000UL})
        if (k <= n) quality.precision_at.push_back({k, precision_at(judged, k)});
    quality.log_loss = log_loss(judged);
    quality.brier = brier(judged);
    quality.bins = calibration_bins(judged);
    quality.calibration_error = calibration_error(quality.bins);
    quality.calibration_slope = calibration_slope(judged);
    quality.observed_over_expected =
        observed_over_expected(judged, independent_events(all.event, all.label, all.weight));
    const std::size_t top = std::max<std::size_t>(1, n / 100);
    if (n > 0) {
        quality.observed_over_expected_top = among_highest(judged, all.event, top);
        for (const double share : kAlarmShares)
            quality.alarms.push_back(alarm_level(test, all, share));
    }
    quality.roc = roc_curve(judged, kCurvePoints);
    quality.precision_recall = precision_recall_curve(judged, kCurvePoints);
    return quality;
}

Interval among_highest(const Judged& rows, std::span<const std::int32_t> event, std::size_t n) {
    const std::vector<float> weight = highest(rows, n);
    const auto label = rows.label.first(weight.size());
    return observed_over_expected({rows.forecast.first(weight.size()), label, weight},
                                  independent_events(event.first(weight.size()), label, weight));
}

std::vector<Bar> risk_bars(const RiskQuality& q) {
    const double ece_max = 0.2 * q.base_rate;
    const auto near_one = [](double value) { return value >= 0.8 && value <= 1.25; };
    const auto& whole = q.observed_over_expected;
    const auto& top = q.observed_over_expected_top;
    return {{.what = kSkillBar,
             .asked = "above 0 with its 95 % lower bound",
             .measured = range_text(q.skill, 4),
             .met = q.skill.low > 0},
            {.what = "calibration error, 15 bins of equal mass",
             .asked = "at most " + fixed(ece_max, 5) + " (0.2 x base rate)",
             .measured = fixed(q.calibration_error, 5),
             .met = q.calibration_error <= ece_max},
            {.what = "observed over expected",
             .asked = "0.8 to 1.25",
             .measured = range_text(whole, 3),
             .met = near_one(whole.value)},
            {.what = "observed over expected, highest 1 %",
             .asked = "0.8 to 1.25, interval includes 1",
             .measured = range_text(top, 3),
             .met = near_one(top.value) && includes(top, 1)},
            {.what = "calibration slope",
             .asked = "0.8 to 1.2",
             .measured = fixed(q.calibration_slope, 3),
             .met = q.calibration_slope >= 0.8 && q.calibration_slope <= 1.2}};
}

std::vector<RiskSlice> risk_slices(const RiskTest& test, std::span<const Importance> importance) {
    std::vector<RiskSlice> slices;
    const std::size_t n = test.numbers.size();
    if (n < 10) return slices;
    std::vector<std::size_t> order(n);
    const auto add_halves = [&](const std::string& name, auto value) {
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
            return value(a) != value(b) ? value(a) < value(b) : a < b;
        });
        const std::size_t half = n / 2;
        slices.push_back(slice_of(test, name + ", lower half", std::span(order).first(half)));
        slices.push_back(slice_of(test, name + ", upper half", std::span(order).subspan(half)));
    };
    if (test.step.us > 0) {
        add_halves("time", [&](std::size_t at) { return test.rows.time[test.numbers[at]].us; });
    }
    for (const Importance& each : importance.first(std::min<std::size_t>(3, importance.size()))) {
        const std::size_t column = column_of(test.rows, each.feature);
        if (column == test.rows.columns.size()) continue;
        add_halves(each.feature, [&](std::size_t at) {
            const float value = test.rows.row(test.numbers[at])[column];
            return std::isfinite(value) ? value : -3e38F;  // Missing counts as low.
        });
    }
    return slices;
}

std::vector<WorstError> worst_risks(const RiskTest& test, std::span<const Importance> importance,
                                    std::size_t each) {
    std::vector<WorstError> worst;
    const auto order = ranked(test.probability);
    const auto add = [&](std::uint32_t at) {
        const std::uint32_t i = test.numbers[at];
        WorstError error{.entity = test.rows.entity[i],
                         .at_s = static_cast<double>(test.rows.time[i].us) / 1e6,
                         .forecast = test.probability[at],
                         .truth = test.rows.label[i]};
        for (std::size_t k = 0; k < std::min<std::size_t>(3, importance.size()); ++k) {
            const std::size_t column = column_of(test.rows, importance[k].feature);
            if (column == test.rows.columns.size()) continue;
            if (!error.beside.empty()) error.beside += ", ";
            error.beside += importance[k].feature + " " + fixed(test.rows.row(i)[column], 2);
        }
        worst.push_back(std::move(error));
    };
    std::size_t found = 0;
    for (std::size_t k = 0; k < order.size() && found < each; ++k) {
        if (test.rows.label[test.numbers[order[k]]] != 0) continue;
        add(order[k]);
        ++found;
    }
    found = 0;
    for (std::size_t k = order.size(); k-- > 0 && found < each;) {
        if (test.rows.label[test.numbers[order[k]]] != 1) continue;
        add(order[k]);
        ++found;
    }
    return worst;
}

std::vector<RiskBaseline> feature_baselines(const RiskTest& test, std::size_t most) {
    std::vector<RiskBaseline> found;
    std::vector<double> score(test.numbers.size());
    std::vector<float> label;
    std::vector<float> weight;
    for (const std::uint32_t i : test.numbers) {
        label.push_back(test.rows.label[i]);
        weight.push_back(test.rows.weight[i]);
    }
    for (std::size_t column = 0; column < test.rows.columns.size(); ++column) {
        for (const double sign : {1.0, -1.0}) {
            for (std::size_t at = 0; at < score.size(); ++at) {
                const double value = test.rows.row(test.numbers[at])[column];
                score[at] = std::isfinite(value) ? sign * value : -1e300;
            }
            const Judged judged{score, label, weight};
            const double area = auc(judged);
            if (!(area >= 0.5)) continue;
            found.push_back({(sign > 0 ? "high " : "low ") + test.rows.columns[column].name, area,
                             average_precision(judged)});
        }
    }
    std::ranges::sort(found, [](const auto& a, const auto& b) {
        return a.auc != b.auc ? a.auc > b.auc : a.name < b.name;
    });
    if (found.size() > most) found.resize(most);
    return found;
}

}  // namespace parley::learn
