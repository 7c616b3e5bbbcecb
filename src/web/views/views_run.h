// Web, views: runs as the page shows them: the list, one in detail, and answers over all rounds.

#pragma once

#include "layers/explanation/wording/leading.h"
#include "model/round.h"
#include "web/views/view_json.h"
#include "web/views/views_common.h"

#include <map>
#include <tuple>

namespace parley::web {

enum class RunState : std::uint8_t { running, complete, stopped, failed, killed };
BOOST_DESCRIBE_ENUM(RunState, running, complete, stopped, failed, killed)

/// Who stopped a run from acting.
struct StopWord {
    std::string by;  ///< "session 2 of the dashboard"; empty: not known.
    std::string at;  ///< By the wall clock; empty: not known.
    /// The last round that could act; null: not known yet.
    std::optional<std::uint64_t> after_round;
    std::string lift;  ///< The command that lifts it, valid in any folder; empty: none does.
};
BOOST_DESCRIBE_STRUCT(StopWord, (), (by, at, after_round, lift))

struct RunCard {
    std::string name;  ///< As used in addresses.
    std::string title;
    RunState status = RunState::running;
    std::string reason;
    model::Mode mode = model::Mode::observe;
    bool simulated = false;
    std::uint64_t rounds = 0;
    std::uint64_t first_round = 0;
    std::uint64_t newest_round = 0;
    std::string newest_at;
    bool can_stop = false;            ///< It acts, and this server can stop it from acting.
    std::optional<StopWord> stopped;  ///< Who stopped it from acting; null: nobody.
    /// Who leads, while this process's own loop runs in mode `act`; null: nobody else could.
    std::optional<explanation::Leading> leading;
    std::string problem;           ///< Why it cannot be opened; else empty.
    std::string reading;           ///< How far its record is read; empty: completely.
    std::string damaged;           ///< Which rounds cannot be read, in a sentence; else empty.
    std::uint64_t last_round = 0;  ///< The last recorded round, whether it can be read or not.
};
BOOST_DESCRIBE_STRUCT(RunCard, (),
                      (name, title, status, reason, mode, simulated, rounds, first_round,
                       newest_round, newest_at, can_stop, stopped, leading, problem, reading,
                       damaged, last_round))

struct RunList {
    std::vector<RunCard> runs;
    std::optional<std::string> current;  ///< The run that this server's own loop makes.
    std::vector<AgentView> agents;       ///< All of them, in the order of their letters.
};
BOOST_DESCRIBE_STRUCT(RunList, (), (runs, current, agents))

struct SettingView {
    std::string name;
    std::string value;
    std::string origin;  ///< "--seed", "prod.yaml:14", "default", "record".
};
BOOST_DESCRIBE_STRUCT(SettingView, (), (name, value, origin))

struct ArtifactView {
    std::string label;
    std::string path;
    std::string time;
};
BOOST_DESCRIBE_STRUCT(ArtifactView, (), (label, path, time))

struct RunDetail {
    RunCard card;
    std::vector<std::string> command;
    std::vector<SettingView> settings;
    std::uint64_t seed = 0;
    std::string profile;
    std::uint32_t rules_version = 0;
    std::string program;
    std::string began;
    std::string cluster_kind;
    std::vector<std::string> cannot;
    std::string data_source;
    std::uint64_t rows = 0;
    std::vector<ArtifactView> artifacts;
    std::vector<std::string> errors;
    std::vector<std::string> gaps;
    std::vector<std::string> summary;
    std::vector<StageView> stages;
    double interval_s = 0;
};
BOOST_DESCRIBE_STRUCT(RunDetail, (),
                      (card, command, settings, seed, profile, rules_version, program, began,
                       cluster_kind, cannot, data_source, rows, artifacts, errors, gaps, summary,
                       stages, interval_s))

enum class Kept : std::uint8_t { full, decisions, gone, damaged };
BOOST_DESCRIBE_ENUM(Kept, full, decisions, gone, damaged)

struct StripCell {
    std::uint64_t round = 0;
    std::string letter;          ///< The winner's; "." idle; "" not known.
    std::int32_t overruled = 0;  ///< How many.
    bool alarm = false;  ///< An alarm was raised in it; one that stands longer is not marked again.
    bool same = false;   ///< The same decision as the round before.
    Kept state = Kept::full;
};
BOOST_DESCRIBE_STRUCT(StripCell, (), (round, letter, overruled, alarm, same, state))

struct StripView {
    std::uint64_t first = 0;
    std::uint64_t newest = 0;
    std::vector<StripCell> cells;
};
BOOST_DESCRIBE_STRUCT(StripView, (), (first, newest, cells))

struct RibbonView {
    std::uint64_t first = 0;
    std::uint64_t newest = 0;
    std::string cells;   ///< The worst round under each pixel; '#': gone or damaged.
    std::string alarms;  ///< '!' where an alarm was raised, else ' '.
};
BOOST_DESCRIBE_STRUCT(RibbonView, (), (first, newest, cells, alarms))

struct ScorePoint {
    std::uint64_t round = 0;
    std::optional<double> total;
    ByRole by;
    bool ours = true;  ///< False: measured, but nothing was sent.
};
BOOST_DESCRIBE_STRUCT(ScorePoint, (), (round, total, by, ours))

struct ScoresView {
    std::vector<ScorePoint> series;  ///< Of rounds; down-sampled, keeping minimum and maximum.
    std::vector<ClosedView> closed;  ///< Of actions, newest first.
    std::string weights;
    std::optional<double> twin_error;  ///< The median, in pod-minutes.
    std::uint64_t twin_scores = 0;     ///< Over this many scores.
    std::optional<double> total;       ///< Over all these rounds; null: too little could be read.
    std::string total_missing;         ///< Why the total is missing; else empty.
    std::optional<double> total_covered;  ///< The share of its readings that could be read.
    std::vector<std::string> left_out;    ///< Lines that nobody counted, each with the reason.
};
BOOST_DESCRIBE_STRUCT(ScoresView, (),
                      (series, closed, weights, twin_error, twin_scores, total, total_missing,
                       total_covered, left_out))

struct DecisionLine {
    std::uint64_t round = 0;
    std::uint64_t last_round = 0;  ///< The last of consecutive rounds with the same decision.
    std::string at;
    std::string headline;
    std::string rule;
    std::string letter;
    std::vector<std::string> overruled;
    std::string outcome;
    std::optional<double> score;  ///< Measured later; nothing: not, or not yet.
    std::string score_text;
};
BOOST_DESCRIBE_STRUCT(DecisionLine, (),
                      (round, last_round, at, headline, rule, letter, overruled, outcome, score,
                       score_text))

struct DecisionsView {
    std::uint64_t total = 0;
    std::vector<DecisionLine> rows;  ///< Newest first.
};
BOOST_DESCRIBE_STRUCT(DecisionsView, (), (total, rows))

struct EventsView {
    std::vector<EventLine> events;                ///< Newest first.
    std::map<std::string, std::uint64_t> counts;  ///< By kind, regardless of the filter.
    std::uint64_t total = 0;                      ///< Those that match the filter.
    std::uint64_t newest_seq = 0;
};
BOOST_DESCRIBE_STRUCT(EventsView, (), (events, counts, total, newest_seq))

struct Change {
    std::string path;  ///< Into the round: "worth.node-07.risk.value".
    std::string was;
    std::string now;
};
BOOST_DESCRIBE_STRUCT(Change, (), (path, was, now))
struct DifferenceView {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::vector<Change> changed;
};
BOOST_DESCRIBE_STRUCT(DifferenceView, (), (from, to, changed))

/// Nodes sorted by zone, then name; a node has the same index in every list.
struct MapView {
    std::uint64_t round = 0;
    std::vector<std::string> names;
    std::vector<std::string> zones;
    std::vector<std::optional<double>> risk;
    std::vector<std::uint32_t> over;  ///< Indexes, as in the lists below.
    std::vector<std::uint32_t> missing;
    std::vector<std::uint32_t> not_ready;
    std::vector<std::uint32_t> aside;
    std::vector<std::uint32_t> differs;
    std::string sorted = "zone, name";
};
BOOST_DESCRIBE_STRUCT(MapView, (),
                      (round, names, zones, risk, over, missing, not_ready, aside, differs, sorted))

/// A changed cell of the map: its index, its risk, and flags: 1 over, 2 missing, 4 not Ready, 8 set
/// aside, 16 shown and believed differ.
using MapCell = std::tuple<std::uint32_t, std::optional<double>, std::uint32_t>;

/// What the stream sends of a round; at most 4 KB.
struct RoundSummary {
    std::uint64_t round = 0;
    std::string at;
    double t = 0;
    std::string headline;
    std::string reason;
    std::optional<model::Role> winner;
    std::string letter;
    std::int32_t overruled = 0;
    std::optional<double> max_risk;
    std::string max_risk_node;
    std::int32_t alarms = 0;    ///< Those that stand.
    bool alarm_raised = false;  ///< One was raised in this round, which the strip marks.
    std::string alarm;          ///< The first one.
    std::string stage;
    std::string pace;
    bool stopped = false;
    bool same = false;  ///< The same decision as the round before.
    std::vector<MapCell> cells;
    bool more = false;  ///< Not every changed cell fits, or indexes changed: fetch the map.
    std::int32_t new_events = 0;
    RunState status = RunState::running;
};
BOOST_DESCRIBE_STRUCT(RoundSummary, (),
                      (round, at, t, headline, reason, winner, letter, overruled, max_risk,
                       max_risk_node, alarms, alarm_raised, alarm, stage, pace, stopped, same,
                       cells, more, new_events, status))

struct StatusNote {
    RunState status = RunState::running;
    std::string reason;
    std::optional<StopWord> stopped;
    std::optional<explanation::Leading> leading;  ///< As on the card.
};
BOOST_DESCRIBE_STRUCT(StatusNote, (), (status, reason, stopped, leading))

struct NamesView {
    std::vector<std::string> names;
};
BOOST_DESCRIBE_STRUCT(NamesView, (), (names))

struct AskLink {
    std::string text;  ///< What the page shows: "round 142".
    std::optional<std::uint64_t> round;
    std::optional<std::string> node;
    std::optional<std::string> workload;
};
BOOST_DESCRIBE_STRUCT(AskLink, (), (text, round, node, workload))

struct AskView {
    std::string question;
    std::vector<std::string> text;  ///< Lines, as the terminal prints them.
    AnyJson answer;                 ///< As `-o json` prints it; null: there is none.
    std::string error;              ///< Why there is no answer; else empty.
    std::vector<AskLink> links;
};
BOOST_DESCRIBE_STRUCT(AskView, (), (question, text, answer, error, links))

struct SessionView {
    std::string user;
    std::uint32_t port = 0;
};
BOOST_DESCRIBE_STRUCT(SessionView, (), (user, port))

struct StopView {
    std::uint64_t round = 0;
    std::string sentence;
};
BOOST_DESCRIBE_STRUCT(StopView, (), (round, sentence))

struct LoginBody {
    std::string token;
};
BOOST_DESCRIBE_STRUCT(LoginBody, (), (token))

}  // namespace parley::web
