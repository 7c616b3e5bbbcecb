// Layer 6, explanation: a recorded run and a question in, why it was decided that way out.

#pragma once

#include "layers/explanation/answers/history.h"
#include "layers/explanation/telling/follow.h"
#include "layers/explanation/telling/narrator.h"
#include "store/run_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::explanation {

/// At most one is set. If none is: the last contested round, else the last with an action, else the
/// last.
struct WhyQuery {
    std::string run;  ///< As the user typed it, for the commands at the end.
    std::optional<std::uint64_t> round;
    std::optional<std::string> node;
    std::optional<std::string> workload;  ///< "shop/web", "shop/job/report".
};

/// An accepted action, what it rested on and what came of it.
struct WhyWinner {
    AgentRow row;
    std::string because;               ///< The agent's sentence.
    std::vector<std::string> figures;  ///< "Risk that it fails within 10 min: 0.86, by evidence."
    std::vector<std::string> signals;  ///< "lease 23s old", "6 restarts in 10 min over 3 pods".
    std::vector<std::string> unknown;  ///< Signals that could not be read.
    /// The guard's rule with the least room left: "nodes disrupted: 1 of 1 allowed".
    std::string closest;
    std::int32_t guard_passed = 0;
    std::int32_t guard_asked = 0;
    model::ActionState state = model::ActionState::planned;  ///< The last known state.
    std::string note;                                        ///< Why it is held or failed.
    std::vector<SentStep> sent;
    std::optional<model::ClosedScore> score;  ///< Nothing: the action was held.
    std::string outcome;                      ///< The score in words.
    std::string since;  ///< What else happened to its target and to the leaves it was scored on.
    /// For the text only: "It acts above 0.25: risk 0.86."; empty: `because` already says so.
    std::string bound;
};
BOOST_DESCRIBE_STRUCT(WhyWinner, (),
                      (row, because, figures, signals, unknown, closest, guard_passed, guard_asked,
                       state, note, sent, score, outcome, since))

struct WhyAnswer {
    std::uint64_t round = 0;
    std::string at;
    std::string profile;
    std::string mode;
    std::string headline;
    std::string rule;       ///< The rule by which the referee chose.
    std::string rationale;  ///< The referee's sentence.
    std::vector<WhyWinner> winners;
    std::vector<AgentRow> losers;   ///< Lost, refused or held.
    std::vector<AgentRow> idle;     ///< Wanted nothing.
    std::vector<std::string> knew;  ///< Sources with their ages.
    std::vector<std::string> missing;
    std::vector<std::string> assumed;
    std::string danger;   ///< Empty: there was none.
    std::string instead;  ///< Why another predictor than the requested one judged; else empty.
    std::vector<std::string> disagreements;
    std::vector<std::string> alarms;
    std::string about;  ///< The node or workload that was asked about; else empty.
    std::vector<WhyMoment> history;
    std::vector<std::string> believed;  ///< What raised the node's risk in that round.
    std::uint64_t left_out = 0;         ///< Moments that were not kept.
    /// In which the risk of the node that was asked about was highest; 0: not known.
    std::uint64_t highest_round = 0;
    std::vector<std::string> gaps;  ///< What cannot be read of the record.
    /// Of a history: rounds that were trimmed, of which it tells nothing.
    std::vector<store::NumberRange> dropped;
    std::vector<std::string> closer;  ///< Further commands.
    /// Workloads with waiting pods: "shop/cart: 2 pods wait for CPU".
    std::vector<std::string> waiting;
    /// What matters in the whole run, if that was looked for: "2 alarms since, the first in ...".
    std::vector<std::string> whole_run;
    // For the text only.
    std::vector<std::string> blind;  ///< Agents that wanted nothing because a reading was missing.
    bool stopped = false;            ///< The rationale already says that nothing is done, and why.
};
BOOST_DESCRIBE_STRUCT(WhyAnswer, (),
                      (round, at, profile, mode, headline, rule, rationale, winners, losers, idle,
                       knew, missing, assumed, danger, disagreements, alarms, about, history,
                       left_out, highest_round, gaps, dropped, closer, instead, believed, waiting,
                       whole_run))

/// Reads the run once, to its end, in bounded memory. Fails with `denied` and one sentence if the
/// round is not in the record, or if nothing of that name ever existed. `written`: a process writes
/// it (store::is_written), so that what has no end is still going rather than cut off.
[[nodiscard]] Result<WhyAnswer> why(store::RunReader& run, const WhyQuery& query,
                                    bool written = false);

/// The same for the run in a folder, which is asked whether a process writes it. If a round was
/// asked for, reads only from the keyframe before it until its actions have ended.
[[nodiscard]] Result<WhyAnswer> why(Disk& disk, const std::string& folder, const WhyQuery& query);

}  // namespace parley::explanation
