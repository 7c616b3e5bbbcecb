#include "layers/arbitration/prototype.h"

#include "layers/arbitration/order.h"
#include "model/hindrance.h"

#include <algorithm>
#include <utility>

namespace parley::arbitration {
namespace {

using model::Judged;
using model::Proposal;
using model::Role;
using model::Verdict;

bool is_noop(const Proposal& p) { return std::holds_alternative<model::Noop>(p.action); }

/// Earlier ones go first. Scaling came after the prototype, so it is not listed and goes last.
constexpr Role kPrecedence[] = {Role::safety, Role::admission, Role::efficiency};

/// The lower value goes first.
using Merit = std::pair<const Role*, double>;
Merit by_score(const Proposal& p) { return {kPrecedence, -p.score}; }
Merit by_precedence(const Proposal& p) {
    return {std::ranges::find(kPrecedence, p.role), -p.score};
}

bool protects_nodes(const Proposal& p) {
    return p.role == Role::safety && (std::holds_alternative<model::Migrate>(p.action) ||
                                      std::holds_alternative<model::Replicate>(p.action) ||
                                      std::holds_alternative<model::Throttle>(p.action));
}

bool protects_queue(const Proposal& p) {
    return p.role == Role::admission && !changes_nothing(p.action) &&
           (std::holds_alternative<model::Admission>(p.action) ||
            std::holds_alternative<model::ResourceCap>(p.action));
}

bool saves(const Proposal& p) {
    return std::holds_alternative<model::PowerState>(p.action) ||
           std::holds_alternative<model::Dvfs>(p.action) ||
           std::holds_alternative<model::MemoryBalloon>(p.action);
}

/// One step of the prototype's rules: which proposals it may choose, and the sentence.
struct Rung {
    const char* rule;
    bool (*takes)(const Proposal&);
    Merit (*merit)(const Proposal&);
    std::string (*rationale)(const Proposal& winner);
    std::string (*to_losers)(const Proposal& winner);
};

const Rung kRungs[] = {
    {"safety-first", protects_nodes, by_score,
     [](const Proposal& w) { return wish_of(w) + " of A safety preempts lower priorities."; },
     [](const Proposal& w) { return "the safety action " + wish_of(w) + " comes first"; }},
    {"protection-first", protects_queue, by_score,
     [](const Proposal& w) { return wish_of(w) + " of C admission preempts efficiency."; },
     [](const Proposal&) -> std::string { return "protection beats non-safety"; }},
    {"efficiency-by-score", saves, by_score,
     [](const Proposal& w) { return wish_of(w) + " has the highest score of efficiency actions."; },
     [](const Proposal&) -> std::string { return "a higher-scored power action won"; }},
    {"fixed-priority", [](const Proposal& p) { return !is_noop(p); }, by_precedence,
     [](const Proposal& w) { return wish_of(w) + " wins by fixed priority."; },
     [](const Proposal&) -> std::string { return "lower precedence"; }},
    {model::kAllIdle, [](const Proposal&) { return true; }, by_precedence,
     [](const Proposal&) -> std::string { return "All agents are idle."; },
     [](const Proposal&) -> std::string { return "all are idle"; }},
};

/// The best proposal of a step, the first among equals; null: the step takes none.
const Proposal* best(const std::vector<Proposal>& proposals, const Rung& rung) {
    const Proposal* found = nullptr;
    for (const Proposal& p : proposals) {
        if (rung.takes(p) && (found == nullptr || rung.merit(p) < rung.merit(*found))) found = &p;
    }
    return found;
}

Judged judged(const guard::Facts& facts, const Proposal& p, model::Fate fate) {
    guard::Answer answer = guard::ask(facts, p);
    answer.report.held = std::move(answer.refused);
    return {p, std::move(fate), std::move(answer.report)};
}

void choose(Verdict& verdict, const guard::Facts& facts, const std::vector<Proposal>& proposals,
            const Proposal& winner, const Rung& rung) {
    std::vector<Judged> losers;
    for (const Proposal& p : proposals) {
        if (&p == &winner) continue;
        if (is_noop(p)) {
            verdict.judged.push_back(judged(facts, p, model::Idle{p.because}));
        } else {
            losers.push_back(judged(
                facts, p, model::Overridden{rung.rule, winner.role, rung.to_losers(winner)}));
        }
    }
    verdict.judged.push_back(judged(facts, winner, model::Accepted{}));
    if (!changes_nothing(winner.action)) verdict.accepted.push_back(winner);
    std::ranges::move(losers, std::back_inserter(verdict.judged));
    verdict.rule = rung.rule;
    verdict.rationale = rung.rationale(winner);
}

}  // namespace

Verdict judge_prototype(const guard::Facts& facts, std::vector<Proposal> proposals) {
    std::ranges::sort(proposals, before);  // So that nothing depends on which agent answered first.
    Verdict verdict{.round = facts.round()};
    std::vector<Proposal> sound;
    for (Proposal& p : proposals) {
        if (has_finite_score(p)) {
            sound.push_back(std::move(p));
        } else {
            verdict.judged.push_back({std::move(p), score_refused(), {}});
        }
    }
    if (sound.empty()) {
        verdict.rule = model::kNothingProposed;
        verdict.rationale = "Nothing was proposed.";
        return verdict;
    }
    for (const Rung& rung : kRungs) {
        if (const Proposal* winner = best(sound, rung)) {
            choose(verdict, facts, sound, *winner, rung);
            break;
        }
    }
    verdict.rivals = rivals_in(verdict);
    if (!verdict.accepted.empty()) {
        verdict.contest =
            verdict.rivals > 0 ? model::Contest::contested : model::Contest::uncontested;
    }
    return verdict;
}

}  // namespace parley::arbitration
