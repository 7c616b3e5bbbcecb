#include "layers/arbitration/order.h"

#include "base/codec.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <utility>

namespace parley::arbitration {

using model::Proposal;

bool before(const Proposal& a, const Proposal& b) {
    // For two proposals with the same target, the kind is the first difference in their encodings.
    const auto place = [](const Proposal& p) { return std::pair(p.role, p.target); };
    const auto order = place(a) <=> place(b);
    return std::is_eq(order) ? encode(a) < encode(b) : std::is_lt(order);
}

std::string in_words(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) out += i + 1 < names.size() ? ", " : " and ";
        out += names[i];
    }
    return out;
}

std::int32_t rivals_in(const model::Verdict& verdict) {
    return static_cast<std::int32_t>(
        std::ranges::count_if(verdict.judged, [](const model::Judged& judged) {
            return std::holds_alternative<model::Overridden>(judged.fate) &&
                   !changes_nothing(judged.proposal.action);
        }));
}

bool has_finite_score(const Proposal& proposal) { return std::isfinite(proposal.score); }

model::Refused score_refused() { return {"finite-score", "its score is not a finite number"}; }

}  // namespace parley::arbitration
