// Learn: intervals that hold as often as they claim: errors in, the width in scales out.

#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

namespace parley::learn {

struct ConformalOptions {
    double miss = 0.1;           ///< The share of values that may fall outside.
    double gamma = 0.02;         ///< How fast the level follows what is seen.
    std::size_t window = 2'000;  ///< How many of the newest errors are kept.
};

/// Normalised split conformal with an adaptive level (Gibbs and Candes 2021): an interval is
/// forecast +- width() * scale. Errors are |truth - forecast| / scale. Feedback may come late, but
/// in order. Pure, a value.
class Conformal {
public:
    Conformal(std::span<const double> errors, const ConformalOptions& options);

    /// In scales, at least 0. If the level asks for more than is known, the largest error that is
    /// kept.
    double width() const;
    /// Reports the error for an interval that was `width` wide.
    void feed(double error, double width);
    double level() const { return miss_; }

private:
    ConformalOptions options_;
    double miss_;
    std::deque<double> order_;    ///< Oldest first.
    std::vector<double> sorted_;  ///< The same errors, sorted.
};

/// Forecasts of one series in order of time, compared with what came.
struct Rolled {
    std::vector<double> width;  ///< In scales, as stated at that time.
    double covered = 0;         ///< Share inside.
    double worst_day = 0;       ///< Lowest share inside over `day` consecutive forecasts.
};

/// Replays the errors: each is fed back `delay` steps after its forecast. If `day` is 0 or more
/// than there are, the whole series counts as the worst day.
Rolled roll(Conformal conformal, std::span<const double> errors, std::size_t delay,
            std::size_t day);

}  // namespace parley::learn
