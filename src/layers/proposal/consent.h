// Layer 3, proposal: to which actions on a node its namespaces have opted in.

#pragma once

#include "layers/proposal/agent.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::proposal {

/// What the guard will say of opt-in, for an agent that chooses among nodes and kinds: what nobody
/// allowed must not hide what somebody did. Reads all pods at most once, and only if the policy
/// allows a kind in some namespaces and not in others. Borrows the view.
class Consent {
public:
    explicit Consent(const View& view) : view_(view) {}

    /// Whether the node and everybody with pods on it allow this kind. Mode observe asks the node
    /// alone.
    bool to(model::ActionKind kind, Slot node);
    /// Whether `to` has said no.
    bool refused_any() const { return refused_any_; }

private:
    using Kinds = std::uint32_t;  ///< A bit for each kind of action.

    bool asked(model::ActionKind kind, Slot node);
    Kinds of_workload(const model::WorkloadRow& row) const;
    void read_pods();

    const View& view_;
    bool refused_any_ = false;
    std::optional<std::vector<Kinds>> refused_;  ///< By slot of the node.
};

}  // namespace parley::proposal
