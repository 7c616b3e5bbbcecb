#include "replay/causes.h"

#include "guard/rule_families.h"
#include "layers/arbitration/rank.h"
#include "layers/explanation/wording/configured.h"
#include "layers/explanation/wording/wording.h"
#include "layers/proposal/propose.h"
#include "layers/proposal/shortage.h"
#include "model/watched.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace parley::replay {

using namespace model;

Obstacle not_in_this_build(Role role) {
    return {"agent", kNotInThisBuild,
            std::string(title_of(role)) + " is not in this build, so that nobody can propose it"};
}

std::vector<Obstacle> sends_nothing(const Controls& controls) {
    std::vector<Obstacle> out;
    if (!controls.ledger_unread.empty()) {
        out.push_back({"ledger", "unreadable", controls.ledger_unread});
    } else if (controls.mode != Mode::act) {
        out.push_back({"mode", explanation::mode_text(controls.mode, false),
                       "nothing is sent in this mode, whatever is decided"});
    }
    if (controls.stop) {
        out.push_back({"kill switch", "stop", "it was pressed, so that nothing is sent"});
    }
    return out;
}

std::vector<Obstacle> filtered_out(const Wanted& wanted, const RoundInput& input,
                                   const Policy& policy) {
    if (policy.namespaces.empty() || changes_nothing(wanted.action)) return {};
    if (const auto* id = std::get_if<WorkloadId>(&wanted.target)) {
        if (watched(policy.namespaces, id->space)) return {};
        return {{"configuration", "policy.namespaces",
                 "namespace " + id->space.str() + " is not watched"}};
    }
    const ActionKind kind = kind_of(wanted.action);
    if (kind != ActionKind::admission && kind != ActionKind::resource_cap) return {};
    Policy all = policy;
    all.namespaces.clear();
    const std::int64_t seen = proposal::shortage_of(input.snapshot, policy).pods;
    const std::int64_t there = proposal::shortage_of(input.snapshot, all).pods;
    if (there <= seen) return {};
    std::set<std::string> spaces;
    for (const PendingGroup& group : input.snapshot.pending) {
        const WorkloadRow* row = input.snapshot.workloads.find(group.workload);
        if (row == nullptr || group.count <= 0 || !group.causes.shortage()) continue;
        if (!watched(policy.namespaces, row->id.space)) spaces.insert(row->id.space.str());
    }
    return {{"configuration", "policy.namespaces",
             "the filter leaves out " + explanation::counted(there - seen, "pod") +
                 " short of room in " + explanation::listed({spaces.begin(), spaces.end()}) +
                 ", and counts " + std::to_string(seen)}};
}

std::vector<Obstacle> by_configuration(const Wanted& wanted, const RoundInput& input,
                                       const Forecast& forecast, const Policy& policy) {
    std::vector<Obstacle> out;
    if (changes_nothing(wanted.action)) return out;
    const proposal::Agent& agent = proposal::agent_of(wanted.role);
    for (const proposal::SetAgainst& each : agent.settings(wanted, {input, forecast, policy})) {
        out.push_back({"configuration", "policy." + each.setting,
                       explanation::set_text(each.is, each.usual) + ": " + each.therefore});
    }
    return out;
}

std::string choice_text(Role role, const Decision& decision) {
    std::string text;
    for (const Proposal& p : decision.proposals) {
        if (p.role != role) continue;
        text = (changes_nothing(p.action) ? "It wanted nothing: "
                                          : "It wanted " + explanation::wish_text(p) + ": ") +
               explanation::without_stop(p.because) + ".";
    }
    return text;
}

std::vector<Obstacle> by_choice(Role role, const Decision& decision) {
    std::string text = choice_text(role, decision);
    if (text.empty()) return {};
    return {{"agent", "its choice", std::move(text)}};
}

std::vector<Obstacle> nothing_to_lift(const Wanted& wanted, const Ledger& ledger) {
    if (!changes_nothing(wanted.action) || !ledger.orders.empty()) return {};
    return {{"agent", "its rules", "no order was in force that could be lifted"}};
}

bool lifts_order(const Decision& decision) {
    return std::ranges::any_of(decision.first_steps, [](const Step& step) {
        const auto* order = std::get_if<Admission>(&step.action.action);
        return order != nullptr && !changes_nothing(*order) && step.action.undoing;
    });
}

std::vector<Refused> refusals(const guard::Facts& facts, const Proposal& proposal) {
    std::vector<Refused> out;
    if (changes_nothing(proposal.action)) return out;
    guard::Question question(facts, proposal);
    for (const guard::Rule& rule : guard::all_rules()) {
        if (!rule.applies(question) || std::string_view(rule.name) == "scale-amount") continue;
        guard::Ruling ruling = rule.ask(question);
        if (!ruling.refused) continue;
        out.push_back({rule.name, *std::move(ruling.refused)});
        // Without a target there is nothing to ask the others about.
        if (out.back().rule == "target") return out;
    }
    return out;
}

bool is_configured(const std::string& guard_rule) { return guard_rule == "opt-in"; }

bool stands_for(const Proposal& proposal, const Proposal& mine) {
    if (proposal.role != mine.role) return false;
    return changes_nothing(proposal.action) || proposal.target == mine.target;
}

std::optional<Obstacle> outranked(const Proposal& mine, const Verdict& verdict,
                                  const Forecast& forecast, const Policy& policy) {
    if (forecast.danger && arbitration::rank_of(mine).yields_to_danger) {
        return Obstacle{"referee", "danger-blocks-efficiency", forecast.danger_because};
    }
    const std::int32_t max = policy.actions_per_round_max;
    if (std::cmp_less(verdict.accepted.size(), max) || verdict.accepted.empty()) return {};
    const Proposal& first = verdict.accepted.front();
    if (stands_for(first, mine) || arbitration::outranks(mine, first)) return {};
    return Obstacle{"referee", "action-limit",
                    std::to_string(max) + " a round, and " + std::string(title_of(first.role)) +
                        " came first: " + explanation::wish_text(first)};
}

namespace {

Obstacle guards(const Refused& refused, const Judged& judged, const Policy& policy) {
    return {is_configured(refused.rule) ? "configuration" : "guard", refused.rule,
            explanation::refusal_text(refused, judged.proposal.action, policy)};
}

}  // namespace

std::optional<Obstacle> obstacle_of(const Judged& judged, const Policy& policy) {
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) {
        return Obstacle{"referee", lost->rule, lost->because};
    }
    if (const auto* refused = std::get_if<Refused>(&judged.fate)) {
        return guards(*refused, judged, policy);
    }
    if (!judged.guard.held) return std::nullopt;
    return guards(*judged.guard.held, judged, policy);
}

}  // namespace parley::replay
