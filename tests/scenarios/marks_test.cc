// A mark of ours stays as long as an effect of ours stands there: nobody has to be told otherwise.

#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace parley::scenarios {
namespace {

/// The first round that says that a mark is missing, or of nobody; empty: none does.
std::string first_complaint(const Rounds& rounds) {
    for (const auto& round : rounds) {
        for (const model::Disagreement& each : round->decision.disagreements) {
            if (each.kind != model::DisagreementKind::mark_foreign) continue;
            return "round " + std::to_string(round->input.round) + ": " + each.sentence;
        }
    }
    return {};
}

// With seed 3 a balloon came to a node where another stood, found all of it done, and took the
// mark.
TEST(Marks, are_never_missed_where_nobody_else_touches_them) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Rounds rounds = run({.scenario = "day", .seed = seed, .rounds = 400});
        EXPECT_EQ(first_complaint(rounds), "") << "seed " << seed;
    }
}

}  // namespace
}  // namespace parley::scenarios
