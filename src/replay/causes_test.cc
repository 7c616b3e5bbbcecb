#include "replay/causes.h"

#include "fake/small_round.h"

#include <gtest/gtest.h>

namespace parley::replay {
namespace {

Wanted wanted(const char* text) { return *parse_wanted(text); }

/// Ten pods of a Job in `space` that are short of CPU.
void wait_in(fake::SmallRound& round, const char* space, std::int32_t pods) {
    model::WorkloadRow row;
    row.id = {Name::of(space), model::WorkloadKind::job, Name::of("crunch")};
    row.batch = true;
    row.pending = pods;
    model::PendingGroup group{.count = pods};
    group.workload = round.input.snapshot.workloads.insert(row);
    group.causes = group.causes.with(model::Cause::cpu);
    round.input.snapshot.pending.push_back(group);
}

TEST(Causes, the_mode_goes_before_the_switch) {
    EXPECT_TRUE(sends_nothing({.mode = model::Mode::act}).empty());
    const auto both = sends_nothing({.mode = model::Mode::dry_run, .stop = true});
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[0].who, "mode");
    EXPECT_EQ(both[1].who, "kill switch");
}

TEST(Causes, a_ledger_that_cannot_be_read_is_the_cause_and_not_the_mode_it_leads_to) {
    const auto causes = sends_nothing({.mode = model::Mode::dry_run, .ledger_unread = "no route"});
    ASSERT_EQ(causes.size(), 1U);
    EXPECT_EQ(causes[0], (Obstacle{"ledger", "unreadable", "no route"}));
}

TEST(Causes, a_question_about_a_scaling_names_no_amounts) {
    fake::SmallRound round;
    const guard::Facts facts(round.input, round.forecast, round.memory, round.policy);
    const Wanted scale = wanted("scale:shop/web");
    const model::Proposal asked{.role = scale.role, .action = scale.action, .target = scale.target};
    for (const model::Refused& each : refusals(facts, asked)) {
        EXPECT_EQ(each.because.find("as the proposal says"), std::string::npos) << each.rule;
    }
}

TEST(Causes, a_filter_counts_where_it_leaves_out_pods_that_are_short) {
    fake::SmallRound round;
    round.policy.namespaces.clear();
    wait_in(round, "shop", 10);
    EXPECT_TRUE(filtered_out(wanted("queue"), round.input, round.policy).empty()) << "all watched";
    round.policy.namespaces = {"=other"};
    const auto found = filtered_out(wanted("queue"), round.input, round.policy);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rule, "policy.namespaces");
    EXPECT_EQ(found[0].because,
              "the filter leaves out 10 pods short of room in shop, and counts 0");
    round.policy.namespaces = {"=shop"};
    EXPECT_TRUE(filtered_out(wanted("queue"), round.input, round.policy).empty());
    EXPECT_TRUE(filtered_out(wanted("migrate:node-01"), round.input, round.policy).empty());
    round.policy.namespaces = {"=other"};
    EXPECT_TRUE(filtered_out(wanted("admit"), round.input, round.policy).empty());
    EXPECT_EQ(filtered_out(wanted("scale:a/b"), round.input, round.policy).size(), 1U);
}

TEST(Causes, a_bound_counts_where_its_default_would_have_been_passed) {
    fake::SmallRound round;
    round.policy.namespaces.clear();
    wait_in(round, "shop", 10);
    const model::Forecast none;
    EXPECT_TRUE(by_configuration(wanted("queue"), round.input, none, round.policy).empty());
    round.policy.admission.queue_from = 11;
    const auto found = by_configuration(wanted("queue"), round.input, none, round.policy);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rule, "policy.admission.queue_from");
    EXPECT_TRUE(by_configuration(wanted("admit"), round.input, none, round.policy).empty())
        << "to admit has no bound";
    round.policy.admission.queue_from = 10;
    EXPECT_TRUE(by_configuration(wanted("queue"), round.input, none, round.policy).empty());
    round.policy.admission.queue_from = 11;
    round.input.snapshot.pending.back().count = 7;
    EXPECT_TRUE(by_configuration(wanted("queue"), round.input, none, round.policy).empty())
        << "the default would not have been passed either";
}

TEST(Causes, more_rounds_over_than_usual_are_a_choice) {
    fake::SmallRound round;
    const model::Forecast none;
    round.policy.stakes.rounds_over = 3;
    const auto found = by_configuration(wanted("migrate:node-01"), round.input, none, round.policy);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rule, "policy.stakes.rounds_over");
    round.policy.stakes.rounds_over = 2;
    EXPECT_TRUE(
        by_configuration(wanted("migrate:node-01"), round.input, none, round.policy).empty());
    EXPECT_TRUE(is_configured("opt-in"));
    EXPECT_FALSE(is_configured("cool-down"));
}

TEST(Causes, an_order_is_lifted_where_one_is_in_force) {
    model::Ledger ledger;
    EXPECT_TRUE(nothing_to_lift(wanted("queue"), ledger).empty());
    EXPECT_EQ(nothing_to_lift(wanted("admit"), ledger).size(), 1U);
    ledger.orders.push_back({.mode = model::AdmissionWish::queue});
    EXPECT_TRUE(nothing_to_lift(wanted("admit"), ledger).empty());

    model::Decision decision;
    EXPECT_FALSE(lifts_order(decision));
    model::OpenAction order;
    order.action = model::Admission{model::AdmissionWish::queue, {}};
    decision.first_steps.push_back({order, model::Read{}});
    EXPECT_FALSE(lifts_order(decision)) << "it begins";
    decision.first_steps[0].action.undoing = true;
    EXPECT_TRUE(lifts_order(decision));
    decision.first_steps[0].action.action = model::Admission{};
    EXPECT_FALSE(lifts_order(decision)) << "held Jobs are freed, which no order does";
}

TEST(Causes, what_an_agent_said_is_the_cause_where_nothing_else_is) {
    model::Decision decision;
    EXPECT_TRUE(by_choice(model::Role::admission, decision).empty());
    decision.proposals.push_back(
        {.role = model::Role::admission, .action = model::Noop{}, .because = "No Jobs in it."});
    EXPECT_EQ(
        by_choice(model::Role::admission, decision),
        (std::vector<Obstacle>{{"agent", "its choice", "It wanted nothing: No Jobs in it."}}));
    EXPECT_TRUE(by_choice(model::Role::safety, decision).empty());
}

}  // namespace
}  // namespace parley::replay
