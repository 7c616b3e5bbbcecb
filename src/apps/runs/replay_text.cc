#include "apps/runs/replay_text.h"

#include "base/number.h"
#include "store/run_trim.h"

#include <algorithm>

namespace parley::app {
namespace {

std::string count(std::uint64_t value) { return thousands(static_cast<std::int64_t>(value)); }

/// Comes first, since the rest holds only for what can be read.
std::string missing(const replay::Report& report) {
    std::string text;
    for (const std::string& gap : report.gaps) text += "Damaged: " + gap + "\n";
    const std::string dropped = store::dropped_text(report.dropped);
    return dropped.empty() ? text : text + "Not made again: " + dropped + "\n";
}

}  // namespace

std::string comparison_text(const replay::Report& report) {
    if (report.differing == 0) {
        const std::string rounds =
            count(report.rounds) + (report.rounds == 1 ? " round" : " rounds");
        const std::string first = missing(report);
        return first + (first.empty() ? "" : "Of what can be read, ") + rounds +
               ", every decision the same, bit for bit.\n";
    }
    std::string text = missing(report) + count(report.differing) + " of " + count(report.rounds) +
                       " rounds differ, the first in round " + std::to_string(report.first_round) +
                       " at " + report.path + ":\n  recorded  " + report.recorded +
                       "\n  derived   " + report.derived + "\n";
    if (!report.same_rules) {
        text += "It was recorded under rules_version " + std::to_string(report.rules_version) +
                ", this program decides by " + std::to_string(kRulesVersion) +
                ": no fault, unless --strict.\n";
    }
    return text;
}

std::string changes_text(const replay::Report& report, std::size_t most) {
    std::string text = missing(report) + count(report.changes.size()) + " of " +
                       count(report.rounds) + " rounds would have been decided otherwise.\n";
    for (std::size_t i = 0; i < std::min(most, report.changes.size()); ++i) {
        const replay::Change& change = report.changes[i];
        text += "  round " + std::to_string(change.round) + ": " + change.recorded + " -> " +
                change.other + "\n";
    }
    if (report.changes.size() > most) {
        text += "  and " + count(report.changes.size() - most) + " more; all of them: -o json\n";
    }
    return text;
}

}  // namespace parley::app
