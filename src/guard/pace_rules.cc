#include "guard/pace_rules.h"

#include "base/time_text.h"
#include "model/hysteresis.h"

#include <algorithm>

namespace parley::guard {
namespace {

using model::OpenAction;

Ruling open_action_rule(Question& q) {
    const auto& open = q.facts.ledger().open;
    const auto found = std::ranges::find_if(open, [&](const OpenAction& action) {
        return action.target == q.target && on_its_way(action);
    });
    if (found == open.end()) return pass();
    return refuse(text_of(found->action) + " of round " + std::to_string(found->round) +
                  " is still on its way for " + text_of(q.target));
}

/// Saving may use half of the ledger; the rest is kept for what cannot wait.
Ruling ledger_room_rule(Question& q) {
    const auto limit =
        static_cast<std::int64_t>(saves(q.action) ? model::kOpenMax / 2 : model::kOpenMax);
    const auto open = static_cast<std::int64_t>(q.facts.ledger().open.size());
    if (open >= limit) return refuse("actions whose effect stands: " + of_allowed(open, limit));
    return pass();
}

/// Of the workloads on a node it changes replicas or sizes, not only where pods are.
bool changes_tenants(const Question& q) {
    return is<model::Replicate>(q) || is<model::Throttle>(q) || is<model::MemoryBalloon>(q);
}

/// Whether anything rests that this may be about.
bool meets_rest(const Question& q) {
    return std::ranges::any_of(q.facts.ledger().cool_downs, [&](const model::CoolDown& each) {
        if (!is_rest(each) || each.until <= q.facts.now()) return false;
        const bool of_work = std::holds_alternative<model::WorkloadId>(each.target);
        return each.target == q.target || (of_work && changes_tenants(q));
    });
}

std::string why_it_rests(const Facts& facts, const model::Target& target) {
    TimePoint until = facts.now();
    for (const model::CoolDown& each : facts.ledger().cool_downs) {
        if (is_rest(each) && each.target == target) until = std::max(until, each.until);
    }
    if (until == facts.now()) return {};
    return text_of(target) + " rests for another " + print_age(until - facts.now()) +
           ": somebody else changed it while we did";
}

/// Others win: what they contested is left alone, whatever is to be done to it.
Ruling rest_rule(Question& q) {
    std::string why = why_it_rests(q.facts, q.target);
    if (!why.empty() || !changes_tenants(q)) return by(std::move(why));
    for (const Tenant& tenant : q.tenants()) {
        if (tenant.row != nullptr) why = why_it_rests(q.facts, tenant.row->id);
        if (!why.empty()) return refuse(std::move(why));
    }
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

/// Saving may use half of what an hour allows; the rest is kept for safety.
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

/// After a power-down, waits to see what comes of it before the next.
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

/// Only rounds with new evidence count: one sample that is seen twice counts once.
Ruling hysteresis_rule(Question& q) {
    const model::NodeFold* fold = q.facts.fold_of(q.slot);
    const model::Policy& policy = q.facts.policy();
    if (rests_on_risk(q)) {
        const int over = fold == nullptr ? 0 : model::rounds_over(*fold, policy.stakes);
        return held_for("rounds over its own risk limit", over, policy.stakes.rounds_of,
                        policy.stakes.rounds_over);
    }
    const model::EfficiencyRules& rules = policy.efficiency;
    const int idle = fold == nullptr ? 0 : model::rounds_idle(*fold, rules);
    return held_for("rounds with so little use", idle, rules.rounds_of, rules.rounds_idle);
}

bool needs_hysteresis(const Question& q) { return rests_on_risk(q) || powers_down(q); }

/// Scaling has its own pace: scale_rules.h.
bool keeps_this_pace(const Question& q) { return pace_of(q.action) != model::Pace::scaling; }

constexpr Rule kRules[] = {
    {"open-action", keeps_this_pace, open_action_rule},
    {"ledger-room", keeps_this_pace, ledger_room_rule},
    {"rest", meets_rest, rest_rule},
    {"cool-down", keeps_this_pace, cool_down_rule},
    {"rate", disrupts, rate_rule},
    {"power-pace", powers_down, power_pace_rule},
    {"drains-per-day", disrupts, drains_rule},
    {"hysteresis", needs_hysteresis, hysteresis_rule},
};

}  // namespace

std::span<const Rule> pace_rules() { return kRules; }

}  // namespace parley::guard
