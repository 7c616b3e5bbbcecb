#include "base/clock_round.h"

#include <gtest/gtest.h>

namespace parley {
namespace {

constexpr TimePoint kBegun{hours(24 * 365 * 50).us};

/// A machine whose wall clock can be set while the time since boot only advances.
struct Machine {
    ClockReading at{kBegun, minutes(5)};
    RoundClock clock{[this] { return at; }};

    void pass(Duration length) {
        at.wall = at.wall + length;
        at.boot = at.boot + length;
    }
    void set(Duration by) { at.wall = at.wall + by; }
    Duration shown() { return clock.now() - kBegun; }
};

TEST(RoundClock, is_the_wall_clock_until_that_is_set) {
    Machine machine;
    EXPECT_EQ(machine.shown(), Duration{});
    machine.pass(seconds(3));
    EXPECT_EQ(machine.shown(), seconds(3));
    EXPECT_EQ(machine.clock.step(), Duration{});
    EXPECT_EQ(machine.clock.ours(machine.at.wall - seconds(7)), machine.at.wall - seconds(7));
}

TEST(RoundClock, a_step_there_and_back_neither_ages_nor_stops_anything) {
    Machine machine;
    machine.set(seconds(600));
    EXPECT_EQ(machine.shown(), Duration{});
    EXPECT_EQ(machine.clock.step(), seconds(600));
    EXPECT_EQ(machine.clock.step(), Duration{}) << "told once";
    machine.pass(seconds(20));
    EXPECT_EQ(machine.shown(), seconds(21)) << "a twentieth faster, to where the clock is";
    machine.set(seconds(-600));
    EXPECT_EQ(machine.shown(), seconds(21));
    EXPECT_EQ(machine.clock.step(), seconds(-600));
    machine.pass(seconds(10));
    EXPECT_EQ(machine.shown(), seconds(30) + milliseconds(500));
    machine.pass(seconds(10));
    EXPECT_EQ(machine.shown(), seconds(40)) << "and is the wall clock again";
    machine.pass(seconds(10));
    EXPECT_EQ(machine.shown(), seconds(50));
}

TEST(RoundClock, both_sides_of_a_step) {
    const struct {
        Duration set;
        Duration told;
    } cases[] = {
        {seconds(2), {}},
        {seconds(2) + microseconds(1), seconds(2) + microseconds(1)},
        {seconds(-2), {}},
        {seconds(-2) - microseconds(1), seconds(-2) - microseconds(1)},
    };
    for (const auto& c : cases) {
        Machine machine;
        machine.set(c.set);
        EXPECT_EQ(machine.clock.step(), c.told) << c.set.us;
    }
}

TEST(RoundClock, small_steps_add_up) {
    Machine machine;
    machine.set(milliseconds(1500));
    EXPECT_EQ(machine.clock.step(), Duration{});
    machine.set(milliseconds(1500));
    EXPECT_EQ(machine.clock.step(), seconds(3));
}

TEST(RoundClock, converges_without_going_back) {
    for (const Duration set : {minutes(59), minutes(-59), hours(-5)}) {
        Machine machine;
        machine.set(set);
        TimePoint before = machine.clock.now();
        const std::int64_t rounds = (set.us < 0 ? -set.us : set.us) * 20 / seconds(3).us;
        for (std::int64_t i = 0; i < rounds; ++i) {
            machine.pass(seconds(3));
            const TimePoint now = machine.clock.now();
            EXPECT_GE(now - before, seconds(3) - milliseconds(150));
            EXPECT_LE(now - before, seconds(3) + milliseconds(150));
            before = now;
        }
        EXPECT_EQ(machine.clock.now(), machine.at.wall) << set.us;
    }
}

TEST(RoundClock, a_clock_that_was_never_set_is_adopted_at_once) {
    Machine machine;
    machine.set(hours(1) + microseconds(1));
    EXPECT_EQ(machine.shown(), hours(1) + microseconds(1));
    Machine other;
    other.set(hours(1));
    EXPECT_EQ(other.shown(), Duration{});
}

TEST(RoundClock, a_suspended_machine_is_no_step) {
    Machine machine;
    machine.pass(hours(3));
    EXPECT_EQ(machine.shown(), hours(3));
    EXPECT_EQ(machine.clock.step(), Duration{});
}

TEST(RoundClock, what_others_wrote_is_as_old_as_by_the_wall_clock) {
    Machine machine;
    machine.set(seconds(600));
    const TimePoint now = machine.clock.now();
    EXPECT_EQ(now - machine.clock.ours(machine.at.wall - seconds(9)), seconds(9));
}

TEST(RoundClock, a_run_that_is_continued_does_not_go_back) {
    Machine machine;
    machine.clock.not_before(kBegun + seconds(100));
    EXPECT_EQ(machine.shown(), seconds(100));
    EXPECT_EQ(machine.clock.step(), seconds(-100));
    machine.clock.not_before(kBegun);
    EXPECT_EQ(machine.shown(), seconds(100));
    EXPECT_EQ(machine.clock.step(), Duration{});
}

TEST(RoundClock, reads_both_clocks_of_this_machine) {
    const ClockReading one = read_clocks();
    const ClockReading two = read_clocks();
    EXPECT_GT(one.boot, Duration{});
    EXPECT_GE(two.boot, one.boot);
    EXPECT_GT(one.wall, kBegun);
}

}  // namespace
}  // namespace parley
