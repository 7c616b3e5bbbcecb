// Layer 6, explanation: a round in, its decision in sentences out. Used by screen, page and `why`.

#pragma once

#include "model/memory.h"
#include "model/round.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::explanation {

/// The round to tell about. Borrowed. In a record of decisions only, the input holds nothing but
/// its number, and whatever needs a snapshot reads "?".
struct Told {
    const model::RoundInput& input;
    const model::Decision& decision;
    const model::Policy& policy;
    /// What came back for its actions since then, if known: from the record of the round, or from
    /// the inputs of later rounds.
    std::span<const model::ActionEvent> events = {};
    /// The memory that the round left, if available.
    const model::Memory* memory = nullptr;
};

enum class Outcome : std::uint8_t { accepted, lost, refused, held, would, idle };
BOOST_DESCRIBE_ENUM(Outcome, accepted, lost, refused, held, would, idle)

/// What became of a proposal in its round: an accepted one may still be held, or only be one that
/// would be sent.
Outcome outcome_of(const model::Decision& decision, const model::Judged& judged);

/// One agent's line.
struct AgentRow {
    model::Role role = model::Role::safety;
    std::string agent;     ///< "A safety".
    std::string wanted;    ///< "replicate node-07"; "-" if it wants nothing.
    std::string score;     ///< "0.86"; "-" if it wants nothing.
    std::string evidence;  ///< "risk 0.86"; "-" if there is no figure.
    std::string acts;      ///< "above 0.25"; "-" if there is no bound.
    Outcome outcome = Outcome::idle;
    std::string result;   ///< "accepted, 3 of 3 sent", "lost: action-limit, 1 a round".
    std::string rule;     ///< The rule by which it lost or was refused; else empty.
    std::string because;  ///< The sentence behind the result, in full.
    std::string guard;    ///< "12 of 12"; empty if it was not asked.
};
BOOST_DESCRIBE_STRUCT(AgentRow, (),
                      (role, agent, wanted, score, evidence, acts, outcome, result, rule, because,
                       guard))

/// "A safety won: replicate node-07", "Nothing to do", "Nothing is done: ...".
std::string headline(const model::Decision& decision);

/// What agent C gives back in this round, which nobody has to accept: "C admission lifts its order
/// of round 12", "C admission frees Jobs"; empty: nothing.
std::string giving_back(const model::Decision& decision);
/// The referee's sentence; where that says that nobody wants anything, what is given back.
std::string rationale_of(const model::Decision& decision);

/// Why it was decided so.
struct Reason {
    /// "Risk 0.86 of failing in 10 min: waiting costs 41.3 pod-minutes (0.86 x 48.0), acting 12.0."
    std::string why;
    std::string overruled;  ///< "Overruled C and B."; empty: nobody was.
};
BOOST_DESCRIBE_STRUCT(Reason, (), (why, overruled))

Reason reason_of(const model::Decision& decision);
/// The same for narrow screens: without asides, and of the agents that want nothing only the first.
Reason brief_reason_of(const Told& told);
/// Both parts in one sentence.
std::string reason(const model::Decision& decision);

/// Every proposal once: accepted ones, then losers by rank, then refused ones, then idle ones by
/// role.
std::vector<AgentRow> agent_rows(const Told& told);

/// The same rows, each with its judgement. Borrowed from `told`.
struct JudgedRow {
    AgentRow row;
    const model::Judged* judged = nullptr;
};
std::vector<JudgedRow> judged_rows(const Told& told);

/// Letters of those who lost, by rank: "C", "D", "B".
std::vector<std::string> overruled(const model::Verdict& verdict);

/// One letter for the strip of rounds: the winner's, capital if it overruled someone; '.': idle.
char strip_letter(const model::Verdict& verdict);

/// "T+07:06" and "A replicate node-07, over C, D, B": the decision as an event.
std::string decision_line(const model::Decision& decision);

/// "A +3.0  B +1.4  C +5.0  total +7.8 in round 118": the score of an action, measured later; says
/// so if it is missing, estimated, would or open.
std::string score_line(const model::ClosedScore& score);
/// A cost by agent with its sign turned, so that plus is good: "A +3.0, B -0.1, C 0.0" with ", "
/// between them. An agent that is not in this build is listed only if its lines have a cost; one
/// of whose lines none was counted reads "not known".
std::string cost_words(const model::Cost& cost, std::string_view between,
                       const std::vector<model::LineGap>& uncounted = {});
/// The same for a round: "round -0.4 (A 0.0, B -0.3, C -0.1, D 0.0)".
std::string round_score_line(const model::RoundScore& score);

}  // namespace parley::explanation
