// Model: one round: what goes into `decide`, and what comes out.

#pragma once

#include "model/explanation.h"
#include "model/forecast.h"
#include "model/memory.h"
#include "model/policy.h"
#include "model/proposal.h"
#include "model/score.h"
#include "model/snapshot.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::model {

enum class Mode : std::uint8_t { observe, dry_run, act };
BOOST_DESCRIBE_ENUM(Mode, observe, dry_run, act)

struct Controls {
    Mode mode = Mode::observe;
    bool simulated = false;
    bool stop = false;  ///< The kill switch was pressed.
    std::uint64_t epoch = 0;
    std::uint64_t ledger_version = 0;
    bool started_anew = false;  ///< The first round of a process.
    std::string ledger_unread;  ///< Why the ledger cannot be read, so that nothing is sent.
    /// Why the round before could not store it, so that it sent nothing more. Both empty: it could.
    std::string ledger_unstored;
    friend bool operator==(const Controls&, const Controls&) = default;
};
BOOST_DESCRIBE_STRUCT(Controls, (),
                      (mode, simulated, stop, epoch, ledger_version, started_anew, ledger_unread,
                       ledger_unstored))

struct RoundInput {
    std::uint64_t round = 0;
    TimePoint now;
    std::uint64_t seed = 0;
    Snapshot snapshot;
    std::vector<ActionEvent> events;  ///< What came back since the last round, in order.
    std::vector<TwinSample> twins;
    Controls controls;
    Duration stepped;       ///< How far our clock was set since the last round; zero: it was not.
    std::uint64_t run = 0;  ///< Its run's id, which is in the ids of its decisions; 0: recorded
                            ///< before runs had one.
};
BOOST_DESCRIBE_STRUCT(RoundInput, (),
                      (round, now, seed, snapshot, events, twins, controls, stepped, run))

/// Everything that was decided. The memory for the next round is handed on separately.
struct Decision {
    std::uint64_t round = 0;
    DecisionId id;
    Forecast forecast;
    std::vector<Proposal> proposals;
    Verdict verdict;
    std::vector<Step> first_steps;
    /// Those that left the ledger in this round; their notes say how they ended.
    std::vector<OpenAction> ended;
    RoundScore score;
    std::vector<ClosedScore> closed;
    std::vector<Disagreement> disagreements;
    std::vector<Alarm> alarms;
    /// For actions whose windows are open, in the order in which they opened.
    std::vector<OpenScore> open_scores;
};
BOOST_DESCRIBE_STRUCT(Decision, (),
                      (round, id, forecast, proposals, verdict, first_steps, ended, score, closed,
                       disagreements, alarms, open_scores))

}  // namespace parley::model
