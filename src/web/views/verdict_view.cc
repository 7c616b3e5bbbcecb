#include "web/views/verdict_view.h"

#include "base/number.h"
#include "layers/explanation/telling/follow.h"
#include "layers/explanation/wording/lines.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::web {

using namespace model;
using explanation::Told;

namespace {

TargetKind kind_of(const Target& target) {
    if (std::holds_alternative<NodeId>(target)) return TargetKind::node;
    if (std::holds_alternative<WorkloadId>(target)) return TargetKind::workload;
    return std::holds_alternative<NamespaceId>(target) ? TargetKind::space : TargetKind::cluster;
}

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

EvidenceView evidence_view(const Evidence& evidence) {
    EvidenceView view{.what = evidence.what,
                      .bound = evidence.bound,
                      .text = explanation::evidence_text(evidence),
                      .acts = explanation::bound_text(evidence)};
    if (!evidence.what.empty()) view.value = finite(evidence.value);
    if (!evidence.bound.empty()) view.limit = finite(evidence.limit);
    const Measure measure = explanation::measure_of(evidence);
    if (measure == Measure::risk) view.scale = web::Scale::log_odds;
    if (measure == Measure::count) view.scale = web::Scale::count;
    return view;
}

ProposalView proposal_view(const explanation::JudgedRow& each) {
    const Proposal& p = each.judged->proposal;
    ProposalView view{.role = p.role,
                      .agent = each.row.agent,
                      .wanted = each.row.wanted,
                      .outcome = each.row.outcome,
                      .result = each.row.result,
                      .rule = each.row.rule,
                      .because = each.row.because,
                      .guard = each.row.guard,
                      .evidence = evidence_view(p.evidence)};
    if (!std::holds_alternative<Noop>(p.action)) {
        view.action = text_of(p.action);
        view.target = text_of(p.target);
        view.target_kind = kind_of(p.target);
        view.score = finite(p.score);
    }
    if (const auto* lost = std::get_if<Overridden>(&each.judged->fate)) view.loses_to = lost->by;
    return view;
}

/// Times from the read that a request rests on to its answer, in order.
std::vector<double> request_times(const DecisionId& id, std::span<const ActionEvent> events) {
    std::vector<double> times;
    std::optional<TimePoint> read;
    for (const ActionEvent& event : events) {
        if (event.action != id) continue;
        if (std::holds_alternative<Seen>(event.what)) read = event.at;
        if (!std::holds_alternative<Answered>(event.what) || !read) continue;
        times.push_back(in_seconds(event.at - *read) * 1000);
        read.reset();
    }
    return times;
}

std::string guard_of(const Told& told, const OpenAction& action) {
    for (const explanation::JudgedRow& each : explanation::judged_rows(told)) {
        const Proposal& p = each.judged->proposal;
        if (p.role == action.role && p.action == action.action && p.target == action.target) {
            return each.row.guard;
        }
    }
    return {};
}

SentView sent_view(const Told& told, const OpenAction& action) {
    explanation::Follower follower(action);
    for (const ActionEvent& event : told.events) follower.take(event);
    const bool simulated = told.input.controls.simulated;
    SentView view{.label = explanation::wish_text(action.action, action.target),
                  .state = follower.state(),
                  .note = follower.note(),
                  .would = action.state == ActionState::would_send,
                  .guard = guard_of(told, action),
                  .from_round = action.round};
    if (action.expires > TimePoint{}) {
        view.expires_at = explanation::when(action.expires, simulated);
    }
    for (const Request& each : action.undo) view.undo.push_back(text_of(each));
    // A simulated cluster answers at once, so there is no time to show.
    const auto times = simulated ? std::vector<double>() : request_times(action.id, told.events);
    std::size_t sent = 0;
    for (const explanation::SentStep& step : follower.steps()) {
        const bool untold = view.would && !step.tried;
        RequestView request{
            .request = step.request, .answer = untold ? "" : step.answer, .ok = step.ok};
        if (step.sent && sent < times.size()) request.ms = times[sent++];
        view.requests.push_back(std::move(request));
    }
    return view;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& each : words) text += (text.empty() ? "" : "; ") + each;
    return text;
}

double units(std::int64_t cost) { return static_cast<double>(cost) / kCostUnit; }

ClosedState state_of(ScoreState state) {
    switch (state) {
        case ScoreState::measured:
            return ClosedState::measured;
        case ScoreState::estimated:
            return ClosedState::estimated;
        case ScoreState::would:
            return ClosedState::would;
        case ScoreState::censored:
            return ClosedState::censored;
        case ScoreState::missing:
        case ScoreState::open:
            break;
    }
    return ClosedState::unknown;
}

}  // namespace

std::vector<ProposalView> proposal_views(const Told& told) {
    std::vector<ProposalView> views;
    for (const explanation::JudgedRow& each : explanation::judged_rows(told)) {
        views.push_back(proposal_view(each));
    }
    for (const Role role : kRoles) {
        if (in_this_build(role) || std::ranges::count(views, role, &ProposalView::role) > 0) {
            continue;
        }
        views.push_back({.role = role,
                         .agent = std::string(title_of(role)),
                         .wanted = "-",
                         .result = "skipped: not in this build",
                         .because = "not in this build",
                         .evidence = {.text = "-", .acts = "-"}});
    }
    return views;
}

std::vector<SentView> sent_views(const Told& told) {
    std::vector<SentView> views;
    for (const Step& step : told.decision.first_steps) {
        if (step.action.round == told.decision.round) {
            views.push_back(sent_view(told, step.action));
        }
    }
    return views;
}

std::vector<OpenView> open_views(const Told& told) {
    std::vector<OpenView> views;
    for (const Step& step : told.decision.first_steps) {
        const OpenAction& action = step.action;
        if (action.round == told.decision.round) continue;
        explanation::Follower follower(action);
        for (const ActionEvent& event : told.events) follower.take(event);
        OpenView view{.round = action.round,
                      .label = explanation::wish_text(action.action, action.target),
                      .target = text_of(action.target),
                      .state = follower.state(),
                      .done = follower.done(),
                      .total = follower.total(),
                      .note = action.undoing ? "being undone" : follower.note()};
        if (action.expires > TimePoint{}) {
            view.expires_at = explanation::when(action.expires, told.input.controls.simulated);
        }
        views.push_back(std::move(view));
    }
    return views;
}

ClosedView closed_view(const ClosedScore& score, bool simulated) {
    ClosedView view{.round = score.round,
                    .closed_round = score.closed,
                    .at = explanation::when(score.ended, simulated),
                    .action = explanation::wish_text(score.action, score.target),
                    .role = score.role,
                    .state = state_of(score.state),
                    .cut = score.cut,
                    .text = explanation::score_line(score)};
    if (view.state == ClosedState::censored) view.text = score.because;  // The state says the rest.
    if (view.state == ClosedState::unknown || view.state == ClosedState::censored) return view;
    const Cost& a = score.advantage;
    const std::vector<LineGap> out = explanation::left_out(score);
    for (const Role role : kRoles) {
        if (any_counted(out, role)) view.by[role] = units(a[role]);
    }
    if (score.state == ScoreState::estimated) view.likely = explanation::likely_text(score);
    view.left_out = joined(explanation::reasons_left_out(score));
    view.total = units(a.total());
    if (score.twin_error) view.twin = units(a.total() + score.twin_error->total());
    return view;
}

std::vector<AgentView> agent_views() {
    std::vector<AgentView> views;
    for (const Role role : kRoles) {
        views.push_back({.role = role,
                         .letter = std::string(1, letter_of(role)),
                         .title = std::string(title_of(role)),
                         .here = in_this_build(role)});
    }
    return views;
}

std::string weights_text(const Weights& weights) {
    std::string text;
    for (const Role role : kRoles) {
        text += (text.empty() ? "" : ", ") + std::string(1, letter_of(role)) + " x " +
                print_double(weights[role]);
    }
    return text;
}

}  // namespace parley::web
