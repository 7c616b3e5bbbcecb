// Tests: runs the whole pipeline on the simulated cluster and checks what must hold in every round.

#pragma once

#include "apps/session/session.h"
#include "model/round.h"
#include "sim/scenario/scenario.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parley::scenarios {

struct Wish {
    std::string scenario;
    std::uint64_t seed = 7;
    std::uint64_t rounds = 100;
    model::Profile profile = model::Profile::parley;
    model::Mode mode = model::Mode::act;
    std::function<void(model::Policy&)> change = {};  ///< Changes the default policy.
    std::function<void(sim::Scenario&)> adapt = {};   ///< Adapts the built-in scenario to the test.
    bool lean = false;  ///< Check only what this test asks for, to run hundreds of worlds.
};

using Rounds = std::vector<std::shared_ptr<const Published>>;

/// Every round of a run. Adds a test failure that names seed and round if an invariant breaks: each
/// proposal has exactly one fate, at most `actions_per_round_max` are accepted, refusals and
/// sentences are not empty, the account adds up, not more nodes than the allowance are disrupted,
/// nothing is sent outside mode act.
Rounds run(const Wish& wish);

/// Labels of what was accepted, such as `AgentA:replicate`; `idle` for nothing.
std::string accepted_in(const Published& round);

/// Agents that wanted something and lost to another or to a rule of the referee, in order.
std::vector<model::Role> overruled_in(const Published& round);

/// Whether anything that takes capacity or pods away was begun.
bool disrupted_in(const Published& round);

}  // namespace parley::scenarios
