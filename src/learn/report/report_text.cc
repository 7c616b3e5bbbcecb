#include "learn/report/report_text.h"

#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>

namespace parley::learn {
namespace {

constexpr std::size_t kImportanceLines = 8;

std::string percent(double share, int decimals = 1) { return fixed(share * 100, decimals) + " %"; }

std::string count(std::uint64_t n) { return thousands(static_cast<std::int64_t>(n)); }

std::string range(const Interval& interval, int decimals) {
    return fixed(interval.value, decimals) + "  (95 %: " + fixed(interval.low, decimals) + " to " +
           fixed(interval.high, decimals) + ")";
}

/// Columns as wide as needed; the first is left-aligned, the others right-aligned.
class Grid {
public:
    void add(std::initializer_list<std::string> cells) { rows_.emplace_back(cells); }
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    std::string text() const {
        std::vector<std::size_t> width;
        for (const auto& row : rows_) {
            width.resize(std::max(width.size(), row.size()));
            for (std::size_t i = 0; i < row.size(); ++i)
                width[i] = std::max(width[i], row[i].size());
        }
        std::string out;
        for (const auto& row : rows_) {
            std::string line = " ";
            for (std::size_t i = 0; i < row.size(); ++i) {
                const std::string pad(width[i] - row[i].size(), ' ');
                line += " " + (i == 0 ? row[i] + pad : " " + pad + row[i]);
            }
            while (line.ends_with(' ')) line.pop_back();
            out += line + "\n";
        }
        return out;
    }

private:
    std::vector<std::vector<std::string>> rows_;
};

std::string data_text(const DataFacts& data, bool of_risk) {
    std::string out = data.name + ": " + data.what + "\n";
    const std::string censored =
        data.censored == 0 ? ""
                           : " (" + count(data.censored) +
                                 " of them censored: they weigh nothing, as nobody saw their end)";
    out += "  " + count(data.rows) + " rows" + censored + ", " + count(data.features) +
           " features, split by " + data.split + "\n";
    out += "  data " + data.fingerprint.substr(0, 16) + "\n";
    Grid grid;
    if (of_risk) {
        grid.add({"", "rows", "positive", "share", "events", data.entity + "s"});
    } else {
        grid.add({"", "rows", "series"});
    }
    for (const SliceFacts& slice : data.slices) {
        const double all = static_cast<double>(slice.rows);
        const double share = all > 0 ? static_cast<double>(slice.positives) / all : 0;
        const std::string part(enum_name(slice.part));
        if (of_risk) {
            grid.add({part, count(slice.rows), count(slice.positives), percent(share, 2),
                      count(slice.events), count(slice.entities)});
        } else {
            grid.add({part, count(slice.rows), count(slice.entities)});
        }
    }
    return out + grid.text();
}

/// Added if even a perfectly calibrated model may well miss the bar; for a missed bar, how often
/// such a model would be as far off.
std::string chance_text(const Bar& bar) {
    constexpr double kSure = 0.9;
    std::string out;
    if (bar.perfect && *bar.perfect < kSure) {
        out = "; on so few failures a model that is right would meet it " +
              percent(*bar.perfect, 0) + " of the time";
    }
    if (bar.met || !bar.chance) return out;
    return out + (out.empty() ? "; a model that is right would" : ", and") + " be as far off " +
           (*bar.chance < Bar::kImpossible ? "under " + percent(Bar::kImpossible, 0)
                                           : percent(*bar.chance, 0)) +
           " of the time";
}

std::string bars_text(std::span<const Bar> bars, const std::string& title) {
    if (bars.empty()) return "";
    std::string out = "\n" + title + "\n";
    for (const Bar& bar : bars) {
        out += std::string(bar.met        ? "  met      "
                           : bar.untold() ? "  untold   "
                                          : "  NOT MET  ") +
               bar.what + ": " + bar.measured + "; asked: " + bar.asked + chance_text(bar) + "\n";
    }
    return out;
}

std::string warnings_text(std::span<const std::string> warnings) {
    std::string out;
    for (const std::string& each : warnings) out += "\nWARNING: " + each + "\n";
    return out;
}

std::string importance_text(std::span<const Importance> importance) {
    std::string out = "\nFeatures by gain\n";
    Grid grid;
    for (const Importance& each : importance.first(std::min(importance.size(), kImportanceLines)))
        grid.add({each.feature, percent(each.gain_share)});
    return out + grid.text();
}

std::string quality_text(const RiskReport& report) {
    const RiskQuality& q = report.quality;
    std::string out = "\nOn the test slice, which nothing saw before\n";
    Grid grid;
    out += "  AUC                        " + range(q.auc, 4) + "\n";
    out += "  average precision          " + fixed(q.average_precision, 4) + "  (base rate " +
           fixed(q.base_rate, 4) + ")\n";
    for (const PrecisionAt& at : q.precision_at) {
        std::string name = "precision at " + count(at.k);
        name.resize(27, ' ');
        out += "  " + name + fixed(at.precision, 3) + "\n";
    }
    out += "  log-loss                   " + fixed(q.log_loss, 5) + "\n";
    out += "  skill over the base rate   " + range(q.skill, 4) + "\n";
    out += "  Brier                      " + fixed(q.brier, 5) + "\n";
    out += "  calibration error          " + fixed(q.calibration_error, 5) + ", slope " +
           fixed(q.calibration_slope, 3) + "\n";
    out += "  observed / expected        " + range(q.observed_over_expected, 3) + "\n";
    out += "  the same, highest 1 %      " + range(q.observed_over_expected_top, 3) + "\n";
    return out;
}

std::string served_text(const ServedQuality& served) {
    return "\nAs served, corrected once a day by what had come true (" + count(served.adopted) +
           " times taken over)\n  skill " + fixed(served.skill, 4) + ", calibration error " +
           fixed(served.calibration_error, 5) + ", slope " + fixed(served.calibration_slope, 3) +
           "\n  observed / expected " + range(served.observed_over_expected, 3) +
           "\n  highest 1 %         " + range(served.observed_over_expected_top, 3) + "\n";
}

std::string above_text(const AboveLimit& above) {
    const auto number = [](std::int64_t n) { return count(static_cast<std::uint64_t>(n)); };
    std::string out =
        "\nNodes over their limit, and what came of them\n  acted on: " + number(above.hits) +
        " failed, " + number(above.needless) + " did not, of " + number(above.hidden) +
        " nobody knows, as load was the cause\n  withheld: " + number(above.withheld_failed) +
        " failed, " + number(above.withheld_survived) + " did not; " + number(above.open) +
        " were still open when the record ended\n";
    if (above.identified) {
        return out + "  precision above the threshold " + percent(above.precision_low) + "\n";
    }
    return out + "  precision above the threshold is not identified: between " +
           percent(above.precision_low) + " and " + percent(above.precision_high) +
           "; a hold-out (policy.risk.holdout) would tell\n";
}

std::string alarms_text(const RiskReport& report) {
    std::string out = "\nIf an alarm were raised at a risk\n";
    Grid grid;
    grid.add({"of at least", "rows", "precision", "events found",
              "alarms per 100 " + report.data.entity + "-weeks"});
    for (const AlarmLevel& level : report.quality.alarms) {
        const auto& rate = level.alarms_per_100_entity_weeks;
        grid.add({fixed(level.risk, 4), percent(level.row_share), percent(level.precision),
                  percent(level.event_recall), rate ? fixed(*rate, 1) : "-"});
    }
    return out + grid.text();
}

std::string rows_text(const RiskReport& report) {
    Grid baselines;
    baselines.add({"", "AUC", "AP"});
    for (const RiskBaseline& each : report.baselines)
        baselines.add({each.name, fixed(each.auc, 4), fixed(each.average_precision, 4)});
    Grid slices;
    slices.add({"", "rows", "base rate", "AUC", "observed/expected"});
    for (const RiskSlice& each : report.slices) {
        slices.add({each.name, count(each.rows), fixed(each.base_rate, 4), fixed(each.auc, 4),
                    fixed(each.observed_over_expected, 2)});
    }
    std::string out = "\nOne feature alone as a ranking\n" + baselines.text();
    out += "\nKinds of rows\n" + slices.text() + "\nWorst errors\n";
    for (const WorstError& each : report.worst) {
        out += "  " + report.data.entity + " " + std::to_string(each.entity) + ": said " +
               fixed(each.forecast, 4) + ", came " + fixed(each.truth, 0) + "; " + each.beside +
               "\n";
    }
    return out;
}

std::string errors_text(const DemandReport& report) {
    std::string out = "\nMean absolute error over that of persistence, on the test slice\n";
    Grid grid;
    std::vector<std::string> heading = {"ahead"};
    if (!report.horizons.empty())
        for (const DemandError& each : report.horizons.front().errors)
            heading.push_back(each.method);
    heading.insert(heading.end(),
                   {"best before", "coverage", "worst day", "worst series", "trees"});
    grid.add(std::move(heading));
    bool still = false;
    for (const DemandHorizon& horizon : report.horizons) {
        const std::string steps =
            horizon.steps == 0
                ? ""
                : count(horizon.steps) + (horizon.steps == 1 ? " step, " : " steps, ");
        std::vector<std::string> cells = {steps + fixed(horizon.minutes, 0) + " min"};
        for (const DemandError& each : horizon.errors) {
            cells.push_back(fixed(each.over_persistence, 3));
            still = still || !std::isfinite(each.over_persistence);
        }
        cells.push_back(horizon.serves);
        cells.push_back(fixed(horizon.coverage.overall, 3));
        cells.push_back(fixed(horizon.coverage.worst_day, 3));
        const double series = horizon.coverage.worst_series;
        cells.push_back(std::isfinite(series) ? fixed(series, 3) : "-");
        cells.push_back(count(horizon.trees));
        grid.add(std::move(cells));
    }
    out += grid.text();
    if (still) out += "  ? no series moved in the test slice: there is nothing to be better than\n";
    return out;
}

std::string families_text(const std::vector<FamilyFacts>& families) {
    if (families.empty()) return "";
    Grid grid;
    grid.add({"family", "failures in test", "not shown", "AUC", "AUC not shown", "recall",
              "recall not shown"});
    for (const FamilyFacts& each : families) {
        grid.add({each.family, count(each.test_events), count(each.train_events),
                  fixed(each.auc_known, 3), fixed(each.auc_left_out, 3), percent(each.recall_known),
                  percent(each.recall_left_out)});
    }
    return "\nFamilies of faults, known and left out of training; recall where " +
           percent(kFamilyAlarms) + " of healthy rows have an alarm\n" + grid.text();
}

}  // namespace

std::string report_text(const RiskReport& report) {
    std::string out = data_text(report.data, true);
    out += "\nXGBoost " + report.xgboost + ": " + count(report.trees) + " trees of depth " +
           std::to_string(report.parameters.depth) + ", eta " + fixed(report.parameters.eta, 2) +
           ", seed " + std::to_string(report.parameters.seed) + ", " +
           std::to_string(report.parameters.threads) + " thread" +
           (report.parameters.threads == 1 ? "" : "s") + "; calibration " + report.calibration +
           " from " + count(report.calibration_events) + " independent failures " +
           (report.calibrated_by_newest
                ? "of the newest slice before the test, as rates of older slices did not hold\n"
                : "before the test\n");
    if (!report.may_act) out += "It is not calibrated and may not drive actions: too few events.\n";
    if (report.negatives_kept < 1) {
        out += "Of rows without a failure, " + percent(report.negatives_kept) +
               " were used for training.\n";
    }
    out += warnings_text(report.warnings);
    out += quality_text(report) + alarms_text(report) + importance_text(report.importance);
    out += rows_text(report) + bars_text(report.bars, "Bars");
    if (report.above) out += above_text(*report.above);
    out += families_text(report.families);
    if (!report.served) return out;
    return out + served_text(*report.served) + bars_text(report.served->bars, "Bars as served");
}

std::string report_text(const DemandReport& report) {
    std::string out = data_text(report.data, false);
    out += "\nXGBoost " + report.xgboost + ": depth " + std::to_string(report.parameters.depth) +
           ", eta " + fixed(report.parameters.eta, 2) + ", seed " +
           std::to_string(report.parameters.seed) + "\n";
    out += errors_text(report);
    if (!report.horizons.empty()) out += importance_text(report.horizons.back().importance);
    return out + bars_text(report.bars, "Bars");
}

}  // namespace parley::learn
