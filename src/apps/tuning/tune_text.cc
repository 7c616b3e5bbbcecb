#include "apps/tuning/tune_text.h"

#include "apps/tuning/span_text.h"
#include "base/number.h"
#include "experiment/tune_objective.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace parley::app {
namespace {

using Cells = std::vector<std::vector<std::string>>;

/// Columns as wide as needed; numbers are right-aligned with their heading.
std::string aligned(const Cells& cells) {
    std::vector<std::size_t> widths(cells.front().size());
    for (const auto& row : cells) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string out;
    for (const auto& row : cells) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string pad(widths[i] - row[i].size(), ' ');
            line += "  " + (i == 0 ? row[i] + pad : pad + row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string sentence(std::string text) {
    if (!text.empty()) text.front() = static_cast<char>(std::toupper(text.front()));
    return text + ".";
}

std::string heading(const TuneReport& report) {
    const std::int64_t all = report.complete + report.pruned + report.failed + report.open;
    std::string out = "Study " + report.study + " in " + report.storage + ": " + thousands(all) +
                      " trials, " + thousands(report.complete) + " complete, " +
                      thousands(report.pruned) + " pruned, " + thousands(report.failed) + " failed";
    if (report.open > 0) out += ", " + thousands(report.open) + " waiting or running";
    return out + ".\nScenario " + report.scenario + ", runs of " +
           span_text(report.hours, report.interval_s) + ".\n" + sentence(report.objective) + "\n";
}

std::string finalists(const TuneReport& report) {
    Cells cells{{"trial", std::to_string(report.pairs) + " tuning seeds",
                 std::to_string(report.difference.pairs) + " fresh seeds"}};
    const auto shown = [&](double value) { return experiment::value_text(value, report.profile); };
    for (const Finalist& each : report.finalists) {
        const bool winner = &each == report.finalists.data();
        cells.push_back({std::to_string(each.trial) + (winner ? ", the winner" : ""),
                         shown(each.tuning), shown(each.fresh)});
    }
    cells.push_back({"default", report.default_tuning ? shown(*report.default_tuning) : "-",
                     shown(report.default_fresh)});
    return aligned(cells);
}

/// Warns that a better reward, measured by the tuned weights themselves, says nothing about what
/// the policy does.
std::string caution(const TuneReport& report) {
    if (report.profile != model::Profile::prototype) return "";
    return "The weights decide nothing: every trial acts alike and weighs what came of it "
           "otherwise.\nA greater reward is no better cluster.\n";
}

std::string answer(const TuneReport& report) {
    const std::string word = experiment::answer_text(report.answer);
    if (report.answer != experiment::Answer::too_few) return word;
    return word + " to tell (with fewer than " + std::to_string(experiment::pairs_to_tell()) +
           " fresh seeds p is over 0.05 whatever they show)";
}

std::string difference(const TuneReport& report) {
    const experiment::Paired& found = report.difference;
    const std::string share =
        report.default_fresh > 0
            ? " (" + signed_fixed(100 * found.mean / report.default_fresh, 1) + " %)"
            : "";
    return "The winner less the default on the fresh seeds: " + signed_fixed(found.mean, 2) +
           share + ", 95 % from " + signed_fixed(found.low, 2) + " to " +
           signed_fixed(found.high, 2) + ", p " + fixed(found.p, 4) + ": " + answer(report) +
           ".\n" + caution(report);
}

std::string parameters(const TuneReport& report) {
    Cells cells{{"parameter", "default", "winner", "importance"}};
    for (const TunedParameter& each : report.parameters) {
        const auto short_text = [](double value) {
            const bool whole = value == static_cast<double>(static_cast<std::int64_t>(value));
            return fixed(value, whole ? 0 : 3);
        };
        cells.push_back({each.name, short_text(each.before), short_text(each.value),
                         each.importance ? fixed(*each.importance, 3) : "-"});
    }
    const std::string& none = report.no_importance_because;
    return aligned(cells) + (none.empty() ? "" : "No importance: " + none + ".\n");
}

}  // namespace

std::string tune_text(const TuneReport& report) {
    return heading(report) + "\n" + finalists(report) + "\n" + difference(report) + "\n" +
           parameters(report);
}

}  // namespace parley::app
