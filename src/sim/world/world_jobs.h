// Simulation, Jobs: they arrive and run for a while; the standing order may hold, reject or demote
// them, and a cap limits them.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

/// Plans the arrivals of the step that begins now.
void plan_arrivals(State& s);
/// Plans one arrival.
void plan_job(State& s, Index w, Ms at);
/// A Job arrives: admitted, held, refused or demoted.
void job_arrives(State& s, Index run);

/// Sets the order; held Jobs are released, oldest first, when nothing holds them any more.
void set_order(State& s, const AdmissionOrder& order);
void order_expires(State& s);
/// Limits the share of the cluster that pods of Jobs may request together; 1,000,000 lifts it.
void set_cap(State& s, std::int64_t cpu_ppm, std::int64_t memory_ppm, Ms until,
             std::vector<Name> spaces = {});

/// A pod of a Job works from now on at the pace of its node.
void start_work(State& s, Index p);
/// It stops working; what is done counts only while it stays on its node.
void pause_work(State& s, Index p);
/// Its work is done.
void finish_work(State& s, Index p);
/// The pod is lost; its Job creates another.
void retry_in_run(State& s, Index p);

}  // namespace parley::sim
