// Layer 3, proposal: Agent C. Pods that wait for room in, what to do with new batch work out.

#pragma once

#include "layers/proposal/agent.h"

namespace parley::proposal {

/// Counts pods that wait for a shortage which more room would end. From 8 it holds new Jobs back,
/// from 80 it lowers their priority, from 120 it caps batch work; each stays wanted until fewer
/// than half of its bound wait, and then admitting lifts it. It rejects only while its own queue
/// order stands and yet pods have waited longer than an order lasts, and only if waiting costs more
/// than a rejection by the prices of the cost account, the same that score it.
class Admission : public Agent {
public:
    model::Role role() const override { return model::Role::admission; }
    std::vector<model::Proposal> propose(const View& view) const override;
};

}  // namespace parley::proposal
