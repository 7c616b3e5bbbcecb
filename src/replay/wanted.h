// Replay: an action as people type it in; the action, its target and its agent out.

#pragma once

#include "base/result.h"
#include "layers/proposal/agent.h"

#include <string>

namespace parley::replay {

/// What somebody asks about, in the form in which the agent in charge would propose it.
struct Wanted : proposal::Question {
    model::Role role = model::Role::safety;
};

/// Takes `replicate:node-07`, `power_state:sleep:node-05`, `sleep:node-05`,
/// `memory_balloon:node-02`, `admission:queue`, `queue`, `resource_cap`, `scale:shop/web`. Fails
/// with `malformed` and a sentence that suggests the nearest name, or the right form.
[[nodiscard]] Result<Wanted> parse_wanted(const std::string& text);

/// Whether a proposal is what was asked about; amounts are ignored.
bool is_wanted(const Wanted& wanted, const model::Proposal& proposal);

}  // namespace parley::replay
