// Simulation, faults: nodes that fail, degrade, get slow or only look bad, by a random process and
// a script.
//
// What a policy cannot influence depends on the seed alone: thresholds per node and epoch, and the
// times of everything that does not depend on load.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

/// A degrading episode as it is drawn: how long the signs grow, how fast, and how it ends.
struct EpisodePlan {
    Ms lead = 0;
    double gamma = 1.0;
    bool fails = false;
    double healed_at = 1.0;      ///< Share of the lead after which a harmless episode ends.
    double pressure_from = 1.0;  ///< Severity at which a pressure condition appears; over 1: never.
    Ms repair = 0;
};
EpisodePlan draw_episode(const FaultRules& rules, std::uint64_t seed, std::uint64_t entity,
                         std::uint32_t epoch);

/// Begins signs on a node that runs and has none.
void begin_episode(State& s, Index n, const EpisodePlan& plan, FaultCause cause);

/// Severity of signs at an age: (age / lead)^gamma, from 0 to 1.
double severity_at(const Episode& episode, Ms now);

/// Draws first thresholds and plans everything that does not depend on load.
void plan_faults(State& s);
/// Adds a step's hazard for each node, and begins the faults whose threshold is crossed in it.
void step_hazards(State& s);

void fault_event(State& s, Index n);    ///< The threshold is crossed.
void episode_event(State& s, Index n);  ///< An episode ends.
void symptom_event(State& s, Index n);  ///< Perhaps a restart.
void gray_event(State& s, Index n);
void nuisance_event(State& s, Index n);
void flap_event(State& s, Index n);
void rack_event(State& s, Index rack);
void crash_event(State& s, Index w);  ///< A crash loop begins, or its next restart.

/// What its pods are made from changes now. The pods are not replaced: the same ones run the new
/// version.
void roll_out(State& s, Index w);

/// Ends the signs: regular leases, no pressure.
void end_episode(State& s, Index n);
/// How much later than usual the next renewal of the lease comes.
Ms lease_delay(const State& s, Index n);

}  // namespace parley::sim
