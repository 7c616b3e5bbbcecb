#include "brain/calibration.h"

#include "base/math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::brain {
namespace {

constexpr std::size_t kKnotsMax = 10'000;

double clipped(double probability) {
    if (probability != probability) return probability;
    return std::clamp(probability, kProbabilityMin, kProbabilityMax);
}

double between(const std::vector<Knot>& knots, double margin) {
    if (margin != margin) return margin;
    if (knots.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto above = std::ranges::upper_bound(knots, margin, {}, &Knot::margin);
    if (above == knots.begin()) return above->probability;
    const Knot& low = *(above - 1);
    if (above == knots.end()) return low.probability;
    const double share = (margin - low.margin) / (above->margin - low.margin);
    return low.probability + share * (above->probability - low.probability);
}

}  // namespace

Result<void> check(const Calibration& calibration) {
    const auto refuse = [](const char* why) {
        return fail(ErrorCode::malformed, std::string("the calibration ") + why);
    };
    if (!std::isfinite(calibration.a) || !std::isfinite(calibration.b)) {
        return refuse("has a number that is not finite");
    }
    if (!(calibration.b > 0)) return refuse("has a slope that is not above 0");
    const std::vector<Knot>& knots = calibration.knots;
    const bool isotonic = calibration.kind == CalibrationKind::isotonic;
    if (isotonic == knots.empty())
        return refuse("is isotonic without knots, or has knots and is not");
    if (knots.size() > kKnotsMax) return refuse("has more than 10,000 knots");
    for (std::size_t i = 0; i < knots.size(); ++i) {
        const bool fine = std::isfinite(knots[i].margin) && knots[i].probability >= 0 &&
                          knots[i].probability <= 1;
        if (!fine) return refuse("has a knot that is no point of a curve");
        if (i == 0) continue;
        const bool rises = knots[i - 1].margin < knots[i].margin &&
                           knots[i - 1].probability <= knots[i].probability;
        if (!rises) return refuse("has knots that do not rise");
    }
    return {};
}

double apply(const Calibration& calibration, double margin) {
    switch (calibration.kind) {
        case CalibrationKind::none:
            return clipped(math::logistic(margin));
        case CalibrationKind::intercept:
            return clipped(math::logistic(calibration.a + margin));
        case CalibrationKind::platt:
            return clipped(math::logistic(calibration.a + calibration.b * margin));
        case CalibrationKind::isotonic:
            break;
    }
    return clipped(between(calibration.knots, margin));
}

double apply(const Recalibration& recalibration, double probability) {
    return clipped(math::logistic(recalibration.a + recalibration.b * logit(clipped(probability))));
}

Calibration joined(const Calibration& calibration, const Recalibration& recalibration) {
    Calibration both = calibration;
    both.id.clear();
    if (calibration.kind == CalibrationKind::isotonic) {
        for (Knot& knot : both.knots) knot.probability = apply(recalibration, knot.probability);
        return both;
    }
    both.kind = CalibrationKind::platt;
    both.a = recalibration.a + recalibration.b * calibration.a;
    both.b = recalibration.b * calibration.b;
    return both;
}

double logit(double probability) { return math::log(probability / (1.0 - probability)); }

}  // namespace parley::brain
