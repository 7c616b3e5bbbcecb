#include "model/figures.h"

#include "base/number.h"

#include <cmath>

namespace parley::model {
namespace {

constexpr int kDigits = 2;
constexpr int kDigitsMax = 9;
constexpr double kShown = 0.005;  // Two decimals show anything smaller as zero.

/// How a printed value compares with another: -1, 0 or 1.
int order(const std::string& left, const std::string& right) {
    const Result<double> a = parse_double(left);
    const Result<double> b = parse_double(right);
    if (!a || !b) return 0;
    return *a < *b ? -1 : (*a > *b ? 1 : 0);
}

std::string fewest(double value, int digits) {
    const bool vanishes = value > 0 && value < kShown && digits == kDigits;
    return vanishes ? "<0.01" : fixed(value, digits);
}

}  // namespace

std::string share_text(double value) {
    if (!std::isfinite(value)) return "?";
    if (value >= 0 && value < kShown) return "<0.01";
    return fixed(value, kDigits);
}

bool never_reached(double value, double limit) {
    return std::isfinite(value) && std::isfinite(limit) && limit > 1 && value <= 1;
}

std::pair<std::string, std::string> beside(double value, double limit) {
    if (!std::isfinite(value) || !std::isfinite(limit))
        return {share_text(value), share_text(limit)};
    if (never_reached(value, limit)) return {share_text(value), "never"};
    const int wanted = value < limit ? -1 : (value > limit ? 1 : 0);
    if (wanted == 0) return {share_text(value), share_text(limit)};
    if (fewest(value, kDigits) == "<0.01" && fixed(limit, kDigits) != "0.00" && wanted < 0) {
        return {"<0.01", fixed(limit, kDigits)};
    }
    for (int digits = kDigits; digits <= kDigitsMax; ++digits) {
        for (const int of_limit : {kDigits, digits}) {
            std::string left = fixed(value, digits);
            std::string right = fixed(limit, of_limit);
            const bool shown =
                (order(left, "0") != 0 || value == 0) && (order(right, "0") != 0 || limit == 0);
            if (shown && order(left, right) == wanted) return {std::move(left), std::move(right)};
        }
    }
    return {print_double(value), print_double(limit)};
}

std::string pod_minutes(double value) {
    constexpr double kLittle = 0.05;  // One decimal shows anything smaller as zero.
    if (!std::isfinite(value)) return "?";
    const std::string text = fixed(value, std::fabs(value) < kLittle ? 3 : 1);
    return order(text, "0") == 0 ? fixed(0, 1) : text;
}

}  // namespace parley::model
