// Guard, tests: tables of one rule's answers. A round that everything is allowed in, spoiled in one
// way, and what the guard says to an action then.

#pragma once

#include "fake/small_round.h"
#include "guard/guard.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace parley::guard::kit {

using namespace model;
using fake::node_id;
using fake::SmallRound;
using fake::workload_id;

/// "yes", or the rule that refuses and its sentence.
inline std::string answer(const SmallRound& round, const Action& action, const Target& target) {
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    const Answer answer = ask(facts, {.action = action, .target = target});
    if (!answer.refused) return "yes";
    return answer.refused->rule + ": " + answer.refused->because;
}

struct Case {
    const char* name;
    Action action;
    std::function<void(SmallRound&)> spoil;
    std::string expected;
    Target target = node_id(1);
};

/// A container that asks for 250 millicores and 1 MiB.
inline ContainerSpec container(const char* name) {
    return {.name = Name::of(name), .cpu_request_m = 250, .memory_request = 1 << 20};
}

/// The pods of shop/web have one container, `app`.
inline void check(const std::vector<Case>& cases, int nodes = 12) {
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        SmallRound round(nodes);
        round.shape(round.web, {{container("app")}});
        c.spoil(round);
        EXPECT_EQ(answer(round, c.action, c.target), c.expected);
    }
}

inline const Action kSleep = PowerState{PowerWish::sleep};
inline const Action kWake = PowerState{PowerWish::on};
inline const Action kQueue = Admission{AdmissionWish::queue};
inline const Target kWeb = workload_id("shop", "web");

inline void nothing(SmallRound&) {}

}  // namespace parley::guard::kit
