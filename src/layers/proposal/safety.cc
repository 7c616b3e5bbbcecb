#include "base/number.h"
#include "layers/proposal/agent.h"
#include "layers/proposal/consent.h"
#include "layers/proposal/prototype.h"
#include "model/aside.h"
#include "model/figures.h"
#include "model/hysteresis.h"
#include "model/restarts.h"
#include "model/sources.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace parley::proposal {

using model::ActionKind;
using model::NodeForecast;
using model::NodeRow;

namespace {

/// Why nothing is proposed for a node that is over its limit.
enum class Obstacle : std::uint8_t { lost, control_plane, no_remedy_pays, under_way, too_briefly };

/// One node over its limit, and what could be done about it. There may be one for every node, so
/// only the one that is shown is put into words.
struct Case {
    const NodeForecast* forecast = nullptr;
    const NodeRow* node = nullptr;
    const model::Remedy* remedy = nullptr;  ///< Null: nothing can or need be done.
    double gain = 0;                        ///< Pod-minutes by which the remedy beats waiting.
    bool waits = false;  ///< On cool-down, withheld, not allowed: guard or referee will refuse.
    Obstacle obstacle = Obstacle::no_remedy_pays;  ///< If there is no remedy.
};

/// The result of a pass over all nodes.
struct Survey {
    std::optional<Case> best;
    std::optional<Case> hindered;           ///< Over its limit, yet nothing can be proposed.
    const NodeForecast* nearest = nullptr;  ///< Closest to its limit among those within it.
    std::int64_t unknown = 0;
};

/// The strongest remedy already begun on the node, as an index into its remedies; -1: none.
int begun_on(const View& view, const NodeRow& node) {
    int begun = -1;
    if (node.avoided) begun = 0;
    if (node.quarantined) begun = 2;
    const model::Target target = node.id;
    for (const model::OpenAction& open : view.memory.ledger.open) {
        const bool over = open.undoing || open.state == model::ActionState::moot ||
                          open.state == model::ActionState::expired ||
                          open.state == model::ActionState::failed ||
                          open.state == model::ActionState::would_send;
        if (over || open.role != model::Role::safety || open.target != target) continue;
        const ActionKind kind = model::kind_of(open.action);
        if (kind == ActionKind::throttle) begun = std::max(begun, 0);
        if (kind == ActionKind::replicate) begun = std::max(begun, 1);
        if (kind == ActionKind::migrate) begun = std::max(begun, 2);
    }
    return begun;
}

bool cooling(const View& view, const NodeRow& node, ActionKind kind) {
    const model::Target target = node.id;
    return std::ranges::any_of(view.memory.ledger.cool_downs, [&](const model::CoolDown& c) {
        // One of kind noop is a rest, and holds for every kind.
        const bool meant = c.kind == kind || c.kind == ActionKind::noop;
        return meant && c.target == target && c.until > view.input.now;
    });
}

/// The hold-out leaves it alone for now: the referee would withhold again.
bool withheld(const View& view, const NodeForecast& forecast) {
    const model::RiskWatch* watch = view.memory.derived.hindsight.nodes.find(forecast.node);
    return watch != nullptr && view.input.now < watch->withheld_until &&
           *forecast.risk <= view.policy.risk.urgent;
}

/// In how many of the last rounds it counted as over its limit.
int rounds_over(const View& view, const NodeForecast& forecast) {
    const model::NodeFold* fold = view.memory.derived.nodes.find(forecast.node);
    return fold == nullptr ? 0 : model::rounds_over(*fold, view.policy.stakes);
}

/// The remedy with the largest gain, if any gain is above zero: of those that are allowed on the
/// node, or else of all, so that the guard says what is not. Among equals the gentler one.
void choose_remedy(const View& view, int begun, Consent& consent, Case& out) {
    const NodeForecast& forecast = *out.forecast;
    const int count = static_cast<int>(forecast.remedies.size());
    bool refused = true;
    for (int i = begun + 1; i < count; ++i) {
        const model::Remedy& remedy = forecast.remedies[static_cast<std::size_t>(i)];
        const double gain =
            gain_of(remedy, *forecast.risk, forecast.loss, view.policy.stakes.margin);
        if (!(gain > 0)) continue;
        const bool this_one = !consent.to(remedy.kind, forecast.node);
        if (this_one != refused ? refused : gain > out.gain) {
            out.remedy = &remedy;
            out.gain = gain;
            refused = this_one;
        }
    }
    out.waits = out.remedy != nullptr && refused;
}

/// Its pods cannot be reached any more, so that nothing can be proposed for it.
bool is_lost(const NodeRow& node, const NodeForecast& forecast) {
    return node.ready != model::Readiness::yes || forecast.spoke.has(model::Signal::lease_lost);
}

/// For a node over its limit: what to do, or what prevents it.
Case examine(const View& view, const NodeForecast& forecast, const NodeRow& node,
             Consent& consent) {
    Case out{.forecast = &forecast, .node = &node};
    if (is_lost(node, forecast)) {
        out.obstacle = Obstacle::lost;
        return out;
    }
    if (node.role == model::NodeRole::control_plane) {
        out.obstacle = Obstacle::control_plane;
        return out;
    }
    const int begun = begun_on(view, node);
    choose_remedy(view, begun, consent, out);
    if (out.remedy == nullptr) {
        out.obstacle = begun < 0 ? Obstacle::no_remedy_pays : Obstacle::under_way;
        return out;
    }
    if (rounds_over(view, forecast) < view.policy.stakes.rounds_over) {
        out.remedy = nullptr;
        out.waits = false;
        out.obstacle = Obstacle::too_briefly;
        return out;
    }
    out.waits = out.waits || cooling(view, node, out.remedy->kind) || withheld(view, forecast);
    return out;
}

std::string obstacle_text(const View& view, const Case& hindered) {
    const std::string name = hindered.node->id.text();
    const std::string over = name + " is over its limit" +
                             model::over_aside(*hindered.forecast->risk, hindered.forecast->limit);
    const model::StakesRules& rules = view.policy.stakes;
    switch (hindered.obstacle) {
        case Obstacle::lost:
            return name +
                   " is lost already: its pods cannot be reached to be moved, and "
                   "Kubernetes replaces them.";
        case Obstacle::control_plane:
            return over + ", but a control plane is left alone.";
        case Obstacle::no_remedy_pays:
            return over + ", and no remedy pays.";
        case Obstacle::under_way:
            return over + ", and what can be done for it is under way.";
        case Obstacle::too_briefly:
            break;
    }
    return over + " in " + std::to_string(rounds_over(view, *hindered.forecast)) + " of the last " +
           std::to_string(rules.rounds_of) + " rounds; acts from " +
           std::to_string(rules.rounds_over) + ".";
}

/// Whether `a` is the better case to show or act on: those that must wait go last, then by gain,
/// risk and name.
bool before(const Case& a, const Case& b) {
    if (a.waits != b.waits) return b.waits;
    if (a.gain != b.gain) return a.gain > b.gain;
    if (*a.forecast->risk != *b.forecast->risk) return *a.forecast->risk > *b.forecast->risk;
    return a.node->id < b.node->id;
}

bool nearer(const View& view, const NodeForecast& a, const NodeForecast* b) {
    if (b == nullptr) return true;
    const double gap_a = a.limit - *a.risk;
    const double gap_b = b->limit - *b->risk;
    if (gap_a != gap_b) return gap_a < gap_b;
    const auto& nodes = view.input.snapshot.nodes;
    return nodes.at(a.node).id < nodes.at(b->node).id;
}

Survey survey(const View& view) {
    Survey found;
    Consent consent(view);
    for (const NodeForecast& forecast : view.forecast.nodes) {
        const NodeRow* node = view.input.snapshot.nodes.find(forecast.node);
        if (node == nullptr) continue;
        if (!forecast.risk || !std::isfinite(*forecast.risk)) {
            ++found.unknown;
            continue;
        }
        if (model::set_aside(*node)) continue;
        if (!(*forecast.risk > forecast.limit)) {
            if (forecast.limit <= 1 && nearer(view, forecast, found.nearest)) {
                found.nearest = &forecast;
            }
            continue;
        }
        Case each = examine(view, forecast, *node, consent);
        std::optional<Case>& place = each.remedy ? found.best : found.hindered;
        if (!place || before(each, *place)) place = each;
    }
    return found;
}

model::Action action_of(ActionKind kind) {
    if (kind == ActionKind::throttle) return model::Throttle{};
    if (kind == ActionKind::replicate) return model::Replicate{};
    return model::Migrate{};
}

model::Evidence evidence_of(const NodeForecast& forecast) {
    return {.what = "risk",
            .value = *forecast.risk,
            .bound = "above",
            .limit = forecast.limit,
            .measure = model::Measure::risk};
}

model::Proposal act(const View& view, const Case& best) {
    const double risk = *best.forecast->risk;
    const double loss = best.forecast->loss;
    const std::int64_t horizon_min = view.forecast.horizon.us / minutes(1).us;
    return {.role = model::Role::safety,
            .action = action_of(best.remedy->kind),
            .target = best.node->id,
            .score = risk,
            .evidence = evidence_of(*best.forecast),
            .because = "Risk " + fixed(risk, 2) + " of failing in " + std::to_string(horizon_min) +
                       " min: waiting costs " + fixed(risk * loss, 1) + " pod-minutes" +
                       model::product_aside(risk, loss) + ", acting " +
                       fixed(best.remedy->cost, 1) + "."};
}

std::string unknown_text(const View& view, std::int64_t unknown) {
    const bool api = model::delivers(view.input.snapshot, model::Source::api, view.input.now,
                                     view.policy.guard.api_age_max);
    std::string text = "Risk of " + std::to_string(unknown) + " of " +
                       std::to_string(view.forecast.nodes.size()) + " nodes is unknown";
    if (!api) {
        text += ": " + model::why_silent(view.input.snapshot, model::Source::api, view.input.now,
                                         view.policy.guard.api_age_max);
    }
    return text + ".";
}

/// Restarts that are no sign of their node failing, for the node that has most of them: whoever
/// looks at the pods should read why nothing is done.
std::string loops_text(const View& view) {
    const model::Snapshot& snapshot = view.input.snapshot;
    const model::Restarts restarts(snapshot, model::restarts_in(view.memory.derived.nodes),
                                   view.policy.evidence.restarts_window, view.input.now);
    const NodeRow* where = nullptr;
    std::vector<model::OwnLoop> shown;
    std::int64_t most = 0;
    for (const NodeForecast& forecast : view.forecast.nodes) {
        const NodeRow* node = snapshot.nodes.find(forecast.node);
        if (node == nullptr) continue;
        std::vector<model::OwnLoop> own = restarts.on(forecast.node).own;
        std::int64_t count = 0;
        for (const model::OwnLoop& loop : own) count += loop.restarts;
        const bool more =
            count > most || (count == most && where != nullptr && node->id < where->id);
        if (count == 0 || !more) continue;
        most = count;
        where = node;
        shown = std::move(own);
    }
    if (where == nullptr) return {};
    constexpr std::size_t kShown = 2;
    std::string text = "On " + where->id.text() + " ";
    for (std::size_t i = 0; i < std::min(kShown, shown.size()); ++i) {
        text += (i > 0 ? "; " : "") + model::own_loop_text(shown[i]);
    }
    if (shown.size() > kShown) {
        text += "; and of " + std::to_string(shown.size() - kShown) + " more workloads";
    }
    return text + ".";
}

model::Proposal rest(const View& view, const Survey& found) {
    model::Proposal idle{.role = model::Role::safety, .action = model::Noop{}};
    const NodeForecast* shown = found.hindered ? found.hindered->forecast : found.nearest;
    if (shown != nullptr) {
        const NodeRow& node = view.input.snapshot.nodes.at(shown->node);
        idle.target = node.id;
        idle.score = *shown->risk;
        idle.evidence = evidence_of(*shown);
        idle.because = found.hindered ? obstacle_text(view, *found.hindered)
                                      : "Nearest " + node.id.text() + ": " +
                                            model::risk_text(*shown->risk, shown->limit) + ".";
    } else if (view.forecast.nodes.empty()) {
        const Duration age_max = view.policy.guard.api_age_max;
        const bool api =
            model::delivers(view.input.snapshot, model::Source::api, view.input.now, age_max);
        idle.because = api ? "There are no nodes."
                           : "Missing: the nodes; " +
                                 model::why_silent(view.input.snapshot, model::Source::api,
                                                   view.input.now, age_max) +
                                 ".";
    } else if (found.unknown == 0) {
        idle.because = "On no node would acting pay, whatever its risk.";
    }
    if (const std::string loops = loops_text(view); !loops.empty()) {
        if (!idle.because.empty()) idle.because += " ";
        idle.because += loops;
    }
    if (found.unknown > 0) {
        if (!idle.because.empty()) idle.because += " ";
        idle.because += unknown_text(view, found.unknown);
    }
    return idle;
}

// --- Asked about one action. ---------------------------------------------------------------------

const model::Remedy* remedy_of(const NodeForecast& node, ActionKind kind) {
    const auto found = std::ranges::find(node.remedies, kind, &model::Remedy::kind);
    return found == node.remedies.end() ? nullptr : &*found;
}

/// Pod-minutes by which a remedy beats waiting, if acting must pay `margin` times its cost.
double gain_of(const NodeForecast& node, const model::Remedy& remedy, double margin) {
    return *node.risk * node.loss * remedy.efficacy * remedy.timeliness - margin * remedy.cost;
}

Distance prototype_distance(const Question& asked, double risk) {
    Distance out{.what = "risk", .value = risk, .bound = "from"};
    out.limit = prototype_risk_from(model::kind_of(asked.action));
    out.gap = out.limit - out.value;
    const auto [value, limit] = model::beside(out.value, out.limit);
    out.sentence =
        "For " + text_of(asked.target) + ": risk " + value + ", acts from " + limit + ".";
    return out;
}

std::optional<Distance> remedy_distance(const Question& asked, const NodeForecast& node) {
    const ActionKind kind = model::kind_of(asked.action);
    const model::Remedy* remedy = remedy_of(node, kind);
    if (remedy == nullptr) return std::nullopt;
    Distance out{.what = "risk", .value = *node.risk, .bound = "above", .limit = remedy->limit};
    out.gap = out.limit - out.value;
    const std::string name = text_of(asked.target);
    if (remedy->efficacy <= 0) {
        out.gap += kOutOfReach;
        out.sentence = "For " + name + ": " + std::string(enum_name(kind)) +
                       " could have helped nothing that runs there.";
        return out;
    }
    const auto [risk, limit] = model::beside(out.value, out.limit);
    out.sentence = "For " + name + ": " + model::pod_minutes(*node.risk * node.loss) +
                   " pod-minutes (risk " + risk + " x " + model::pod_minutes(node.loss) +
                   ") against " + model::pod_minutes(remedy->cost) + ".";
    out.sentence += model::never_reached(out.value, out.limit)
                        ? " It would not have paid at any risk."
                        : " It would have from risk " + limit + ".";
    return out;
}

/// A sentence about another remedy that gains more; empty: there is none.
std::string better_remedy(const Question& asked, const NodeForecast& node, double margin) {
    const model::Remedy* mine = remedy_of(node, model::kind_of(asked.action));
    if (!node.risk || mine == nullptr) return {};
    const double gain = gain_of(node, *mine, margin);
    if (gain <= 0) return {};
    const model::Remedy* best = mine;
    for (const model::Remedy& other : node.remedies) {
        if (gain_of(node, other, margin) > gain_of(node, *best, margin)) best = &other;
    }
    if (best == mine) return {};
    return "It would have paid by " + model::pod_minutes(gain) + " pod-minutes, but " +
           std::string(enum_name(best->kind)) + " by " +
           model::pod_minutes(gain_of(node, *best, margin)) + ".";
}

std::optional<SetAgainst> margin_against(const Question& asked, const Sight& sight) {
    const double usual = model::Policy{}.stakes.margin;
    const double margin = sight.policy.stakes.margin;
    const NodeForecast* node = node_of(asked, sight).forecast;
    if (margin <= usual || node == nullptr || !node->risk) return std::nullopt;
    const model::Remedy* remedy = remedy_of(*node, model::kind_of(asked.action));
    if (remedy == nullptr) return std::nullopt;
    const double gain = gain_of(*node, *remedy, usual);
    if (gain <= 0 || gain_of(*node, *remedy, margin) > 0) return std::nullopt;
    return SetAgainst{"stakes.margin", "x " + print_double(margin), "x " + print_double(usual),
                      "what acting averts must be worth " + print_double(margin) +
                          " times its cost; at the default it would have paid by " +
                          model::pod_minutes(gain) + " pod-minutes"};
}

/// Agent A. Acts on a node when waiting costs more than acting: risk x loss x efficacy x timeliness
/// > margin x cost, after the node was over its own limit in 2 of the last 3 rounds. It takes the
/// node, and for that node the remedy, with the largest difference. Nodes on cool-down come last,
/// so that one which must wait does not hide another. A node that is already lost cannot be helped,
/// as its pods are unreachable; the agent only says so.
class Safety final : public Agent {
public:
    model::Role role() const override { return model::Role::safety; }

    std::vector<model::Proposal> propose(const View& view) const override {
        const Survey found = survey(view);
        if (found.best) return {act(view, *found.best)};
        return {rest(view, found)};
    }

    bool may_want(const model::Action& action) const override {
        return std::holds_alternative<model::Replicate>(action) ||
               std::holds_alternative<model::Migrate>(action) ||
               std::holds_alternative<model::Throttle>(action);
    }

    std::optional<Distance> distance(const Question& asked, const Sight& sight) const override {
        const AskedNode node = node_of(asked, sight);
        if (node.row == nullptr || !node.forecast->risk) return std::nullopt;
        auto out = is_prototype(sight.policy)
                       ? std::optional(prototype_distance(asked, *node.forecast->risk))
                       : remedy_distance(asked, *node.forecast);
        if (!out) return out;
        out->score = out->value;
        // A lost node's risk is nearest to acting, but nothing can be proposed for it.
        if (is_lost(*node.row, *node.forecast)) out->gap += kOutOfReach;
        return out;
    }

    std::string rule(const Question& asked, const model::Policy& policy) const override {
        if (is_prototype(policy)) {
            const auto from = [](ActionKind kind) {
                return std::string(enum_name(kind)) + " from " +
                       fixed(prototype_risk_from(kind), 2);
            };
            return name() +
                   " proposes for the node of highest risk: " + from(ActionKind::throttle) + ", " +
                   from(ActionKind::migrate) + ", " + from(ActionKind::replicate) + ".";
        }
        return name() + " proposes " + text_of(asked.action) +
               " when waiting costs more than acting, in " +
               std::to_string(policy.stakes.rounds_over) + " of " +
               std::to_string(policy.stakes.rounds_of) + " rounds.";
    }

    std::vector<std::string> hindrances(const Question& asked, const Sight& sight) const override {
        std::vector<std::string> out;
        const auto [row, forecast] = node_of(asked, sight);
        const std::string node = row->id.text();
        if (!forecast->risk) {
            out.push_back("Its risk was unknown: " +
                          model::why_silent(sight.input.snapshot, model::Source::api,
                                            sight.input.now, sight.policy.guard.api_age_max) +
                          ".");
        }
        if (is_lost(*row, *forecast)) out.push_back(node + " was lost already.");
        if (row->quarantined) out.push_back(node + " was under our quarantine already.");
        if (is_prototype(sight.policy)) return out;
        std::string better = better_remedy(asked, *forecast, sight.policy.stakes.margin);
        if (!better.empty()) out.push_back(std::move(better));
        return out;
    }

    std::vector<SetAgainst> settings(const Question& asked, const Sight& sight) const override {
        std::vector<SetAgainst> out;
        if (is_prototype(sight.policy)) return out;
        if (auto margin = margin_against(asked, sight)) out.push_back(*std::move(margin));
        const model::StakesRules usual;
        const model::StakesRules& rules = sight.policy.stakes;
        if (rules.rounds_over > usual.rounds_over) {
            out.push_back({"stakes.rounds_over", std::to_string(rules.rounds_over),
                           std::to_string(usual.rounds_over),
                           "it must be over its limit in " + std::to_string(rules.rounds_over) +
                               " of " + std::to_string(rules.rounds_of) + " rounds"});
        }
        return out;
    }
};

}  // namespace

const Agent& safety_agent() {
    static const Safety agent;
    return agent;
}

}  // namespace parley::proposal
