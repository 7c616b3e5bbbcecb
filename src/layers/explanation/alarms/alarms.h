// Layer 6, explanation: a decided round in; disagreements, and alarms about Parley itself, out.
// Pure and bit-exact; the only part of this layer that `decide` calls.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstdint>
#include <vector>

namespace parley::explanation {

/// A source that reads ok but has not reported a node for this many rounds raises an alarm.
inline constexpr std::int32_t kSilentRounds = 10;
/// A cost is unexplained if it moves by more than this many times the usual, with nothing else
/// changed, ...
inline constexpr std::int64_t kUsualTimes = 3;
/// ... for this many rounds, by at least 0.05 pod-minutes and by more than a quarter. Measured use
/// and load count as unchanged within a quarter, so the cost may move as much.
inline constexpr std::uint64_t kCostRounds = 3;
inline constexpr std::int64_t kCostMoveLeast = 50'000;
inline constexpr std::int64_t kCostMoveOneIn = 4;
/// Until this many moves of the cost were seen, it is not known what is usual.
inline constexpr std::size_t kCostMovesLeast = 10;
inline constexpr std::size_t kCostMovesKept = 50;
/// How long a phase of the exerciser may take to show an effect. An effect within that time counts
/// even if it has passed.
inline constexpr Duration kStimulusTakes = seconds(10);
inline constexpr std::uint64_t kStimulusRounds = 2;
/// How long a completed action may take to help. New trouble after that has another cause.
inline constexpr Duration kHealingTakes = minutes(5);
inline constexpr std::uint64_t kHealingRounds = 2;

/// With nothing measured for this long, what the cluster does is not known.
inline constexpr Duration kSourcesFailedFor = minutes(2);

/// Fills decision.disagreements and decision.alarms. `next` is the memory that the round leaves,
/// with its windows updated; next.derived.alarms also keeps conditions that are being counted but
/// not raised, so that an alarm can say since when. `met` are alarms that others raised in this
/// round. Call it last in a round. Pure.
void note(const model::RoundInput& input, const model::Forecast& forecast,
          const model::Verdict& verdict, const model::RoundScore& score,
          const model::Policy& policy, const std::vector<model::Alarm>& met, model::Memory& next,
          model::Decision& decision);

}  // namespace parley::explanation
