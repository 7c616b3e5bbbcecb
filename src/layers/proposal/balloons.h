// Layer 3, proposal: where lowering memory requests would save something.

#pragma once

#include "layers/proposal/agent.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::proposal {

/// A share in millionths.
inline std::int64_t in_ppm(double share) { return static_cast<std::int64_t>(share * 1e6 + 0.5); }

/// The share to lower requests on a node to: what is used plus the margin, in whole percent,
/// rounded up; by a quarter at most in one step. Nothing: there is too little to gain.
std::optional<double> balloon_scale(const View& view, const model::NodeRow& node);

/// Whether a balloon would lower any pod on the node. Stops at the first one, which is mostly near
/// the beginning.
bool lowers_any(const View& view, Slot node);

/// For each slot whether a balloon would lower anything there; reads all pods.
std::vector<char> lowered_nodes(const View& view);

}  // namespace parley::proposal
