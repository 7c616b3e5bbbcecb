#include "guard/pace_rules.h"

#include "base/time_text.h"
#include "model/hysteresis.h"

#include <algorithm>

namespace parley::guard {
namespace {

using model::OpenAction;

std::string of_allowed(std::int64_t value, std::int64_t limit) {
    return std::to_string(value) + " of " + std::to_string(limit) + " allowed";
}

Ruling maintenance_rule(Question& q) {
    if (!under_maintenance(*q.node)) return pass();
    return refuse(q.node->id.text() + " is under maintenance by someone else");
}

Ruling control_plane_rule(Question& q) {
    if (q.node->role != model::NodeRole::control_plane) return pass();
    return refuse(q.node->id.text() + " belongs to the control plane");
}

/// Doing it again would take the state that we made for the one to come back to.
Ruling already_rule(Question& q) {
    const std::string name = q.node->id.text();
    const bool out = disrupts(q) && q.node->quarantined;
    const bool throttled = is<model::Throttle>(q) && q.node->avoided;
    if (out || throttled) {
        return refuse(name + " is already " + (out ? "quarantined" : "throttled"));
    }
    const auto* power = std::get_if<model::PowerState>(&q.action);
    if (power != nullptr && enum_name(power->state) == enum_name(q.node->power)) {
        return refuse(name + " is already " + std::string(enum_name(power->state)));
    }
    const auto* dvfs = std::get_if<model::Dvfs>(&q.action);
    if (dvfs != nullptr && q.node->clock_ppm <= dvfs->clock_ppm) {
        return refuse("the clock of " + name + " is already at " +
                      std::to_string(q.node->clock_ppm / 10'000) + "%");
    }
    return pass();
}

Ruling owner_rule(Question& q) {
    if (q.workload->scale_owner == model::ScaleOwner::nobody) return pass();
    return refuse("the replicas of " + q.workload->id.text() + " are set by " +
                  (q.workload->scale_owner == model::ScaleOwner::hpa ? "an HPA" : "someone else"));
}

bool on_its_way(const OpenAction& action) { return !is_final(action.state); }

Ruling open_action_rule(Question& q) {
    const auto& open = q.facts.ledger().open;
    const auto found = std::ranges::find_if(open, [&](const OpenAction& action) {
        return action.target == q.target && on_its_way(action);
    });
    if (found == open.end()) return pass();
    return refuse(text_of(found->action) + " of round " + std::to_string(found->round) +
                  " is still on its way for " + text_of(q.target));
}

/// Saving may use half of the ledger: the rest stays for what cannot wait.
Ruling ledger_room_rule(Question& q) {
    const auto limit =
        static_cast<std::int64_t>(saves(q.action) ? model::kOpenMax / 2 : model::kOpenMax);
    const auto open = static_cast<std::int64_t>(q.facts.ledger().open.size());
    if (open >= limit) return refuse("actions whose effect stands: " + of_allowed(open, limit));
    return pass();
}

/// Disruptive kinds share one cool-down: a node that was replicated is not drained next.
bool cools(const model::CoolDown& cool_down, const Question& q) {
    using enum model::ActionKind;
    const auto removes = [](model::ActionKind kind) {
        return kind == replicate || kind == migrate || kind == power_state;
    };
    const bool same_kind = cool_down.kind == kind_of(q.action);
    return cool_down.target == q.target && (same_kind || (removes(cool_down.kind) && disrupts(q)));
}

Ruling cool_down_rule(Question& q) {
    TimePoint until = q.facts.now();
    for (const model::CoolDown& cool_down : q.facts.ledger().cool_downs) {
        if (cools(cool_down, q)) until = std::max(until, cool_down.until);
    }
    if (until == q.facts.now()) return pass();
    return refuse(text_of(q.target) + " cools down for another " +
                  print_age(until - q.facts.now()));
}

/// Saving may use half of what an hour allows: the rest stays for safety.
Ruling rate_rule(Question& q) {
    const int all = q.facts.rules().disruptions_per_hour_max;
    const int limit = powers_down(q) ? all / 2 : all;
    const auto begun = std::ranges::count_if(q.facts.ledger().spent, [&](const model::Spend& s) {
        return s.at > q.facts.now() - hours(1);
    });
    const std::string text = "disruptive actions begun in the last hour: ";
    if (begun >= limit) return refuse(text + of_allowed(begun, limit));
    return pass(room_below(static_cast<double>(begun + 1), limit),
                text + of_allowed(begun + 1, limit));
}

/// One power-down, then a look at what came of it.
Ruling power_pace_rule(Question& q) {
    const Duration apart = q.facts.rules().power_down_apart;
    for (const model::Spend& spend : q.facts.ledger().spent) {
        const Duration ago = q.facts.now() - spend.at;
        if (spend.kind != model::ActionKind::power_state || ago >= apart) continue;
        return refuse("the last power-down was " + print_age(ago) + " ago; " + print_age(apart) +
                      " must lie between two");
    }
    return pass();
}

Ruling drains_rule(Question& q) {
    const int limit = q.facts.rules().drains_per_node_day_max;
    const auto begun = std::ranges::count_if(q.facts.ledger().spent, [&](const model::Spend& s) {
        return s.target == q.target && s.at > q.facts.now() - hours(24);
    });
    const std::string text = "drains of " + text_of(q.target) + " in a day: ";
    if (begun >= limit) return refuse(text + of_allowed(begun, limit));
    return pass(room_below(static_cast<double>(begun + 1), limit),
                text + of_allowed(begun + 1, limit));
}

Ruling held_for(const std::string& what, int rounds, int of, int needed) {
    const std::string text = what + ": " + std::to_string(rounds) + " of the last " +
                             std::to_string(of) + ", " + std::to_string(needed) + " needed";
    if (rounds < needed) return refuse(text);
    return pass(static_cast<double>(rounds - needed) / of, text);
}

/// Each round counts that brought something new: one sample, seen twice, is one.
Ruling hysteresis_rule(Question& q) {
    const model::NodeFold* fold = q.facts.fold_of(q.slot);
    const model::Policy& policy = q.facts.policy();
    if (rests_on_risk(q)) {
        const int over = fold == nullptr ? 0 : model::rounds_over(*fold, policy.stakes);
        return held_for("rounds over its own risk limit", over, policy.stakes.rounds_of,
                        policy.stakes.rounds_over);
    }
    const bool forecast = !q.facts.forecast().demand.model.empty();
    const model::EfficiencyRules& rules = policy.efficiency;
    const int idle = fold == nullptr ? 0 : model::rounds_idle(*fold, rules, forecast);
    return held_for("rounds with so little use", idle, rules.rounds_of, rules.rounds_idle);
}

bool needs_hysteresis(const Question& q) { return rests_on_risk(q) || powers_down(q); }

Ruling breaker_rule(Question& q) { return by(breaker_forbids(q.facts, q.slot)); }

bool breaker_concerns(const Question& q) { return disrupts(q) || scales_down(q); }

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
    {"maintenance", acts_on_node, maintenance_rule},
    {"control-plane", acts_on_node, control_plane_rule},
    {"already", acts_on_node, already_rule},
    {"scale-owner", is<model::Scale>, owner_rule},
    {"open-action", always, open_action_rule},
    {"ledger-room", always, ledger_room_rule},
    {"cool-down", always, cool_down_rule},
    {"rate", disrupts, rate_rule},
    {"power-pace", powers_down, power_pace_rule},
    {"drains-per-day", disrupts, drains_rule},
    {"hysteresis", needs_hysteresis, hysteresis_rule},
    {"breaker", breaker_concerns, breaker_rule},
    {"one-at-a-time", disrupts, one_drain_rule},
    {"ready-floor", disrupts, floor_rule},
    {"allowance", disrupts, allowance_rule},
};

}  // namespace

std::span<const Rule> pace_rules() { return kRules; }

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
