#include "kube/write/leader.h"

#include "kube/write/one_object_test.h"

namespace parley::kube {
namespace {

boost::asio::awaitable<bool> attempt_of(Leader* who) {
    co_await who->attempt();
    co_return true;
}

boost::asio::awaitable<bool> resignation_of(Leader* who) {
    co_await who->resign();
    co_return true;
}

/// Two processes that want to lead, on clocks of their own.
struct Bench : OneObject {
    Bench()
        : a(api(), {}, "a", {}, [this] { return clock_a; }),
          b(api(), {}, "b", {}, [this] { return clock_b; }) {}

    void pass(Duration time) {
        clock_a = clock_a + time;
        clock_b = clock_b + time;
    }
    void attempt(Leader& who) {
        loop.ask(attempt_of(&who));
        both = both || (a.now().leads && b.now().leads);
    }
    void resign(Leader& who) { loop.ask(resignation_of(&who)); }

    Duration clock_a = hours(5);
    Duration clock_b = seconds(3);  ///< It was booted later.
    Leader a, b;
    bool both = false;  ///< Both led at once.
};

TEST(Leader, the_first_leads_and_the_other_waits) {
    Bench bench;
    EXPECT_FALSE(bench.a.now().leads) << "before anything was asked";
    bench.attempt(bench.a);
    bench.attempt(bench.b);
    EXPECT_TRUE(bench.a.now().leads);
    EXPECT_EQ(bench.a.now().epoch, 1U);
    EXPECT_FALSE(bench.b.now().leads);
    EXPECT_EQ(bench.b.now().holder, "a");
    for (int i = 0; i < 30; ++i) {
        bench.pass(seconds(2));
        bench.attempt(bench.a);
        bench.attempt(bench.b);
        ASSERT_TRUE(bench.a.now().leads) << i;
    }
    EXPECT_EQ(bench.a.now().epoch, 1U) << "renewing is no change";
    EXPECT_FALSE(bench.both);
}

TEST(Leader, who_cannot_renew_ends_before_another_begins) {
    Bench bench;
    bench.attempt(bench.a);
    bench.attempt(bench.b);
    Duration none;  // For how long nobody led.
    for (int i = 0; i < 200 && !bench.b.now().leads; ++i) {
        bench.pass(milliseconds(100));
        if (i % 20 == 0) bench.attempt(bench.b);
        if (!bench.a.now().leads) none = none + milliseconds(100);
        ASSERT_FALSE(bench.a.now().leads && bench.b.now().leads);
    }
    EXPECT_TRUE(bench.b.now().leads);
    EXPECT_EQ(bench.b.now().epoch, 2U);
    EXPECT_GE(none, seconds(5));
    bench.attempt(bench.a);
    EXPECT_FALSE(bench.a.now().leads);
    EXPECT_EQ(bench.a.now().holder, "b");
}

TEST(Leader, a_process_that_was_stopped_does_not_lead_when_it_goes_on) {
    Bench bench;
    bench.attempt(bench.a);
    bench.pass(seconds(60));  // SIGSTOP, or a suspended machine: nobody was asked meanwhile.
    EXPECT_FALSE(bench.a.now().leads);
    EXPECT_EQ(bench.a.left(), Duration{});
}

TEST(Leader, given_back_it_is_taken_at_once) {
    Bench bench;
    bench.attempt(bench.a);
    bench.resign(bench.a);
    EXPECT_FALSE(bench.a.now().leads);
    bench.attempt(bench.b);
    EXPECT_TRUE(bench.b.now().leads);
    EXPECT_EQ(bench.b.now().epoch, 2U);
    bench.attempt(bench.a);
    EXPECT_FALSE(bench.a.now().leads) << "for good";
    EXPECT_FALSE(bench.both);
}

TEST(Leader, a_renewal_without_an_answer_prolongs_nothing) {
    Bench bench;
    bench.attempt(bench.a);
    bench.pass(seconds(2));
    bench.silent = true;
    bench.attempt(bench.a);
    EXPECT_EQ(bench.a.left(), seconds(8));
    EXPECT_FALSE(bench.a.now().trouble.empty());
    bench.silent = false;
    bench.pass(seconds(2));
    bench.attempt(bench.a);
    EXPECT_EQ(bench.a.left(), seconds(10));
    EXPECT_EQ(bench.a.now().epoch, 1U);
    EXPECT_EQ(bench.a.now().trouble, "");
}

TEST(Leader, who_finds_another_in_its_place_ends_at_once) {
    Bench bench;
    bench.attempt(bench.a);
    bench.put(lease_body({}, {}, {.holder = "b", .epoch = 2, .acquired = "x", .renewed = "y"}));
    bench.pass(seconds(2));
    bench.attempt(bench.a);
    EXPECT_FALSE(bench.a.now().leads);
    EXPECT_EQ(bench.a.now().holder, "b");
}

TEST(Leader, says_who_leads_since_when_in_which_epoch_and_for_how_long) {
    Bench bench;
    EXPECT_EQ(bench.b.now().holder_epoch, 0U);
    EXPECT_EQ(bench.b.now().left, Duration{});
    bench.attempt(bench.a);
    bench.attempt(bench.b);
    bench.pass(seconds(4));
    const Leadership ours = bench.a.now();
    EXPECT_EQ(ours.holder, "a");
    EXPECT_EQ(ours.holder_epoch, 1U);
    EXPECT_EQ(ours.left, seconds(6)) << "it must be renewed within 10 s";
    const Leadership theirs = bench.b.now();
    EXPECT_EQ(theirs.holder_epoch, 1U);
    EXPECT_EQ(theirs.epoch, 0U) << "b never led";
    EXPECT_EQ(theirs.left, seconds(11)) << "b waits for 15 s";
    EXPECT_EQ(theirs.since, ours.since);
    EXPECT_FALSE(ours.since.empty());
    bench.pass(seconds(7));
    EXPECT_EQ(bench.a.now().holder, "") << "what lapsed is not ours any more";
    EXPECT_EQ(bench.a.now().left, Duration{});
}

TEST(Leader, a_server_that_is_away_is_said) {
    Bench bench;
    bench.down = true;
    bench.attempt(bench.a);
    EXPECT_FALSE(bench.a.now().leads);
    EXPECT_NE(bench.a.now().trouble.find("reading the lease parley-system/parley-leader"),
              std::string::npos);
    bench.down = false;
    bench.stored = R"({"metadata":{"resourceVersion":"1"},"spec":{"leaseTransitions":"many"}})";
    bench.attempt(bench.a);
    EXPECT_FALSE(bench.a.now().leads) << "on doubt it is not taken";
}

}  // namespace
}  // namespace parley::kube
