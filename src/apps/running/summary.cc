#include "apps/running/summary.h"

#include "base/number.h"
#include "layers/explanation/telling/narrator.h"
#include "layers/explanation/telling/stages.h"
#include "layers/explanation/wording/lines.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <cmath>

namespace parley::app {
namespace {

std::string column(const std::string& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}
std::string column(std::int64_t value, std::size_t width) {
    return column(thousands(value), width);
}

std::string rounds_text(std::uint64_t rounds) {
    return explanation::counted(static_cast<std::int64_t>(rounds), "round");
}

bool absent(std::string_view title) {
    return std::ranges::any_of(model::kRoles, [&](model::Role role) {
        return !model::in_this_build(role) && title == model::title_of(role);
    });
}

std::int64_t& count_of(AgentTally& agent, explanation::Outcome outcome) {
    using enum explanation::Outcome;
    switch (outcome) {
        case accepted:
        case would:
            return agent.accepted;
        case held:
            return agent.held;
        case lost:
            return agent.lost;
        case refused:
            return agent.refused;
        case idle:
            break;
    }
    return agent.idle;
}

/// Why a cost is not known, and that a longer run may know it: a source that was silent hands in
/// later what its counters came to.
std::string not_known_text(const RunSummary& summary) {
    const std::string text = "not known: " + summary.not_known_because;
    if (!summary.coverage) return text;
    const std::string last =
        summary.last_read == 0
            ? "none came yet"
            : "the last came in round " + thousands(static_cast<std::int64_t>(summary.last_read));
    return text + "; " + last + ", and what is late counts when it comes";
}

std::string account_text(const RunSummary& summary) {
    if (!summary.cost_pod_minutes || !summary.score) return not_known_text(summary);
    std::string text = fixed(*summary.cost_pod_minutes, 1) + " pod-minutes, score " +
                       signed_fixed(*summary.score, 1);
    const bool whole = !summary.coverage || *summary.coverage >= 1;
    // Rounded down, so that only full coverage reads 100.
    if (!whole) text += ", from " + fixed(std::floor(*summary.coverage * 100), 0) + "% of readings";
    for (const std::string& line : summary.left_out) text += "\n           without " + line;
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
    summary.record = header.record;
    return summary;
}

Tally::Tally() {
    for (const model::Role role : model::kRoles) {
        agents_[role].agent = std::string(model::title_of(role));
    }
}

void Tally::add(const model::Decision& decision) {
    for (const model::Judged& judged : decision.verdict.judged) {
        const model::Role role = judged.proposal.role;
        ++count_of(agents_[role], explanation::outcome_of(decision, judged));
        if (const auto* refused = std::get_if<model::Refused>(&judged.fate)) {
            ++refusals_[role][refused->rule];
        }
    }
    if (decision.verdict.contest == model::Contest::contested) ++contested_;
    alarms_.take(decision.alarms);
    account_.take(decision.score);
    if (decision.score.leaves > 0) last_read_ = decision.round;
    last_ = explanation::reason(decision);
    if (!decision.verdict.accepted.empty()) last_ = explanation::headline(decision) + ". " + last_;
}

void Tally::fill(RunSummary& summary) const {
    summary.agents.clear();
    for (const model::Role role : model::kRoles) {
        const std::map<std::string, std::int64_t>& by = refusals_[role];
        const auto most =
            std::ranges::max_element(by, {}, [](const auto& rule) { return rule.second; });
        summary.agents.push_back(agents_[role]);
        if (most != by.end()) summary.agents.back().refused_by = most->first;
    }
    summary.contested = contested_;
    summary.alarms = alarms_.raised();
    summary.with_alarm = alarms_.rounds();
    summary.cost_pod_minutes = account_.cost();
    summary.score = account_.score();
    summary.coverage = account_.coverage();
    summary.not_known_because = account_.not_known_because();
    summary.left_out = explanation::reasons_without(account_.uncounted());
    summary.last_read = last_read_;
    summary.last = last_;
}

std::string print_summary(const RunSummary& summary) {
    std::string out = summary.scenario + ", seed " + std::to_string(summary.seed) + ", profile " +
                      summary.profile + ", " + summary.mode + ": " + rounds_text(summary.rounds) +
                      ", " + summary.status + "\n\n";
    out += "  agent         accepted    held    lost  refused    idle\n";
    for (const AgentTally& agent : summary.agents) {
        const bool silent =
            absent(agent.agent) && agent.accepted + agent.held + agent.lost + agent.refused == 0;
        std::string name = agent.agent;
        name.resize(std::max<std::size_t>(name.size(), 12), ' ');
        out += "  " + name;
        if (silent) {
            out += "  skipped: not in this build\n";
            continue;
        }
        out += column(agent.accepted, 10) + column(agent.held, 8) + column(agent.lost, 8) +
               column(agent.refused, 9) + column(agent.idle, 8);
        if (!agent.refused_by.empty()) out += "   mostly by " + agent.refused_by;
        out += "\n";
    }
    out += "\ncontested  " + rounds_text(summary.contested) + "\nalarms     " +
           explanation::alarms_text(summary.alarms, summary.with_alarm) + "\ncost       " +
           account_text(summary) + "\nlast       " + summary.last + "\n";
    if (!summary.stages.empty()) {
        out += "stages     " + explanation::stages_line(summary.stages, false) + "\n";
    }
    return out;
}

}  // namespace parley::app
