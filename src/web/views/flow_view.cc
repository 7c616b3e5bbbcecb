#include "web/views/flow_view.h"

#include "base/number.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parley::web {
namespace {

using explanation::counted;
using explanation::Outcome;

/// A figure that ends with the name of a node.
void end_with(FlowStation& station, std::string lead, const std::string& node) {
    station.figure = lead + " " + node;
    station.lead = std::move(lead);
    station.node = node;
}

FlowStation stimulus(const RoundView& view) {
    FlowStation out{.key = "stimulus", .title = "Stimulus"};
    if (!view.stimulus) {
        out.figure = "none";
        out.detail = "no exerciser is at work";
        return out;
    }
    out.figure = view.stimulus->phase;
    out.detail = view.stimulus->moved;
    out.state = StationState::ok;
    out.age_s = view.stimulus->since_s;
    return out;
}

FlowStation cluster(const RoundView& view) {
    FlowStation out{.key = "cluster", .title = "Kubernetes shows", .state = StationState::ok};
    const ClusterView& c = view.cluster;
    out.figure = "?";
    if (!c.nodes) out.state = StationState::off;
    if (c.nodes) {
        const std::int64_t down = c.nodes_ready ? *c.nodes - *c.nodes_ready : 0;
        out.figure = counted(*c.nodes, "node");
        if (down > 0) out.figure += ", " + thousands(down) + " not Ready";
        out.figure += ", " + (c.pending_total ? thousands(*c.pending_total) : "?") + " pending";
    }
    for (const SourceView& source : c.sources) {
        if (source.condition == model::SourceCondition::off) continue;
        out.detail += (out.detail.empty() ? "" : ", ") + source.text;
        if (source.age_s) out.age_s = std::max(out.age_s.value_or(0), *source.age_s);
        if (source.condition == model::SourceCondition::failed) out.state = StationState::failed;
        if (source.condition == model::SourceCondition::late && out.state == StationState::ok) {
            out.state = StationState::late;
        }
    }
    if (out.detail.empty()) out.detail = "no source is on";
    return out;
}

FlowStation forecasts(const RoundView& view) {
    FlowStation out{.key = "forecasts", .title = "Forecasts", .state = StationState::ok};
    out.figure = "risk ?";
    if (view.max_risk) {
        end_with(out, "risk " + explanation::share_text(view.max_risk->value), view.max_risk->node);
    } else {
        out.state = StationState::failed;
    }
    out.detail = view.forecasts.model;
    if (view.max_risk && !view.max_risk->aside.empty()) {
        out.detail = view.max_risk->aside;
        if (view.max_risk->next_risk) {
            out.detail += "; next " + explanation::share_text(*view.max_risk->next_risk) + " " +
                          view.max_risk->next_node;
        }
    }
    if (!view.forecasts.missing.empty()) out.detail += ", something is missing";
    if (!view.forecasts.instead.empty()) out.state = StationState::failed;
    return out;
}

FlowStation proposals(const RoundView& view) {
    FlowStation out{.key = "proposals", .title = "Proposals", .state = StationState::ok};
    std::int64_t wants = 0;
    std::set<std::string> wishes;
    std::string lost;  // Those that lost to another; a refused proposal lost to nobody.
    std::string refused;
    for (const ProposalView& each : view.proposals) {
        if (each.outcome == Outcome::idle) continue;
        ++wants;
        wishes.insert(each.wanted);
        if (each.outcome != Outcome::lost && each.outcome != Outcome::refused) continue;
        std::string& letters = each.outcome == Outcome::lost ? lost : refused;
        letters += (letters.empty() ? "" : " ") + std::string(1, model::letter_of(each.role));
    }
    out.figure = thousands(wants);
    if (wants > 1) out.figure += std::ssize(wishes) == wants ? ", all differ" : ", some agree";
    if (wants == 0) out.detail = "all idle";
    if (wants > 0) out.detail = lost.empty() && refused.empty() ? "nobody lost" : "";
    if (!lost.empty()) out.detail = lost + " lost";
    if (!refused.empty()) out.detail += (lost.empty() ? "" : ", ") + refused + " refused";
    return out;
}

FlowStation verdict(const RoundView& view) {
    FlowStation out{.key = "verdict", .title = "Verdict", .state = StationState::ok};
    out.figure = "nothing";
    for (const ProposalView& each : view.proposals) {
        const bool won = each.outcome == Outcome::accepted || each.outcome == Outcome::would ||
                         each.outcome == Outcome::held;
        if (!won || view.winner != each.role) continue;
        const std::string letter(1, model::letter_of(each.role));
        out.figure = letter + " " + each.wanted;
        if (each.target_kind == TargetKind::node) {
            end_with(out, letter + " " + each.action, each.target);
        }
        break;
    }
    out.detail = view.rule;
    if (!view.overruled.empty()) out.detail = "over " + explanation::listed(view.overruled);
    if (view.overruled.empty() && view.winner) out.detail = "uncontested";
    return out;
}

FlowStation execution(const RoundView& view) {
    FlowStation out{.key = "execution", .title = "Execution", .state = StationState::none};
    out.figure = "nothing sent";
    if (!view.open_actions.empty()) out.detail = counted(std::ssize(view.open_actions), "open");
    if (!view.sent.empty()) {
        const SentView& sent = view.sent.front();
        const auto done = std::ranges::count(sent.requests, true, &RequestView::ok);
        const std::string total = std::to_string(sent.requests.size());
        out.figure =
            sent.would ? "would send " + total : std::to_string(done) + " of " + total + " sent";
        out.detail = sent.guard.empty() ? sent.note : "guard " + sent.guard;
        const bool bad = sent.state == model::ActionState::failed ||
                         sent.state == model::ActionState::unknown ||
                         sent.state == model::ActionState::blocked;
        out.state = bad ? StationState::failed : sent.would ? StationState::off : StationState::ok;
    }
    if (view.stopped) {
        out.detail = "stopped: nothing is sent any more";
        out.state = StationState::off;
    }
    if (!view.trouble.empty()) {
        out.detail = view.trouble;
        out.state = StationState::failed;
    }
    if (out.detail.empty()) out.detail = view.mode_text;
    return out;
}

FlowStation score(const RoundView& view) {
    FlowStation out{.key = "score", .title = "Score", .state = StationState::none};
    const RoundScores& s = view.scores;
    if (s.later && s.later->total) {
        out.figure = explanation::earned_minutes(*s.later->total);
        out.detail = "measured later, round " + std::to_string(s.later->closed_round);
        out.state = StationState::ok;
    } else if (s.due_round) {
        out.figure = "due " + std::to_string(*s.due_round);
        out.detail = s.twin ? "twin " + explanation::earned_minutes(*s.twin) + " so far"
                            : "not yet measured";
        out.state = StationState::ok;
    } else if (s.last_closed && s.last_closed->total) {
        out.figure = explanation::earned_minutes(*s.last_closed->total);
        out.detail = "last: round " + std::to_string(s.last_closed->round);
        out.state = StationState::ok;
    } else {
        out.figure = "not yet";
        out.detail = "none measured";
    }
    return out;
}

}  // namespace

std::vector<FlowStation> flow_of(const RoundView& view, std::int32_t new_events) {
    FlowStation events{.key = "events", .title = "Events", .state = StationState::ok};
    events.figure = thousands(std::ssize(view.events)) + ", " + thousands(new_events) + " new";
    events.detail = view.events.empty() ? "none yet" : std::string(enum_name(view.events[0].kind));
    return {stimulus(view), cluster(view),   forecasts(view), proposals(view),
            verdict(view),  execution(view), score(view),     std::move(events)};
}

}  // namespace parley::web
