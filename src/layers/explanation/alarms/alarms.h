// Layer 6, explanation: a decided round in, where shown and believed differ and what may be wrong
// with Parley itself out. Pure and bit-exact; the only part of this layer that `decide` calls.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstdint>
#include <vector>

namespace parley::explanation {

/// A node that a source which reads ok has said nothing of for this many rounds.
inline constexpr std::int32_t kSilentRounds = 10;
/// Costs that move by more than this many times the usual, nothing else having changed, ...
inline constexpr std::int64_t kUsualTimes = 3;
/// ... for this many rounds, by at least 0.05 pod-minutes and by more than a quarter, are
/// unexplained: within a quarter, measured use and load count as unchanged, and so may the cost.
inline constexpr std::uint64_t kCostRounds = 3;
inline constexpr std::int64_t kCostMoveLeast = 50'000;
inline constexpr std::int64_t kCostMoveOneIn = 4;
/// Before this many moves of the cost were seen, nobody knows what is usual.
inline constexpr std::size_t kCostMovesLeast = 10;
inline constexpr std::size_t kCostMovesKept = 50;
/// What a phase of the exerciser needs to show. What moved in the meantime has moved.
inline constexpr Duration kStimulusTakes = seconds(10);
inline constexpr std::uint64_t kStimulusRounds = 2;
/// What a completed action needs to help. Trouble that is new after that has another cause.
inline constexpr Duration kHealingTakes = minutes(5);
inline constexpr std::uint64_t kHealingRounds = 2;

/// Without anything measured for so long, nobody sees what the cluster does.
inline constexpr Duration kSourcesFailedFor = minutes(2);

/// Fills decision.disagreements and decision.alarms. `next` is the memory that the round leaves:
/// its windows are brought up to date, and next.derived.alarms keeps what is being counted, raised
/// or not, so that an alarm says since when. `met` are alarms that others raised in this round.
/// Call it last in a round. Pure.
void note(const model::RoundInput& input, const model::Forecast& forecast,
          const model::Verdict& verdict, const model::RoundScore& score,
          const model::Policy& policy, const std::vector<model::Alarm>& met, model::Memory& next,
          model::Decision& decision);

}  // namespace parley::explanation
