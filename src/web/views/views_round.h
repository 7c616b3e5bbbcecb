// Web, views: a round as the page shows it: what was known in it and, kept apart, what was measured
// later.

#pragma once

#include "layers/explanation/telling/narrator.h"
#include "model/snapshot.h"
#include "web/views/views_common.h"

namespace parley::web {

enum class StationState : std::uint8_t { ok, late, failed, off, none };
BOOST_DESCRIBE_ENUM(StationState, ok, late, failed, off, none)

/// One of the eight stations of the flow.
struct FlowStation {
    std::string key;
    std::string title;
    std::string figure;
    std::string lead;  ///< If the figure ends with a node: what stands before it; else empty.
    std::string node;  ///< The node it ends with, so that only its name is cut; else empty.
    StationState state = StationState::none;
    std::string detail;
    std::optional<double> age_s;
};
BOOST_DESCRIBE_STRUCT(FlowStation, (), (key, title, figure, lead, node, state, detail, age_s))

struct AlarmView {
    std::string kind;
    std::string about;
    std::string since_at;
    std::uint64_t rounds = 0;
    std::int32_t layer = 0;  ///< The layer to suspect.
    std::string sentence;
};
BOOST_DESCRIBE_STRUCT(AlarmView, (), (kind, about, since_at, rounds, layer, sentence))

struct DisagreementView {
    std::string kind;
    std::string about;
    std::string sentence;
};
BOOST_DESCRIBE_STRUCT(DisagreementView, (), (kind, about, sentence))

struct MaxRisk {
    std::string node;
    double value = 0;
    std::optional<double> limit;      ///< Nothing: acting never pays.
    std::string aside;                ///< Why it is out of service: "emptied by us"; else empty.
    std::string next_node;            ///< If it is: the riskiest node in service; else empty.
    std::optional<double> next_risk;  ///< Its risk.
};
BOOST_DESCRIBE_STRUCT(MaxRisk, (), (node, value, limit, aside, next_node, next_risk))

struct StimulusView {
    std::string phase;
    std::string text;
    std::string intent;
    double since_s = 0;
    std::string moves;  ///< "queue", "cpu_requested"; "none".
    double before = 0;
    std::optional<double> now;
    std::string moved;    ///< "queue 0 to 9".
    std::string instead;  ///< What was decided instead; empty: what was intended, or nothing yet.
};
BOOST_DESCRIBE_STRUCT(StimulusView, (),
                      (phase, text, intent, since_s, moves, before, now, moved, instead))

struct SourceView {
    std::string name;
    model::SourceCondition condition = model::SourceCondition::off;
    std::optional<double> age_s;
    double limit_s = 0;
    std::int32_t covered = 0;
    std::int32_t expected = 0;
    std::string reason;
    std::string text;
};
BOOST_DESCRIBE_STRUCT(SourceView, (),
                      (name, condition, age_s, limit_s, covered, expected, reason, text))

struct PendingView {
    std::string cause;
    std::int64_t count = 0;
    bool deliberate = false;  ///< No node matches its selector: no shortage.
    bool ours = false;        ///< Held by our own gate.
};
BOOST_DESCRIBE_STRUCT(PendingView, (), (cause, count, deliberate, ours))

struct ClusterView {
    std::optional<std::int64_t> nodes;
    std::optional<std::int64_t> nodes_ready;
    std::optional<std::int64_t> pods;
    std::vector<PendingView> pending;
    std::optional<std::int64_t> pending_total;
    std::string pending_text;
    ReadingView queue;
    ReadingView violations;
    ReadingView completed;
    ReadingView power;  ///< Watts.
    std::vector<SourceView> sources;
};
BOOST_DESCRIBE_STRUCT(ClusterView, (),
                      (nodes, nodes_ready, pods, pending, pending_total, pending_text, queue,
                       violations, completed, power, sources))

/// A node in one line: what Kubernetes shows, what Parley believes. Figures have age and source,
/// and the page words them; explanation::NodeWord has the same as text.
struct NodeLine {
    std::string name;
    std::string zone;
    model::Readiness ready = model::Readiness::unknown;
    std::optional<double> ready_for_s;
    ReadingView lease;     ///< Seconds since it was renewed.
    ReadingView cpu;       ///< Share of what is allocatable, 0 to 1.
    ReadingView memory;    ///< Share of what is allocatable, 0 to 1.
    ReadingView disk;      ///< Share that is used, 0 to 1.
    ReadingView restarts;  ///< In ten minutes.
    std::int32_t pods = 0;
    bool cordoned = false;
    std::string power;  ///< "on", "sleep", "off", "booting".
    std::string ours;   ///< What we did to it: "quarantined until T+37:06"; else empty.
    ReadingView risk;
    std::optional<double> limit;  ///< Nothing: acting never pays.
    bool over = false;
    std::optional<double> waiting;  ///< Cost of waiting, in pod-minutes.
    std::optional<double> acting;   ///< Cost of the remedy that pays first, in pod-minutes.
    std::string action;             ///< The remedy that pays first.
    std::string differs;            ///< If shown and believed differ: the sentence; else empty.
    bool changed = false;           ///< Since the round before.
    std::string aside;              ///< Why it is out of service: "emptied by us"; else empty.
};
BOOST_DESCRIBE_STRUCT(NodeLine, (),
                      (name, zone, ready, ready_for_s, lease, cpu, memory, disk, restarts, pods,
                       cordoned, power, ours, risk, limit, over, waiting, acting, action, differs,
                       changed, aside))

struct ShadowView {
    std::string name;
    std::optional<double> max_risk;
    std::string node;
};
BOOST_DESCRIBE_STRUCT(ShadowView, (), (name, max_risk, node))

struct ForecastsView {
    std::string predictor;
    std::string model;
    bool simulated = false;  ///< The model was trained in the simulator, or is a formula of ours.
    std::string calibration;
    std::uint32_t features = 0;
    double horizon_s = 0;
    std::string instead;  ///< Why another predictor than the requested one is used; else empty.
    std::vector<ShadowView> shadows;
    std::vector<std::string> missing;
    std::optional<double> milliseconds;  ///< Records keep no timings.
};
BOOST_DESCRIBE_STRUCT(ForecastsView, (),
                      (predictor, model, simulated, calibration, features, horizon_s, instead,
                       shadows, missing, milliseconds))

enum class TargetKind : std::uint8_t { node, workload, cluster, space, none };
BOOST_DESCRIBE_ENUM(TargetKind, node, workload, cluster, space, none)
enum class Scale : std::uint8_t { log_odds, linear, count };
BOOST_DESCRIBE_ENUM(Scale, log_odds, linear, count)

struct EvidenceView {
    std::string what;
    std::optional<double> value;
    std::string bound;  ///< above, below, from; empty: no bound.
    std::optional<double> limit;
    Scale scale = Scale::linear;
    std::string text;  ///< "risk 0.86".
    std::string acts;  ///< "above 0.25".
};
BOOST_DESCRIBE_STRUCT(EvidenceView, (), (what, value, bound, limit, scale, text, acts))

struct ProposalView {
    model::Role role = model::Role::safety;
    std::string agent;
    std::string wanted;
    std::string action;  ///< "replicate": what is wanted, without its target; empty: nothing is.
    std::string target;
    TargetKind target_kind = TargetKind::none;
    std::optional<double> score;
    explanation::Outcome outcome = explanation::Outcome::idle;
    std::string result;
    std::string rule;
    std::string because;
    std::string guard;
    EvidenceView evidence;
    std::optional<model::Role> loses_to;
};
BOOST_DESCRIBE_STRUCT(ProposalView, (),
                      (role, agent, wanted, action, target, target_kind, score, outcome, result,
                       rule, because, guard, evidence, loses_to))

struct RequestView {
    std::string request;
    std::string answer;
    bool ok = false;
    std::optional<double> ms;  ///< From the read that it rests on to its answer.
};
BOOST_DESCRIBE_STRUCT(RequestView, (), (request, answer, ok, ms))

/// An action accepted in this round, with its requests.
struct SentView {
    std::string label;
    std::vector<RequestView> requests;
    model::ActionState state = model::ActionState::planned;
    std::string expires_at;
    std::vector<std::string> undo;  ///< The requests that undo it.
    std::string note;
    bool would = false;
    std::string guard;
    std::uint64_t from_round = 0;
};
BOOST_DESCRIBE_STRUCT(SentView, (),
                      (label, requests, state, expires_at, undo, note, would, guard, from_round))

struct OpenView {
    std::uint64_t round = 0;
    std::string label;
    std::string target;
    model::ActionState state = model::ActionState::planned;
    std::int32_t done = 0;
    std::int32_t total = 0;
    std::string expires_at;
    std::string note;
};
BOOST_DESCRIBE_STRUCT(OpenView, (), (round, label, target, state, done, total, expires_at, note))

struct RoundScores {
    std::optional<ClosedView> last_closed;  ///< Known in this round.
    std::optional<ClosedView> later;        ///< The outcome of this round's action, measured later.
    std::optional<std::uint64_t> due_round;
    std::optional<double> twin;         ///< What the twins of the open action say so far.
    std::optional<double> round_total;  ///< Of this round.
    std::string round_text;
    std::string weights;
};
BOOST_DESCRIBE_STRUCT(RoundScores, (),
                      (last_closed, later, due_round, twin, round_total, round_text, weights))

struct RoundView {
    std::string run;
    std::uint64_t round = 0;
    std::uint64_t first_round = 0;
    std::uint64_t newest_round = 0;
    std::string at;
    double t = 0;
    std::optional<std::string> wall;  ///< With zone; nothing for a simulated run.
    model::Mode mode = model::Mode::observe;
    std::string mode_text;
    bool simulated = false;
    bool stopped = false;
    std::string pace;
    std::string trouble;  ///< Why nothing was sent; else empty.
    std::string partial;  ///< Why something is not shown; else empty.
    std::string headline;
    std::string reason;
    std::optional<model::Role> winner;
    model::Contest contest = model::Contest::idle;
    std::string rule;
    std::string rationale;
    std::vector<std::string> overruled;
    std::uint64_t repeat_count = 0;
    std::optional<MaxRisk> max_risk;
    std::string stage;
    std::vector<AlarmView> alarms;
    std::vector<DisagreementView> disagreements;
    std::optional<StimulusView> stimulus;
    std::vector<FlowStation> flow;
    ClusterView cluster;
    std::vector<NodeLine> worth;
    std::string more_nodes;
    ForecastsView forecasts;
    std::vector<ProposalView> proposals;
    std::vector<SentView> sent;
    std::vector<OpenView> open_actions;
    RoundScores scores;
    std::vector<EventLine> events;
    std::vector<std::string> knew;
    std::vector<std::string> missing;
    std::vector<std::string> assumed;
    std::vector<StageView> stages;
    std::string record;
    std::string ended;  ///< In the last round, how the run ended; empty: it goes on, or ended well.
};
BOOST_DESCRIBE_STRUCT(RoundView, (),
                      (run, round, first_round, newest_round, at, t, wall, mode, mode_text,
                       simulated, stopped, pace, trouble, partial, headline, reason, winner,
                       contest, rule, rationale, overruled, repeat_count, max_risk, stage, alarms,
                       disagreements, stimulus, flow, cluster, worth, more_nodes, forecasts,
                       proposals, sent, open_actions, scores, events, knew, missing, assumed,
                       stages, record, ended))

}  // namespace parley::web
