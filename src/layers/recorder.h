// The record as the pipeline sees it: what was put in and decided goes in, "it is durable" comes
// out. The journal implements it; cannot record, may not act.

#pragma once

#include "base/result.h"
#include "model/action.h"
#include "model/memory.h"
#include "model/round.h"

namespace parley {

/// Every method returns only when what it was given is durable, or with the reason why it is not.
/// After an error the pipeline gives it nothing more and sends nothing more.
class Recorder {
public:
    virtual ~Recorder() = default;

    /// What the next round starts from where that is not what the last one left: when a process
    /// starts, and when another leader has written the ledger. Replay goes on from it.
    [[nodiscard]] virtual Result<void> keep_start(const model::Memory& memory) = 0;

    /// One round: what went into `decide` and what came out.
    [[nodiscard]] virtual Result<void> keep_round(const model::RoundInput& input,
                                                  const model::Decision& decision,
                                                  const model::Memory& next) = 0;

    /// What an open action met between two rounds: before a request is sent the read it rests on,
    /// afterwards its answer. The next round's input holds the same events.
    [[nodiscard]] virtual Result<void> keep_event(const model::ActionEvent& event) = 0;
};

}  // namespace parley
