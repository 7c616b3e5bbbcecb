// Layer 2, prediction: the trained models that a round is given. The policy names them by id; their
// files and formats are elsewhere.

#pragma once

#include "brain/model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace parley::prediction {

/// For experiments: replaces the model's answer.
struct Staged {
    /// Risks of an oracle, by slot; empty: there is no oracle.
    std::vector<std::optional<double>> told;
    std::optional<std::uint64_t> permuted_by;  ///< Risks are swapped among nodes, by this seed.
};

struct Brains {
    /// P(the node is lost after the gap and within the horizon), from the features of
    /// node_features.h. Null: there is no model, and `evidence` judges.
    std::shared_ptr<const brain::Model> risk;
    Staged staged;
    /// Future demand of nodes and workloads, from the features of demand_features.h. Null: demand
    /// is taken to stay as it is.
    std::shared_ptr<const brain::DemandModel> demand;
};

}  // namespace parley::prediction
