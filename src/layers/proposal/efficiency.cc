#include "base/number.h"
#include "base/quantity.h"
#include "layers/proposal/agent.h"
#include "layers/proposal/balloons.h"
#include "layers/proposal/consent.h"
#include "layers/proposal/prototype.h"
#include "layers/proposal/shortage.h"
#include "model/figures.h"
#include "model/hysteresis.h"
#include "model/sources.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace parley::proposal {

using model::NodeForecast;
using model::NodeRow;

namespace {

struct Wish {
    model::Action action;
    double below = 0;  ///< The bound of demand that was passed.
    std::string why;   ///< Completes "Demand 0.25 is below 0.30: ...".
};

/// The result of a pass over all nodes.
struct Survey {
    const NodeForecast* best = nullptr;    ///< Lowest demand among those for which there is a wish.
    std::optional<Wish> wish;              ///< The wish for it.
    const NodeForecast* lowest = nullptr;  ///< Lowest demand of all that may be acted on.
    std::int64_t unmeasured = 0;           ///< In service, but without a fresh sample.
};

bool in_service(const NodeRow& node) {
    return node.ready == model::Readiness::yes && node.role == model::NodeRole::worker &&
           !node.quarantined && !model::set_aside(node);
}

bool measured(const View& view, const NodeRow& node) {
    const Duration age_max = view.policy.guard.metrics_age_max;
    return node.cpu_used_m.fresh(view.input.now, age_max) != nullptr &&
           node.memory_used.fresh(view.input.now, age_max) != nullptr;
}

/// An action of ours on the node, by any agent, is not finished.
bool busy(const View& view, const NodeRow& node) {
    const model::Target target = node.id;
    return std::ranges::any_of(view.memory.ledger.open, [&](const model::OpenAction& open) {
        return open.target == target && (open.undoing || !model::is_final(open.state));
    });
}

/// It was acted on so recently that the guard would refuse, so another node is a better choice.
bool cooling(const View& view, const NodeRow& node, const model::Action& action) {
    const model::Target target = node.id;
    return std::ranges::any_of(view.memory.ledger.cool_downs, [&](const model::CoolDown& each) {
        // One of kind noop is a rest, and holds for every kind.
        const bool meant =
            each.kind == model::kind_of(action) || each.kind == model::ActionKind::noop;
        return each.target == target && meant && each.until > view.input.now;
    });
}

/// Idle in enough rounds with new samples, the newest included.
bool idle_long_enough(const View& view, Slot slot) {
    const model::NodeFold* fold = view.memory.derived.nodes.find(slot);
    if (fold == nullptr || (fold->idle & 1U) == 0) return false;
    const model::EfficiencyRules& rules = view.policy.efficiency;
    return model::rounds_idle(*fold, rules) >= rules.rounds_idle;
}

std::optional<Wish> balloon(const View& view, const NodeRow& node) {
    const auto scale = balloon_scale(view, node);
    if (!scale) return std::nullopt;
    return Wish{.action = model::MemoryBalloon{.scale_ppm = in_ppm(*scale)},
                .below = view.policy.efficiency.balloon_below,
                .why = "pods on " + node.id.text() + " ask for " +
                       show_bytes(node.memory_requested) + " of memory where " +
                       show_bytes(*node.memory_used.value()) + " is used; requests go to " +
                       fixed(*scale * 100, 0) + "%."};
}

/// What a survey goes by, besides what it sees.
struct Means {
    const Shortage& shortage;
    Consent* consent = nullptr;       ///< Null: what nobody allowed is wished for, too.
    std::span<const char> ballooned;  ///< Balloons only on slots that are set here; empty: on all.

    bool may(model::ActionKind kind, Slot node) const {
        return consent == nullptr || consent->to(kind, node);
    }
    bool may_balloon(Slot node) const {
        const bool any = ballooned.empty() || ballooned[node] != 0;
        return any && may(model::ActionKind::memory_balloon, node);
    }
};

std::optional<Wish> wish_for(const View& view, const NodeForecast& forecast, const NodeRow& node,
                             const Means& means) {
    using enum model::ActionKind;
    const model::EfficiencyRules& rules = view.policy.efficiency;
    const double demand = *forecast.demand;
    const bool sleeps = demand < rules.sleep_below && node.can_power && means.shortage.pods == 0;
    if (sleeps && idle_long_enough(view, forecast.node) && means.may(power_state, forecast.node)) {
        return Wish{.action = model::PowerState{.state = model::PowerWish::sleep},
                    .below = rules.sleep_below,
                    .why = node.id.text() + " can be emptied and sleep."};
    }
    const std::int64_t clock = in_ppm(rules.dvfs_clock);
    if (demand < rules.dvfs_below && node.can_clock && node.clock_ppm > clock &&
        means.may(dvfs, forecast.node)) {
        return Wish{.action = model::Dvfs{.clock_ppm = clock},
                    .below = rules.dvfs_below,
                    .why = node.id.text() + " can do its work at " +
                           fixed(rules.dvfs_clock * 100, 0) + "% of its clock."};
    }
    if (demand < rules.balloon_below && means.may_balloon(forecast.node))
        return balloon(view, node);
    return std::nullopt;
}

/// Lower demand first, then by name.
bool lower(const View& view, const NodeForecast& a, const NodeForecast* b) {
    if (b == nullptr || *a.demand < *b->demand) return true;
    const auto& nodes = view.input.snapshot.nodes;
    return *a.demand == *b->demand && nodes.at(a.node).id < nodes.at(b->node).id;
}

Survey survey(const View& view, const Means& means) {
    Survey found;
    for (const NodeForecast& forecast : view.forecast.nodes) {
        const NodeRow* node = view.input.snapshot.nodes.find(forecast.node);
        if (node == nullptr || !in_service(*node)) continue;
        if (!forecast.demand || !std::isfinite(*forecast.demand) || !measured(view, *node)) {
            ++found.unmeasured;
            continue;
        }
        if (lower(view, forecast, found.lowest)) found.lowest = &forecast;
        if (!lower(view, forecast, found.best)) continue;
        std::optional<Wish> wish = wish_for(view, forecast, *node, means);
        if (!wish || busy(view, *node) || cooling(view, *node, wish->action)) continue;
        found.best = &forecast;
        found.wish = std::move(wish);
    }
    return found;
}

/// Reads all pods only if the first choice turns out to be a balloon that changes nothing.
Survey survey_all(const View& view, Means means) {
    Survey found = survey(view, means);
    const bool balloons =
        found.wish && std::holds_alternative<model::MemoryBalloon>(found.wish->action);
    if (!balloons || lowers_any(view, found.best->node)) return found;
    const std::vector<char> lowered = lowered_nodes(view);
    means.ballooned = lowered;
    return survey(view, means);
}

/// What is not allowed is wished for only if nothing else is, so that the guard says what it lacks.
Survey survey(const View& view, const Shortage& shortage) {
    Consent consent(view);
    Survey found = survey_all(view, {.shortage = shortage, .consent = &consent, .ballooned = {}});
    if (found.wish || !consent.refused_any()) return found;
    return survey_all(view, {.shortage = shortage, .ballooned = {}});
}

model::Proposal idle(std::string because) {
    return {
        .role = model::Role::efficiency, .action = model::Noop{}, .because = std::move(because)};
}

/// The sleeping node to wake, the first by name; nothing if none sleeps or one is waking already.
const NodeRow* sleeper(const model::Snapshot& snapshot) {
    const NodeRow* found = nullptr;
    bool booting = false;
    snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        if (node.power == model::Power::booting) booting = true;
        const bool down = node.power == model::Power::sleep || node.power == model::Power::off;
        const bool ours = down && node.can_power && !node.maintenance;
        if (ours && (found == nullptr || node.id < found->id)) found = &node;
    });
    return booting ? nullptr : found;
}

model::Proposal wake(const NodeRow& node, const Shortage& shortage) {
    return {.role = model::Role::efficiency,
            .action = model::PowerState{.state = model::PowerWish::on},
            .target = node.id,
            .score = 1,
            .evidence = {.what = model::short_name(short_of(shortage)),
                         .value = static_cast<double>(shortage.pods),
                         .bound = "from",
                         .limit = 1,
                         .measure = model::Measure::count},
            .because = std::to_string(shortage.pods) + " pods wait for " +
                       text_of(short_of(shortage)) + " while " + node.id.text() + " sleeps."};
}

/// Why samples that came cannot be used, if that is so for any node in service; else empty.
std::string rejected_as(const View& view) {
    std::string why;
    view.input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        if (!why.empty() || !in_service(node)) return;
        for (const auto* reading : {&node.cpu_used_m, &node.memory_used}) {
            const model::Gap* gap = reading->gap();
            if (gap == nullptr || *gap == model::Gap::not_reported ||
                *gap == model::Gap::source_failed || *gap == model::Gap::too_old) {
                continue;
            }
            why = std::string(enum_name(reading->from().source)) + ": rejected as " +
                  std::string(enum_name(*gap));
            std::ranges::replace(why, '_', ' ');
            return;
        }
    });
    return why;
}

/// Which source of usage to name: the first that should have delivered.
std::string samples_missing(const View& view) {
    const model::Snapshot& snapshot = view.input.snapshot;
    const Duration age_max = view.policy.guard.metrics_age_max;
    for (const model::Source source : {model::Source::metrics, model::Source::prometheus}) {
        const model::SourceState* state = model::state_of(snapshot, source);
        if (state == nullptr || state->condition == model::SourceCondition::off) continue;
        if (model::delivers(snapshot, source, view.input.now, age_max)) continue;
        return model::why_silent(snapshot, source, view.input.now, age_max);
    }
    const bool any = model::delivers(snapshot, model::Source::metrics, view.input.now, age_max) ||
                     model::delivers(snapshot, model::Source::prometheus, view.input.now, age_max);
    if (!any) return "no source of usage is on";
    const std::string rejected = rejected_as(view);
    return rejected.empty() ? "the source delivers, but not for them" : rejected;
}

/// A trained model forecasts the greatest demand within an hour, so that what is saved now is not
/// missing then.
std::string reach(const View& view) {
    return view.forecast.demand.model.empty() ? "" : " within an hour";
}

model::Proposal rest(const View& view, const Survey& found) {
    const double bound = view.policy.efficiency.balloon_below;
    if (found.lowest == nullptr) {
        if (found.unmeasured == 0) return idle("No Ready worker is in service.");
        const std::string whose = found.unmeasured == 1
                                      ? "the one worker"
                                      : "all " + std::to_string(found.unmeasured) + " workers";
        return idle("Missing: fresh CPU and memory use of " + whose + "; " + samples_missing(view) +
                    ".");
    }
    const NodeRow& node = view.input.snapshot.nodes.at(found.lowest->node);
    const double demand = *found.lowest->demand;
    model::Proposal out =
        idle("Lowest demand" + reach(view) + " " + node.id.text() + ": " + fixed(demand, 2));
    if (demand < bound) {
        out.because +=
            "; nothing more can be saved there or where demand is below " + fixed(bound, 2) + ".";
    } else {
        out.because += ", acts below " + fixed(bound, 2) + ".";
    }
    if (found.unmeasured > 0) {
        out.because += " Missing: fresh use of " + std::to_string(found.unmeasured) + " workers.";
    }
    out.target = node.id;
    out.score = 1 - demand;
    out.evidence = {.what = "demand",
                    .value = demand,
                    .bound = "below",
                    .limit = bound,
                    .measure = model::Measure::demand};
    return out;
}

std::vector<model::Proposal> wishes_of(const View& view) {
    const model::Snapshot& snapshot = view.input.snapshot;
    const Duration age_max = view.policy.guard.api_age_max;
    if (!model::delivers(snapshot, model::Source::api, view.input.now, age_max)) {
        return {idle("Missing: the state of the cluster; " +
                     model::why_silent(snapshot, model::Source::api, view.input.now, age_max) +
                     ".")};
    }
    const Shortage shortage = shortage_of(snapshot, view.policy);
    if (shortage.pods > 0) {
        const NodeRow* asleep = sleeper(snapshot);
        if (asleep != nullptr && !busy(view, *asleep)) return {wake(*asleep, shortage)};
    }
    const Survey found = survey(view, shortage);
    if (!found.wish) return {rest(view, found)};
    const NodeRow& node = snapshot.nodes.at(found.best->node);
    const double demand = *found.best->demand;
    const auto [shown, below] = model::beside(demand, found.wish->below);
    return {{.role = model::Role::efficiency,
             .action = found.wish->action,
             .target = node.id,
             .score = 1 - demand,
             .evidence = {.what = "demand",
                          .value = demand,
                          .bound = "below",
                          .limit = found.wish->below,
                          .measure = model::Measure::demand},
             .because = "Demand" + reach(view) + " " + shown + " is below " + below + ": " +
                        found.wish->why}};
}

// --- Asked about one action. ---------------------------------------------------------------------

bool wakes(const Question& asked) {
    const auto* power = std::get_if<model::PowerState>(&asked.action);
    return power != nullptr && power->state == model::PowerWish::on;
}

/// The setting of an action's bound of demand.
struct DemandBound {
    double model::EfficiencyRules::* rule;
    const char* setting;
};
DemandBound bound_of(const Question& asked) {
    using Rules = model::EfficiencyRules;
    switch (model::kind_of(asked.action)) {
        case model::ActionKind::power_state:
            return {&Rules::sleep_below, "efficiency.sleep_below"};
        case model::ActionKind::dvfs:
            return {&Rules::dvfs_below, "efficiency.dvfs_below"};
        default:
            return {&Rules::balloon_below, "efficiency.balloon_below"};
    }
}

double demand_bound(const Question& asked, const model::Policy& policy) {
    return model::efficiency_of(policy).*bound_of(asked).rule;
}

/// It lets nodes sleep and switches none off; the prototype wakes none either.
bool never_wants(const Question& asked, const model::Policy& policy) {
    const auto* power = std::get_if<model::PowerState>(&asked.action);
    if (power == nullptr) return false;
    return power->state == model::PowerWish::off || (is_prototype(policy) && wakes(asked));
}

/// What keeps it from waking this node.
std::vector<std::string> against_waking(const NodeRow& node, const Shortage& shortage) {
    std::vector<std::string> out;
    const bool down = node.power == model::Power::sleep || node.power == model::Power::off;
    if (!down) out.push_back(node.id.text() + " did not sleep.");
    if (shortage.pods == 0) out.push_back("No pod was short of room.");
    if (!node.can_power) out.push_back("No provider can switch " + node.id.text() + ".");
    return out;
}

/// Agent B. Acts on the node of lowest demand among Ready workers in service whose use is measured
/// now. Below its bounds it wants the node asleep if a provider can switch it and no pod waits for
/// room, a lower clock if a provider can set it, or smaller memory requests if they exceed what is
/// used. When pods wait for room and a node sleeps, it wants that node back.
class Efficiency final : public Agent {
public:
    model::Role role() const override { return model::Role::efficiency; }
    std::vector<model::Proposal> propose(const View& view) const override {
        return wishes_of(view);
    }

    bool may_want(const model::Action& action) const override {
        return std::holds_alternative<model::PowerState>(action) ||
               std::holds_alternative<model::Dvfs>(action) ||
               std::holds_alternative<model::MemoryBalloon>(action);
    }

    std::optional<Distance> distance(const Question& asked, const Sight& sight) const override {
        const NodeForecast* node = node_of(asked, sight).forecast;
        if (node == nullptr || !node->demand || wakes(asked)) return std::nullopt;
        if (never_wants(asked, sight.policy)) return std::nullopt;
        Distance out{.what = "demand",
                     .value = *node->demand,
                     .bound = "below",
                     .limit = demand_bound(asked, sight.policy),
                     .score = 1 - *node->demand};
        out.gap = out.value - out.limit;
        if (out.limit <= 0) {
            out.gap += kOutOfReach;
            out.sentence = "No demand is low enough for it: the policy sets its bound to 0.";
            return out;
        }
        const auto [demand, limit] = model::beside(out.value, out.limit);
        out.sentence =
            "For " + text_of(asked.target) + ": demand " + demand + ", acts below " + limit + ".";
        return out;
    }

    std::string rule(const Question& asked, const model::Policy& policy) const override {
        const double bound = demand_bound(asked, policy);
        if (never_wants(asked, policy)) {
            return name() + " never proposes " + text_of(asked.action) + ".";
        }
        if (wakes(asked)) return name() + " wakes a node when pods are short of room.";
        if (bound <= 0) {
            return name() + " never proposes " + text_of(asked.action) +
                   ": its bound of demand is 0.";
        }
        return name() + " proposes " + text_of(asked.action) + " for a node with demand below " +
               model::share_text(bound) + "; the lowest goes first.";
    }

    std::vector<std::string> hindrances(const Question& asked, const Sight& sight) const override {
        if (never_wants(asked, sight.policy)) {
            return {wakes(asked) ? "It wakes no node in this profile."
                                 : "It lets nodes sleep, and switches none off."};
        }
        if (is_prototype(sight.policy)) return {};  // Whatever has the lowest demand is taken.
        std::vector<std::string> out;
        const NodeRow* row = node_of(asked, sight).row;
        const Shortage shortage = shortage_of(sight.input.snapshot, sight.policy);
        if (wakes(asked)) return against_waking(*row, shortage);
        const std::string node = row->id.text();
        const TimePoint now = sight.input.now;
        const Duration age_max = sight.policy.guard.metrics_age_max;
        const model::ActionKind kind = model::kind_of(asked.action);
        if (row->role == model::NodeRole::control_plane)
            out.push_back(node + " is a control plane.");
        if (row->ready != model::Readiness::yes) out.push_back(node + " was not Ready.");
        if (row->quarantined) out.push_back(node + " was under our quarantine.");
        if (row->cpu_used_m.fresh(now, age_max) == nullptr ||
            row->memory_used.fresh(now, age_max) == nullptr) {
            out.push_back("There was no fresh sample of what it uses.");
        }
        if (kind == model::ActionKind::power_state) {
            if (!row->can_power) out.push_back("No provider can switch " + node + ".");
            if (shortage.pods > 0) {
                out.push_back("Pods were short of room: no node is put to sleep then.");
            }
        }
        if (kind == model::ActionKind::dvfs && !row->can_clock) {
            out.push_back("No provider can set the clock of " + node + ".");
        }
        return out;
    }

    std::vector<SetAgainst> settings(const Question& asked, const Sight& sight) const override {
        if (is_prototype(sight.policy)) return {};
        const auto is = distance(asked, sight);
        const double usual = model::EfficiencyRules{}.*bound_of(asked).rule;
        // Its default bound would be passed, the one in force is not.
        if (!is || usual <= 0 || is->gap <= 0 || is->value > usual) return {};
        return {{bound_of(asked).setting, print_double(is->limit), print_double(usual),
                 "at the default demand " + print_double(is->value) + " would have been enough"}};
    }
};

}  // namespace

const Agent& efficiency_agent() {
    static const Efficiency agent;
    return agent;
}

}  // namespace parley::proposal
