#include "layers/explanation/telling/narrator.h"

#include "base/number.h"
#include "layers/explanation/telling/brief.h"
#include "layers/explanation/telling/follow.h"
#include "layers/explanation/wording/configured.h"
#include "layers/explanation/wording/lines.h"
#include "layers/explanation/wording/wording.h"
#include "model/hindrance.h"

#include <algorithm>
#include <cctype>

namespace parley::explanation {

using namespace model;

namespace {

std::string title(Role role) { return std::string(title_of(role)); }
std::string letter(Role role) { return std::string(1, letter_of(role)); }

/// The action that an accepted proposal became in this round; null: none.
const OpenAction* begun(const Decision& decision, const Proposal& proposal) {
    for (const Step& step : decision.first_steps) {
        const OpenAction& action = step.action;
        const bool same = action.round == decision.round && action.role == proposal.role &&
                          action.action == proposal.action && action.target == proposal.target;
        if (same) return &action;
    }
    return nullptr;
}

}  // namespace

Outcome outcome_of(const Decision& decision, const Judged& judged) {
    if (std::holds_alternative<Overridden>(judged.fate)) return Outcome::lost;
    if (std::holds_alternative<Refused>(judged.fate)) return Outcome::refused;
    if (std::holds_alternative<Idle>(judged.fate)) return Outcome::idle;
    if (std::holds_alternative<Noop>(judged.proposal.action)) return Outcome::idle;
    const OpenAction* action = begun(decision, judged.proposal);
    if (action == nullptr) return Outcome::accepted;
    if (action->state == ActionState::would_send) return Outcome::would;
    return action->state == ActionState::held ? Outcome::held : Outcome::accepted;
}

namespace {

/// What agent C has begun to give back, or goes on with; null: nothing.
const OpenAction* given_back(const Decision& decision) {
    for (const Step& step : decision.first_steps) {
        const bool of_order = step.action.role == Role::admission && step.action.undoing;
        if (of_order && !step.action.undo.empty()) return &step.action;
    }
    return nullptr;
}

}  // namespace

std::string giving_back(const Decision& decision) {
    const OpenAction* action = given_back(decision);
    if (action == nullptr) return {};
    const bool frees = std::holds_alternative<ResumeJob>(action->undo.front());
    return title(Role::admission) +
           (frees ? " frees Jobs" : " lifts its order of round " + std::to_string(action->round));
}

std::string rationale_of(const Decision& decision) {
    const std::string& said = decision.verdict.rationale;
    const OpenAction* action = given_back(decision);
    if (action == nullptr || decision.verdict.rule != kAllIdle) return said;
    return giving_back(decision) + (action->note.empty() ? "" : ": " + action->note) + ".";
}

namespace {

/// No build has scaling yet: the proposal in its place says so.
bool absent(const Proposal& proposal) { return !in_this_build(proposal.role); }

std::string sentence(std::string text) {
    if (text.empty()) return text;
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text.ends_with('.') ? text : text + ".";
}

/// The recorded sentence, shortened if `briefly` is given.
std::string words(const std::string& recorded, const Judged& judged, const Told* briefly) {
    return briefly != nullptr ? brief(recorded, *briefly, judged) : recorded;
}

/// Why those who want nothing do so.
std::string idle_reasons(const Verdict& verdict, const Told* briefly) {
    std::string text;
    for (const Role role : kRoles) {
        if (!in_this_build(role)) continue;
        for (const Judged& judged : verdict.judged) {
            const auto* idle = std::get_if<Idle>(&judged.fate);
            if (idle == nullptr || judged.proposal.role != role || idle->because.empty()) continue;
            if (briefly != nullptr && !text.empty()) continue;
            text += (text.empty() ? "" : " ") + title(role) + ": " +
                    sentence(words(idle->because, judged, briefly));
        }
    }
    return text;
}

/// Why nothing was accepted.
std::string rest_reason(const Decision& decision, const Told* briefly) {
    const Verdict& verdict = decision.verdict;
    const Judged* stopped = hindered(verdict);
    // The headline already says that nothing is done.
    std::string text = stopped != nullptr ? words(hindrance_text(*stopped), *stopped, briefly)
                                          : rationale_of(decision);
    const std::string idle = idle_reasons(verdict, briefly);
    if (!idle.empty()) text += (text.empty() ? "" : " ") + idle;
    return text;
}

/// Why the first accepted proposal is carried out.
std::string choice_reason(const Verdict& verdict, const Told* briefly) {
    const Proposal& first = verdict.accepted.front();
    const auto judged = std::ranges::find(verdict.judged, first, &Judged::proposal);
    if (judged == verdict.judged.end()) return sentence(first.because);
    return sentence(words(first.because, *judged, briefly));
}

Reason parts_of(const Decision& decision, const Told* briefly) {
    const Verdict& verdict = decision.verdict;
    if (verdict.accepted.empty()) return {.why = rest_reason(decision, briefly)};
    Reason out{.why = choice_reason(verdict, briefly)};
    const auto losers = overruled(verdict);
    if (!losers.empty()) out.overruled = "Overruled " + listed(losers) + ".";
    return out;
}

std::string lost_text(const Overridden& lost, const Policy& policy) {
    std::string text = "lost: " + lost.rule;
    if (lost.rule == "same-target") return text + " as " + letter(lost.by);
    if (lost.rule == "danger-blocks-efficiency" || lost.because.empty()) return text;
    return text + ", " +
           (lost.rule == kActionLimit ? a_round_text(policy.actions_per_round_max) : lost.because);
}

std::string accepted_text(const Told& told, const Proposal& proposal) {
    const OpenAction* action = begun(told.decision, proposal);
    if (action == nullptr) {
        return changes_nothing(proposal.action) ? "accepted, nothing to send" : "accepted";
    }
    if (action->state == ActionState::held) return "held: " + action->note;
    if (action->state == ActionState::failed) return "accepted, " + action->note;
    Follower follower(*action);
    for (const ActionEvent& event : told.events) follower.take(event);
    if (action->state == ActionState::would_send) {
        const std::string tried = follower.rehearsed();
        return "would: send " + counted(follower.total(), "request") +
               (tried.empty() ? "" : "; dry run: " + tried);
    }
    if (told.events.empty()) return "accepted";
    return "accepted, " + follower.text();
}

std::string result_of(const Told& told, const Judged& judged) {
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) {
        return lost_text(*lost, told.policy);
    }
    if (const auto* refused = std::get_if<Refused>(&judged.fate)) {
        return "refused: " + refused->rule + ", " +
               refusal_text(*refused, judged.proposal.action, told.policy);
    }
    const bool noop = std::holds_alternative<Noop>(judged.proposal.action);
    if (std::holds_alternative<Accepted>(judged.fate) && !noop) {
        return accepted_text(told, judged.proposal);
    }
    const auto* idle = std::get_if<Idle>(&judged.fate);
    const std::string& because = idle != nullptr ? idle->because : judged.proposal.because;
    if (absent(judged.proposal)) return because;
    return because.empty() ? "idle" : "idle: " + because;
}

std::string rule_of(const Judged& judged) {
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) return lost->rule;
    const auto* refused = std::get_if<Refused>(&judged.fate);
    return refused != nullptr ? refused->rule : std::string();
}

std::string because_of(const Told& told, const Judged& judged) {
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) return lost->because;
    if (const auto* refused = std::get_if<Refused>(&judged.fate)) {
        return refusal_text(*refused, judged.proposal.action, told.policy);
    }
    return judged.proposal.because;
}

AgentRow row_of(const Told& told, const Judged& judged) {
    const Proposal& p = judged.proposal;
    const bool wants = !std::holds_alternative<Noop>(p.action);
    AgentRow row{.role = p.role,
                 .agent = title(p.role),
                 .wanted = wants ? wish_text(p) : "-",
                 .score = wants ? share_text(p.score) : "-",
                 .evidence = evidence_text(p.evidence),
                 .acts = bound_text(p.evidence),
                 .outcome = outcome_of(told.decision, judged),
                 .result = result_of(told, judged),
                 .rule = rule_of(judged),
                 .because = because_of(told, judged)};
    if (judged.guard.asked > 0) {
        row.guard =
            std::to_string(judged.guard.passed) + " of " + std::to_string(judged.guard.asked);
    }
    return row;
}

/// Order of outcomes: accepted, would and held first; then lost, refused, idle.
int place_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::accepted:
        case Outcome::held:
        case Outcome::would:
            return 0;
        case Outcome::lost:
            return 1;
        case Outcome::refused:
            return 2;
        case Outcome::idle:
            break;
    }
    return 3;
}

}  // namespace

std::string cost_words(const Cost& cost, std::string_view between,
                       const std::vector<LineGap>& uncounted) {
    std::string text;
    for (const Role role : kRoles) {
        if (!in_this_build(role) && cost[role] == 0) continue;
        if (!text.empty()) text += between;
        text += letter(role) + " ";
        text += any_counted(uncounted, role) ? earned(cost[role]) : "not known";
    }
    return text;
}

std::string headline(const Decision& decision) {
    std::string text;
    for (const Judged& judged : decision.verdict.judged) {
        const bool accepted = std::holds_alternative<Accepted>(judged.fate);
        if (!accepted || changes_nothing(judged.proposal.action)) continue;
        const Outcome outcome = outcome_of(decision, judged);
        const char* verb = outcome == Outcome::would  ? " would: "
                           : outcome == Outcome::held ? " won, but is held: "
                                                      : " won: ";
        text += (text.empty() ? "" : "; ") + title(judged.proposal.role) + verb +
                wish_text(judged.proposal);
    }
    if (!text.empty()) return text;
    const auto& judged = decision.verdict.judged;
    for (auto each = judged.rbegin(); each != judged.rend(); ++each) {
        if (const auto* lost = std::get_if<Overridden>(&each->fate)) {
            return "Nothing is done: " + title(each->proposal.role) + " lost, " + lost->rule;
        }
    }
    for (const Judged& each : judged) {
        if (const auto* refused = std::get_if<Refused>(&each.fate)) {
            return "Nothing is done: " + title(each.proposal.role) + " is refused, " +
                   refused->rule;
        }
    }
    const std::string back = giving_back(decision);
    return back.empty() ? "Nothing to do" : back;
}

Reason reason_of(const Decision& decision) { return parts_of(decision, nullptr); }

Reason brief_reason_of(const Told& told) { return parts_of(told.decision, &told); }

std::string reason(const Decision& decision) {
    const Reason parts = reason_of(decision);
    return parts.why + (parts.overruled.empty() ? "" : " " + parts.overruled);
}

std::vector<JudgedRow> judged_rows(const Told& told) {
    std::vector<JudgedRow> rows;
    for (int place = 0; place <= place_of(Outcome::idle); ++place) {
        for (const Judged& judged : told.decision.verdict.judged) {
            if (place_of(outcome_of(told.decision, judged)) != place) continue;
            rows.push_back({row_of(told, judged), &judged});
        }
    }
    return rows;
}

std::vector<AgentRow> agent_rows(const Told& told) {
    std::vector<AgentRow> rows;
    for (JudgedRow& each : judged_rows(told)) rows.push_back(std::move(each.row));
    return rows;
}

std::vector<std::string> overruled(const Verdict& verdict) {
    std::vector<std::string> letters;
    for (const Judged& judged : verdict.judged) {
        const bool lost = std::holds_alternative<Overridden>(judged.fate);
        std::string who = letter(judged.proposal.role);
        if (!lost || changes_nothing(judged.proposal.action)) continue;
        if (std::ranges::find(letters, who) == letters.end()) letters.push_back(std::move(who));
    }
    return letters;
}

char strip_letter(const Verdict& verdict) {
    if (verdict.accepted.empty()) return '.';
    const char winner = letter_of(verdict.accepted.front().role);
    if (!overruled(verdict).empty()) return winner;
    return static_cast<char>(std::tolower(static_cast<unsigned char>(winner)));
}

std::string decision_line(const Decision& decision) {
    const Verdict& verdict = decision.verdict;
    if (verdict.accepted.empty()) return headline(decision);
    std::string text;
    for (const Proposal& accepted : verdict.accepted) {
        text += (text.empty() ? "" : "; ") + letter(accepted.role) + " " + wish_text(accepted);
    }
    const auto losers = overruled(verdict);
    if (losers.empty()) return text + ", uncontested";
    text += ", over ";
    for (std::size_t i = 0; i < losers.size(); ++i) text += (i > 0 ? ", " : "") + losers[i];
    return text;
}

std::string score_line(const ClosedScore& score) {
    const std::string round = " in round " + std::to_string(score.round);
    if (score.state == ScoreState::missing) {
        return "not known" + round + ": " + score.because;
    }
    if (score.state == ScoreState::open) {
        return "still open" + round + (score.because.empty() ? "" : ": " + score.because);
    }
    if (score.state == ScoreState::censored) return "censored" + round + ": " + score.because;
    const std::vector<LineGap> out = left_out(score);
    std::string text = cost_words(score.advantage, "  ", out) + "  total " +
                       earned(score.advantage.total()) + round + without_text(out);
    if (score.twin_error) {
        text += ", twin " + earned(score.advantage.total() + score.twin_error->total());
    }
    if (score.state == ScoreState::estimated) text += " (estimated, " + likely_text(score) + ")";
    if (score.state == ScoreState::would) text += " (would: the twin's, nothing was sent)";
    if (score.cut) text += " (cut by a later action)";
    return text;
}

std::string round_score_line(const RoundScore& score) {
    if (const std::string few = too_little_read(score.leaves, score.missing); !few.empty()) {
        return "not known: " + few;
    }
    std::string lines;
    for (const Role role : kRoles) {
        lines += (lines.empty() ? "" : ", ") + letter(role) + " ";
        lines += any_counted(score.uncounted, role) ? earned(-score.cost[role]) : "not known";
    }
    std::string text =
        earned_minutes(score.score) + " (" + lines + ")" + without_text(score.uncounted);
    if (!score.ours) text += ", not ours";
    if (score.missing > 0) text += ", " + counted(score.missing, "reading") + " missing";
    if (score.settled > 0) {
        text += ", with " + counted(score.settled, "reading") + " that earlier rounds missed";
    }
    return text;
}

}  // namespace parley::explanation
