// Web: a round and its surroundings in; its view, and the short one for the stream, out. Pure.

#pragma once

#include "store/run_format.h"
#include "web/views/run_index.h"
#include "web/views/seen_round.h"
#include "web/views/views_round.h"
#include "web/views/views_run.h"

#include <string>
#include <string_view>
#include <vector>

namespace parley::web {

/// The largest size of a summary as JSON.
inline constexpr std::size_t kSummaryBytesMax = 4'000;
inline constexpr std::size_t kWorthALook = 12;

/// How the record of a run ends that nobody writes any more and that has no end: nothing is missing
/// there, or what is missing may have held its end.
inline constexpr const char* kKilled = "ended without closing";
inline constexpr const char* kEndLost = "its end is lost";

/// Facts that are the same in every round of a run.
struct RunContext {
    std::string name;
    const store::RunHeader& header;
    RunState state = RunState::running;
    std::string folder;  ///< Empty: nothing is recorded.
    std::vector<StageView> stages;
    std::string reason = {};    ///< Why it has ended.
    std::uint64_t damaged = 0;  ///< How many of its rounds cannot be read.
};

/// `before` is the round before, if available; changes are relative to it.
RoundView round_view(const RunContext& run, const SeenRound& round, const SeenRound* before,
                     const Around& around);

/// Fits kSummaryBytesMax: long sentences are cut, and cells that do not fit are left out, which it
/// says.
RoundSummary round_summary(const RunContext& run, const SeenRound& round, const MapView* map_before,
                           const MapView& map, const Around& around);

/// At most `bytes`, cut between characters, with "..." where something is missing.
std::string cut_text(std::string_view text, std::size_t bytes);

/// How a run ended, in a sentence that says which actions were left open; empty: it goes on, or
/// ended well. `open` is null if the last round cannot be read. Of a run that was killed, `reason`
/// is how its record ends, kKilled or kEndLost.
std::string ended_text(RunState state, const std::string& reason, std::uint64_t newest,
                       const std::vector<OpenView>* open);

/// A stage that is switched off never looks like a fault.
std::vector<StageView> stage_views(const std::vector<store::StageNote>& stages);

/// Stages of a run that is known from its record only; `reason` as for ended_text().
std::vector<StageView> stages_of(const store::RunHeader& header, RunState state,
                                 std::uint64_t rounds, const std::string& reason = kKilled);

/// Whether the loop still runs, or how it ended: "live loop, round 12", "complete after round 300".
std::string stage_text(RunState state, std::uint64_t round, const std::string& reason = kKilled);

}  // namespace parley::web
