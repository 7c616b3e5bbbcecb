#include "apps/live/preflight.h"

#include <algorithm>

namespace parley::app {
namespace {

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size() + 1), ' ');
    return text;
}

std::string name_of(const kube::Need& need) {
    std::string text = need.verb + " " + need.resource;
    if (!need.name.empty()) text += " " + need.name;
    if (!need.space.empty()) text += " in " + need.space;
    return text;
}

/// `2 missing, 1 late`; empty: nothing to mention.
std::string counted(const Preflight& page) {
    std::string out;
    for (const Verdict verdict :
         {Verdict::failed, Verdict::missing, Verdict::late, Verdict::refused}) {
        const auto count = std::ranges::count(page.findings, verdict, &Finding::verdict);
        if (count == 0) continue;
        out += (out.empty() ? "" : ", ") + std::to_string(count) + " " +
               std::string(enum_name(verdict));
    }
    return out;
}

}  // namespace

void add_permissions(Preflight& page, std::size_t asked, const std::vector<kube::Need>& denied) {
    if (denied.empty()) {
        page.findings.push_back(
            {"permissions", Verdict::ok, "all " + std::to_string(asked) + " that observing needs"});
        return;
    }
    std::string names;
    constexpr std::size_t kNamed = 4;
    for (std::size_t i = 0; i < std::min(kNamed, denied.size()); ++i) {
        names += (i == 0 ? "" : ", ") + name_of(denied[i]);
    }
    if (denied.size() > kNamed) names += " and " + std::to_string(denied.size() - kNamed) + " more";
    page.findings.push_back(
        {"permissions", Verdict::missing,
         std::to_string(denied.size()) + " of " + std::to_string(asked) + ": " + names});
    // Each loss once, with all kinds for which it occurs.
    std::vector<std::pair<std::string, std::vector<std::string>>> losses;
    for (const kube::Need& need : denied) {
        if (!need.optional && need.resource != "leases") page.runs = false;
        auto found =
            std::ranges::find(losses, need.why, [](const auto& each) { return each.first; });
        if (found == losses.end()) found = losses.insert(found, {need.why, {}});
        const std::string what =
            need.group == "metrics.k8s.io" ? "metrics of " + need.resource : need.resource;
        if (std::ranges::find(found->second, what) == found->second.end()) {
            found->second.push_back(what);
        }
    }
    for (const auto& [why, resources] : losses) {
        std::string what;
        for (const std::string& each : resources) what += (what.empty() ? "" : ", ") + each;
        page.losses.push_back("Without " + what + ": " + why + ".");
    }
    page.missing_rules = kube::rules_yaml(denied);
}

std::string print(const Preflight& page) {
    std::string out = page.title + "\n\n";
    std::string before;
    for (const Finding& each : page.findings) {
        out += padded(each.topic == before ? "" : each.topic, 14) +
               padded(std::string(enum_name(each.verdict)), 9) + each.text + "\n";
        before = each.topic;
    }
    out += page.runs ? "\nIt would run." : "\nIt would not see enough to decide anything.";
    for (const std::string& loss : page.losses) out += "\n" + loss;
    if (!page.missing_rules.empty()) {
        out += "\nThe missing rules, for a ClusterRole:\n";
        std::string line;
        for (const char c : page.missing_rules) {
            if (line.empty()) line = "  ";
            line += c;
            if (c == '\n') {
                out += line;
                line.clear();
            }
        }
    } else {
        out += "\n";
    }
    const std::string summary = counted(page);
    out += (summary.empty() ? "All is well." : summary + ".") + " Exit status " +
           std::to_string(exit_status(page)) + ".\n";
    return out;
}

int exit_status(const Preflight& page) {
    const bool bad = std::ranges::any_of(page.findings, [](const Finding& each) {
        return each.verdict == Verdict::failed || each.verdict == Verdict::missing ||
               each.verdict == Verdict::late;
    });
    return bad ? 1 : 0;
}

}  // namespace parley::app
