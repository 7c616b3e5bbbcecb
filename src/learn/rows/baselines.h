// Learn: simple forecasts that a model must beat: series or features in, forecasts out.
//
// A forecast that cannot be made is NaN, such as yesterday's value if there is none.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace parley::learn {

struct HoltRates {
    double level = 0.5;
    double trend = 0.05;
};

/// Holt's two exponential means: for each t, the forecast of t + ahead from values up to t. A
/// missing value updates level and trend as if it had been as forecast.
std::vector<double> holt(std::span<const double> values, std::size_t ahead, HoltRates rates);

/// The rates of a small grid with the smallest mean absolute error on these values.
HoltRates choose_holt(std::span<const double> values, std::size_t ahead);

/// A linear model with a penalty on standardised features; a missing feature counts as its mean.
class Ridge {
public:
    /// `features` row by row, `width` each. Penalty 0 is least squares, if that has a solution.
    static Ridge fit(std::span<const float> features, std::size_t width,
                     std::span<const float> label, std::span<const float> weight, double penalty);

    double predict(std::span<const float> row) const;

private:
    std::vector<double> mean_;
    std::vector<double> factor_;  ///< Weight over deviation, per feature.
    double intercept_ = 0;
};

}  // namespace parley::learn
