#include "layers/arbitration/referee.h"

#include "guard/pods.h"
#include "layers/arbitration/holdout.h"
#include "layers/arbitration/order.h"
#include "layers/arbitration/prototype.h"
#include "layers/arbitration/rank.h"
#include "model/hindrance.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace parley::arbitration {
namespace {

using model::Accepted;
using model::Fate;
using model::Idle;
using model::Judged;
using model::Overridden;
using model::Proposal;
using model::Role;
using model::Verdict;

std::string agent(const Proposal& p) { return std::string(title_of(p.role)); }

/// Its fate whatever the others want, or nothing: then it is ranked. Fills the guard's report.
std::optional<Fate> fate_alone(const guard::Facts& facts, const Proposal& p,
                               model::GuardReport& report) {
    if (changes_nothing(p.action)) return Idle{p.because};
    if (!has_finite_score(p)) return score_refused();
    guard::Answer answer = guard::ask(facts, p);
    report = std::move(answer.report);
    if (answer.refused) return std::move(*answer.refused);
    return std::nullopt;
}

/// Why no capacity may be taken away now; nothing: it may.
std::optional<std::string> danger_of(const guard::Facts& facts, const model::Forecast& forecast) {
    if (forecast.danger) return forecast.danger_because;
    const model::Breaker& breaker = facts.ledger().breaker;
    if (breaker.tripped) return "the breaker is tripped: " + breaker.because;
    return std::nullopt;
}

/// Higher rank, then higher score, then by name.
bool goes_first(const Judged& a, const Judged& b) {
    if (outranks(a.proposal, b.proposal)) return true;
    return !outranks(b.proposal, a.proposal) && before(a.proposal, b.proposal);
}

/// Whether a proposal wants to change what another one already changes: the same target, or a
/// workload with pods on the node that is its target.
bool collide(const guard::Facts& facts, const Proposal& a, const Proposal& b) {
    if (a.target == b.target) return true;
    const auto* node = std::get_if<model::NodeId>(&a.target);
    const auto* workload = std::get_if<model::WorkloadId>(&b.target);
    if (node == nullptr || workload == nullptr) return false;
    const Slot slot = facts.slot_of(*workload);
    const auto tenants = guard::tenants_of(facts.snapshot(), facts.slot_of(*node));
    return std::ranges::find(tenants, slot, &guard::Tenant::workload) != tenants.end();
}

/// Its fate once all that rank before it have theirs.
Fate fate_among(const guard::Facts& facts, const std::vector<Proposal>& accepted, const Proposal& p,
                const std::optional<std::string>& danger, int max) {
    if (danger && rank_of(p).yields_to_danger) {
        return Overridden{"danger-blocks-efficiency", Role::safety, *danger};
    }
    const auto rival = std::ranges::find_if(accepted, [&](const Proposal& other) {
        return collide(facts, other, p) || collide(facts, p, other);
    });
    if (rival != accepted.end()) {
        return Overridden{
            "same-target", rival->role,
            agent(*rival) + " already changes " + text_of(p.target) + ": " + wish_of(*rival)};
    }
    if (std::ssize(accepted) >= max) {
        const Role by = accepted.empty() ? p.role : accepted.front().role;
        return Overridden{model::kActionLimit, by,
                          model::a_round_text(max) +
                              (accepted.empty() ? ""
                                                : ", and " + agent(accepted.front()) +
                                                      " came first: " + wish_of(accepted.front()))};
    }
    if (auto refused = guard::ask_beside(p, accepted)) {
        const auto first = std::ranges::find_if(
            accepted, [](const Proposal& other) { return disruptive(other.action); });
        return Overridden{refused->rule, first->role, refused->because};
    }
    return Accepted{};
}

/// Says what won, by which rule, over whom.
void explain_choice(Verdict& verdict) {
    const Proposal& first = verdict.accepted.front();
    const Rank& rank = rank_of(first);
    std::vector<std::string> losers;
    for (const Judged& judged : verdict.judged) {
        if (const auto* lost = std::get_if<Overridden>(&judged.fate)) {
            losers.push_back(agent(judged.proposal) + " (" + lost->rule + ")");
        }
    }
    verdict.contest = losers.empty() ? model::Contest::uncontested : model::Contest::contested;
    verdict.rule = rank.rule;
    verdict.rationale = agent(first) + " won with " + wish_of(first) + ": ";
    if (losers.empty()) {
        verdict.rationale += "nobody who may act wanted anything else.";
    } else {
        verdict.rationale += std::string(rank.words) + "; overruled " + in_words(losers) + ".";
    }
}

/// Says why nothing is done. The last one judged ranked lowest; whoever was ranked lost to danger
/// or to a limit of none.
void explain_rest(Verdict& verdict) {
    if (verdict.judged.empty()) {
        verdict.rule = model::kNothingProposed;
        verdict.rationale = "Nothing was proposed.";
        return;
    }
    const Judged* stopped = hindered(verdict);
    if (stopped == nullptr) {
        verdict.rule = model::kAllIdle;
        verdict.rationale = "Nobody wants to change anything.";
        return;
    }
    const auto* lost = std::get_if<Overridden>(&stopped->fate);
    verdict.rule = lost != nullptr ? lost->rule : "all-refused";
    verdict.rationale = "Nothing is done: " + hindrance_text(*stopped);
}

}  // namespace

Verdict Referee::judge(const guard::Facts& facts, const model::Forecast& forecast,
                       std::vector<Proposal> proposals) const {
    if (profile_ == model::Profile::prototype) return judge_prototype(facts, std::move(proposals));
    Verdict verdict{.round = facts.round()};
    std::vector<Judged> contenders;
    std::ranges::sort(proposals, before);  // So that nothing depends on who answered first.
    for (Proposal& p : proposals) {
        model::GuardReport report;
        auto fate = fate_alone(facts, p, report);
        double probability = 1;
        if (!fate && rank_of(p).may_be_withheld) {
            Drawn drawn = draw_holdout(facts, p);
            probability = drawn.probability;
            if (drawn.withheld) fate = std::move(*drawn.withheld);
        }
        auto& place = fate ? verdict.judged : contenders;
        place.push_back(
            {std::move(p), fate ? std::move(*fate) : Accepted{}, std::move(report), probability});
    }
    std::ranges::sort(contenders, goes_first);
    const auto danger = danger_of(facts, forecast);
    for (Judged& judged : contenders) {
        judged.fate = fate_among(facts, verdict.accepted, judged.proposal, danger, actions_max_);
        if (std::holds_alternative<Accepted>(judged.fate)) {
            verdict.accepted.push_back(judged.proposal);
        }
        verdict.judged.push_back(std::move(judged));
    }
    verdict.rivals = rivals_in(verdict);
    verdict.accepted.empty() ? explain_rest(verdict) : explain_choice(verdict);
    return verdict;
}

}  // namespace parley::arbitration
