#include "guard/allowance_rules.h"

#include "base/time_text.h"

#include <algorithm>

namespace parley::guard {
namespace {

using model::OpenAction;

Ruling breaker_rule(Question& q) { return by(breaker_forbids(q.facts, q.slot)); }

Ruling one_drain_rule(Question& q) {
    const auto& open = q.facts.ledger().open;
    const auto running = std::ranges::find_if(open, [](const OpenAction& action) {
        return disruptive(action.action) && on_its_way(action) && !action.undoing;
    });
    if (running == open.end()) return pass();
    return refuse("one disruptive action at a time: " + text_of(running->action) + " " +
                  text_of(running->target) + " is on its way");
}

/// Whatever the allowance says, two Ready nodes stay.
Ruling floor_rule(Question& q) {
    constexpr int kLeast = 2;
    const int others = q.facts.census().ready - (q.node->ready == model::Readiness::yes ? 1 : 0);
    const std::string text = "other Ready nodes: " + std::to_string(others) + ", " +
                             std::to_string(kLeast) + " must stay";
    if (others < kLeast) return refuse(text);
    return pass(static_cast<double>(others - kLeast) / others, text);
}

/// A node that we put to sleep is out of service until somebody wakes it: who wants to put another
/// there answers for all of them. Safety does not: nothing runs on a sleeping node that could
/// suffer twice.
Ruling allowance_rule(Question& q) {
    const Census& census = q.facts.census();
    const int asleep = powers_down(q) ? census.asleep : 0;
    const int nodes = census.nodes + asleep;
    const int others_ready = census.ready - (q.node->ready == model::Readiness::yes ? 1 : 0);
    const bool all_others = others_ready == nodes - 1;
    const int allowed = allowance(nodes, all_others, q.facts.rules());
    const int would =
        census.disrupted + asleep + (disrupted_by_us(*q.node, q.facts.ledger()) ? 0 : 1);
    const std::string what =
        asleep > 0 ? "nodes disrupted or asleep" : std::string("nodes disrupted");
    if (would > allowed) {
        return refuse(what + " would be " + std::to_string(would) + " of " + std::to_string(nodes) +
                      "; " + std::to_string(allowed) + (allowed == 1 ? " is" : " are") +
                      " allowed" + (allowed == 0 ? " while another node is not Ready" : ""));
    }
    return pass(room_below(would, allowed), what + ": " + of_allowed(would, allowed));
}

constexpr Rule kRules[] = {
    {"breaker", takes_away, breaker_rule},
    {"one-at-a-time", disrupts, one_drain_rule},
    {"ready-floor", disrupts, floor_rule},
    {"allowance", disrupts, allowance_rule},
};

}  // namespace

std::span<const Rule> allowance_rules() { return kRules; }

std::string breaker_forbids(const Facts& facts, Slot target) {
    const model::Breaker& breaker = facts.ledger().breaker;
    if (breaker.tripped) {
        return "the breaker has been tripped for " + print_age(facts.now() - breaker.since) + ": " +
               breaker.because;
    }
    const std::string why = too_many_bad(facts.census(), facts.snapshot(), target, facts.rules());
    return why.empty() ? why : "the breaker forbids it: " + why;
}

}  // namespace parley::guard
