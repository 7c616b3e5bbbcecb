#include "layers/arbitration/rank.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace parley::arbitration {
namespace {

using model::Proposal;
using model::Role;

bool saves_nodes(const Proposal& p) {
    return p.role == Role::safety && (std::holds_alternative<model::Replicate>(p.action) ||
                                      std::holds_alternative<model::Migrate>(p.action) ||
                                      std::holds_alternative<model::Throttle>(p.action));
}

bool protects_queue(const Proposal& p) {
    return p.role == Role::admission && (std::holds_alternative<model::Admission>(p.action) ||
                                         std::holds_alternative<model::ResourceCap>(p.action));
}

bool adds_capacity(const Proposal& p) {
    if (const auto* scale = std::get_if<model::Scale>(&p.action)) return grows(*scale);
    const auto* power = std::get_if<model::PowerState>(&p.action);
    return power != nullptr && power->state == model::PowerWish::on;
}

constexpr Rank kRanks[] = {
    {.rule = "safety-first",
     .words = "safety goes first",
     .takes = saves_nodes,
     .may_be_withheld = true},
    {.rule = "protection-first",
     .words = "admission protection goes before capacity",
     .takes = protects_queue},
    {.rule = "capacity-first",
     .words = "adding capacity goes before saving it",
     .takes = adds_capacity},
    {.rule = "best-score",
     .words = "the highest score wins",
     .takes = [](const Proposal&) { return true; },
     .yields_to_danger = true},
};

}  // namespace

std::span<const Rank> ranks() { return kRanks; }

const Rank& rank_of(const Proposal& proposal) {
    return *std::ranges::find_if(kRanks, [&](const Rank& rank) { return rank.takes(proposal); });
}

bool outranks(const Proposal& a, const Proposal& b) {
    const auto merit = [](const Proposal& p) { return std::pair(&rank_of(p) - kRanks, -p.score); };
    return merit(a) < merit(b);
}

}  // namespace parley::arbitration
