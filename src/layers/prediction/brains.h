// Layer 2, prediction: trained models as a round is given them. They are part of the policy, named
// in it by their ids; files and formats are elsewhere.

#pragma once

#include "brain/model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace parley::prediction {

/// For experiments: what stands in for the model's answer.
struct Staged {
    std::vector<std::optional<double>> told;   ///< By slot: an oracle's risk; empty: none.
    std::optional<std::uint64_t> permuted_by;  ///< Nodes get each other's risk, by this seed.
};

struct Brains {
    /// P(the node is lost after the gap and within the horizon), from the features of
    /// node_features.h. Null: there is none, and `evidence` judges.
    std::shared_ptr<const brain::Model> risk;
    Staged staged;
    /// What nodes and workloads will want, from the features of demand_features.h. Null: it stays
    /// as it is.
    std::shared_ptr<const brain::DemandModel> demand;
};

}  // namespace parley::prediction
