// Simulation, parts of built-in scenarios: names in, workloads and whole shops out.

#pragma once

#include "sim/scenario/scenario.h"

#include <string>

namespace parley::sim {

/// Twelve nodes in three zones that can be switched and clocked.
NodeGroup twelve_nodes();

/// Daemons that every node has.
std::vector<WorkloadSpec> system_daemons();

/// A Deployment that serves requests: `rate` per second on average over a day.
WorkloadSpec served(const std::string& space, const std::string& name, std::int32_t replicas,
                    double rate);

/// Jobs of a few pods that arrive `per_hour`.
JobSpec batch(const std::string& name, double per_hour, std::int32_t parallel, double work_core_s);

/// Twelve nodes, daemons, shop/web, shop/cart, shop/search, shop/db and a few Jobs. A node's pods
/// fit elsewhere with 10 % to spare.
Scenario shop(const std::string& name, const std::string& description);

}  // namespace parley::sim
