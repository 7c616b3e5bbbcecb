#include "learn/fit/isotonic.h"

#include <algorithm>
#include <numeric>

namespace parley::learn {
namespace {

struct Level {
    double weight = 0;
    double margin = 0;    ///< Mean.
    double observed = 0;  ///< Mean.
    double first = 0;     ///< The lowest margin in it.
    double last = 0;      ///< The highest.

    void join(const Level& next) {
        const double sum = weight + next.weight;
        margin = (margin * weight + next.margin * next.weight) / sum;
        observed = (observed * weight + next.observed * next.weight) / sum;
        weight = sum;
        last = next.last;
    }
};

/// Pool adjacent violators: the closest curve that never falls.
std::vector<Level> levels_of(const CalibrationRows& rows) {
    std::vector<std::uint32_t> order(rows.margin.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return rows.margin[a] != rows.margin[b] ? rows.margin[a] < rows.margin[b] : a < b;
    });
    std::vector<Level> levels;
    for (const std::uint32_t i : order) {
        if (rows.weight[i] <= 0) continue;
        const Level row{rows.weight[i], rows.margin[i], rows.label[i], rows.margin[i],
                        rows.margin[i]};
        // Rows of equal margin are one point.
        if (!levels.empty() && levels.back().last == row.margin) {
            levels.back().join(row);
        } else {
            levels.push_back(row);
        }
        while (levels.size() > 1 && levels[levels.size() - 2].observed >= levels.back().observed) {
            const Level last = levels.back();
            levels.pop_back();
            levels.back().join(last);
        }
    }
    return levels;
}

/// A level of fewer rows is too uncertain.
constexpr double kOfEachMin = 5;
constexpr double kRowsMin = 200;

bool carries(const Level& level) {
    return level.weight >= kRowsMin || (level.weight * level.observed >= kOfEachMin &&
                                        level.weight * (1 - level.observed) >= kOfEachMin);
}

/// Joins neighbours until each level is certain enough. If all of many rows survived, the next may
/// still fail: half a failure is added (Jeffreys).
std::vector<Level> sturdy(std::span<const Level> levels) {
    std::vector<Level> joined;
    for (const Level& level : levels) {
        if (!joined.empty() && !carries(joined.back())) {
            joined.back().join(level);
        } else {
            joined.push_back(level);
        }
    }
    if (joined.size() > 1 && !carries(joined.back())) {
        const Level last = joined.back();
        joined.pop_back();
        joined.back().join(last);
    }
    for (Level& level : joined) {
        if (level.observed > 0 && level.observed < 1) continue;
        level.observed = (level.observed * level.weight + 0.5) / (level.weight + 1);
    }
    return joined;
}

double bounded(double probability) {
    return std::clamp(probability, brain::kProbabilityMin, brain::kProbabilityMax);
}

/// Knots of an isotonic curve: one in the middle of each level, and one at either end, where the
/// curve continues with the neighbouring slope. Without those, all rows beyond the outer middles
/// would tie.
std::vector<brain::Knot> knots_of(std::span<const Level> levels, std::span<const double> height) {
    std::vector<brain::Knot> knots;
    for (std::size_t k = 0; k < levels.size(); ++k)
        knots.push_back({levels[k].margin, bounded(height[k])});
    if (knots.size() < 2) return knots;
    const auto steepness = [](const brain::Knot& a, const brain::Knot& b) {
        return (b.probability - a.probability) / (b.margin - a.margin);
    };
    const brain::Knot low = knots.front();
    const brain::Knot high = knots.back();
    const double down = steepness(low, knots[1]) * (low.margin - levels.front().first);
    const double up = steepness(knots[knots.size() - 2], high) * (levels.back().last - high.margin);
    if (levels.front().first < low.margin) {
        const double end = std::max(low.probability - down, low.probability / 2);
        knots.insert(knots.begin(), {levels.front().first, bounded(end)});
    }
    if (levels.back().last > high.margin) {
        const double end = std::min(high.probability + up, (1 + high.probability) / 2);
        knots.push_back({levels.back().last, bounded(end)});
    }
    return knots;
}

/// Straight lines between the levels' middles lie above a convex curve, so that too much would be
/// expected. Moves the knots until each level expects what was observed in it.
std::vector<brain::Knot> settled_knots(const CalibrationRows& rows, std::span<const Level> levels) {
    constexpr int kPasses = 30;
    std::vector<double> height;
    for (const Level& level : levels) height.push_back(level.observed);
    std::vector<std::size_t> level_of(rows.margin.size());
    for (std::size_t i = 0; i < rows.margin.size(); ++i) {
        const auto at = std::ranges::lower_bound(levels, rows.margin[i], {}, &Level::last);
        level_of[i] = std::min(static_cast<std::size_t>(at - levels.begin()), levels.size() - 1);
    }
    brain::Calibration curve{.kind = brain::CalibrationKind::isotonic,
                             .knots = knots_of(levels, height)};
    std::vector<double> expected(levels.size());
    for (int pass = 0; pass < kPasses; ++pass) {
        std::ranges::fill(expected, 0.0);
        for (std::size_t i = 0; i < rows.margin.size(); ++i)
            expected[level_of[i]] += rows.weight[i] * brain::apply(curve, rows.margin[i]);
        double before = 0;
        for (std::size_t k = 0; k < levels.size(); ++k) {
            const double observed = levels[k].observed;
            if (expected[k] > 0) height[k] *= observed * levels[k].weight / expected[k];
            // The lower level must not compensate for a wide gap to the next.
            height[k] = std::clamp(height[k], observed / 2, observed * 2);
            // Never constant: a higher rank always gives a slightly higher risk.
            height[k] = before = std::max(bounded(height[k]), before * (1 + 1e-6));
        }
        curve.knots = knots_of(levels, height);
    }
    return curve.knots;
}

}  // namespace

std::vector<brain::Knot> isotonic_knots(const CalibrationRows& rows) {
    return settled_knots(rows, sturdy(levels_of(rows)));
}

}  // namespace parley::learn
