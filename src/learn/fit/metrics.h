// Learn: how good forecasts are: scores, labels and weights in, one number out.
//
// All are weighted and pure; a row of weight 0 is ignored. If a metric is undefined, such as the
// AUC of one class, it is NaN, never zero.

#pragma once

#include "base/describe.h"

#include <cstdint>
#include <span>
#include <vector>

namespace parley::learn {

/// Forecasts with outcomes; all spans have one entry per row.
struct Judged {
    std::span<const double> forecast;  ///< A probability, or any score that ranks.
    std::span<const float> label;      ///< 0 or 1.
    std::span<const float> weight;
};

double base_rate(const Judged& rows);
/// P(a positive ranks above a negative), ties half.
double auc(const Judged& rows);
/// Precision averaged over the positives, from the highest forecast down; ties count together.
double average_precision(const Judged& rows);
/// The share of the `k` highest forecasts that came true; ties at the border count in part.
double precision_at(const Judged& rows, std::size_t k);

double log_loss(const Judged& rows);
/// 1 - log-loss / log-loss of always forecasting the base rate of these rows.
double log_loss_skill(const Judged& rows);
double brier(const Judged& rows);

/// Mean forecast and observed share of rows of one bin.
struct Bin {
    double forecast = 0;
    double observed = 0;
    double share = 0;  ///< Of all weight.
};
BOOST_DESCRIBE_STRUCT(Bin, (), (forecast, observed, share))

inline constexpr std::size_t kCalibrationBins = 15;
/// Bins of equal weight by forecast. Rows of equal forecast are treated as one row with their mean,
/// so that their order does not matter; at a border between bins it is divided.
std::vector<Bin> calibration_bins(const Judged& rows, std::size_t bins = kCalibrationBins);
/// The same with a known order of rows, from the lowest forecast up: for many sets of labels.
std::vector<Bin> calibration_bins(const Judged& rows, std::size_t bins,
                                  std::span<const std::uint32_t> order);
/// Mean |forecast - observed| over the bins.
double calibration_error(std::span<const Bin> bins);
/// b of logit P(label) = a + b * logit(forecast): 1 is right, below 1 too extreme, above too timid.
double calibration_slope(const Judged& rows);

struct Interval {
    double value = 0;
    double low = 0;
    double high = 0;
};
BOOST_DESCRIBE_STRUCT(Interval, (), (value, low, high))

/// Observed / expected positives with a 95 % interval that treats `events`, the number of
/// independent failures, as a Poisson count.
Interval observed_over_expected(const Judged& rows, double events);

/// Points of a curve for drawing, thinned to at most `points_max`.
struct CurvePoint {
    double x = 0;
    double y = 0;
};
BOOST_DESCRIBE_STRUCT(CurvePoint, (), (x, y))
std::vector<CurvePoint> roc_curve(const Judged& rows, std::size_t points_max);
std::vector<CurvePoint> precision_recall_curve(const Judged& rows, std::size_t points_max);

/// For a forecast of an amount.
double mean_absolute_error(std::span<const double> forecast, std::span<const double> truth);

/// The weight of each of the first rows among the `n` highest, if rows are sorted by forecast,
/// highest first: the full weight, and at the border a part of tied rows. Later rows are left out.
std::vector<float> highest(const Judged& rows, std::size_t n);

/// Row numbers by forecast, highest first; ties by number.
std::vector<std::uint32_t> ranked(std::span<const double> forecast);

}  // namespace parley::learn
