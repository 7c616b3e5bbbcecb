#include "learn/risk/perfect_model.h"

#include "base/check.h"
#include "base/random.h"
#include "brain/calibration.h"
#include "brain/logistic_fit.h"
#include "learn/fit/calibrate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace parley::learn {
namespace {

constexpr std::size_t kSlopeBins = 500;  // The slope over these bins equals that over the rows.

/// Test rows, highest risk first, and which of them are drawn together.
struct Rights {
    std::vector<double> probability;
    std::vector<float> weight;
    std::vector<std::int32_t> fate;
    std::int32_t fates = 0;
    std::vector<std::uint32_t> upwards;  ///< Indexes from the lowest risk on.
};

/// Whether failures span several rows each.
bool fates_are_shared(const RiskTest& test) {
    std::set<std::int32_t> seen;
    return std::ranges::any_of(test.numbers, [&](std::uint32_t i) {
        const std::int32_t event = test.rows.event[i];
        return event != kNoEvent && !seen.insert(event).second;
    });
}

Rights rights_of(const RiskTest& test) {
    Rights all;
    const bool shared = fates_are_shared(test);
    std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> known;
    for (const std::uint32_t at : ranked(test.probability)) {
        const std::uint32_t i = test.numbers[at];
        all.probability.push_back(test.probability[at]);
        all.weight.push_back(test.rows.weight[i]);
        if (!shared) {
            all.fate.push_back(all.fates++);
            continue;
        }
        const std::int64_t span = std::max(test.step.us, test.horizon.us);
        const std::int64_t when = span > 0 ? test.rows.time[i].us / span : 0;
        const auto [place, fresh] =
            known.try_emplace(std::pair(test.rows.entity[i], when), all.fates);
        if (fresh) ++all.fates;
        all.fate.push_back(place->second);
    }
    all.upwards.resize(all.fate.size());
    std::iota(all.upwards.rbegin(), all.upwards.rend(), 0U);
    return all;
}

/// b of logit P = a + b * logit(forecast), from bins of rows that follow each other.
double slope_of(std::span<const Bin> bins, double rows) {
    std::vector<double> margin;
    std::vector<double> target;
    std::vector<float> weight;
    for (const Bin& bin : bins) {
        margin.push_back(brain::logit(std::clamp(bin.forecast, 1e-9, 1 - 1e-9)));
        target.push_back(bin.observed);
        weight.push_back(static_cast<float>(bin.share * rows));
    }
    return brain::fit_logistic(margin, target, weight).b;
}

RiskQuality figures_of(const Rights& all, std::span<const float> label) {
    const Judged judged{all.probability, label, all.weight};
    const std::size_t top = std::max<std::size_t>(1, label.size() / 100);
    const auto bins = [&](std::size_t n) { return calibration_bins(judged, n, all.upwards); };
    return {.base_rate = base_rate(judged),
            .calibration_error = calibration_error(bins(kCalibrationBins)),
            .calibration_slope = slope_of(bins(kSlopeBins), static_cast<double>(label.size())),
            .observed_over_expected =
                observed_over_expected(judged, independent_events(all.fate, label, all.weight)),
            .observed_over_expected_top = among_highest(judged, all.fate, top)};
}

/// A figure behind a bar, and whether it may be off in both directions.
struct Figure {
    double value = 0;
    bool both_sides = true;
};

/// One per bar of risk_bars(), in their order.
std::vector<Figure> behind_bars(const RiskQuality& q) {
    return {{0},
            {q.calibration_error, false},
            {q.observed_over_expected.value},
            {q.observed_over_expected_top.value},
            {q.calibration_slope}};
}

/// How many draws were at least as high as the measured value, and at least as low.
struct Tails {
    int above = 0;
    int below = 0;

    void count(double drawn, double measured) {
        // A draw without a defined figure counts on both sides.
        if (!(drawn < measured)) ++above;
        if (!(drawn > measured)) ++below;
    }
    /// The measured value counts as a draw, so that no chance is ever zero.
    double chance(bool both_sides) const {
        constexpr double kDraws = kPerfectDraws + 1;
        if (!both_sides) return (above + 1) / kDraws;
        return std::min(1.0, 2 * (std::min(above, below) + 1) / kDraws);
    }
};

std::vector<float> labels_of(const RiskTest& test) {
    std::vector<float> label;
    for (const std::uint32_t at : ranked(test.probability))
        label.push_back(test.rows.label[test.numbers[at]]);
    return label;
}

}  // namespace

void note_perfect(const RiskTest& test, std::vector<Bar>& bars) {
    const Rights all = rights_of(test);
    if (all.probability.empty()) return;
    const std::vector<Figure> measured = behind_bars(figures_of(all, labels_of(test)));
    PARLEY_CHECK(bars.size() == measured.size());
    std::vector<int> met(bars.size());
    std::vector<Tails> tails(bars.size());
    std::vector<double> drawn(static_cast<std::size_t>(all.fates));
    std::vector<float> label(all.probability.size());
    for (int sample = 0; sample < kPerfectDraws; ++sample) {
        for (std::size_t k = 0; k < drawn.size(); ++k) {
            drawn[k] = random::uniform01(
                draw(test.seed, Stream::noise, static_cast<std::uint64_t>(sample), k));
        }
        for (std::size_t i = 0; i < label.size(); ++i) {
            const double fate = drawn[static_cast<std::size_t>(all.fate[i])];
            label[i] = fate < all.probability[i] ? 1.0F : 0.0F;
        }
        const RiskQuality quality = figures_of(all, label);
        const std::vector<Bar> of_draw = risk_bars(quality);
        const std::vector<Figure> figures = behind_bars(quality);
        for (std::size_t k = 0; k < bars.size(); ++k) {
            met[k] += of_draw[k].met ? 1 : 0;
            tails[k].count(figures[k].value, measured[k].value);
        }
    }
    for (std::size_t k = 0; k < bars.size(); ++k) {
        if (bars[k].what == kSkillBar) continue;
        bars[k].perfect = met[k] / static_cast<double>(kPerfectDraws);
        if (std::isfinite(measured[k].value))
            bars[k].chance = tails[k].chance(measured[k].both_sides);
    }
}

}  // namespace parley::learn
