#include "tests/scenarios/run_scenario.h"

#include "apps/session/scenario_file.h"
#include "apps/terminal/settings.h"
#include "sim/scenario/builtin_scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::scenarios {
namespace {

void check_fates(const model::Decision& decision) {
    EXPECT_EQ(decision.verdict.judged.size(), decision.proposals.size());
    for (const model::Proposal& proposal : decision.proposals) {
        const auto fates =
            std::ranges::count(decision.verdict.judged, proposal, &model::Judged::proposal);
        EXPECT_EQ(fates, std::ranges::count(decision.proposals, proposal))
            << label_of(proposal.role, proposal.action);
        EXPECT_FALSE(proposal.because.empty()) << label_of(proposal.role, proposal.action);
    }
    for (const model::Judged& judged : decision.verdict.judged) {
        if (const auto* refused = std::get_if<model::Refused>(&judged.fate)) {
            EXPECT_FALSE(refused->rule.empty());
            EXPECT_FALSE(refused->because.empty());
        }
        if (const auto* lost = std::get_if<model::Overridden>(&judged.fate)) {
            EXPECT_FALSE(lost->rule.empty());
        }
    }
}

void check_bounds(const Published& round, const model::Policy& policy) {
    EXPECT_LE(std::ssize(round.decision.verdict.accepted), policy.actions_per_round_max);
    std::int64_t nodes = 0;
    std::int64_t quarantined = 0;
    round.input.snapshot.nodes.for_each([&](Slot, const model::NodeRow& row) {
        if (row.role == model::NodeRole::worker) ++nodes;
        if (row.quarantined) ++quarantined;
    });
    EXPECT_LE(quarantined, std::max<std::int64_t>(1, nodes / policy.guard.allowance_one_in));
    EXPECT_TRUE(round.trouble.empty()) << round.trouble;
    const model::Derived& derived = round.memory.derived;
    const model::Cost unowned = derived.account - derived.owned;
    EXPECT_EQ((unowned + derived.owned).total(), derived.account.total());
    for (const model::Alarm& alarm : round.decision.alarms) {
        EXPECT_NE(alarm.kind, model::AlarmKind::record_contradicts) << alarm.sentence;
    }
    EXPECT_EQ(round.decision.open_scores.size(), derived.windows.size());
    for (const model::ClosedScore& score : round.decision.closed) {
        EXPECT_NE(score.state, model::ScoreState::open);
    }
}

/// The counts of readings in rounds add up to those in the memory.
void check_coverage(const Rounds& rounds) {
    model::Cost cost;
    std::int64_t read = 0;
    std::int64_t missing = 0;
    for (const auto& round : rounds) {
        const model::RoundScore& score = round->decision.score;
        cost = cost + score.cost;
        read += score.leaves + score.settled;
        missing += score.missing - score.settled;
        ASSERT_EQ(round->memory.derived.account, cost) << round->input.round;
        ASSERT_EQ(round->memory.derived.leaves, read) << round->input.round;
        ASSERT_EQ(round->memory.derived.missing, missing) << round->input.round;
        ASSERT_GE(missing, 0) << round->input.round;
    }
}

}  // namespace

Rounds run(const Wish& wish) {
    Rounds rounds;
    app::SessionOptions options;
    auto scenario = sim::builtin_scenario(wish.scenario, wish.seed);
    if (!scenario) {
        ADD_FAILURE() << "no scenario " << wish.scenario;
        return rounds;
    }
    options.policy = app::default_settings().policy;
    options.policy.profile = wish.profile;
    if (wish.profile == model::Profile::prototype) {
        options.policy.predictor = model::PredictorKind::formula;
    }
    if (wish.change) wish.change(options.policy);
    if (wish.adapt) wish.adapt(*scenario);
    options.scenario = app::scenario_for(
        std::make_shared<const sim::Scenario>(*std::move(scenario)), wish.profile);
    options.seed = wish.seed;
    options.mode = wish.mode;
    options.record = store::RecordLevel::none;
    auto session = app::Session::open(options);
    if (!session) {
        ADD_FAILURE() << session.error().message;
        return rounds;
    }
    for (std::uint64_t n = 1; n <= wish.rounds; ++n) {
        SCOPED_TRACE(wish.scenario + ", seed " + std::to_string(wish.seed) + ", round " +
                     std::to_string(n));
        const auto done = (*session)->round();
        if (!done) {
            ADD_FAILURE() << done.error().message;
            return rounds;
        }
        rounds.push_back((*session)->last());
        if (wish.lean) continue;
        check_fates(rounds.back()->decision);
        check_bounds(*rounds.back(), options.policy);
        if (::testing::Test::HasFailure()) return rounds;
    }
    check_coverage(rounds);
    return rounds;
}

std::string accepted_in(const Published& round) {
    std::string out;
    for (const model::Proposal& each : round.decision.verdict.accepted) {
        if (!out.empty()) out += ", ";
        out += label_of(each.role, each.action);
    }
    return out.empty() ? "idle" : out;
}

std::vector<model::Role> overruled_in(const Published& round) {
    std::vector<model::Role> roles;
    for (const model::Judged& judged : round.decision.verdict.judged) {
        if (std::holds_alternative<model::Overridden>(judged.fate)) {
            roles.push_back(judged.proposal.role);
        }
    }
    std::ranges::sort(roles);
    return roles;
}

bool disrupted_in(const Published& round) {
    return std::ranges::any_of(round.decision.verdict.accepted, [](const model::Proposal& each) {
        return model::disruptive(each.action);
    });
}

}  // namespace parley::scenarios
