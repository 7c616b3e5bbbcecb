// Kills: the kinds of action, and for each a small cluster with a reason for it and a policy under
// which nothing else is allowed.

#pragma once

#include "base/describe.h"
#include "model/policy.h"
#include "model/snapshot.h"

#include <cstdint>

namespace parley::kills {

enum class Kind : std::uint8_t {
    replicate,
    migrate,
    throttle,
    memory_balloon,
    queue,
    deprioritize,
    reject,
    resource_cap,
    power_state,
    dvfs,
    scale
};
BOOST_DESCRIBE_ENUM(Kind, replicate, migrate, throttle, memory_balloon, queue, deprioritize, reject,
                    resource_cap, power_state, dvfs, scale)

/// An order for new Jobs: its target is the whole cluster, which bears no mark.
inline bool is_order(Kind kind) {
    return kind == Kind::queue || kind == Kind::deprioritize || kind == Kind::reject ||
           kind == Kind::resource_cap;
}

/// The node that everything is about.
inline constexpr Slot kVictim = 3;
inline constexpr Slot kNodes = 12;

model::Policy policy_for(Kind kind);

/// Twelve nodes and two Deployments, before anything is the matter. For orders there are Jobs, too.
model::Snapshot cluster_for(Kind kind);

/// What sources show at this time. `reason`: why to act; else nothing is the matter.
void refresh(model::Snapshot& seen, Kind kind, bool reason, TimePoint now);

}  // namespace parley::kills
