#include "apps/runs/cluster_owed.h"

#include "layers/round_core.h"
#include "sim/world/cluster.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using namespace model;

const NodeId kNode{Name::of("node-01")};
constexpr TimePoint kNow{30'000'000};

/// A round in which an action of two steps is carried out, and what the cluster remembers of it.
struct Owed : testing::Test {
    store::Keyframe round;
    std::vector<ActionEvent> events;
    std::vector<sim::Remembered> remembered;

    Owed() {
        const OpenAction action{
            .id = {1, 7},
            .round = 10,
            .action = Dvfs{},
            .target = kNode,
            .plan = {{PutMark{.target = kNode, .decision = {1, 7}}}, {SetClock{kNode, 800'000}}},
            .deadline = kNow + hours(1),
            .expires = kNow + hours(1)};
        round.input.round = 10;
        round.input.now = kNow;
        round.input.controls = {.mode = Mode::act, .simulated = true, .ledger_version = 4};
        round.memory.ledger.version = 4;
        round.memory.ledger.open = {action};
        round.decision.round = 10;
        round.decision.first_steps = {{action, Read{}}};
        carry_out();
    }

    Ledger stored() const {
        Ledger ledger;
        ledger.version = 4;
        return ledger;
    }

    void carry_out() {
        RoundCore core({}, {});
        core.take_ledger(stored());
        const Decided decided{round.input, round.decision, round.memory};
        core.go_on(decided, nullptr);
        while (const auto errand = core.next()) {
            if (std::holds_alternative<SwapLedger>(*errand)) {
                remembered.push_back({kNow, core.next_ledger()});
                core.swapped();
                continue;
            }
            Seen seen{{.exists = true}, ""};
            if (remembered.size() > 1) seen.live.mark = {1, 7};  // It was put before.
            ActionEvent event{{1, 7}, kNow, seen};
            if (const auto* ask = std::get_if<AskFor>(&*errand)) {
                remembered.push_back({kNow, ask->request});
                event.what = Answered{};
            }
            events.push_back(event);
            core.take(event);
        }
    }

    /// By the first `count` events.
    ClusterOwed owed(std::size_t count, bool ended) const {
        ClusterOwed out;
        out.take(round, {events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count)});
        if (ended) out.end();
        return out;
    }
};

TEST_F(Owed, is_each_request_whose_answer_is_recorded) {
    ASSERT_EQ(remembered.size(), 4U);  // A ledger, two requests, a ledger.
    const auto all = owed(events.size(), true);
    EXPECT_EQ(all.rounds(), 1U);
    EXPECT_FALSE(all.first_missing(remembered));
    for (const std::size_t gone : {1U, 2U}) {
        auto less = remembered;
        less.erase(less.begin() + static_cast<std::ptrdiff_t>(gone));
        const auto missing = all.first_missing(less);
        ASSERT_TRUE(missing) << gone;
        EXPECT_EQ(missing->request, std::get<Request>(remembered[gone].what));
        EXPECT_EQ(missing->round, 10U);
    }
    auto other = remembered;
    std::get<SetClock>(std::get<Request>(other[2].what)).clock_ppm = 1;
    EXPECT_TRUE(all.first_missing(other)) << "another request stands in its place";
    other = remembered;
    other[1].at = kNow - seconds(3);
    EXPECT_TRUE(all.first_missing(other)) << "it was asked for at another time";
}

TEST_F(Owed, what_was_never_answered_may_be_there_or_not) {
    // Without the answer to the last request.
    const auto last = owed(events.size() - 1, false);
    EXPECT_FALSE(last.first_missing(remembered));
    remembered.resize(2);
    EXPECT_FALSE(last.first_missing(remembered));
    remembered.resize(1);
    EXPECT_TRUE(last.first_missing(remembered));
}

TEST_F(Owed, counts_the_ledgers_that_were_stored) {
    EXPECT_EQ(owed(0, false).ledger_at_last(), 4U);
    EXPECT_EQ(owed(0, false).ledger_behind(stored()), 4U);  // It may have died before the first.
    EXPECT_EQ(owed(1, false).ledger_behind(stored()), 5U);
    EXPECT_EQ(owed(events.size(), false).ledger_behind(stored()), 5U);
    EXPECT_EQ(owed(events.size(), true).ledger_behind(stored()), 6U);
    round.input.controls.mode = Mode::observe;
    EXPECT_EQ(owed(0, true).ledger_behind(stored()), 4U);
}

TEST_F(Owed, of_decisions_alone_the_requests_are_counted) {
    ClusterOwed counted;
    counted.take(round.decision, events);
    EXPECT_FALSE(counted.first_missing(remembered));
    remembered.erase(remembered.begin() + 1);
    const auto missing = counted.first_missing(remembered);
    ASSERT_TRUE(missing);
    EXPECT_FALSE(missing->request);
    EXPECT_EQ(counted.ledger_at_last(), 0U);
}

}  // namespace
}  // namespace parley::app
