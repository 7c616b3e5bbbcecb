#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::proposal {
namespace {

using namespace kit;
using model::AdmissionWish;
using model::Cause;

void order(Round& round, AdmissionWish mode, Duration left = minutes(9)) {
    round.memory.ledger.orders.push_back({.mode = mode, .until = kNow + left});
}

void cap(Round& round, Duration left = minutes(9)) {
    round.memory.ledger.open.push_back({.role = model::Role::admission,
                                        .action = model::ResourceCap{},
                                        .target = model::WholeCluster{},
                                        .state = model::ActionState::confirmed,
                                        .expires = kNow + left});
}

struct Case {
    const char* name;
    std::int32_t pods;
    const char* wants;
    double score = 0;
    std::function<void(Round&)> change = [](Round&) {};
    bool batch = true;
    Duration age = seconds(30);
    Cause cause = Cause::cpu;
};

class AdmissionWants : public testing::TestWithParam<Case> {};

TEST_P(AdmissionWants, by_pods_that_wait_for_room) {
    const Case& c = GetParam();
    Round round;
    round.waiting(c.pods, short_of(c.cause), c.batch, c.age);
    c.change(round);
    const model::Proposal proposal = round.ask(admission_agent());
    EXPECT_EQ(text(proposal), std::string(c.wants) + " cluster") << proposal.because;
    EXPECT_EQ(proposal.score, c.score);
}

const auto kNothing = [](Round&) {};
const Case kThresholds[] = {
    {"none", 0, "noop"},
    {"seven", 7, "noop"},
    {"eight", 8, "admission:queue", 0.90},
    {"seventy_nine", 79, "admission:queue", 0.90},
    {"eighty", 80, "admission:deprioritize", 0.95},
    {"a_hundred_and_nineteen", 119, "admission:deprioritize", 0.95},
    {"a_hundred_and_twenty", 120, "resource_cap", 1.0},
    {"memory_counts", 8, "admission:queue", 0.90, kNothing, true, {}, Cause::memory},
    {"places_count", 8, "admission:queue", 0.90, kNothing, true, {}, Cause::pods},
    {"a_selector_is_deliberate", 200, "noop", 0, kNothing, true, {}, Cause::selector},
    {"our_own_hold_is_no_shortage", 200, "noop", 0, kNothing, true, {}, Cause::our_hold},
    {"services_wait_but_there_are_no_jobs", 9, "noop", 0, kNothing, false},
    {"services_wait_and_jobs_run", 9, "admission:queue", 0.90,
     [](Round& r) { r.waiting(0, {}, true).ready = 1; }, false},
    {"not_watched", 9, "noop", 0, [](Round& r) { r.policy.namespaces = {"=other"}; }},
};
INSTANTIATE_TEST_SUITE_P(Thresholds, AdmissionWants, testing::ValuesIn(kThresholds),
                         [](const auto& row) { return std::string(row.param.name); });

const Case kOrders[] = {
    {"queue_order_stands", 9, "noop", 0, [](Round& r) { order(r, AdmissionWish::queue); }},
    {"queue_order_stands_at_half", 4, "noop", 0, [](Round& r) { order(r, AdmissionWish::queue); }},
    {"queue_order_lifted_below_half", 3, "admission:admit", 1.0,
     [](Round& r) { order(r, AdmissionWish::queue); }},
    {"queue_order_renewed_at_half_its_life", 9, "admission:queue", 0.90,
     [](Round& r) { order(r, AdmissionWish::queue, minutes(5)); }},
    {"queue_order_not_renewed_before", 9, "noop", 0,
     [](Round& r) { order(r, AdmissionWish::queue, minutes(5) + microseconds(1)); }},
    {"an_expired_order_is_none", 3, "noop", 0,
     [](Round& r) { order(r, AdmissionWish::queue, seconds(0)); }},
    {"more_wait_and_it_gets_harder", 80, "admission:deprioritize", 0.95,
     [](Round& r) { order(r, AdmissionWish::queue); }},
    {"deprioritize_stands_at_half", 40, "noop", 0,
     [](Round& r) { order(r, AdmissionWish::deprioritize); }},
    {"deprioritize_softens_below_half", 39, "admission:queue", 0.90,
     [](Round& r) { order(r, AdmissionWish::deprioritize); }},
    {"deprioritize_lifted_when_nobody_waits", 0, "admission:admit", 1.0,
     [](Round& r) { order(r, AdmissionWish::deprioritize); }},
    {"cap_stands_at_half", 60, "noop", 0, [](Round& r) { cap(r); }},
    {"cap_lifted_below_half", 59, "resource_cap", 1.0, [](Round& r) { cap(r); }},
    {"cap_lifted_when_nobody_waits", 0, "resource_cap", 1.0, [](Round& r) { cap(r); }},
    {"a_lifted_cap_is_none", 3, "noop", 0,
     [](Round& r) {
         cap(r);
         r.memory.ledger.open[0].action = model::ResourceCap{1'000'000, 1'000'000};
     }},
    {"the_harder_of_two_counts", 60, "noop", 0,
     [](Round& r) {
         order(r, AdmissionWish::queue, minutes(1));
         cap(r);
     }},
    {"the_longer_of_two_counts", 9, "noop", 0,
     [](Round& r) {
         order(r, AdmissionWish::queue, minutes(9));
         order(r, AdmissionWish::queue, minutes(1));
     }},
    {"the_longer_of_two_counts_in_either_order", 9, "noop", 0,
     [](Round& r) {
         order(r, AdmissionWish::queue, minutes(1));
         order(r, AdmissionWish::queue, minutes(9));
     }},
    {"an_admit_order_holds_nothing_back", 3, "noop", 0,
     [](Round& r) { order(r, AdmissionWish::admit); }},
    {"a_cap_that_is_not_confirmed_is_none", 3, "noop", 0,
     [](Round& r) {
         cap(r);
         r.memory.ledger.open[0].state = model::ActionState::sent;
     }},
    {"a_cap_being_undone_is_none", 3, "noop", 0,
     [](Round& r) {
         cap(r);
         r.memory.ledger.open[0].undoing = true;
     }},
};
INSTANTIATE_TEST_SUITE_P(Orders, AdmissionWants, testing::ValuesIn(kOrders),
                         [](const auto& row) { return std::string(row.param.name); });

const auto kQueued = [](Round& r) { order(r, AdmissionWish::queue); };
constexpr Duration kLong = minutes(10) + microseconds(1);
const Case kRejects[] = {
    {"queued_and_yet_they_wait_long", 9, "admission:reject", 0.85, kQueued, true, kLong},
    {"they_waited_as_long_as_an_order_lasts", 9, "noop", 0, kQueued, true, minutes(10)},
    {"not_queued_yet", 9, "admission:queue", 0.90, kNothing, true, kLong},
    {"a_rejection_costs_more_than_waiting", 9, "noop", 0,
     [](Round& r) {
         kQueued(r);
         r.policy.cost.rejection = 10;  // 1.1 x 10 > 10 minutes at 1.0.
     },
     true, kLong},
    {"a_rejection_costs_a_little_less", 9, "admission:reject", 0.85,
     [](Round& r) {
         kQueued(r);
         r.policy.cost.rejection = 9;  // 1.1 x 9 < 10.
     },
     true, kLong},
    {"harder_orders_come_first", 80, "admission:deprioritize", 0.95, kQueued, true, kLong},
    {"a_reject_order_stands", 9, "noop", 0, [](Round& r) { order(r, AdmissionWish::reject); }, true,
     kLong},
    {"a_reject_order_softens_when_it_no_longer_earns", 9, "admission:queue", 0.90,
     [](Round& r) { order(r, AdmissionWish::reject); }},
    {"a_reject_order_is_lifted_below_half", 3, "admission:admit", 1.0,
     [](Round& r) { order(r, AdmissionWish::reject); }, true, kLong},
};
INSTANTIATE_TEST_SUITE_P(Rejects, AdmissionWants, testing::ValuesIn(kRejects),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Admission, carries_its_figure_and_one_sentence) {
    Round round;
    round.waiting(9, short_of(Cause::cpu));
    model::Proposal proposal = round.ask(admission_agent());
    EXPECT_EQ(
        proposal.because,
        "9 pods wait for CPU in shop (acts from 8): new Jobs of shop are held back until there "
        "is room.");
    EXPECT_EQ(proposal.evidence,
              (model::Evidence{"pods short of CPU", 9, "from", 8, model::Measure::count}));
    order(round, AdmissionWish::queue);
    EXPECT_EQ(round.ask(admission_agent()).because,
              "9 pods wait for CPU in shop; the queue order is in force.");
    round.input.snapshot.pending[0].count = 1;
    proposal = round.ask(admission_agent());
    EXPECT_EQ(proposal.because,
              "The shortage eased (1 pod waits for CPU, lifts below half of 8): the queue order "
              "is lifted.");
    EXPECT_EQ(proposal.evidence,
              (model::Evidence{"pods short of CPU", 1, "below", 4, model::Measure::count}));
    round.memory.ledger.orders.clear();
    EXPECT_EQ(round.ask(admission_agent()).because, "1 pod waits for CPU, acts from 8.");
    round.input.snapshot.pending.clear();
    EXPECT_EQ(round.ask(admission_agent()).because, "0 pods wait for room, acts from 8.");
}

TEST(Admission, a_rejection_shows_both_prices) {
    Round round;
    round.waiting(9, short_of(Cause::cpu), true, minutes(12));
    order(round, AdmissionWish::queue);
    EXPECT_EQ(
        round.ask(admission_agent()).because,
        "9 pods wait for CPU in shop (acts from 8): holding Jobs back did not help, and one more "
        "would wait over 12 min at 1.0 a minute; a rejection costs 1.0.");
}

TEST(Admission, caps_at_the_share_of_the_policy) {
    Round round;
    round.waiting(120, short_of(Cause::cpu));
    round.policy.admission.cap_share = 0.7;
    const model::Proposal proposal = round.ask(admission_agent());
    EXPECT_EQ(proposal.action,
              model::Action(model::ResourceCap{700'000, 700'000, {Name::of("shop")}}));
    EXPECT_EQ(
        proposal.because,
        "120 pods wait for CPU in shop (acts from 120): batch work of shop is capped at 70%.");
}

TEST(Admission, lifts_a_cap_by_a_cap_at_everything) {
    Round round;
    cap(round);
    EXPECT_EQ(round.ask(admission_agent()).action,
              model::Action(model::ResourceCap{1'000'000, 1'000'000}));
    EXPECT_EQ(round.ask(admission_agent()).because,
              "The shortage eased (0 pods wait for room, lifts below half of 120): the cap is "
              "lifted.");
}

// Proposal and score use one account: whatever the prices and the wait, a rejection is proposed
// only if it costs less than the waiting it ends.
TEST(Admission, never_rejects_where_that_costs_more_than_it_saves) {
    for (std::int64_t waited = 0; waited <= 60; waited += 5) {
        for (const double rejection : {0.0, 0.5, 1.0, 5.0, 20.0, 60.0, 1000.0}) {
            for (const double minute : {0.0, 0.1, 1.0, 4.0}) {
                Round round;
                round.waiting(9, short_of(Cause::cpu), true, minutes(waited));
                order(round, AdmissionWish::queue, minutes(1));
                round.policy.cost.rejection = rejection;
                round.policy.cost.pending_minute = minute;
                const bool rejects =
                    text(round.ask(admission_agent())) == "admission:reject cluster";
                if (rejects) {
                    EXPECT_GT(static_cast<double>(waited) * minute, rejection);
                }
            }
        }
    }
}

/// Jobs of a namespace with this many waiting pods.
void tenant(Round& round, const char* space, std::int32_t pods, bool batch = true) {
    round.waiting(pods, short_of(Cause::cpu), batch).id.space = Name::of(space);
}

std::string spaces_in(const model::Proposal& proposal) {
    const auto* order = std::get_if<model::Admission>(&proposal.action);
    const auto* cap = std::get_if<model::ResourceCap>(&proposal.action);
    if (order == nullptr && cap == nullptr) return "none";
    std::string out;
    for (const Name& space : order != nullptr ? order->spaces : cap->spaces) {
        out += (out.empty() ? "" : " ") + space.str();
    }
    return out.empty() ? "all" : out;
}

TEST(Admission, holds_back_only_those_who_are_short_by_themselves) {
    struct Tenants {
        const char* name;
        std::int32_t loud;
        std::int32_t quiet;
        const char* wants;
        const char* spaces;
    };
    const Tenants cases[] = {
        {"one_floods", 130, 3, "resource_cap", "loud"},
        {"together_they_would_be_enough", 7, 7, "noop", "none"},
        {"both_by_themselves", 9, 8, "admission:queue", "loud quiet"},
        {"the_harder_comes_first", 80, 9, "admission:deprioritize", "loud"},
        {"either_of_them", 3, 9, "admission:queue", "quiet"},
    };
    for (const Tenants& c : cases) {
        SCOPED_TRACE(c.name);
        Round round;
        tenant(round, "loud", c.loud);
        tenant(round, "quiet", c.quiet);
        const model::Proposal proposal = round.ask(admission_agent());
        EXPECT_EQ(text(proposal), std::string(c.wants) + " cluster") << proposal.because;
        EXPECT_EQ(spaces_in(proposal), c.spaces);
    }
}

TEST(Admission, says_whom_it_holds_back) {
    Round round;
    for (const char* space : {"d", "a", "b", "c"}) tenant(round, space, 8);
    EXPECT_EQ(round.ask(admission_agent()).because,
              "32 pods wait for CPU in a, b and 2 more namespaces (acts from 8): new Jobs of a, b "
              "and 2 more namespaces are held back until there is room.");
    Round few;
    tenant(few, "a", 7);
    tenant(few, "b", 3);
    EXPECT_EQ(few.ask(admission_agent()).because,
              "10 pods wait for CPU, acts from 8 in one namespace.");
    Round jobless;
    tenant(jobless, "a", 9, false);
    tenant(jobless, "b", 3);
    EXPECT_EQ(jobless.ask(admission_agent()).because,
              "9 pods wait for CPU in a, but there are no Jobs in it: holding Jobs back would help "
              "nobody.");
}

TEST(Admission, an_order_follows_those_who_are_short) {
    Round round;
    tenant(round, "a", 9);
    tenant(round, "b", 4);
    order(round, AdmissionWish::queue);
    round.memory.ledger.orders[0].spaces = {Name::of("a")};
    EXPECT_EQ(spaces_in(round.ask(admission_agent())), "none")
        << "it is in force, and b never was held";
    round.memory.ledger.orders[0].spaces = {Name::of("a"), Name::of("b")};
    EXPECT_EQ(spaces_in(round.ask(admission_agent())), "none") << "b stays in at half of the bound";
    round.input.snapshot.pending[1].count = 3;
    EXPECT_EQ(spaces_in(round.ask(admission_agent())), "a") << "b is let go";
    round.input.snapshot.pending[1].count = 8;
    round.memory.ledger.orders[0].spaces = {Name::of("a")};
    EXPECT_EQ(spaces_in(round.ask(admission_agent())), "a b") << "b comes in";
    round.input.snapshot.pending.clear();
    EXPECT_EQ(text(round.ask(admission_agent())), "admission:admit cluster");
}

TEST(Admission, says_what_else_keeps_it_from_rejecting) {
    const Question reject{.action = model::Admission{.decision = AdmissionWish::reject}};
    const Question queue{.action = model::Admission{.decision = AdmissionWish::queue}};
    const auto hindered = [](const Round& round, const Question& asked) {
        return what_hinders(admission_agent(), asked, {round.input, round.forecast, round.policy});
    };
    using Texts = std::vector<std::string>;
    const std::string early = "No pod had waited longer than 30s; it rejects only after 10m.";
    const std::string dear =
        "To reject would not have paid: the longest wait cost 0.5, and must cost more than 1.1, "
        "the price of a rejection with its margin.";
    Round round;
    round.waiting(9, short_of(Cause::cpu));
    EXPECT_EQ(hindered(round, reject), (Texts{early, dear}));
    EXPECT_TRUE(hindered(round, queue).empty());
    EXPECT_EQ(admission_agent().rule(reject, round.policy),
              "Agent C admission proposes admission:reject from 8 pods that wait for room, while "
              "its own queue order is in force, if one has waited longer than 10m and that cost "
              "more than a rejection.");
    EXPECT_EQ(admission_agent().rule(queue, round.policy),
              "Agent C admission proposes admission:queue from 8 pods that wait for room.");
    round.policy.admission.order_lasts = seconds(20);
    EXPECT_EQ(hindered(round, reject), Texts{dear});
    round.policy.cost.rejection = 0.1;
    EXPECT_TRUE(hindered(round, reject).empty());
    order(round, AdmissionWish::queue);
    EXPECT_EQ(text(round.ask(admission_agent())), "admission:reject cluster");
    round.policy = {};
    round.input.snapshot.pending.clear();
    EXPECT_TRUE(hindered(round, reject).empty()) << "nobody waits, which is said by the distance";
    round.waiting(9, short_of(Cause::cpu));
    round.policy.profile = model::Profile::prototype;
    EXPECT_TRUE(hindered(round, reject).empty()) << "its rules are others";
}

}  // namespace
}  // namespace parley::proposal
