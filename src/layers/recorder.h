// The record as the pipeline sees it. Each round goes in; the call returns when it is durable. The
// journal implements it. What cannot be recorded may not be done.

#pragma once

#include "base/result.h"
#include "model/memory.h"
#include "model/open_action.h"
#include "model/round.h"

namespace parley {

/// Every method returns when its argument is durable, or with the reason why it is not. After an
/// error the pipeline records and sends nothing more.
class Recorder {
public:
    virtual ~Recorder() = default;

    /// What the next round starts from, if that differs from what the last one left: when a process
    /// starts, and when another leader has written the ledger. Replay continues from it.
    [[nodiscard]] virtual Result<void> keep_start(const model::Memory& memory) = 0;

    /// One round: what went into `decide` and what came out.
    [[nodiscard]] virtual Result<void> keep_round(const model::RoundInput& input,
                                                  const model::Decision& decision,
                                                  const model::Memory& next) = 0;

    /// What an open action met during a round: before a request is sent, the read that it rests on;
    /// afterwards, the answer. The next round's input holds the same events.
    [[nodiscard]] virtual Result<void> keep_event(const model::ActionEvent& event) = 0;
};

}  // namespace parley
