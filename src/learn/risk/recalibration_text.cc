#include "learn/risk/recalibration_text.h"

#include "base/number.h"

#include <cmath>

namespace parley::learn {
namespace {

std::string line(const std::string& what, double before, double after, int decimals) {
    const auto shown = [&](double value) {
        std::string text = std::isfinite(value) ? fixed(value, decimals) : "-";
        return std::string(text.size() < 10 ? 10 - text.size() : 0, ' ') + text;
    };
    std::string out = "  " + what;
    out.resize(30, ' ');
    return out + shown(before) + shown(after) + "\n";
}

std::string count(std::uint64_t n) { return thousands(static_cast<std::int64_t>(n)); }

}  // namespace

std::string recalibration_text(const RecalibrationReport& report) {
    const SliceFacts all = report.data.slices.empty() ? SliceFacts{} : report.data.slices.front();
    std::string out = report.data.name + ": " + report.data.what + "\n  " + count(all.rows) +
                      " rows of " + count(all.entities) + " " + report.data.entity + "s, data " +
                      report.data.fingerprint.substr(0, 16) + "\n\nTrees of " + report.model +
                      ", as they are: " + fixed(report.failures, 1) + " failures came where " +
                      fixed(report.expected, 1) + " were expected\n";
    out += "\nThe newest fifth, by a correction fitted to what came before it\n";
    out += "                                  before     after\n";
    const RiskQuality& was = report.before;
    const RiskQuality& is = report.after;
    out += line("log-loss", was.log_loss, is.log_loss, 5);
    out += line("skill over the base rate", was.skill.value, is.skill.value, 4);
    out += line("calibration error", was.calibration_error, is.calibration_error, 5);
    out += line("observed / expected", was.observed_over_expected.value,
                is.observed_over_expected.value, 3);
    out += line("AUC", was.auc.value, is.auc.value, 4);
    if (!report.changed) {
        return out + "\nIt does not forecast the newest fifth better: its calibration stays.\n";
    }
    return out + "\nFitted to all rows, log-odds become " + fixed(report.a, 3) + " + " +
           fixed(report.b, 3) + " x log-odds: 0.01 becomes " +
           fixed(brain::apply(brain::Recalibration{.a = report.a, .b = report.b}, 0.01), 4) +
           ", 0.1 " +
           fixed(brain::apply(brain::Recalibration{.a = report.a, .b = report.b}, 0.1), 3) + ".\n";
}

}  // namespace parley::learn
