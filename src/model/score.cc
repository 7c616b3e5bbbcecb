#include "model/score.h"

#include <algorithm>

namespace parley::model {

void add_gaps(std::vector<LineGap>& all, const std::vector<LineGap>& more) {
    for (const LineGap& each : more) {
        auto at = std::ranges::lower_bound(all, each.line, {}, &LineGap::line);
        if (at == all.end() || at->line != each.line) at = all.insert(at, {each.line, 0, 0});
        at->without += each.without;
        at->of += each.of;
    }
}

bool any_counted(const std::vector<LineGap>& uncounted, Role role) {
    for (const CostLine line : enumerators<CostLine>) {
        if (role_of(line) != role) continue;
        const auto gap = std::ranges::find(uncounted, line, &LineGap::line);
        if (gap == uncounted.end() || gap->without < gap->of) return true;
    }
    return false;
}

std::string too_little_read(std::int64_t read, std::int64_t missing) {
    const std::int64_t all = read + missing;
    if (all <= 0) return "there was nothing to read";
    if (read * 100 >= all * kCoveragePercent) return {};
    return "only " + std::to_string(read * 100 / all) + "% of its readings were there, " +
           std::to_string(kCoveragePercent) + "% are needed";
}

}  // namespace parley::model
