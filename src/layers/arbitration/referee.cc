#include "layers/arbitration/referee.h"

#include "guard/pods.h"
#include "layers/arbitration/holdout.h"
#include "layers/arbitration/order.h"
#include "layers/arbitration/prototype.h"
#include "layers/arbitration/rank.h"
#include "model/hindrance.h"

#include <algorithm>
#include <map>
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

/// The fate it has regardless of the others; nothing: it is ranked. Fills the guard's report.
std::optional<Fate> fate_alone(const guard::Facts& facts, const Proposal& p,
                               model::GuardReport& report) {
    if (changes_nothing(p.action)) return Idle{p.because};
    if (!has_finite_score(p)) return score_refused();
    guard::Answer answer = guard::ask(facts, p);
    report = std::move(answer.report);
    if (answer.refused) return std::move(*answer.refused);
    return std::nullopt;
}

/// Why no capacity may be removed now; nothing: it may be.
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

/// What was accepted so far. A thousand scalings may be, so nothing is looked for one by one.
class Chosen {
public:
    explicit Chosen(const guard::Facts& facts) : facts_(&facts), beside_(facts) {}

    const std::vector<Proposal>& all() const { return all_; }

    void accept(const Proposal& p) {
        const std::size_t place = all_.size();
        all_.push_back(p);
        beside_.accept(p);
        targets_.emplace(p.target, place);
        pace_of(p.action) == model::Pace::scaling ? ++scales_ : ++others_;
        if (const auto* workload = std::get_if<model::WorkloadId>(&p.target)) {
            workloads_.emplace(facts_->slot_of(*workload), place);
        }
        const auto* node = std::get_if<model::NodeId>(&p.target);
        if (node == nullptr) return;
        for (const guard::Tenant& tenant :
             guard::tenants_of(facts_->snapshot(), facts_->slot_of(*node))) {
            tenants_.emplace(tenant.workload, place);
        }
    }

    /// One accepted that changes what this one wants to change: the same target, or a workload with
    /// pods on the node that is the other's. Null: none does.
    const Proposal* rival_of(const Proposal& p) const {
        if (const auto same = targets_.find(p.target); same != targets_.end()) {
            return &all_[same->second];
        }
        if (const auto* workload = std::get_if<model::WorkloadId>(&p.target)) {
            const auto moved = tenants_.find(facts_->slot_of(*workload));
            return moved == tenants_.end() ? nullptr : &all_[moved->second];
        }
        const auto* node = std::get_if<model::NodeId>(&p.target);
        if (node == nullptr) return nullptr;
        for (const guard::Tenant& tenant :
             guard::tenants_of(facts_->snapshot(), facts_->slot_of(*node))) {
            const auto scaled = workloads_.find(tenant.workload);
            if (scaled != workloads_.end()) return &all_[scaled->second];
        }
        return nullptr;
    }

    std::int32_t count(model::Pace pace) const {
        return pace == model::Pace::scaling ? scales_ : others_;
    }

    const guard::Beside& beside() const { return beside_; }

private:
    const guard::Facts* facts_;
    guard::Beside beside_;
    std::vector<Proposal> all_;
    std::map<model::Target, std::size_t> targets_;  ///< To places in all_, here and below.
    std::map<Slot, std::size_t> workloads_;         ///< Targets that are workloads, by slot.
    std::map<Slot, std::size_t> tenants_;           ///< Workloads with pods on accepted nodes.
    std::int32_t scales_ = 0;
    std::int32_t others_ = 0;
};

/// Its fate once all that rank before it have theirs.
Fate fate_among(const Chosen& chosen, const Proposal& p, const std::optional<std::string>& danger,
                std::int32_t max) {
    if (danger && rank_of(p).yields_to_danger) {
        return Overridden{"danger-blocks-efficiency", Role::safety, *danger};
    }
    if (const Proposal* rival = chosen.rival_of(p)) {
        return Overridden{
            "same-target", rival->role,
            agent(*rival) + " already changes " + text_of(p.target) + ": " + wish_of(*rival)};
    }
    const std::vector<Proposal>& accepted = chosen.all();
    const model::Pace pace = pace_of(p.action);
    if (chosen.count(pace) >= max) {
        const Role by = accepted.empty() ? p.role : accepted.front().role;
        return Overridden{pace == model::Pace::scaling ? model::kScaleLimit : model::kActionLimit,
                          by,
                          model::a_round_text(max) +
                              (accepted.empty() ? ""
                                                : ", and " + agent(accepted.front()) +
                                                      " came first: " + wish_of(accepted.front()))};
    }
    if (auto too_much = chosen.beside().ask(p)) return *std::move(too_much);
    return Accepted{};
}

/// Says which proposal won, by which rule, over whom.
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

/// Says why nothing is done. The last one judged ranked lowest; every ranked one lost to danger or
/// to a limit of zero actions.
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
    std::ranges::sort(proposals, before);  // So that nothing depends on which agent answered first.
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
    Chosen chosen(facts);
    for (Judged& judged : contenders) {
        const bool scales = pace_of(judged.proposal.action) == model::Pace::scaling;
        judged.fate =
            fate_among(chosen, judged.proposal, danger, scales ? scales_max_ : actions_max_);
        if (std::holds_alternative<Accepted>(judged.fate)) chosen.accept(judged.proposal);
        verdict.judged.push_back(std::move(judged));
    }
    verdict.accepted = chosen.all();
    verdict.rivals = rivals_in(verdict);
    verdict.accepted.empty() ? explain_rest(verdict) : explain_choice(verdict);
    return verdict;
}

}  // namespace parley::arbitration
