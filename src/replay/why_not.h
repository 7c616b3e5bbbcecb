// Replay: a recorded run and an action that was not taken in; what prevented it out.

#pragma once

#include "base/result.h"
#include "layers/prediction/brains.h"
#include "replay/causes.h"
#include "store/run_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::replay {

struct WhyNotAnswer {
    std::string action;  ///< "migrate node-03".
    std::string agent;   ///< The agent in charge: "A safety".
    std::uint64_t round = 0;
    std::string at;
    bool proposed = false;            ///< It was proposed in that round.
    bool accepted = false;            ///< It won there, and the guard let it through.
    std::string verdict;              ///< "Nobody proposed it.", "A safety proposed it, and ...".
    std::vector<std::string> own;     ///< How far its agent was from proposing it.
    std::string instead;              ///< What that agent said in that round.
    std::vector<Obstacle> obstacles;  ///< What prevented it, or would have, outermost first.
    /// Guard and referee were asked again; else the record does not allow it.
    bool asked_again = false;
    bool other_rules = false;                 ///< The run was made by another rules_version.
    std::uint64_t proposed_rounds = 0;        ///< In how many rounds of the run it was proposed ...
    std::uint64_t accepted_rounds = 0;        ///< ... in how many of these it was accepted ...
    std::uint64_t held_rounds = 0;            ///< ... and in how many it won but the guard held it.
    std::uint64_t nearest_round = 0;          ///< Of the run, if it came nearer than here; else 0.
    std::vector<std::string> gaps;            ///< What cannot be read of the record.
    std::vector<store::NumberRange> dropped;  ///< Rounds that were trimmed, so not counted.
    std::string
        first_cause;  ///< The outermost of all causes: it alone would have prevented the action.
};
BOOST_DESCRIBE_STRUCT(WhyNotAnswer, (),
                      (action, agent, round, at, proposed, accepted, verdict, own, instead,
                       obstacles, asked_again, other_rules, proposed_rounds, accepted_rounds,
                       held_rounds, nearest_round, gaps, dropped, first_cause))

/// Why an action (see parse_wanted) did not happen in a round. Without a round: in the last one in
/// which it was proposed in vain, else done, else in which its agent would have wanted it by
/// default settings, else the one in which it came nearest. Reads the run once and makes its
/// decisions again, so that guard and referee can be asked with exactly what was known. Fails with
/// `malformed` (no such action) or `denied` (no such round or node).
[[nodiscard]] Result<WhyNotAnswer> why_not(store::RunReader& run, const prediction::Brains& brains,
                                           const std::string& action,
                                           std::optional<std::uint64_t> round);

/// The same for the run in a folder: decisions are made again only for the round in question, from
/// the keyframe before it.
[[nodiscard]] Result<WhyNotAnswer> why_not(Disk& disk, const std::string& folder,
                                           const prediction::Brains& brains,
                                           const std::string& action,
                                           std::optional<std::uint64_t> round);

/// The answer as text.
std::string text_of(const WhyNotAnswer& answer);

/// The same without reading the whole run; what it says about other rounds is left out.
[[nodiscard]] Result<WhyNotAnswer> why_not_in_round(Disk& disk, const std::string& folder,
                                                    const prediction::Brains& brains,
                                                    const std::string& action, std::uint64_t round);

}  // namespace parley::replay
