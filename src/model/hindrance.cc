#include "model/hindrance.h"

namespace parley::model {

std::string a_round_text(std::int32_t actions_max) {
    return std::to_string(actions_max) + " a round";
}

std::string wish_of(const Action& action, const Target& target) {
    const bool cluster = std::holds_alternative<WholeCluster>(target);
    return text_of(action) + (cluster ? "" : " " + text_of(target));
}

std::string wish_of(const Proposal& proposal) { return wish_of(proposal.action, proposal.target); }

const Judged* hindered(const Verdict& verdict) {
    const bool nobody = verdict.rule == kAllIdle || verdict.rule == kNothingProposed;
    if (nobody || verdict.judged.empty() || chosen(verdict) != nullptr) return nullptr;
    if (std::holds_alternative<Overridden>(verdict.judged.back().fate)) {
        return &verdict.judged.back();
    }
    for (const Judged& judged : verdict.judged) {
        if (std::holds_alternative<Refused>(judged.fate)) return &judged;
    }
    return nullptr;
}

std::string hindrance_text(const Judged& judged) {
    const std::string wanted =
        std::string(title_of(judged.proposal.role)) + " wanted " + wish_of(judged.proposal) + ", ";
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) {
        return wanted + "overruled by " + lost->rule + ": " + lost->because + ".";
    }
    const auto* refused = std::get_if<Refused>(&judged.fate);
    if (refused == nullptr) return {};
    return wanted + "refused by " + refused->rule + ": " + refused->because + ".";
}

}  // namespace parley::model
