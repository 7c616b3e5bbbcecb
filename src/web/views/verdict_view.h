// Web: proposals of a round, what was sent for them and what came of it. Pure.

#pragma once

#include "layers/explanation/telling/narrator.h"
#include "web/views/views_round.h"

namespace parley::web {

/// Every proposal once, in the narrator's order; a role that this build does not have says so.
std::vector<ProposalView> proposal_views(const explanation::Told& told);

/// Actions that were accepted in this round, with the requests sent until its end.
std::vector<SentView> sent_views(const explanation::Told& told);
/// Actions of earlier rounds that are still open.
std::vector<OpenView> open_views(const explanation::Told& told);

ClosedView closed_view(const model::ClosedScore& score, bool simulated);

/// Every agent, in the order of the letters, whether this build has it or not.
std::vector<AgentView> agent_views();

/// "A x 1, B x 0.6, ...".
std::string weights_text(const model::Weights& weights);

}  // namespace parley::web
