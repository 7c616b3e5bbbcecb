// Layer 6, explanation: rounds in, the state of a run as in state.json out.

#pragma once

#include "layers/explanation/derived/events.h"
#include "layers/explanation/telling/narrator.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/account_sum.h"
#include "layers/explanation/wording/leading.h"
#include "store/run_reader.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

/// How many rounds' scores, and how many events, are shown.
inline constexpr std::size_t kRewardsKept = 80;
inline constexpr std::size_t kEventsKept = 40;
/// How many known outcomes of actions are shown, besides all that are not known yet.
inline constexpr std::size_t kOutcomesKept = 20;

struct StageWord {
    std::string name;
    std::string status;  ///< disabled, idle, skipped, running, complete, failed.
    std::string detail;  ///< The flag, what is missing, or how far it is.
    double progress = 0;
};
BOOST_DESCRIBE_STRUCT(StageWord, (), (name, status, detail, progress))

struct Reward {
    std::uint64_t round = 0;
    /// The round's score in pod-minutes; nothing: too little could be read.
    std::optional<double> total;
    /// Its parts by agent; nothing: too little could be read.
    InPlace<model::PerRole<std::optional<double>>> by;
    /// The reward by the prototype's formula, never mixed with the rest.
    std::optional<double> prototype;
    std::int32_t leaves = 0;   ///< Leaves whose cost could be read ...
    std::int32_t missing = 0;  ///< ... and leaves whose cost could not.
    std::string text;          ///< The same in words, with what it leaves out.
};
BOOST_DESCRIBE_STRUCT(Reward, (), (round, total, by, prototype, leaves, missing, text))

struct RewardSummary {
    std::uint64_t count = 0;
    std::optional<Reward> last;
    std::optional<double> average_total;
    std::string last_action;  ///< Its label; empty: there was none.
    std::string last_score;   ///< The score of an action in words; empty: none is closed yet.
    std::optional<double> cost_pod_minutes;  ///< Over all rounds, by the cost account.
    std::optional<double> coverage;          ///< Share of it that could be read.
    std::string not_known_because;  ///< Why cost and average are missing; empty: they are known.
    /// Lines of the account that nobody counted, each with the reason; costs are without them.
    std::vector<std::string> left_out;
};
BOOST_DESCRIBE_STRUCT(RewardSummary, (),
                      (count, last, average_total, last_action, last_score, cost_pod_minutes,
                       coverage, not_known_because, left_out))

struct DecisionWord {
    std::uint64_t round = 0;
    std::string id;
    std::string headline;
    std::string reason;
    std::string label;
    std::string rule;
    std::string rationale;
    std::string contest;
    std::uint64_t repeat_count = 0;  ///< Rounds in a row with this decision.
};
BOOST_DESCRIBE_STRUCT(DecisionWord, (),
                      (round, id, headline, reason, label, rule, rationale, contest, repeat_count))

/// Unknown values are null, never zero.
struct ClusterWord {
    std::int64_t nodes = 0;
    std::int64_t nodes_ready = 0;
    std::int64_t tasks = 0;
    std::optional<std::int64_t> queue;
    std::optional<std::int64_t> sla_violations;
    std::optional<std::int64_t> completed;
    std::optional<double> watts;
    std::string power_kind;  ///< measured, estimated or unknown.
    std::string power_source;
    std::optional<double> max_risk;
    std::string max_risk_node;
    std::optional<double> min_demand;
    std::string min_demand_node;
    std::optional<double> mean_cpu;
    std::optional<double> mean_memory;
    std::string pending;
    std::vector<SourceWord> sources;
    std::string prometheus_error;
    std::vector<NodeWord> worth_a_look;
};
BOOST_DESCRIBE_STRUCT(ClusterWord, (),
                      (nodes, nodes_ready, tasks, queue, sla_violations, completed, watts,
                       power_kind, power_source, max_risk, max_risk_node, min_demand,
                       min_demand_node, mean_cpu, mean_memory, pending, sources, prometheus_error,
                       worth_a_look))

/// An Event without its data, in the fixed form of state.json.
struct EventWord {
    std::string at;
    std::uint64_t round = 0;
    EventKind kind = EventKind::stage;
    std::string message;
};
BOOST_DESCRIBE_STRUCT(EventWord, (), (at, round, kind, message))

/// What came of an action, as far as it is known.
struct OutcomeWord {
    std::uint64_t round = 0;  ///< In which it was decided.
    std::string action;       ///< "migrate node-07".
    model::ScoreState state = model::ScoreState::open;
    std::string text;   ///< Its score, or when that is due and what is known so far.
    std::string since;  ///< What else happened to its target and the leaves it is scored on.
};
BOOST_DESCRIBE_STRUCT(OutcomeWord, (), (round, action, state, text, since))

struct DashboardState {
    std::uint32_t format = 1;
    std::string status;  ///< running, complete, stopped, failed.
    std::string reason;
    std::string active_stage;
    std::string mode;
    bool stopped = false;  ///< By the kill switch: nothing is sent but what gives back.
    /// Only in the file of a run in mode `act` that goes on; null: not known, or nobody else could.
    std::optional<Leading> leading;
    std::string profile;
    std::string scenario;
    std::uint64_t seed = 0;
    std::string program;
    std::string began;
    std::string newest;
    std::uint64_t rounds = 0;
    DecisionWord decision;
    std::vector<AgentRow> proposals;
    RewardSummary rewards;
    std::vector<Reward> last_rewards;
    std::vector<StageWord> stages;
    std::vector<std::string> artifacts;
    StageWord optuna;
    StageWord ray;
    ClusterWord cluster;
    std::string data_source;
    std::uint64_t rows = 0;
    std::vector<model::Disagreement> disagreements;
    std::vector<model::Alarm> alarms;
    std::vector<std::string> missing;
    std::vector<std::string> assumed;
    std::vector<std::string> errors;
    std::vector<EventWord> events;      ///< Newest last.
    std::vector<OutcomeWord> outcomes;  ///< In order of rounds; of the known ones only the newest.
};
BOOST_DESCRIBE_STRUCT(DashboardState, (),
                      (format, status, reason, active_stage, mode, stopped, leading, profile,
                       scenario, seed, program, began, newest, rounds, decision, proposals, rewards,
                       last_rewards, stages, artifacts, optuna, ray, cluster, data_source, rows,
                       disagreements, alarms, missing, assumed, errors, events, outcomes))

/// Keeps the newest round and a few recent values; bounded in size. One thread at a time.
class StateKeeper {
public:
    explicit StateKeeper(const store::RunHeader& header);

    /// Call it once a round, in order, with the Teller's events of that round.
    void take(const Told& told, const std::vector<Event>& events);

    /// The end of the record: open actions are censored, as `scores` say.
    void end(const std::vector<model::ClosedScore>& scores, const std::vector<Event>& events);

    /// The current state; `facts` says how the run ended, `errors` what could not be read or done.
    DashboardState state(const store::RunFacts& facts, std::vector<std::string> errors) const;

private:
    void keep_events(const std::vector<Event>& events, bool simulated);

    store::RunHeader header_;
    DashboardState state_;
    std::deque<OutcomeWord> known_;
    std::vector<OutcomeWord> open_;
    std::deque<Reward> rewards_;
    std::deque<EventWord> events_;
    AccountSum account_;
    std::string repeated_;
};

}  // namespace parley::explanation
