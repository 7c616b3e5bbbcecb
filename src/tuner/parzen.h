// Tuner: observations of a search space in, a density over it out: the multivariate Parzen
// estimator of Optuna's TPE, reproduced exactly.

#pragma once

#include "tuner/space.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace parley::tuner {

/// One dimension of a search space, on the scale in which kernels are placed.
struct Axis {
    explicit Axis(const Distribution& distribution);

    std::size_t choices = 0;  ///< 0: a number.
    bool log = false;
    double step = 0;  ///< 0: continuous.
    double low = 0;   ///< Bounds of what may be suggested, on the original scale.
    double high = 0;
    /// Bounds of the kernels: half a step beyond, and logarithmic if the axis is.
    double from = 0;
    double to = 0;

    double place(double internal) const;
    /// The nearest value that may be suggested.
    double suggestion(double placed) const;
};

/// Observations by row, one row for each trial number; rows may be missing. Keeps every axis
/// sorted, so that a fit need not sort.
class Observations {
public:
    explicit Observations(std::vector<Axis> axes);

    /// One internal value for each axis; replaces the row's values.
    void set(std::size_t row, std::span<const double> internal);
    void clear(std::size_t row);
    bool has(std::size_t row) const { return row < present_.size() && present_[row]; }
    std::size_t rows() const { return present_.size(); }

    const std::vector<Axis>& axes() const { return axes_; }
    /// Where the row's kernel is on that axis.
    double at(std::size_t axis, std::size_t row) const { return places_[axis][row]; }
    /// Rows sorted by place; ties by row.
    std::span<const std::uint32_t> order(std::size_t axis) const { return order_[axis]; }

private:
    std::vector<Axis> axes_;
    std::vector<std::uint8_t> present_;
    std::vector<std::vector<double>> places_;
    std::vector<std::vector<std::uint32_t>> order_;
};

/// A mixture of one product of kernels for each observation, plus the prior. Can be fitted
/// repeatedly: only what changed is computed again.
class ParzenEstimator {
public:
    /// Fits to the rows of `observations` whose `member` is not 0, weighted by age as Optuna does.
    /// `observations` is borrowed until the next fit and must not change in between.
    void fit(const Observations& observations, std::span<const std::uint8_t> member);

    /// Number of kernels, including the prior.
    std::size_t size() const { return log_weights_.size(); }
    const std::vector<double>& weights() const { return weights_; }

    /// Log density at each of the points, which are internal values, one column for each axis:
    /// points[axis][i].
    std::vector<double> log_density(const std::vector<std::vector<double>>& points) const;

    /// The choice that the observation of a kernel had.
    double observed(std::size_t axis, std::size_t kernel) const {
        return observations_->at(axis, rows_[kernel]);
    }
    double center(std::size_t axis, std::size_t kernel) const { return centers_[axis][kernel]; }
    double width(std::size_t axis, std::size_t kernel) const { return widths_[axis][kernel]; }

private:
    /// What was computed for a row last time.
    struct Known {
        double center = 0;
        double width = 0;
        double log_norm = 0;
    };
    void weigh();
    void fit_axis(std::size_t axis);
    void set_widths(std::size_t axis);
    double log_norm(const Axis& axis, Known& known, double center, double width) const;
    void add_discrete(std::size_t axis, std::span<const double> points,
                      std::vector<double>& sums) const;
    void add_choices(std::size_t axis, std::span<const double> points,
                     std::vector<double>& sums) const;

    const Observations* observations_ = nullptr;
    std::vector<std::uint32_t> rows_;    ///< The row of each kernel except the prior.
    std::vector<std::uint32_t> kernel_;  ///< The kernel of each row that is a member.
    std::vector<std::uint8_t> member_;
    std::vector<double> weights_;
    std::vector<double> log_weights_;
    std::vector<double> constants_;  ///< The part of each kernel that does not depend on the point.
    std::vector<std::vector<double>> centers_;
    std::vector<std::vector<double>> widths_;
    std::vector<std::vector<double>> scales_;  ///< 1 / (width * sqrt 2).
    std::vector<std::vector<Known>> known_;    ///< By row.
    std::vector<std::uint32_t> sorted_;        ///< Scratch: members of an axis in order.
};

}  // namespace parley::tuner
