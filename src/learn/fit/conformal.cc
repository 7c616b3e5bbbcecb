#include "learn/fit/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::learn {

Conformal::Conformal(std::span<const double> errors, const ConformalOptions& options)
    : options_(options), miss_(options.miss) {
    const std::size_t kept = std::min(errors.size(), options.window);
    for (const double error : errors.last(kept)) {
        if (std::isfinite(error)) order_.push_back(error);
    }
    sorted_.assign(order_.begin(), order_.end());
    std::ranges::sort(sorted_);
}

double Conformal::width() const {
    if (sorted_.empty()) return std::numeric_limits<double>::infinity();
    if (miss_ >= 1) return 0;
    // n + 1, to account for the value that is yet to come.
    const double rank = std::ceil((1 - miss_) * static_cast<double>(sorted_.size() + 1));
    const double last = static_cast<double>(sorted_.size());
    return sorted_[static_cast<std::size_t>(std::clamp(rank, 1.0, last)) - 1];
}

void Conformal::feed(double error, double width) {
    if (!std::isfinite(error)) return;
    const double missed = error > width ? 1 : 0;
    // Bounded, so that a long run of misses or hits is forgotten as quickly as any other.
    miss_ = std::clamp(miss_ + options_.gamma * (options_.miss - missed), 0.0, 1.0);
    order_.push_back(error);
    sorted_.insert(std::ranges::upper_bound(sorted_, error), error);
    if (order_.size() <= options_.window) return;
    sorted_.erase(std::ranges::lower_bound(sorted_, order_.front()));
    order_.pop_front();
}

Rolled roll(Conformal conformal, std::span<const double> errors, std::size_t delay,
            std::size_t day) {
    Rolled result;
    const std::size_t n = errors.size();
    if (n == 0) return result;
    std::vector<double> inside(n + 1);  // Running sums, so that a day is a difference.
    for (std::size_t t = 0; t < n; ++t) {
        if (t >= delay && delay > 0) conformal.feed(errors[t - delay], result.width[t - delay]);
        result.width.push_back(conformal.width());
        inside[t + 1] = inside[t] + (errors[t] <= result.width[t] ? 1 : 0);
        if (delay == 0) conformal.feed(errors[t], result.width[t]);
    }
    result.covered = inside[n] / static_cast<double>(n);
    result.worst_day = result.covered;
    for (std::size_t t = day; day > 0 && t <= n; ++t)
        result.worst_day =
            std::min(result.worst_day, (inside[t] - inside[t - day]) / static_cast<double>(day));
    return result;
}

}  // namespace parley::learn
