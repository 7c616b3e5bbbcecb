#include "tuner/parzen.h"

#include "base/check.h"
#include "base/math.h"
#include "tuner/truncated_normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace parley::tuner {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLogRootTwoPi = 0.9189385332046727;
constexpr double kRootHalf = 0.7071067811865476;
constexpr std::size_t kFlatWeights = 25;  // The newest have full weight.
constexpr double kKernelsForLeastWidth = 100;
constexpr std::size_t kBlock = 64;  // Kernels whose sums stay in the nearest cache.
constexpr std::size_t kLanes = 4;   // Points that share what is loaded for a kernel.
constexpr double kTooSmall = 40;    // exp(-40) changes no sum of thousands in 14 digits.

/// log of the sum of exp, which is -inf where nothing is possible.
double log_sum_exp(std::span<const double> logs) {
    double most = -kInfinity;
    for (const double value : logs) most = std::max(most, value);
    if (most == -kInfinity) return -kInfinity;
    double sum = 0;
    for (const double value : logs) {
        if (value > most - kTooSmall) sum += math::exp(value - most);
    }
    return math::log(sum) + most;
}

/// One continuous axis as the innermost loop sees it.
struct Lane {
    const double* center;
    const double* scale;
    const double* point;  // Of each of the kLanes points.
};

/// Subtracts from sums[lane][k] the sum over the axes of ((x - center) * scale)^2.
void subtract_squares(std::span<const Lane> axes, std::size_t first, std::size_t count,
                      std::array<std::array<double, kBlock>, kLanes>& sums) {
    for (const Lane& axis : axes) {
        const double* center = axis.center + first;
        const double* scale = axis.scale + first;
        const double p0 = axis.point[0];
        const double p1 = axis.point[1];
        const double p2 = axis.point[2];
        const double p3 = axis.point[3];
        for (std::size_t k = 0; k < count; ++k) {
            const double d0 = (p0 - center[k]) * scale[k];
            const double d1 = (p1 - center[k]) * scale[k];
            const double d2 = (p2 - center[k]) * scale[k];
            const double d3 = (p3 - center[k]) * scale[k];
            sums[0][k] -= d0 * d0;
            sums[1][k] -= d1 * d1;
            sums[2][k] -= d2 * d2;
            sums[3][k] -= d3 * d3;
        }
    }
}

}  // namespace

Axis::Axis(const Distribution& distribution) {
    if (const auto* range = std::get_if<FloatRange>(&distribution)) {
        log = range->log;
        step = range->step.value_or(0);
        low = range->low;
        high = range->high;
    } else if (const auto* whole = std::get_if<IntRange>(&distribution)) {
        log = whole->log;
        step = static_cast<double>(whole->step);
        low = static_cast<double>(whole->low);
        high = static_cast<double>(whole->high);
    } else {
        choices = std::get<Choices>(distribution).choices.size();
        high = static_cast<double>(choices) - 1;
    }
    from = low - step / 2;
    to = high + step / 2;
    if (log) {
        from = math::log(from);
        to = math::log(to);
    }
}

double Axis::place(double internal) const { return log ? math::log(internal) : internal; }

double Axis::suggestion(double placed) const {
    double value = log ? math::exp(placed) : placed;
    // Ties to even, as NumPy rounds.
    if (step > 0) value = low + std::nearbyint((value - low) / step) * step;
    return std::clamp(value, low, high);
}

Observations::Observations(std::vector<Axis> axes)
    : axes_(std::move(axes)), places_(axes_.size()), order_(axes_.size()) {}

void Observations::set(std::size_t row, std::span<const double> internal) {
    PARLEY_CHECK(internal.size() == axes_.size());
    clear(row);
    if (row >= present_.size()) {
        present_.resize(row + 1);
        for (auto& places : places_) places.resize(row + 1);
    }
    present_[row] = 1;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        auto& places = places_[axis];
        auto& order = order_[axis];
        const double place = axes_[axis].place(internal[axis]);
        places[row] = place;
        const auto where = std::ranges::upper_bound(
            order, std::pair(place, row), std::less<>(), [&places](std::uint32_t other) {
                return std::pair(places[other], std::size_t{other});
            });
        order.insert(where, static_cast<std::uint32_t>(row));
    }
}

void Observations::clear(std::size_t row) {
    if (!has(row)) return;
    present_[row] = 0;
    for (auto& order : order_) std::erase(order, static_cast<std::uint32_t>(row));
}

void ParzenEstimator::weigh() {
    const std::size_t n = rows_.size();
    weights_.assign(n + 1, 1.0);
    if (n > kFlatWeights) {
        const std::size_t ramp = n - kFlatWeights;
        const double begin = 1.0 / static_cast<double>(n);
        const double rise = ramp > 1 ? (1.0 - begin) / static_cast<double>(ramp - 1) : 0;
        for (std::size_t i = 0; i < ramp; ++i) weights_[i] = begin + static_cast<double>(i) * rise;
    }
    double sum = 0;
    for (const double weight : weights_) sum += weight;
    log_weights_.resize(n + 1);
    for (std::size_t i = 0; i <= n; ++i) {
        weights_[i] /= sum;
        // Most weights repeat.
        const bool again = i > 0 && weights_[i] == weights_[i - 1];
        log_weights_[i] = again ? log_weights_[i - 1] : math::log(weights_[i]);
    }
}

void ParzenEstimator::fit(const Observations& observations, std::span<const std::uint8_t> member) {
    const std::size_t axes = observations.axes().size();
    if (observations_ != &observations || known_.size() != axes) {
        known_.assign(axes, {});
        centers_.assign(axes, {});
        widths_.assign(axes, {});
        scales_.assign(axes, {});
    }
    observations_ = &observations;
    const std::size_t rows = observations.rows();
    rows_.clear();
    kernel_.resize(rows);
    member_.assign(rows, 0);
    for (std::size_t row = 0; row < rows && row < member.size(); ++row) {
        if (member[row] == 0 || !observations.has(row)) continue;
        member_[row] = 1;
        kernel_[row] = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back(static_cast<std::uint32_t>(row));
    }
    weigh();
    constants_ = log_weights_;
    for (std::size_t axis = 0; axis < axes; ++axis) fit_axis(axis);
}

void ParzenEstimator::fit_axis(std::size_t axis) {
    const Axis& on = observations_->axes()[axis];
    if (on.choices > 0) return;
    const std::size_t n = rows_.size();
    auto& centers = centers_[axis];
    auto& scales = scales_[axis];
    auto& known = known_[axis];
    centers.resize(n + 1);
    widths_[axis].resize(n + 1);
    scales.resize(n + 1);
    known.resize(observations_->rows() + 1);
    for (std::size_t k = 0; k < n; ++k) centers[k] = observations_->at(axis, rows_[k]);
    centers[n] = 0.5 * (on.from + on.to);  // The prior: as wide as the range, in its middle.
    set_widths(axis);
    widths_[axis][n] = on.to - on.from;
    for (std::size_t k = 0; k <= n; ++k) {
        const double width = widths_[axis][k];
        scales[k] = kRootHalf / width;
        Known& before = k < n ? known[rows_[k]] : known.back();
        constants_[k] -= log_norm(on, before, centers[k], width);
    }
}

/// The distance to the farther neighbour, within bounds that depend on their number. The outermost
/// ones use their only neighbour.
void ParzenEstimator::set_widths(std::size_t axis) {
    const Axis& on = observations_->axes()[axis];
    const std::size_t n = rows_.size();
    if (n == 0) return;
    sorted_.clear();
    for (const std::uint32_t row : observations_->order(axis)) {
        if (member_[row] != 0) sorted_.push_back(kernel_[row]);
    }
    const double range = on.to - on.from;
    const double least = range / std::min(kKernelsForLeastWidth, static_cast<double>(n + 2));
    const auto& centers = centers_[axis];
    auto& widths = widths_[axis];
    if (n == 1) {
        const double width = std::max(centers[0] - on.from, on.to - centers[0]);
        widths[0] = std::clamp(width, least, range);
        return;
    }
    double gap = centers[sorted_[1]] - centers[sorted_[0]];
    double before = gap;
    for (std::size_t i = 0; i < n; ++i) {
        if (i + 1 < n) gap = centers[sorted_[i + 1]] - centers[sorted_[i]];
        widths[sorted_[i]] = std::clamp(std::max(before, gap), least, range);
        before = gap;
    }
}

double ParzenEstimator::log_norm(const Axis& axis, Known& known, double center,
                                 double width) const {
    if (known.width != width || known.center != center) {
        const double mass =
            log_normal_mass((axis.from - center) / width, (axis.to - center) / width);
        const double density = axis.step > 0 ? 0 : math::log(width) + kLogRootTwoPi;
        known = {.center = center, .width = width, .log_norm = mass + density};
    }
    return known.log_norm;
}

void ParzenEstimator::add_discrete(std::size_t axis, std::span<const double> points,
                                   std::vector<double>& sums) const {
    const Axis& on = observations_->axes()[axis];
    const std::size_t kernels = size();
    const auto& centers = centers_[axis];
    const auto& widths = widths_[axis];
    std::vector<double> masses(kernels);
    std::vector<std::uint8_t> done(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (done[i] != 0) continue;
        const double left = on.place(points[i] - on.step / 2);
        const double right = on.place(points[i] + on.step / 2);
        for (std::size_t k = 0; k < kernels; ++k) {
            const bool again = k > 0 && centers[k] == centers[k - 1] && widths[k] == widths[k - 1];
            masses[k] = again ? masses[k - 1]
                              : log_normal_mass((left - centers[k]) / widths[k],
                                                (right - centers[k]) / widths[k]);
        }
        // Candidates often share a value.
        for (std::size_t j = i; j < points.size(); ++j) {
            if (points[j] != points[i]) continue;
            done[j] = 1;
            for (std::size_t k = 0; k < kernels; ++k) sums[j * kernels + k] += masses[k];
        }
    }
}

void ParzenEstimator::add_choices(std::size_t axis, std::span<const double> points,
                                  std::vector<double>& sums) const {
    const std::size_t n = rows_.size();
    const auto choices = static_cast<double>(observations_->axes()[axis].choices);
    const double share = 1.0 / static_cast<double>(n + 1);
    const double hit = math::log((1 + share) / (1 + choices * share));
    const double miss = math::log(share / (1 + choices * share));
    const double prior = -math::log(choices);
    for (std::size_t i = 0; i < points.size(); ++i) {
        double* sum = sums.data() + i * (n + 1);
        for (std::size_t k = 0; k < n; ++k) {
            sum[k] += observations_->at(axis, rows_[k]) == points[i] ? hit : miss;
        }
        sum[n] += prior;
    }
}

std::vector<double> ParzenEstimator::log_density(
    const std::vector<std::vector<double>>& points) const {
    PARLEY_CHECK(observations_ != nullptr && points.size() == observations_->axes().size());
    const auto& axes = observations_->axes();
    const std::size_t count = points.empty() ? 0 : points[0].size();
    const std::size_t kernels = size();
    std::vector<std::array<double, kLanes>> placed;
    std::vector<Lane> lanes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (axes[axis].choices > 0 || axes[axis].step > 0) continue;
        lanes.push_back({centers_[axis].data(), scales_[axis].data(), nullptr});
    }
    placed.resize(lanes.size());
    std::vector<double> sums(count * kernels);
    std::vector<std::uint8_t> outside(count);
    std::array<std::array<double, kBlock>, kLanes> block;
    for (std::size_t first = 0; first < count; first += kLanes) {
        std::size_t lane = 0;
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const Axis& on = axes[axis];
            if (on.choices > 0 || on.step > 0) continue;
            for (std::size_t i = 0; i < kLanes; ++i) {
                const std::size_t which = std::min(first + i, count - 1);
                placed[lane][i] = on.place(points[axis][which]);
                if (!(placed[lane][i] >= on.from && placed[lane][i] <= on.to)) outside[which] = 1;
            }
            lanes[lane].point = placed[lane].data();
            ++lane;
        }
        for (std::size_t k = 0; k < kernels; k += kBlock) {
            const std::size_t width = std::min(kBlock, kernels - k);
            for (auto& row : block)
                std::copy_n(constants_.begin() + static_cast<std::ptrdiff_t>(k), width,
                            row.begin());
            subtract_squares(lanes, k, width, block);
            for (std::size_t i = 0; i < kLanes && first + i < count; ++i) {
                std::copy_n(block[i].begin(), width,
                            sums.begin() + static_cast<std::ptrdiff_t>((first + i) * kernels + k));
            }
        }
    }
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (axes[axis].choices > 0) add_choices(axis, points[axis], sums);
        if (axes[axis].step > 0) add_discrete(axis, points[axis], sums);
    }
    std::vector<double> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        result[i] = outside[i] != 0 ? -kInfinity
                                    : log_sum_exp(std::span(sums).subspan(i * kernels, kernels));
    }
    return result;
}

}  // namespace parley::tuner
