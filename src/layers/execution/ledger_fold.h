// Layer 5, execution: what came back since the last round in, the ledger of this round out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <vector>

namespace parley::execution {

/// The ledger must fit into one API object. Above this size nothing new is begun; open actions and
/// cool-downs are always kept. The guard limits the number of open actions.
inline constexpr std::size_t kLedgerBytesMax = std::size_t{256} * 1024;
inline constexpr std::size_t kLedgerBytesFull = std::size_t{224} * 1024;
/// Notes quote messages of others, which may be of any length.
inline constexpr std::size_t kNoteBytesMax = 300;

struct Remembered {
    std::vector<model::Step> steps;        ///< Steps of open actions that have something to do now.
    std::vector<model::OpenAction> ended;  ///< Finished: they are no longer in the ledger.
    std::vector<model::Alarm> alarms;      ///< Where events and ledger contradict each other.
};

/// Passes the events of the last round to the action machines and tells each that a new round has
/// come. Where two actions changed the same thing, the newer one undoes it; where somebody else
/// interferes, we step back (others.h). Drops finished actions, cool-downs and standing orders that
/// are over, and spends older than a day; takes over kill switch, epoch and version. Pure.
Remembered remember(const model::RoundInput& input, model::Memory& memory);

/// Advances one action and writes it into the ledger, if the ledger has it. An action that ends
/// gives the mark back to an older action that still holds. What somebody else contests rests.
/// Pure.
model::Step advance_in(model::Ledger& ledger, model::OpenAction action,
                       const model::ActionEvent& event);

/// Cuts the note of an action to kNoteBytesMax, between characters.
void trim_note(model::OpenAction& action);

}  // namespace parley::execution
