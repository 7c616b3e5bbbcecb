#include "layers/explanation/alarms/risk_alarms.h"

#include "base/math.h"
#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::explanation {
namespace {

using model::AlarmKind;
using model::Hindsight;
using model::RiskTally;

constexpr double kWithin95 = 1.96;

struct Counted {
    double seen = 0;
    double calibrated = 0;
    double served = 0;
};

/// Counts the slices from `from` up to but not including `to`. The recent past is a whole number of
/// slices, so that none is cut in two.
Counted counted(const Hindsight& hindsight, std::int64_t from, std::int64_t to) {
    Counted all;
    for (const RiskTally& each : hindsight.tallies) {
        if (each.slice < from || each.slice >= to) continue;
        all.seen += each.failed;
        all.calibrated += each.calibrated;
        all.served += each.served;
    }
    return all;
}

double cube(double x) { return x * x * x; }

/// Byar's approximation of a Poisson interval: good to a few percent from one event on.
double lowest(double seen) {
    if (seen <= 0) return 0;
    return std::max(0.0, seen * cube(1 - 1 / (9 * seen) - kWithin95 / (3 * std::sqrt(seen))));
}
double highest(double seen) {
    const double more = seen + 1;
    return more * cube(1 - 1 / (9 * more) + kWithin95 / (3 * std::sqrt(more)));
}

bool far_off(double ratio) { return ratio > kRiskRatioMax || ratio < 1 / kRiskRatioMax; }

std::string seen_text(double seen, double expected) {
    return fixed(seen, 0) + " nodes failed where " + fixed(expected, 1) + " were expected (x" +
           fixed(seen / expected, 2) + ")";
}

void suspect_calibration(const Hindsight& hindsight, std::vector<RiskSuspicion>& out) {
    const std::int64_t from = hindsight.correction
                                  ? hindsight.correction->since.us / model::kTallySlice.us + 1
                                  : std::numeric_limits<std::int64_t>::min();
    const Counted all = counted(hindsight, from, std::numeric_limits<std::int64_t>::max());
    if (!(all.served >= kRiskExpectedMin) || !far_off(all.seen / all.served)) return;
    if (lowest(all.seen) <= all.served && all.served <= highest(all.seen)) return;
    std::string sentence = "risks of " + hindsight.model +
                           " do not come true: " + seen_text(all.seen, all.served) + ", 95%: x" +
                           fixed(lowest(all.seen) / all.served, 2) + " to x" +
                           fixed(highest(all.seen) / all.served, 2);
    if (hindsight.correction) sentence += ", since correction " + hindsight.correction->id;
    out.push_back({AlarmKind::risk_off, std::move(sentence)});
}

/// Compares two rates by the logarithm of their ratio, with half a failure added to each.
bool differ(const Counted& a, const Counted& b) {
    const double ratio =
        math::log((a.seen + 0.5) / a.calibrated) - math::log((b.seen + 0.5) / b.calibrated);
    const double deviation = std::sqrt(1 / (a.seen + 0.5) + 1 / (b.seen + 0.5));
    return std::fabs(ratio) > kWithin95 * deviation && far_off(math::exp(ratio));
}

void suspect_drift(const Hindsight& hindsight, TimePoint now, std::vector<RiskSuspicion>& out) {
    const std::int64_t since = (now - kRiskLately).us / model::kTallySlice.us;
    const Counted before = counted(hindsight, std::numeric_limits<std::int64_t>::min(), since);
    const Counted lately = counted(hindsight, since, std::numeric_limits<std::int64_t>::max());
    const bool enough =
        before.calibrated >= kRiskExpectedMin && lately.calibrated >= kRiskExpectedMin;
    if (!enough || !differ(before, lately)) return;
    out.push_back({AlarmKind::risk_drift,
                   "what " + hindsight.model + " is worth has changed: in the last day " +
                       seen_text(lately.seen, lately.calibrated) + ", before that " +
                       seen_text(before.seen, before.calibrated)});
}

}  // namespace

std::vector<RiskSuspicion> suspect_risk(const Hindsight& hindsight, TimePoint now) {
    std::vector<RiskSuspicion> found;
    suspect_calibration(hindsight, found);
    suspect_drift(hindsight, now, found);
    return found;
}

}  // namespace parley::explanation
