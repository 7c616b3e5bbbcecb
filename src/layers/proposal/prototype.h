// Layer 3, proposal: the prototype's agents, by fixed thresholds. First match wins, ties by name.

#pragma once

#include "layers/proposal/agent.h"

namespace parley::proposal {

inline bool is_prototype(const model::Policy& policy) {
    return policy.profile == model::Profile::prototype;
}

/// The risk from which agent A proposes a throttle, migrate or replicate.
double prototype_risk_from(model::ActionKind kind);
/// The numbers of pending pods from which agent C proposes its actions.
inline constexpr model::AdmissionRules kPrototypeAdmission{
    .queue_from = 8, .deprioritize_from = 80, .cap_from = 120};

/// Agent A, on the node of highest risk r: replicate from 0.83, migrate from 0.70, throttle from
/// 0.50. Throttle becomes a noop under pressure (violations, or 80 pods pending) on a node below
/// 0.72; figures of pressure that are missing count as pressure. Score r.
model::Proposal prototype_safety(const View& view);

/// Agent B, on the node of lowest demand d: sleep below 0.12, lower clock below 0.30, smaller
/// memory below 0.45. Score 1 - d.
model::Proposal prototype_efficiency(const View& view);

/// Agent C, on the number of pending pods in watched namespaces, violations, and nodes over 0.85.
/// It never proposes a noop; where the queue is unknown it admits.
model::Proposal prototype_admission(const View& view);

}  // namespace parley::proposal
