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

const Duration kSteps[] = {seconds(3),      seconds(600), hours(1),      hours(1) + seconds(1),
                           hours(2),        hours(-2),    seconds(-600), hours(-24 * 400),
                           hours(24 * 400), minutes(59),  minutes(-59)};

TEST(RoundClock, a_step_of_any_size_there_and_back_neither_ages_nor_stops_anything) {
    for (const Duration by : kSteps) {
        Machine machine;
        machine.pass(seconds(5));
        EXPECT_EQ(machine.shown(), seconds(5));
        machine.set(by);
        EXPECT_EQ(machine.shown(), seconds(5)) << by.us;
        EXPECT_EQ(machine.clock.step(), by);
        EXPECT_EQ(machine.clock.step(), Duration{}) << "told once";
        machine.pass(seconds(12));
        EXPECT_EQ(machine.shown(), seconds(17)) << by.us;
        machine.set(Duration{} - by);
        EXPECT_EQ(machine.shown(), seconds(17)) << by.us;
        EXPECT_EQ(machine.clock.step(), Duration{} - by);
        machine.pass(hours(24));
        EXPECT_EQ(machine.shown(), hours(24) + seconds(17)) << by.us;
        EXPECT_EQ(machine.clock.now(), machine.at.wall) << "and is the wall clock again";
    }
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

TEST(RoundClock, a_suspended_machine_is_no_step) {
    Machine machine;
    machine.pass(hours(3));
    EXPECT_EQ(machine.shown(), hours(3));
    EXPECT_EQ(machine.clock.step(), Duration{});
}

TEST(RoundClock, a_step_of_a_suspended_machine_is_only_what_it_was_set_by) {
    Machine machine;
    machine.pass(hours(3));
    machine.set(hours(2));
    EXPECT_EQ(machine.shown(), hours(3));
    EXPECT_EQ(machine.clock.step(), hours(2));
}

/// A server whose clock is right, and one sample of it that is nine seconds old.
struct Others {
    Machine& machine;
    Duration ahead;  ///< Of round time.

    Duration age() {
        const TimePoint now = machine.clock.now();
        return now - machine.clock.ours(now + ahead - seconds(9));
    }
};

TEST(RoundClock, times_of_others_stay_as_old_as_they_are_if_our_clock_was_set_wrongly) {
    for (const Duration by : kSteps) {
        Machine machine;
        Others others{machine, {}};
        machine.set(by);
        EXPECT_EQ(others.age(), seconds(9)) << by.us;
        machine.clock.heard(milliseconds(700));
        EXPECT_EQ(others.age(), seconds(9)) << by.us;
        EXPECT_EQ(machine.clock.others(), Duration{});
        EXPECT_EQ(machine.clock.wall(), by);
        machine.set(Duration{} - by);
        machine.clock.heard(milliseconds(-700));
        EXPECT_EQ(others.age(), seconds(9)) << by.us;
    }
}

TEST(RoundClock, times_of_others_become_as_old_as_they_are_if_our_clock_was_set_right) {
    for (const Duration by : kSteps) {
        Machine machine;
        Others others{machine, by};  // Our clock was off by as much before.
        EXPECT_EQ(others.age(), seconds(9) - by);
        machine.set(by);
        EXPECT_EQ(others.age(), seconds(9) - by) << "as before until somebody was heard";
        machine.clock.heard(by + milliseconds(700));
        EXPECT_EQ(others.age(), seconds(9)) << by.us;
        EXPECT_EQ(machine.shown(), Duration{}) << "round time is as it was";
        machine.set(hours(10));  // Then wrongly.
        machine.clock.heard(by);
        EXPECT_EQ(others.age(), seconds(9)) << by.us;
    }
}

TEST(RoundClock, without_another_opinion_times_of_others_are_by_the_wall_clock) {
    Machine machine;
    machine.set(hours(2));
    machine.clock.heard(std::nullopt);
    EXPECT_EQ(machine.clock.others(), hours(2));
}

TEST(RoundClock, what_is_no_step_is_followed_at_once) {
    for (const Duration by : {seconds(2), seconds(-2)}) {
        Machine machine;
        machine.set(by);
        EXPECT_EQ(machine.clock.others(), by);
        machine.set(by);
        EXPECT_EQ(machine.clock.others(), by * 2) << "again";
    }
    Machine machine;
    machine.set(seconds(2) + microseconds(1));
    EXPECT_EQ(machine.clock.others(), Duration{});
}

TEST(RoundClock, a_run_that_is_continued_does_not_go_back) {
    Machine machine;
    machine.clock.not_before(kBegun + seconds(100));
    EXPECT_EQ(machine.shown(), seconds(100));
    EXPECT_EQ(machine.clock.others(), seconds(-100)) << "others do not go on from there";
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
