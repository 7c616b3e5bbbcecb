#include "layers/explanation/answers/why_text.h"

#include "layers/explanation/wording/wording.h"
#include "store/run_trim.h"

#include <algorithm>
#include <string_view>

namespace parley::explanation {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kStepsNamed = 6;  // Of a long plan; the rest are counted.

/// Whether it was refused by a rule about missing or old data.
bool rests_on_data(const AgentRow& row) {
    constexpr std::string_view kRules[] = {"api-age", "metrics-age", "coverage",
                                           "lease",   "clock",       "warm-up"};
    return row.outcome == Outcome::refused &&
           std::ranges::find(kRules, row.rule) != std::end(kRules);
}

std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

/// Rows of agents as a table; the sentence stands last.
std::string table(const std::vector<AgentRow>& rows, bool with_wish) {
    std::size_t wish = 0;
    for (const AgentRow& row : rows) wish = std::max(wish, row.wanted.size());
    std::string out;
    for (const AgentRow& row : rows) {
        std::string line = "  " + padded(row.agent, 14);
        if (with_wish) line += padded(row.wanted, wish + 2) + padded(row.score, 6);
        std::string told = row.outcome == Outcome::idle ? row.result : row.because;
        if (!row.rule.empty()) told = row.rule + ": " + told;
        out += wrapped(line + told, line.size()) + "\n";
    }
    return out;
}

/// The names of some steps; if there are many, of the first.
std::string named(const std::vector<const SentStep*>& steps) {
    std::vector<std::string> names;
    for (const SentStep* step : steps) {
        if (names.size() < kStepsNamed) names.push_back(step->request);
    }
    if (steps.size() > kStepsNamed) {
        names.push_back(std::to_string(steps.size() - kStepsNamed) + " more");
    }
    return listed(names);
}

/// What was sent, and what was answered.
std::string answers_text(const std::vector<const SentStep*>& sent) {
    if (sent.empty()) return "nothing";
    std::size_t ok = 0;
    std::string trouble;
    for (const SentStep* step : sent) {
        if (step->fate == model::StepFate::applied) ++ok;
        const bool settled = step->ok || step->fate == model::StepFate::moot;
        if (!settled && trouble.empty()) {
            trouble = "; " + step->request + " was answered " + step->answer;
        }
    }
    std::string text = named(sent) + "; ";
    if (ok == sent.size()) return text + "all answered ok";
    return text + std::to_string(ok) + " of " + std::to_string(sent.size()) + " answered ok" +
           trouble;
}

/// What would have been sent, and what dry runs of it were answered. Refusals are told one by one:
/// which of them are to be mended is what a dry run is for.
std::string would_text(const std::vector<const SentStep*>& all) {
    std::string text = "Would have sent: " + named(all) + ".";
    std::size_t fine = 0;
    std::size_t refused = 0;
    std::string refusals;
    for (const SentStep* step : all) {
        if (step->ok) ++fine;
        if (step->ok || !step->tried || ++refused > kStepsNamed) continue;
        refusals += "; " + step->request + ": " + step->answer;
    }
    if (refused > kStepsNamed)
        refusals += "; and " + std::to_string(refused - kStepsNamed) + " more";
    if (fine + refused == 0) return text;
    return text + " Dry run: " + std::to_string(fine) + " of " + std::to_string(all.size()) +
           " would be accepted" + refusals + ".";
}

std::string sent_text(const WhyWinner& winner) {
    if (winner.row.outcome == Outcome::held)
        return "Sent: nothing, it was held: " + winner.note + ".";
    if (winner.sent.empty()) return "Sent: nothing.";
    std::vector<const SentStep*> all;
    std::vector<const SentStep*> sent;
    std::vector<const SentStep*> found;
    std::vector<const SentStep*> moot;
    std::vector<const SentStep*> rest;
    for (const SentStep& step : winner.sent) {
        all.push_back(&step);
        if (step.sent) sent.push_back(&step);
        if (step.fate == model::StepFate::found_done) {
            found.push_back(&step);
        } else if (step.fate == model::StepFate::moot) {
            moot.push_back(&step);
        } else if (!step.sent) {
            rest.push_back(&step);
        }
    }
    if (winner.row.outcome == Outcome::would) return would_text(all);
    std::string text = "Sent: " + answers_text(sent) + ".";
    if (!found.empty()) text += " Found done, so not sent: " + named(found) + ".";
    if (!moot.empty()) text += " Not carried out: " + named(moot) + "; " + moot[0]->answer + ".";
    if (rest.empty()) return text;
    text += " Not sent: " + named(rest);
    return text + (winner.note.empty() ? "." : "; " + winner.note + ".");
}

std::string winner_text(const WhyWinner& winner) {
    const char* verb = winner.row.outcome == Outcome::would  ? " would: "
                       : winner.row.outcome == Outcome::held ? " won, but is held: "
                                                             : " won: ";
    std::string out = "Agent " + winner.row.agent + verb + winner.row.wanted + ".\n";
    std::vector<std::string> lines = winner.figures;
    if (lines.empty()) {
        lines.push_back(winner.because);
        if (!winner.bound.empty()) lines.push_back(winner.bound);
    }
    for (const std::string& line : lines) out += wrapped("  " + line, 4) + "\n";
    if (!winner.signals.empty()) out += "  What spoke for it\n";
    for (const std::string& signal : winner.signals) out += "    " + signal + "\n";
    if (!winner.unknown.empty()) {
        out += wrapped("  Not seen: " + listed(winner.unknown) + ".", 4) + "\n";
    }
    return out;
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : between) + part;
    return out;
}

/// What was missing, and which agents it kept from acting.
std::string missing_text(const WhyAnswer& answer) {
    if (answer.missing.empty()) return {};
    std::string out = wrapped("Missing: " + joined(answer.missing, "; ") + ".", 2) + "\n";
    const std::vector<std::string>& still = answer.blind;
    std::vector<std::string> refused;
    for (const AgentRow& row : answer.losers) {
        if (rests_on_data(row)) refused.push_back(row.agent);
    }
    if (!still.empty()) {
        out += "  That is why " + listed(still) + (still.size() == 1 ? " was" : " were") +
               " idle: what cannot be seen is not acted on.\n";
    }
    if (!refused.empty()) {
        out += "  That is why " + listed(refused) + (refused.size() == 1 ? " was" : " were") +
               " refused: the guard lets nothing rest on it.\n";
    }
    return out;
}

std::string knew_text(const WhyAnswer& answer) {
    std::string text = "What it knew: " + joined(answer.knew, ", ");
    if (answer.knew.empty()) text += "nothing that was recorded";
    if (!answer.assumed.empty()) text += "; assumed: " + joined(answer.assumed, ", ");
    return wrapped(text + ".", 2) + "\n" + missing_text(answer);
}

std::string execution_text(const WhyWinner& winner) {
    std::string out;
    if (winner.guard_asked > 0) {
        std::string guard = "Guard: " + std::to_string(winner.guard_passed) + " of " +
                            std::to_string(winner.guard_asked) + " passed";
        if (!winner.closest.empty()) guard += "; closest: " + winner.closest;
        out += wrapped(guard + ".", 2) + "\n";
    }
    out += wrapped(sent_text(winner), 2) + "\n";
    out += wrapped("What came of it: " + winner.outcome, 2) + "\n";
    if (!winner.since.empty()) out += wrapped("Since then: " + winner.since + ".", 2) + "\n";
    return out;
}

/// Comes first, since the rest of the answer holds only for what can be read.
std::string damage_text(const WhyAnswer& answer) {
    std::string out;
    for (const std::string& gap : answer.gaps) out += wrapped("Damaged: " + gap + ".", 2) + "\n";
    const std::string dropped = store::dropped_text(answer.dropped);
    if (!dropped.empty()) out += wrapped("Not in it: " + dropped + ".", 2) + "\n";
    return out.empty() ? out : out + "\n";
}

std::string closing_text(const WhyAnswer& answer) {
    if (answer.closer.empty()) return {};
    std::string out = "\nCloser: " + answer.closer.front();
    for (std::size_t i = 1; i < answer.closer.size(); ++i)
        out += "     Against: " + answer.closer[i];
    return out + "\n";
}

std::string history_text(const WhyAnswer& answer) {
    std::string out = damage_text(answer) + wrapped(answer.headline, 2) + "\n\n";
    std::size_t width = 0;
    for (const WhyMoment& moment : answer.history) width = std::max(width, moment.at.size());
    const std::size_t kept = kFirstMoments;
    for (std::size_t i = 0; i < answer.history.size(); ++i) {
        const WhyMoment& moment = answer.history[i];
        if (i == kept && answer.left_out > 0) {
            out += "  ... " + std::to_string(answer.left_out) + " more ...\n";
        }
        const std::string round = std::to_string(moment.round);
        const std::string start =
            "  " + padded("round " + round, 13) + padded(moment.at, width) + "  ";
        out += wrapped(start + moment.text, start.size()) + "\n";
    }
    if (!answer.believed.empty()) {
        out += "\nIts risk in round " + std::to_string(answer.round) + "\n";
        for (const std::string& line : answer.believed) out += wrapped("  " + line, 4) + "\n";
    }
    if (!answer.instead.empty()) out += wrapped("Predictor: " + answer.instead + ".", 2) + "\n";
    return out + closing_text(answer);
}

std::string quiet_text(const WhyAnswer& answer) {
    // If somebody wanted something, the referee's sentence repeats the headline.
    if (answer.stopped) return wrapped(answer.rationale, 2) + "\n";
    return answer.headline + ".\n" + wrapped("  " + answer.rationale, 2) + "\n";
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent) {
    std::string out;
    std::string line = text.substr(0, text.find_first_not_of(' '));
    bool fresh = true;
    for (std::size_t at = line.size(); at < text.size();) {
        // prose: lines are broken between words, whatever they say.
        const std::size_t end = std::min(text.find(' ', at), text.size());
        std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
        const std::string word = text.substr(at, end - at);
        if (!fresh && line.size() + word.size() > kColumns) {
            while (line.ends_with(' ')) line.pop_back();
            out += line + "\n";
            line = std::string(indent, ' ');
        }
        line += word + text.substr(end, next - end);
        fresh = false;
        at = next;
    }
    while (line.ends_with(' ')) line.pop_back();
    return out + line;
}

std::string text_of(const WhyAnswer& answer) {
    if (!answer.about.empty()) return history_text(answer);
    std::string out = damage_text(answer) + "Round " + std::to_string(answer.round) + ", " +
                      answer.at + ", profile " + answer.profile + ", mode " + answer.mode + "\n\n";
    for (const WhyWinner& winner : answer.winners) out += winner_text(winner);
    if (answer.winners.empty()) out += quiet_text(answer);
    if (!answer.losers.empty()) {
        const bool lost = std::ranges::any_of(
            answer.losers, [](const AgentRow& row) { return row.outcome == Outcome::lost; });
        out += std::string("\nWho ") +
               (lost ? "lost, and to which rule" : "was refused, and by which rule") + "\n" +
               table(answer.losers, true);
    }
    if (!answer.idle.empty()) out += "\nWho wanted nothing\n" + table(answer.idle, false);
    out += "\n" + knew_text(answer);
    if (!answer.instead.empty()) out += wrapped("Predictor: " + answer.instead + ".", 2) + "\n";
    if (!answer.danger.empty()) out += wrapped("Danger: " + answer.danger + ".", 2) + "\n";
    for (const WhyWinner& winner : answer.winners) out += execution_text(winner);
    for (const std::string& each : answer.waiting) {
        out += wrapped("Waiting: " + each + ".", 2) + "\n";
    }
    for (const std::string& each : answer.disagreements) {
        out += wrapped("Shown and believed differ: " + each + ".", 2) + "\n";
    }
    for (const std::string& alarm : answer.alarms)
        out += wrapped("ALARM: " + alarm + ".", 2) + "\n";
    if (!answer.whole_run.empty()) out += "\nOver the whole run\n";
    for (const std::string& each : answer.whole_run) {
        out += wrapped("  " + without_stop(each) + ".", 4) + "\n";
    }
    return out + closing_text(answer);
}

}  // namespace parley::explanation
