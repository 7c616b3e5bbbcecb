#include "store/run_gaps.h"

#include <algorithm>

namespace parley::store {
namespace {

bool is_within(const NumberRange& part, const std::vector<NumberRange>& whole) {
    return std::ranges::any_of(whole, [&](const NumberRange& each) {
        return each.first <= part.first && part.last <= each.last;
    });
}

bool is_declared(const Damage& damage, const RunGaps& gaps) {
    const NumberRange lost{damage.first_lost, damage.last_lost};
    return std::ranges::any_of(gaps.repairs,
                               [&](const GapNote& note) { return is_within(lost, note.frames); });
}

bool is_declared(const NumberRange& rounds, const RunGaps& gaps) {
    return std::ranges::any_of(gaps.repairs,
                               [&](const GapNote& note) { return is_within(rounds, note.rounds); });
}

void add_once(std::vector<std::string>& out, std::string text) {
    if (std::ranges::count(out, text) == 0) out.push_back(std::move(text));
}

std::string text_of(const GapNote& note) {
    std::string text;
    for (const NumberRange& each : note.rounds) {
        const bool sure = note.exact || each.last < note.acknowledged;
        text +=
            (text.empty() ? "" : ", ") + std::string(sure ? "" : "at most ") + rounds_text(each);
    }
    const bool one = note.rounds.size() == 1 && note.rounds[0].first == note.rounds[0].last;
    text = text.empty() ? "no round is gone" : text + (one ? " is gone" : " are gone");
    for (const std::string& why : note.why) text += ": " + why;
    if (!note.aside.empty()) text += "; the damaged files are in " + note.aside;
    return text + "; epoch " + std::to_string(note.epoch) + " begins behind it";
}

}  // namespace

std::string rounds_text(const NumberRange& rounds) {
    if (rounds.first == rounds.last) return "round " + std::to_string(rounds.first);
    return "rounds " + std::to_string(rounds.first) + " to " + std::to_string(rounds.last);
}

std::vector<Damage> undeclared(const RunGaps& gaps) {
    std::vector<Damage> out;
    for (const Damage& each : gaps.damage) {
        const bool loses = each.first_lost <= each.last_lost;
        if (loses && !is_declared(each, gaps)) out.push_back(each);
    }
    return out;
}

std::vector<std::string> sentences(const RunGaps& gaps) {
    std::vector<std::string> out;
    for (const GapNote& note : gaps.repairs) add_once(out, text_of(note));
    for (const Damage& each : gaps.damage) {
        const bool loses = each.first_lost <= each.last_lost;
        if (!loses || !is_declared(each, gaps)) add_once(out, store::text_of(each));
    }
    for (const NumberRange& each : gaps.rounds) {
        const bool sure = gaps.exact || each != gaps.rounds.back();
        const std::string text = (sure ? "" : "at most ") + rounds_text(each) + " cannot be read";
        if (!is_declared(each, gaps)) add_once(out, text);
    }
    return out;
}

}  // namespace parley::store
