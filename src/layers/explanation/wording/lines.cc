#include "layers/explanation/wording/lines.h"

#include "layers/explanation/wording/wording.h"

#include <algorithm>

namespace parley::explanation {

using namespace model;

namespace {

/// Why nobody counts it, and what would.
std::string_view why_uncounted(CostLine line) {
    switch (line) {
        case CostLine::lost_requests:
            return "no source tells how many requests fail (Prometheus with Istio or Linkerd "
                   "would)";
        case CostLine::violating_requests:
            return "no source tells how many requests are slower than their objective";
        case CostLine::energy:
            return "no source measures the power of nodes (Prometheus with Kepler or RAPL would)";
        case CostLine::rejections:
            return "the API server does not tell how many Jobs our order made it refuse";
        case CostLine::disruptions:
        case CostLine::node_hours:
        case CostLine::pending:
        case CostLine::core_hours:
        case CostLine::gib_hours:
            break;
    }
    return "nobody counts it";
}

bool nowhere(const LineGap& gap) { return gap.without >= gap.of; }

std::string of_all(const LineGap& gap) {
    if (nowhere(gap)) return {};
    return " of " + counted(gap.without, "reading") + " of " + counted(gap.of, "reading");
}

}  // namespace

std::string_view line_name(CostLine line) {
    switch (line) {
        case CostLine::lost_requests:
            return "lost requests";
        case CostLine::disruptions:
            return "disruptions";
        case CostLine::energy:
            return "energy";
        case CostLine::node_hours:
            return "node-hours";
        case CostLine::pending:
            return "waiting pods";
        case CostLine::rejections:
            return "rejections";
        case CostLine::violating_requests:
            return "slow requests";
        case CostLine::core_hours:
            return "core-hours";
        case CostLine::gib_hours:
            break;
    }
    return "GiB-hours";
}

std::string without_text(const std::vector<LineGap>& uncounted) {
    std::vector<std::string> names;
    for (const LineGap& gap : uncounted) {
        names.push_back(std::string(line_name(gap.line)) + (nowhere(gap) ? "" : " in part"));
    }
    return names.empty() ? "" : ", without " + listed(names);
}

std::vector<std::string> reasons_without(const std::vector<LineGap>& uncounted) {
    std::vector<std::string> reasons;
    for (const LineGap& gap : uncounted) {
        reasons.push_back(std::string(line_name(gap.line)) + of_all(gap) + ": " +
                          std::string(why_uncounted(gap.line)));
    }
    return reasons;
}

std::vector<LineGap> left_out(const ClosedScore& score) {
    std::vector<LineGap> out = score.uncounted;
    for (const CostLine line : enumerators<CostLine>) {
        if (!score.unmodelled.has(line)) continue;
        std::erase_if(out, [&](const LineGap& gap) { return gap.line == line; });
        add_gaps(out, {{line, 1, 1}});
    }
    return out;
}

std::vector<std::string> reasons_left_out(const ClosedScore& score) {
    std::vector<std::string> reasons = reasons_without(score.uncounted);
    for (const CostLine line : enumerators<CostLine>) {
        const auto gap = std::ranges::find(score.uncounted, line, &LineGap::line);
        const bool told = gap != score.uncounted.end() && nowhere(*gap);
        if (score.unmodelled.has(line) && !told) {
            reasons.push_back(std::string(line_name(line)) + ": the twin does not model it");
        }
    }
    return reasons;
}

std::string likely_text(const ClosedScore& score) {
    if (score.likely) {
        return "80% between " + earned(score.likely->low) + " and " + earned(score.likely->high);
    }
    return "no interval: " +
           (score.past_errors == 0 ? std::string("no error")
                                   : "only " + counted(score.past_errors, "error")) +
           (score.past_errors > 1 ? " of such twins are known, " : " of such a twin is known, ") +
           std::to_string(kLikelyNeeds) + " are needed";
}

}  // namespace parley::explanation
