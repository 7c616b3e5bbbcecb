#include "layers/explanation/wording/wording.h"
#include "replay/why_not.h"
#include "store/run_trim.h"

#include <algorithm>

namespace parley::replay {
namespace {

/// The causes besides the first; what its own agent says is told before.
std::string others_of(const WhyNotAnswer& answer) {
    std::string out;
    for (std::size_t i = 1; i < answer.obstacles.size(); ++i) {
        const Obstacle& each = answer.obstacles[i];
        if (each.who == "agent") continue;
        std::string who = each.who;
        who.resize(std::max<std::size_t>(who.size(), 13), ' ');
        out +=
            "  " + who + "  " + each.rule + ": " + explanation::without_stop(each.because) + "\n";
    }
    return out;
}

}  // namespace

std::string text_of(const WhyNotAnswer& answer) {
    std::string out;
    for (const std::string& gap : answer.gaps) out += "Damaged: " + gap + ".\n";
    const std::string dropped = store::dropped_text(answer.dropped);
    if (!dropped.empty()) out += "Not in it: " + dropped + ".\n";
    out += answer.verdict + "\n";
    if (!answer.first_cause.empty()) out += "First cause: " + answer.first_cause + ".\n";
    for (const std::string& line : answer.own) out += "  " + line + "\n";
    if (!answer.instead.empty()) out += "  " + answer.instead + "\n";
    if (const std::string others = others_of(answer); !others.empty()) {
        out += (answer.proposed ? "It also met\n" : "It would also have met\n") + others;
    }
    const bool asked_in_vain = std::ranges::none_of(answer.obstacles, [](const Obstacle& each) {
        return each.who == "guard" || each.who == "referee" || is_configured(each.rule);
    });
    const bool absent = std::ranges::count(answer.obstacles, kNotInThisBuild, &Obstacle::rule) > 0;
    if (absent) {
        out += "Guard and referee were not asked: they judge what somebody proposes.\n";
    } else if (answer.asked_again && asked_in_vain) {
        out += "Neither guard nor referee would have stopped it.\n";
    } else if (!answer.asked_again && !answer.proposed) {
        out +=
            "What guard and referee would have said cannot be asked: the record lacks what they "
            "rest on.\n";
    }
    if (answer.other_rules) {
        out += "The run was made by other rules; guard and referee answered by those of now.\n";
    }
    const std::string held =
        answer.held_rounds == 0 ? "" : ", held in " + std::to_string(answer.held_rounds);
    out += "That is round " + std::to_string(answer.round) + ", " + answer.at +
           "; in this run it was " + "proposed in " +
           explanation::counted(static_cast<std::int64_t>(answer.proposed_rounds), "round") + held +
           " and accepted in " + std::to_string(answer.accepted_rounds) + ".\n";
    return out;
}

}  // namespace parley::replay
