#include "apps/tuning/compare_text.h"

#include "apps/tuning/span_text.h"
#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace parley::app {
namespace {

/// What the columns between cost and disruptive are, printed below them.
constexpr const char* kPartsLine =
    "A to D are parts of the cost: A lost requests and disruptions, B energy and node-hours, C "
    "waiting pods and\nrejections, D slow requests and what is reserved.\n";

/// If no run was measured, nothing is shown, not zero.
std::string shown(double value, int digits) {
    return std::isfinite(value) ? fixed(value, digits) : "-";
}

using Cells = std::vector<std::vector<std::string>>;

Cells arm_cells(const experiment::CompareReport& report) {
    std::vector<std::string> heads = {"scenario", "arm", "runs", "cost"};
    for (const model::Role role : model::kRoles) heads.emplace_back(1, model::letter_of(role));
    for (const char* head : {"disruptive", "needless", "failures", "answered", "lead"}) {
        heads.emplace_back(head);
    }
    Cells cells{std::move(heads)};
    for (const experiment::ArmFacts& arm : report.arms) {
        std::vector<std::string> row = {arm.scenario, arm.arm, std::to_string(arm.runs),
                                        shown(arm.cost, 1)};
        for (const model::Role role : model::kRoles) row.push_back(shown(arm.by[role], 1));
        row.push_back(shown(arm.disruptive, 2));
        row.push_back(shown(arm.needless_per_100_node_weeks, 1));
        row.push_back(shown(arm.failures, 2));
        row.push_back(arm.answered_share ? fixed(100 * *arm.answered_share, 0) + " %" : "-");
        row.push_back(arm.lead_minutes ? fixed(*arm.lead_minutes, 1) + " min" : "-");
        cells.push_back(std::move(row));
    }
    return cells;
}

Cells comparison_cells(const experiment::CompareReport& report) {
    Cells cells{{"scenario", "against", "difference", "95 %", "p", "answer", "disruptions"}};
    for (const experiment::Comparison& each : report.comparisons) {
        if (!each.not_known_because.empty()) {
            cells.push_back({each.scenario, each.against, "-", "-", "-", "not known", "-"});
            continue;
        }
        const double base = each.delta / experiment::kDeltaShare;
        const std::string share =
            base > 0 ? " (" + fixed(100 * each.cost.mean / base, 1) + " %)" : "";
        cells.push_back({each.scenario, each.against, fixed(each.cost.mean, 2) + share,
                         fixed(each.cost.low, 2) + " to " + fixed(each.cost.high, 2),
                         fixed(each.adjusted_p, 4), experiment::answer_text(each.answer),
                         each.disruptions_not_inferior ? "not more" : "more"});
    }
    return cells;
}

std::string aligned(const Cells& cells) {
    std::vector<std::size_t> widths(cells.front().size());
    for (const auto& row : cells) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string out;
    for (const auto& row : cells) {
        std::string line = " ";
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string pad(widths[i] - row[i].size(), ' ');
            line += " " + (i < 2 ? row[i] + pad : pad + row[i]) + " ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string marked_down(const Cells& cells) {
    std::string out;
    for (std::size_t r = 0; r < cells.size(); ++r) {
        out += "|";
        for (const std::string& cell : cells[r]) out += " " + cell + " |";
        out += "\n";
        if (r > 0) continue;
        out += "|";
        for (std::size_t i = 0; i < cells[r].size(); ++i) out += i < 2 ? "---|" : "--:|";
        out += "\n";
    }
    return out;
}

std::string heading(const experiment::CompareReport& report) {
    const std::string stopped = report.stopped
                                    ? "Stopped after " + std::to_string(report.runs_done) + " of " +
                                          std::to_string(report.runs_wanted) +
                                          " runs: only pairs that are whole are below.\n"
                                    : "";
    return stopped + "Runs of " + span_text(report.hours, report.interval_s) + ", seeds from " +
           std::to_string(report.first_seed) +
           " on, the same for every arm. Cost in pod-minutes of service;\n" +
           "needless: safety actions that no failure followed, per 100 node-weeks; answered: " +
           "failures acted on before.\n";
}

/// What the answers mean, printed above them.
std::string answers_line(const experiment::CompareReport& report) {
    const auto known = std::ranges::find_if(
        report.comparisons, [](const auto& each) { return each.not_known_because.empty(); });
    const experiment::Comparison& first =
        known != report.comparisons.end() ? *known : report.comparisons.front();
    const double matters =
        first.delta > 0 ? 100 * experiment::kDeltaShare * first.matters / first.delta : 0;
    return "How " + first.arm +
           " compares: less is better; p by Holm over scenarios; better or worse: by " +
           print_double(std::round(matters * 1e6) / 1e6) +
           " % or more, beyond chance (p below 0.05); equivalent: neither, and the 95 % within 5 "
           "%.\n\n";
}

/// Where pairs are so few that their number decides, and how many it takes.
std::string too_few(const experiment::CompareReport& report) {
    const auto few =
        std::ranges::find(report.comparisons, experiment::Answer::too_few,
                          [](const experiment::Comparison& each) { return each.answer; });
    if (few == report.comparisons.end()) return "";
    return "\nToo few pairs to tell: with " + std::to_string(few->cost.pairs) +
           ", p is over 0.05 whatever they show; from " + std::to_string(few->pairs_least) +
           " on it may be less.\n";
}

/// Which runs were left out, and why.
std::string left_out(const experiment::CompareReport& report) {
    std::string out;
    std::string told;  // Every arm of a scenario leaves out the same seeds.
    for (const experiment::ArmFacts& arm : report.arms) {
        if (arm.left_out == 0 || arm.scenario == told) continue;
        told = arm.scenario;
        out += arm.scenario + ": " + std::to_string(arm.left_out) + " of " +
               std::to_string(arm.left_out + arm.runs) +
               " seeds are left out in every arm, as under " +
               std::to_string(model::kCoveragePercent) + "% of the account could be read in one.\n";
    }
    return out.empty() ? out : "\n" + out;
}

}  // namespace

std::string compare_text(const experiment::CompareReport& report) {
    std::string out = heading(report) + "\n" + aligned(arm_cells(report)) + "\n" + kPartsLine +
                      left_out(report) + "\n";
    if (report.comparisons.empty()) return out;
    out += answers_line(report);
    return out + aligned(comparison_cells(report)) + too_few(report);
}

std::string compare_markdown(const experiment::CompareReport& report) {
    std::string out = heading(report) + "\n" + marked_down(arm_cells(report)) + "\n" + kPartsLine +
                      left_out(report) + "\n";
    if (report.comparisons.empty()) return out;
    out += answers_line(report);
    return out + marked_down(comparison_cells(report)) + too_few(report);
}

}  // namespace parley::app
