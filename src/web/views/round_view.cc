#include "web/views/round_view.h"

#include "base/number.h"
#include "base/time_text.h"
#include "layers/explanation/alarms/disagreements.h"
#include "layers/explanation/telling/stages.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/wording.h"
#include "web/views/cluster_view.h"
#include "web/views/flow_view.h"
#include "web/views/node_view.h"
#include "web/views/verdict_view.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace parley::web {

using namespace model;
using explanation::Told;

namespace {

constexpr std::size_t kSentenceMax = 600;
constexpr std::size_t kNameMax = 253;  // Of Kubernetes.

ForecastsView forecasts_view(const Told& told) {
    const Forecast& forecast = told.decision.forecast;
    ForecastsView view{.predictor = std::string(enum_name(told.policy.predictor)),
                       .model = forecast.model,
                       .simulated = told.policy.predictor == PredictorKind::xgboost,
                       .calibration = forecast.calibration,
                       .features = forecast.features,
                       .horizon_s = in_seconds(forecast.horizon),
                       .instead = forecast.instead,
                       .missing = explanation::missing_readings(told)};
    for (const Shadow& shadow : forecast.shadows) {
        ShadowView each{.name = shadow.model};
        for (std::size_t i = 0; i < shadow.risks.size() && i < forecast.nodes.size(); ++i) {
            const auto& risk = shadow.risks[i];
            if (!risk || (each.max_risk && *risk <= *each.max_risk)) continue;
            each.max_risk = risk;
            each.node = explanation::node_name(told.input.snapshot, forecast.nodes[i].node);
        }
        view.shadows.push_back(std::move(each));
    }
    return view;
}

RoundScores scores_of(const RunContext& run, const SeenRound& round, const Around& around) {
    const Decision& decision = *round.decision;
    RoundScores scores{.last_closed = around.last_closed,
                       .later = around.later,
                       .round_text = explanation::round_score_line(decision.score),
                       .weights = weights_text(run.header.policy.weights)};
    const bool known = too_little_read(decision.score.leaves, decision.score.missing).empty();
    if (std::isfinite(decision.score.score) && known) {
        scores.round_total = decision.score.score;
    }
    if (!round.memory || run.header.interval.us <= 0) return scores;
    const auto& windows = round.memory->derived.windows;
    const auto next = std::ranges::min_element(windows, {}, &Window::closes);
    if (next == windows.end()) return scores;
    const std::int64_t left = std::max<std::int64_t>(0, next->closes.us - round.input->now.us);
    const std::int64_t each = run.header.interval.us;
    scores.due_round = decision.round + static_cast<std::uint64_t>((left + each - 1) / each);
    const std::int64_t so_far = next->noop.total() - next->acted.total();
    if (too_little_read(next->samples, next->gaps).empty()) {
        scores.twin = static_cast<double>(so_far) / kCostUnit;
    }
    return scores;
}

void add_points(const Decision& decision, bool simulated, RoundView& view) {
    for (const Alarm& alarm : decision.alarms) {
        view.alarms.push_back({std::string(enum_name(alarm.kind)), text_of(alarm.about),
                               explanation::when(alarm.since, simulated), alarm.rounds, alarm.layer,
                               alarm.sentence});
    }
    for (const Disagreement& each : decision.disagreements) {
        view.disagreements.push_back({std::string(enum_name(each.kind)), text_of(each.about),
                                      explanation::disagreement_text(each, decision)});
    }
}

std::string left_open(const std::vector<OpenView>& open) {
    constexpr std::size_t kNamed = 3;
    if (open.empty()) return "No action was open.";
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(kNamed, open.size()); ++i) {
        words.push_back(open[i].label + (open[i].target.empty() ? "" : " " + open[i].target));
    }
    if (open.size() > kNamed) words.push_back(std::to_string(open.size() - kNamed) + " more");
    const std::string many =
        open.size() == 1
            ? "One action is"
            : explanation::counted(static_cast<std::int64_t>(open.size()), "action") + " are";
    return many + " open: " + explanation::listed(words) + ".";
}

std::string record_text(const RunContext& run, std::uint64_t newest) {
    if (run.folder.empty()) return "not recorded";
    std::string text =
        run.folder + ", " + explanation::counted(static_cast<std::int64_t>(newest), "round");
    if (run.damaged > 0)
        text += ", " + thousands(static_cast<std::int64_t>(run.damaged)) + " damaged";
    return text;
}

}  // namespace

std::string cut_text(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return std::string(text);
    std::size_t end = bytes > 3 ? bytes - 3 : 0;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return std::string(text.substr(0, end)) + "...";
}

std::string stage_text(RunState state, std::uint64_t round, const std::string& reason) {
    const std::string at = "round " + thousands(static_cast<std::int64_t>(round));
    switch (state) {
        case RunState::running:
            return "live loop, " + at;
        case RunState::complete:
            return "complete after " + at;
        case RunState::stopped:
            return "ended by a person after " + at;
        case RunState::failed:
            return "failed after " + at;
        case RunState::killed:
            break;
    }
    return (reason.empty() ? kKilled : reason) + " at " + at;
}

std::string ended_text(RunState state, const std::string& reason, std::uint64_t newest,
                       const std::vector<OpenView>* open) {
    const std::string at = " at round " + thousands(static_cast<std::int64_t>(newest));
    if (state != RunState::killed) {
        if (state == RunState::running || reason.empty()) return {};
        const bool whole = std::string_view(".!?").find(reason.back()) != std::string_view::npos;
        const char* begin = state == RunState::failed    ? "Failed"
                            : state == RunState::stopped ? "Stopped"
                                                         : "Over";
        return begin + at + ": " + reason + (whole ? "" : ".");
    }
    std::string begin = reason.empty() ? kKilled : reason;
    begin.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(begin.front())));
    return begin + at + ". " +
           (open == nullptr ? "What was open then cannot be read." : left_open(*open));
}

std::vector<StageView> stage_views(const std::vector<store::StageNote>& stages) {
    const auto state_of = [](store::StageStatus status) {
        switch (status) {
            case store::StageStatus::disabled:
                return StageState::off;
            case store::StageStatus::idle:
                return StageState::idle;
            case store::StageStatus::skipped:
                return StageState::skipped;
            case store::StageStatus::running:
                return StageState::running;
            case store::StageStatus::complete:
                return StageState::done;
            case store::StageStatus::failed:
                break;
        }
        return StageState::failed;
    };
    std::vector<StageView> views;
    for (const store::StageNote& stage : stages) {
        views.push_back({.name = stage.name == explanation::kRay ? "ray" : stage.name,
                         .state = state_of(stage.status),
                         .detail = stage.detail});
    }
    return views;
}

std::vector<StageView> stages_of(const store::RunHeader& header, RunState state,
                                 std::uint64_t rounds, const std::string& reason) {
    std::vector<StageView> stages = stage_views(explanation::stages_of(header, {}));
    StageView loop{.name = "loop", .detail = stage_text(state, rounds, reason)};
    loop.state = state == RunState::running                               ? StageState::running
                 : state == RunState::failed || state == RunState::killed ? StageState::failed
                                                                          : StageState::done;
    stages.push_back(std::move(loop));
    return stages;
}

RoundView round_view(const RunContext& run, const SeenRound& round, const SeenRound* before,
                     const Around& around) {
    const Decision& decision = *round.decision;
    const RoundInput& input = *round.input;
    const bool simulated = run.header.simulated;
    const bool whole = !round.decisions_only();
    const Told told{input, decision, run.header.policy, round.events};
    const NodeContext nodes{round, before, run.header.policy};
    RoundView view{
        .run = run.name,
        .round = decision.round,
        .first_round = around.first,
        .newest_round = std::max(around.newest, decision.round),
        .at = whole ? explanation::when(input.now, simulated) : "?",
        .t = static_cast<double>(input.now.us) / 1e6,
        .mode = whole ? input.controls.mode : run.header.mode,
        .simulated = simulated,
        .stopped = input.controls.stop,
        .pace = round.pace,
        .trouble = round.trouble,
        .headline = explanation::headline(decision),
        .reason = explanation::reason(decision),
        .contest = decision.verdict.contest,
        .rule = decision.verdict.rule,
        .rationale = explanation::rationale_of(decision),
        .overruled = explanation::overruled(decision.verdict),
        .repeat_count = around.repeat_count,
        .max_risk = max_risk(round),
        .stage = decision.round < around.readable
                     ? stage_text(RunState::running, decision.round)
                     : stage_text(run.state, std::max(around.newest, decision.round), run.reason)};
    view.mode_text = explanation::mode_text(view.mode, simulated);
    if (!simulated && whole) view.wall = print_time(input.now);
    if (!whole) view.partial = "This record keeps decisions only: readings are not known.";
    if (!decision.verdict.accepted.empty()) view.winner = decision.verdict.accepted.front().role;
    add_points(decision, simulated, view);
    view.stimulus = stimulus_view(told);
    view.cluster = cluster_view(told);
    view.worth = worth_a_look(nodes, kWorthALook);
    view.more_nodes = more_nodes(nodes, view.worth.size());
    view.forecasts = forecasts_view(told);
    view.proposals = proposal_views(told);
    view.sent = sent_views(told);
    view.open_actions = open_views(told);
    if (decision.round >= around.readable) {
        view.ended = ended_text(run.state, run.reason, view.newest_round,
                                decision.round < around.newest ? nullptr : &view.open_actions);
    }
    view.scores = scores_of(run, round, around);
    view.events = around.events;
    for (const auto& word : explanation::source_words(input)) view.knew.push_back(word.text);
    view.missing = view.forecasts.missing;
    if (!whole) view.missing.push_back("the readings: this record keeps decisions only");
    view.assumed = explanation::assumed(told);
    view.stages = run.stages;
    view.record = record_text(run, view.newest_round);
    view.flow = flow_of(view, around.new_events);
    return view;
}

RoundSummary round_summary(const RunContext& run, const SeenRound& round, const MapView* map_before,
                           const MapView& map, const Around& around) {
    const Decision& decision = *round.decision;
    RoundSummary out{.round = decision.round,
                     .at = explanation::when(round.input->now, run.header.simulated),
                     .t = static_cast<double>(round.input->now.us) / 1e6,
                     .headline = cut_text(explanation::headline(decision), kSentenceMax),
                     .reason = cut_text(explanation::reason(decision), kSentenceMax),
                     .letter = std::string(1, explanation::strip_letter(decision.verdict)),
                     .alarms = static_cast<std::int32_t>(decision.alarms.size()),
                     .alarm_raised = around.alarm_raised,
                     .stage = stage_text(run.state, decision.round, run.reason),
                     .pace = cut_text(round.pace, kNameMax),
                     .stopped = round.input->controls.stop,
                     .same = around.repeat_count > 1,
                     .new_events = around.new_events,
                     .status = run.state};
    out.overruled = static_cast<std::int32_t>(explanation::overruled(decision.verdict).size());
    if (!decision.verdict.accepted.empty()) out.winner = decision.verdict.accepted.front().role;
    if (const auto most = max_risk(round)) {
        out.max_risk = most->value;
        out.max_risk_node = cut_text(most->node, kNameMax);
    }
    if (!decision.alarms.empty()) {
        out.alarm = cut_text(decision.alarms.front().sentence, kSentenceMax);
    }
    std::optional<std::vector<MapCell>> cells;
    if (map_before != nullptr) cells = changed_cells(*map_before, map);
    out.more = !cells;
    // Escapes may make a text six times as long, and the size as sent counts.
    for (std::size_t most = kSentenceMax; view_json(out).size() > kSummaryBytesMax; most /= 2) {
        for (std::string* text : {&out.headline, &out.reason, &out.alarm, &out.max_risk_node}) {
            *text = cut_text(*text, most);
        }
    }
    std::size_t size = view_json(out).size();
    for (std::size_t i = 0; cells && i < cells->size(); ++i) {
        size += view_json((*cells)[i]).size() + 1;
        if (size > kSummaryBytesMax) {
            out.more = true;
            break;
        }
        out.cells.push_back((*cells)[i]);
    }
    return out;
}

}  // namespace parley::web
