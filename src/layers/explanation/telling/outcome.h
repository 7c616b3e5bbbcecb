// Layer 6, explanation: an action's score, open or closed, in; what came of it so far, in words,
// out.

#pragma once

#include "model/score.h"
#include "store/run_reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

/// What else happened, by leaf, the target first: "node-07 emptied in round 16, failed in round 71;
/// shop/web scaled from 4 to 2 by others in round 30". Empty: nothing.
std::string notes_text(const std::vector<model::WindowNote>& notes, const model::Target& target);

/// What is known before the score is due: "due at T+12:00; so far it cost 1.2 pod-minutes over 40
/// readings"; that the cost is not known, and why, where too little of it was read.
std::string open_line(const model::OpenScore& open, bool simulated);

/// The score of an action that is still open when the record ends with this round: neither good nor
/// bad, with what was seen until then. `now` is zero if that time is not recorded.
model::ClosedScore censored(const model::OpenScore& open, std::uint64_t round, TimePoint now,
                            store::RunStatus status);

/// Where a record ends, and how its run stands then.
struct Ending {
    std::uint64_t round = 0;
    TimePoint now;
    store::RunStatus status = store::RunStatus::running;
    bool goes_on = false;  ///< A process still writes it.
    bool simulated = false;
};

/// The score of an action that is open where the record ends: open if the run goes on, else
/// censored.
model::ClosedScore unfinished(const model::OpenScore& open, const Ending& ending);

/// How a record ends: "the run ended in round 300", or that no end was recorded.
std::string ending_text(std::uint64_t round, store::RunStatus status);

}  // namespace parley::explanation
