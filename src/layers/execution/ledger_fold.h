// Layer 5, execution: what came back since the last round in, the ledger of this round out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <vector>

namespace parley::execution {

/// The ledger must fit into one API object. Nothing new is begun beyond this; what is open, and
/// every cool-down, is kept. The guard counts the open actions.
inline constexpr std::size_t kLedgerBytesMax = std::size_t{256} * 1024;
inline constexpr std::size_t kLedgerBytesFull = std::size_t{224} * 1024;
/// Notes hold messages of others, which may be of any length.
inline constexpr std::size_t kNoteBytesMax = 300;

struct Remembered {
    std::vector<model::Step> steps;        ///< Of open actions that have something to do now.
    std::vector<model::OpenAction> ended;  ///< Finished: they are no longer in the ledger.
    std::vector<model::Alarm> alarms;      ///< Where events and ledger contradict each other.
};

/// Folds the events of the last round through the action machines and tells each that a new round
/// has come. What two actions changed is from then on the newer one's to undo. Drops what is
/// finished, cool-downs and standing orders that are over, and spends older than a day; takes over
/// kill switch, epoch and version. Pure.
Remembered remember(const model::RoundInput& input, model::Memory& memory);

/// Advances one action and writes it into the ledger, if that has it. One that ends will give its
/// mark back to what stands there now. Pure.
model::Step advance_in(model::Ledger& ledger, model::OpenAction action,
                       const model::ActionEvent& event);

/// Cuts the note of an action to kNoteBytesMax, at the border of a character.
void trim_note(model::OpenAction& action);

}  // namespace parley::execution
