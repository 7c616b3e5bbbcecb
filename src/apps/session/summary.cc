#include "apps/session/summary.h"

#include "base/number.h"
#include "layers/explanation/telling/narrator.h"
#include "layers/explanation/telling/stages.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace parley::app {
namespace {

constexpr std::array kRoles = {model::Role::safety, model::Role::efficiency, model::Role::admission,
                               model::Role::scaling};

std::string column(const std::string& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}
std::string column(std::int64_t value, std::size_t width) {
    return column(thousands(value), width);
}

std::string rounds_text(std::uint64_t rounds) {
    return explanation::counted(static_cast<std::int64_t>(rounds), "round");
}

std::string account_text(const RunSummary& summary) {
    if (!summary.cost_pod_minutes || !summary.score) {
        return "not known: " + summary.not_known_because;
    }
    std::string text = fixed(*summary.cost_pod_minutes, 1) + " pod-minutes, score " +
                       signed_fixed(*summary.score, 1);
    const bool whole = !summary.coverage || *summary.coverage >= 1;
    // Rounded down, so that only the whole reads 100.
    if (!whole) text += ", from " + fixed(std::floor(*summary.coverage * 100), 0) + "% of readings";
    return text;
}

}  // namespace

RunSummary begun_summary(const store::RunHeader& header, const std::string& folder,
                         const std::vector<store::StageNote>& stages) {
    RunSummary summary{.scenario = header.scenario, .seed = header.seed};
    summary.profile = std::string(enum_name(header.policy.profile));
    summary.mode = explanation::mode_text(header.mode, header.simulated);
    summary.folder = folder;
    summary.stages = stages;
    return summary;
}

Tally::Tally() : refusals_(kRoles.size()) {
    for (const model::Role role : kRoles) {
        agents_.push_back({.agent = std::string(model::title_of(role))});
    }
}

void Tally::add(const model::Decision& decision) {
    for (const model::Judged& judged : decision.verdict.judged) {
        const auto at = static_cast<std::size_t>(judged.proposal.role);
        AgentTally& agent = agents_[at];
        if (std::holds_alternative<model::Accepted>(judged.fate)) ++agent.accepted;
        if (std::holds_alternative<model::Overridden>(judged.fate)) ++agent.lost;
        if (std::holds_alternative<model::Idle>(judged.fate)) ++agent.idle;
        if (const auto* refused = std::get_if<model::Refused>(&judged.fate)) {
            ++agent.refused;
            ++refusals_[at][refused->rule];
        }
    }
    if (decision.verdict.contest == model::Contest::contested) ++contested_;
    if (!decision.alarms.empty()) ++with_alarm_;
    account_.take(decision.score);
    last_ = explanation::reason(decision);
    if (!decision.verdict.accepted.empty()) last_ = explanation::headline(decision) + ". " + last_;
}

void Tally::fill(RunSummary& summary) const {
    summary.agents = agents_;
    for (std::size_t i = 0; i < refusals_.size(); ++i) {
        const auto most = std::ranges::max_element(refusals_[i], {},
                                                   [](const auto& rule) { return rule.second; });
        if (most != refusals_[i].end()) summary.agents[i].refused_by = most->first;
    }
    summary.contested = contested_;
    summary.with_alarm = with_alarm_;
    summary.cost_pod_minutes = account_.cost();
    summary.score = account_.score();
    summary.coverage = account_.coverage();
    summary.not_known_because = account_.not_known_because();
    summary.last = last_;
}

std::string print_summary(const RunSummary& summary) {
    std::string out = summary.scenario + ", seed " + std::to_string(summary.seed) + ", profile " +
                      summary.profile + ", " + summary.mode + ": " + rounds_text(summary.rounds) +
                      ", " + summary.status + "\n\n";
    out += "  agent         accepted    lost  refused    idle\n";
    for (const AgentTally& agent : summary.agents) {
        const bool scaling = agent.agent == model::title_of(model::Role::scaling);
        const bool silent = scaling && agent.accepted + agent.lost + agent.refused == 0;
        std::string name = agent.agent;
        name.resize(std::max<std::size_t>(name.size(), 12), ' ');
        out += "  " + name;
        if (silent) {
            out += "  skipped: not in this build\n";
            continue;
        }
        out += column(agent.accepted, 10) + column(agent.lost, 8) + column(agent.refused, 9) +
               column(agent.idle, 8);
        if (!agent.refused_by.empty()) out += "   mostly by " + agent.refused_by;
        out += "\n";
    }
    out += "\ncontested  " + rounds_text(summary.contested) + "\nalarms     in " +
           rounds_text(summary.with_alarm) + "\ncost       " + account_text(summary) +
           "\nlast       " + summary.last + "\n";
    if (!summary.stages.empty()) {
        out += "stages     " + explanation::stages_line(summary.stages, false) + "\n";
    }
    return out;
}

}  // namespace parley::app
